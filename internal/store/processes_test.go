//go:build unix

package store_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

const (
	hammerProcesses = 12
	hammerCalls     = 20
	hammerBytes     = 50_000
)

// hammer records a session of its own as fast as it can.
func hammer(path string, n int) error {
	s, err := store.Open(path, nil)
	if err != nil {
		return err
	}
	j, err := s.NewSession(store.Meta{ID: fmt.Sprint("s", n)})
	if err != nil {
		return err
	}
	if err := j.Append(llm.UserText("go")); err != nil {
		return err
	}
	for i := range hammerCalls {
		c := tools.Call{ID: fmt.Sprint("c", i), Tool: "shell", Args: json.RawMessage(`{}`)}
		err := errors.Join(
			j.Append(asks(c)), j.Propose(&tools.Proposal{Call: c}), j.Decide(c, allowed()), j.Start(c),
			j.Settle(c, tools.Outcome{Kind: tools.OK, Text: strings.Repeat("x", hammerBytes)}, 1),
		)
		if err != nil {
			return err
		}
	}
	return errors.Join(j.Close(), s.Close())
}

func TestTwelveProcessesAtOnceLoseNothingAndSeeNoLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "zuno.db") // its making is raced for too
	var wait sync.WaitGroup
	for n := range hammerProcesses {
		wait.Go(func() {
			if out, err := childCommand("hammer", path, n).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("process %d: %v: %s", n, err, out)
			}
		})
	}
	wait.Wait()
	s := openAt(t, path)
	must(t, s.Check())
	list, err := s.Sessions(0)
	must(t, err)
	if len(list) != hammerProcesses {
		t.Fatalf("there are %d sessions", len(list))
	}
	for _, m := range list {
		if m.Messages != 1+hammerCalls || m.Calls != hammerCalls || m.Held {
			t.Errorf("session %s: %+v", m.ID, m)
		}
	}
	if n := rawInt(t, path, `SELECT sum(length(text)) FROM call_result`); n != hammerProcesses*hammerCalls*hammerBytes {
		t.Errorf("there are %d bytes of results", n)
	}
	if v, err := s.Verify(); err != nil || v.Broken != nil || v.Entries != 2*hammerProcesses*hammerCalls {
		t.Errorf("%+v %+v %v", v, v.Broken, err)
	}
	if hits, err := s.Search("go", "", 0); err != nil || len(hits) != hammerProcesses {
		t.Errorf("%d hits, %v", len(hits), err)
	}
}

func TestSessionsOfOneProcessAreRecordedSideBySide(t *testing.T) {
	s := openNew(t)
	var wait sync.WaitGroup
	for n := range 4 {
		wait.Go(func() {
			j := newSession(t, s, store.Meta{ID: fmt.Sprint("s", n)})
			for i := range 10 {
				runCall(t, j, fmt.Sprint("c", i), nil, tools.Never, tools.Outcome{Kind: tools.OK})
				if _, err := j.Load(); err != nil {
					t.Error(err)
				}
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if list, err := s.Sessions(0); err != nil || len(list) != 4 || list[0].Calls != 10 {
		t.Error(list, err)
	}
}

func TestReadingGoesOnWhileAnotherProgramHoldsTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	j := newSession(t, s, store.Meta{Dir: "/d"})
	must(t, j.Append(llm.UserText("one")))
	db := rawOpen(t, path)
	db.SetMaxOpenConns(1)
	rawBegin(t, db)
	if _, ok, err := s.Latest("/d"); !ok || err != nil {
		t.Error(ok, err)
	}
	if p, err := j.Load(); err != nil || len(p.Messages) != 1 {
		t.Error(p, err)
	}
	landed := make(chan error)
	go func() { landed <- j.Append(llm.UserText("two")) }()
	select {
	case err := <-landed:
		t.Errorf("the write did not wait: %v", err)
	default:
	}
	_, err := db.Exec("COMMIT")
	must(t, err)
	must(t, db.Close())
	must(t, <-landed)
	must(t, j.Close())
}

func rawBegin(t *testing.T, db *sql.DB) {
	t.Helper()
	_, err := db.Exec("BEGIN IMMEDIATE")
	must(t, err)
}

func TestOpeningAndClosingKeepsNoFileDescriptor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	must(t, newSession(t, s, store.Meta{}).Append(llm.UserText("x")))
	var before []byte
	for i := range 6 {
		if i == 3 { // SQLite keeps a few to use them again
			before = descriptors(t, path)
		}
		s, err := store.Open(path, nil)
		must(t, err)
		_, err = s.Sessions(1)
		must(t, err)
		must(t, s.Close())
	}
	if after := descriptors(t, path); !bytes.Equal(before, after) {
		t.Errorf("open before:\n%safter:\n%s", before, after)
	}
}

func descriptors(t *testing.T, path string) []byte {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("there is no /proc")
	}
	var b bytes.Buffer
	for _, e := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.HasPrefix(to, path) {
			fmt.Fprintln(&b, to)
		}
	}
	return b.Bytes()
}
