package store_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// onlyOne skips a test that makes many databases, one after the other, where the
// race detector looks on (make race): it has nothing to see there and makes
// SQLite ten times slower.
func onlyOne(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
}

// openAt opens a store for the length of the test.
func openAt(tb testing.TB, path string) *store.Store {
	tb.Helper()
	s, err := store.Open(path, nil)
	must(tb, err)
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

func openNew(tb testing.TB) *store.Store {
	tb.Helper()
	return openAt(tb, filepath.Join(tb.TempDir(), "zuno.db"))
}

func newSession(tb testing.TB, s *store.Store, m store.Meta) *store.Session {
	tb.Helper()
	j, err := s.NewSession(m)
	must(tb, err)
	return j
}

func call(id string) tools.Call {
	return tools.Call{ID: id, Tool: "shell", Args: json.RawMessage(`{"command":"make"}`)}
}

func allowed() tools.Decision {
	return tools.Decision{Allowed: true, By: tools.ByPolicy, Reason: "the policy covers it", At: time.Unix(1_700_000_000, 5)}
}

// asks is a message of the model that makes calls.
func asks(calls ...tools.Call) *llm.Message {
	m := &llm.Message{Role: llm.Assistant, Model: "p/m", Stop: llm.StopCalls}
	for _, c := range calls {
		m.Parts = append(m.Parts, llm.Part{Kind: llm.CallPart, Call: &llm.Call{ID: c.ID, Name: c.Tool, Args: c.Args}})
	}
	return m
}

// runCall takes a requested call through all of its states.
func runCall(tb testing.TB, j *store.Session, id string, args json.RawMessage, replay tools.Replay, o tools.Outcome) {
	tb.Helper()
	c := tools.Call{ID: id, Tool: "shell", Args: args}
	begun(tb, j, &tools.Proposal{Call: c, Spec: tools.Spec{Replay: replay}, Summary: "make"})
	must(tb, j.Settle(c, o, time.Second))
}

// begun takes a requested call to its start, in the commits that the loop makes.
func begun(tb testing.TB, j *store.Session, p *tools.Proposal) {
	tb.Helper()
	must(tb, j.Append(asks(p.Call)))
	must(tb, j.Together(func() error {
		return errors.Join(j.Propose(p), j.Decide(p.Call, allowed()), j.Start(p.Call))
	}))
}

// rawOpen opens the database without the store.
func rawOpen(tb testing.TB, path string) *sql.DB {
	tb.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	must(tb, err)
	return db
}

func rawExec(tb testing.TB, path, query string, args ...any) {
	tb.Helper()
	db := rawOpen(tb, path)
	_, err := db.Exec(query, args...)
	must(tb, err)
	must(tb, db.Close())
}

func rawInt(tb testing.TB, path, query string, args ...any) (n int) {
	tb.Helper()
	db := rawOpen(tb, path)
	must(tb, db.QueryRow(query, args...).Scan(&n))
	must(tb, db.Close())
	return n
}
