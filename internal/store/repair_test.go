//go:build unix

package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// TestADamagedRecordIsMovedAsideAndWhatCanBeReadIsSaved is C107.
func TestADamagedRecordIsMovedAsideAndWhatCanBeReadIsSaved(t *testing.T) {
	onlyOne(t)
	zeros := make([]byte, 4096)
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T) string
		saves bool
	}{
		{"zeros over the first page", func(t *testing.T) string {
			path := closedDB(t)
			overwrite(t, path, 0, zeros)
			return path
		}, false},
		{"zeros over a page of the middle", func(t *testing.T) string {
			path := closedDB(t)
			info, err := os.Stat(path)
			must(t, err)
			overwrite(t, path, info.Size()*3/4/4096*4096, zeros)
			return path
		}, true},
		{"cut in half", func(t *testing.T) string {
			path := closedDB(t)
			info, err := os.Stat(path)
			must(t, err)
			must(t, os.Truncate(path, info.Size()/2))
			return path
		}, true},
		{"the log taken away", func(t *testing.T) string {
			path := crashedDB(t)
			must(t, os.Remove(path+"-wal")) // it was all there was
			return path
		}, false},
		{"a newer format", func(t *testing.T) string {
			path := closedDB(t)
			rawExec(t, path, `PRAGMA user_version = 999`)
			return path
		}, false},
		{"a database of another program", func(t *testing.T) string {
			path := closedDB(t)
			rawExec(t, path, `PRAGMA application_id = 7`)
			return path
		}, false},
		{"a text", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "zuno.db")
			must(t, os.WriteFile(path, []byte("a shopping list\n"), 0o600))
			return path
		}, false},
		{"a directory", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "zuno.db")
			must(t, os.Mkdir(path, 0o700))
			return path
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := c.spoil(t)
			before, _ := os.ReadFile(path) // a directory has nothing to read
			dry, err := store.Repair(path, nil, false)
			must(t, err)
			if dry.Found == nil || len(dry.Aside) == 0 {
				t.Fatalf("%+v", dry)
			}
			if now, _ := os.ReadFile(path); !bytes.Equal(before, now) {
				t.Error("looking changed it")
			}
			r, err := store.Repair(path, nil, true)
			must(t, err)
			if aside, _ := os.ReadFile(r.Aside[0]); !bytes.Equal(before, aside) {
				t.Error("what was moved aside was changed")
			}
			if (len(r.Saved) > 0) != c.saves {
				t.Errorf("saved %+v, lost %q", r.Saved, r.Lost)
			}
			s := openAt(t, path)
			must(t, s.Check())
			list, err := s.Sessions(0)
			must(t, err)
			if c.saves && len(list) != 1 {
				t.Fatalf("%+v", list)
			}
			for _, m := range list {
				j, err := s.OpenSession(m.ID)
				must(t, err)
				p, err := j.Load()
				must(t, err)
				for _, m := range p.Messages {
					for _, call := range m.Calls() {
						if r, ok := p.Records[call.ID]; !ok || r.State != tools.Settled {
							t.Errorf("call %s has no record", call.ID)
						}
					}
				}
				must(t, j.Append(llm.UserText("on we go")))
				must(t, j.Close())
			}
			entries, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".zuno-repair-*"))
			if len(entries) != 0 || err != nil {
				t.Error(entries, err)
			}
		})
	}
}

func TestACallOfWhichTheRecordIsLostCountsAsUncertain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s, err := store.Open(path, nil)
	must(t, err)
	j := newSession(t, s, store.Meta{ID: "one"})
	must(t, j.Append(llm.UserText("go")))
	runCall(t, j, "c1", []byte(`{"command":"make"}`), tools.Never, tools.Outcome{Kind: tools.OK})
	must(t, errors.Join(j.Close(), s.Close()))
	// The row is gone and the index still has it: that is what damage looks like.
	rawExec(t, path, `PRAGMA writable_schema = ON; DELETE FROM chain; DELETE FROM call_result; DELETE FROM call_args; DELETE FROM call;
		UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'call_args') WHERE name = 'call_uncertain'`)
	r, err := store.Repair(path, nil, true)
	must(t, err)
	if r.Found == nil || !strings.Contains(strings.Join(r.Lost, ";"), "the record of 1 calls") {
		t.Fatalf("%+v", r)
	}
	s = openAt(t, path)
	j, err = s.OpenSession("one")
	must(t, err)
	p, err := j.Load()
	must(t, err)
	if p.Records["c1"].Outcome.Kind != tools.Uncertain || !strings.Contains(p.Notice, "call c1") {
		t.Errorf("%+v %q", p.Records["c1"], p.Notice)
	}
	must(t, j.Close())
}

func TestARecordThatIsWholeOrInUseIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	if r, err := store.Repair(path, nil, true); err != nil || !r.Missing {
		t.Error(r, err)
	}
	s := openAt(t, path)
	must(t, newSession(t, s, store.Meta{ID: "one"}).Append(llm.UserText("x")))
	if r, err := store.Repair(path, nil, true); err != nil || r.Found != nil {
		t.Error(r, err)
	}
	info, err := os.Stat(path)
	must(t, err)
	overwrite(t, path, info.Size()/4096/2*4096, make([]byte, 4096))
	at := func() time.Time { return time.Unix(1_700_000_000, 0) }
	if r, err := store.Repair(path, at, true); r.Found != nil && !errors.Is(err, store.ErrInUse) {
		t.Error(r, err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
