//go:build unix

package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/store"
)

// readsScript has a model read a file n times, one call a step.
func readsScript(t *testing.T, n int) string {
	t.Helper()
	steps := []any{}
	for i := range n {
		steps = append(steps, map[string]any{"calls": []any{map[string]any{
			"id": fmt.Sprint("r", i), "name": "read", "args": map[string]any{"filePath": "big.txt"},
		}}})
	}
	b, err := json.Marshal(map[string]any{"steps": append(steps, map[string]any{"text": "all read"})})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTwelveZunosShareOneRecord is C102: twelve at once on one record of the
// previous version, twenty calls each with 50 KB results, two of them in the
// same session.
func TestTwelveZunosShareOneRecord(t *testing.T) {
	const zunos, calls = 12, 20
	w := newWorld(t, map[string]string{"big.txt": strings.Repeat(strings.Repeat("x", 40)+"\n", 1150)})
	path := recordOf(t, w.env)
	old, err := os.ReadFile("../../internal/store/testdata/v2.db")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	busy := 0
	for n := range zunos {
		args := []string{"run", "--model", "anthropic/claude-sonnet-5-5", "read it all"}
		if n < 2 {
			args = append([]string{"run", "--session", "0000000000second"}, args[1:]...)
		}
		url := w.play([]byte(readsScript(t, calls)))
		env := append([]string{"ANTHROPIC_BASE_URL=" + url}, dropName(w.env, "ANTHROPIC_BASE_URL")...)
		wait.Go(func() {
			cmd := exec.Command("zuno", args...)
			cmd.Dir, cmd.Env = w.dir, env
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			err := cmd.Run()
			switch {
			case err == nil && strings.Contains(out.String(), "all read"):
			case n < 2 && strings.Contains(out.String(), "in use by process"):
				mu.Lock()
				busy++
				mu.Unlock()
			default:
				t.Errorf("zuno %d: %v\n%s", n, err, out.String())
			}
			if strings.Contains(out.String(), "locked") {
				t.Errorf("zuno %d saw a lock:\n%s", n, out.String())
			}
		})
	}
	wait.Wait()
	if busy > 1 {
		t.Errorf("nobody got the session that two asked for")
	}
	db, err := store.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Check(); err != nil {
		t.Error(err)
	}
	list, err := db.SessionsIn(w.dir, 0)
	// The folder of the one that was continued is gone, so that it belongs here now.
	list = slices.DeleteFunc(list, func(m store.Summary) bool { return m.ID == "0000000000second" })
	if err != nil || len(list) != zunos-2 {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
	for _, m := range list {
		_, past, err := db.Read(m.ID)
		if err != nil || len(past.Messages) != calls+2 || len(past.Records) != calls || m.Held {
			t.Errorf("session %s: %d messages, %d calls, held %v, %v", m.ID, len(past.Messages), len(past.Records), m.Held, err)
		}
		for id, r := range past.Records {
			if len(r.Outcome.Text) < 45_000 {
				t.Errorf("session %s: the result of %s has %d bytes", m.ID, id, len(r.Outcome.Text))
			}
		}
	}
	ran := 2 - busy // one after the other is fine too
	if v, err := db.Verify(); err != nil || v.Broken != nil || v.Entries != 2*calls*(zunos-2+ran) {
		t.Errorf("%+v %+v, %v", v, v.Broken, err)
	}
}

func dropName(env []string, name string) []string {
	var kept []string
	for _, e := range env {
		if !strings.HasPrefix(e, name+"=") {
			kept = append(kept, e)
		}
	}
	return kept
}

// TestALockThatIsHeldLongDelaysTheTurnAndNotTheScreen is C103: another program
// holds the record for longer than one attempt to write waits.
func TestALockThatIsHeldLongDelaysTheTurnAndNotTheScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("it holds a lock for several seconds")
	}
	url := play(t, `{"steps":[{"calls":[{"id":"w","name":"write","args":{"filePath":"new.txt","content":"x\n"}}]},{"text":"Written."}]}`)
	env, dir := zunoEnv(t, url), t.TempDir()
	p := openPane(t, env, dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.line("write it")
	p.await("approve · write")
	release := holdLock(t, recordOf(t, env))
	p.answer("y", "approve · write")
	// The screen takes keys while the record cannot be written.
	held := time.Now()
	for i := 0; time.Since(held) < 7*time.Second; i++ {
		word := fmt.Sprintf("key%d", i)
		began := time.Now()
		p.keys("-l", word)
		p.await(word)
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("a key took %s", d)
		}
		p.keys("C-u")
		if _, err := os.Stat(filepath.Join(dir, "new.txt")); err == nil {
			t.Fatal("the effect came before its record")
		}
	}
	release()
	p.await("Written.")
	if b, err := os.ReadFile(filepath.Join(dir, "new.txt")); err != nil || string(b) != "x\n" {
		t.Errorf("new.txt: %q, %v", b, err)
	}
	p.leave()
}

// holdLock takes the write lock of a record, and returns what gives it back.
func holdLock(t *testing.T, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAnotherSessionIsGoneToOnTheScreen(t *testing.T) {
	url := play(t, `{"steps":[{"text":"First answer."},{"text":"Second answer."},{"expect":["third prompt"],"text":"Back again."}]}`)
	env, dir := zunoEnv(t, url), t.TempDir()
	p := openPane(t, env, dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	line := func(s string) {
		p.keys("-l", s)
		p.await(s)
		p.keys("Enter")
	}
	line("first prompt")
	p.await("First answer.")
	line("/new")
	p.await("── a new session ──")
	line("second prompt")
	p.await("Second answer.")
	line("/rename the second one")
	p.await("is called the second one now")
	line("/resume")
	p.await("Continue which session?", "first prompt", "just now, 2 messages")
	p.answer("1", "Continue which session?")
	p.await("── session: first prompt ──")
	line("third prompt")
	p.await("Back again.")
	line("/cost")
	p.await("conversation  2 calls")
	line("/export")
	p.await("exported to")
	// What runs is named before it ends, and ends when the person says so.
	line("! sleep 301.25 & echo begun")
	p.await("│ begun")
	await(t, "the end of the turn", func() bool { return !strings.Contains(p.text(), "Esc Esc stops") })
	line("/fork")
	p.await("end with this session", "sleep 301.25")
	p.answer("2", "End them and go on")
	p.await("── session: first prompt (fork) ──")
	if n := processes("^sleep 301.25"); n != 0 {
		t.Errorf("%d processes are left", n)
	}
	p.leave()
	db, err := store.Open(recordOf(t, env), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	list, err := db.SessionsIn(dir, 0)
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, m := range list {
		if m.Held || m.Unsettled > 0 {
			t.Errorf("%+v", m)
		}
	}
}
