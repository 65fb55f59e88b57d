//go:build unix

package store_test

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func entries(t *testing.T, s *store.Store, session string, uncertain bool) (list []store.Entry) {
	t.Helper()
	must(t, s.Ledger(session, uncertain, func(e store.Entry) error {
		list = append(list, e)
		return nil
	}))
	return list
}

func TestTheLedgerHasEveryCallOnceWithWhoDecidedAndWhatItDid(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "one", Dir: "/d"})
	must(t, j.Append(llm.UserText("go")))
	zero := 0
	runCall(t, j, "c1", json.RawMessage(`{"command":"make"}`), tools.Never, tools.Outcome{Kind: tools.OK, ExitCode: &zero, Text: "out", Changes: []tools.Change{{Path: "a", Kind: "M", Added: 1}}})
	runCall(t, j, "c2", nil, tools.Never, tools.Outcome{Kind: tools.Uncertain, Text: "?"})
	list := entries(t, s, "on", false)
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	e := list[0]
	if e.Session != "one" || e.Dir != "/d" || e.Call.ID != "c1" || e.Decision.By != tools.ByPolicy || e.Decision.Reason == "" || *e.Outcome.ExitCode != 0 ||
		len(e.Outcome.Changes) != 1 || e.Took != time.Second || !e.Chained || e.Requested.IsZero() || e.Started.IsZero() || e.Settled.Before(e.Started) || e.Outcome.Text != "" {
		t.Errorf("%+v", e)
	}
	fork, err := s.Fork("one", 0)
	must(t, err)
	if all := entries(t, s, "", false); len(all) != 2 {
		t.Errorf("the fork's copies are listed: %+v", all)
	}
	if list := entries(t, s, "", true); len(list) != 1 || list[0].Call.ID != "c2" || list[0].Told {
		t.Errorf("uncertain: %+v", list)
	}
	if list := entries(t, s, fork, false); len(list) != 0 {
		t.Errorf("the fork did nothing, and has %+v", list)
	}
	runCall(t, newSession(t, s, store.Meta{ID: "agent", Parent: "one"}), "a1", nil, tools.Never, tools.Outcome{Kind: tools.OK})
	if list := entries(t, s, "one", false); len(list) != 3 || list[2].Session != "agent" {
		t.Errorf("its agent's calls are not among them: %+v", list)
	}
	if err := s.Ledger("nosuch", false, nil); err == nil {
		t.Error("a session that is not there has a ledger")
	}
}

// A call that is refused before there is a proposal says what it is about all the
// same, and the chain covers that.
func TestARefusedCallKeepsItsSubject(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "one"})
	c := tools.Call{ID: "c1", Tool: "write", Args: []byte(`{}`)}
	must(t, j.Append(asks(c)))
	must(t, j.Decide(c, tools.Decision{By: tools.ByStale, Reason: "read it first", About: "a.go"}))
	must(t, j.Settle(c, tools.Outcome{Kind: tools.Blocked, Block: tools.Stale}, 0))
	if list := entries(t, s, "one", false); len(list) != 1 || list[0].Summary != "a.go" {
		t.Errorf("%+v", list)
	}
	if v, err := s.Verify(); err != nil || v.Broken != nil || v.Entries != 2 {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestTheChainNamesTheFirstEntryThatWasEdited(t *testing.T) {
	onlyOne(t)
	for _, c := range []struct{ name, edit, call, event, why string }{
		{"nothing", ``, "", "", ""},
		{"who decided", `UPDATE call SET decided_by = 'person' WHERE id = 'c2'`, "c2", "decided", "was changed"},
		{"the arguments", `UPDATE call_args SET args = '{}' WHERE call = 2`, "c2", "decided", "was changed"},
		{"the outcome", `UPDATE call SET outcome = 'ok' WHERE id = 'c3'`, "c3", "settled", "was changed"},
		{"what it returned", `UPDATE call_result SET text = 'all went well' WHERE call = 1`, "c1", "settled", "was changed"},
		{"what it changed", `UPDATE call_result SET changes = '' WHERE call = 1`, "c1", "settled", "was changed"},
		{"a NULL for nothing", `UPDATE call SET exit_code = 0 WHERE id = 'c1'`, "c1", "settled", "was changed"},
		{"an entry", `UPDATE chain SET hash = x'00' WHERE seq = 2`, "c1", "settled", "was changed"},
		{"an entry left out", `DELETE FROM chain WHERE seq = 3`, "c2", "settled", "entry 3 of the chain is gone"},
		{"a call left out", `DELETE FROM call_args WHERE call = 2; DELETE FROM call_result WHERE call = 2; DELETE FROM call WHERE n = 2`, "", "decided", "the call is gone"},
		{"the end cut off", `DELETE FROM chain WHERE seq >= 5`, "c3", "settled", "is gone"},
		{"hidden as a copy", `UPDATE call SET origin = 1 WHERE id = 'c2'`, "c2", "decided", "marked as a copy"},
		{"not settled any more", `UPDATE call SET state = 'started' WHERE id = 'c2'`, "c2", "settled", "only started"},
		{"not decided any more", `UPDATE call SET state = 'requested', decided_at = NULL WHERE id = 'c2'`, "c2", "decided", "only requested"},
		{"the last call gone with its entries", `PRAGMA foreign_keys = OFF; DELETE FROM chain WHERE call = 3; DELETE FROM call WHERE n = 3`, "c3", "requested", "a message asks for the call"},
		{"a call that was made up", `INSERT INTO call (session, id, position, tool, requested, state, requested_at, allowed, decided_by) VALUES (1, 'c9', 0, 'shell', '', 'started', 1, 1, 'person')`, "c9", "decided", "is gone"},
		{"its session gone", `PRAGMA foreign_keys = OFF; DELETE FROM session`, "c1", "decided", "the session is gone"},
		{"moved to another session", `PRAGMA foreign_keys = OFF; UPDATE session SET id = 'two' WHERE id = 'one'`, "c1", "decided", "was changed"},
		{"what became of it", `UPDATE reconciliation SET finding = 'happened'`, "c1", "reconciled", "was changed"},
		{"a finding taken back", `DELETE FROM reconciliation`, "c1", "reconciled", "what was found is gone"},
		{"a finding said to be an old one", `UPDATE reconciliation SET chained = 0`, "c1", "reconciled", "before there was a chain"},
		{"a finding without its entry", `DELETE FROM chain WHERE seq = 7`, "c1", "reconciled", "what was found is gone"},
		{"a finding that was made up", `INSERT INTO reconciliation (call, finding, by, note, at, chained) VALUES (2, 'happened', 'you', '', 1, 1)`, "c2", "reconciled", "what was found is gone"},
	} {
		path := filepath.Join(t.TempDir(), "zuno.db")
		s := openAt(t, path)
		j := newSession(t, s, store.Meta{ID: "one"})
		for _, id := range []string{"c1", "c2", "c3"} {
			runCall(t, j, id, nil, tools.Never, tools.Outcome{Kind: tools.Uncertain, Text: "?", Changes: []tools.Change{{Path: "a", Kind: "M"}}})
		}
		if c.edit == "" || c.event == "reconciled" {
			must(t, j.Reconcile("c1", tools.DidNotHappen, tools.ByPerson, "looked"))
		}
		must(t, j.Close())
		if c.edit != "" {
			rawExec(t, path, c.edit)
		}
		v, err := s.Verify()
		must(t, err)
		switch {
		case c.edit == "" && (v.Broken != nil || v.Entries != 7 || v.Unchained != 0 || v.UnchainedFindings != 0):
			t.Errorf("%s: %+v %+v", c.name, v, v.Broken)
		case c.edit != "" && (v.Broken == nil || v.Broken.Call != c.call || v.Broken.Event != c.event || !strings.Contains(v.Broken.Why, c.why)):
			t.Errorf("%s: %+v", c.name, v.Broken)
		}
	}
}

func TestWhatARecoverySettlesIsInTheChain(t *testing.T) {
	onlyOne(t)
	for n := range len(script()) {
		path := filepath.Join(t.TempDir(), "zuno.db")
		_ = childCommand("crash", path, n).Run() // it kills itself
		s := openAt(t, path)
		list, err := s.Sessions(0)
		must(t, err)
		for _, m := range list {
			j, err := s.OpenSession(m.ID)
			must(t, err)
			must(t, j.Close())
		}
		if v, err := s.Verify(); err != nil || v.Broken != nil {
			t.Errorf("after step %d: %+v %v", n, v.Broken, err)
		}
	}
}

func TestWhatWasSpentIsAddedUpByPurposeAndAnUnknownPriceIsNotNothing(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "one"})
	must(t, j.Used(llm.Expense{Purpose: "conversation", Model: "p/m", Usage: llm.Usage{Input: 10, Output: 5, CacheRead: 3}, Cost: 0.5, Took: time.Second}))
	must(t, j.Used(llm.Expense{Purpose: "classifier", Model: "p/s", Usage: llm.Usage{Input: 2, Output: 1}, Cost: 0, Took: time.Second}))
	must(t, j.Used(llm.Expense{Purpose: "conversation", Model: "q/n", Usage: llm.Usage{Input: 1}, Cost: 0, Took: 2 * time.Second}))
	must(t, j.Used(llm.Expense{Purpose: "conversation", Model: "p/m", Usage: llm.Usage{Input: 4}, Cost: 0.1, Unreported: true, Failure: "it broke off"}))
	got, err := s.Spent("one")
	must(t, err)
	want := []store.Spent{
		{Purpose: "conversation", Calls: 3, Usage: llm.Usage{Input: 15, Output: 5, CacheRead: 3}, Unreported: 1, Cost: 0.6, Unpriced: 1, Took: 3 * time.Second},
		{Purpose: "classifier", Calls: 1, Usage: llm.Usage{Input: 2, Output: 1}, Unpriced: 1, Took: time.Second},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	for _, m := range []store.Meta{{ID: "agent", Parent: "one"}, {ID: "its own", Parent: "agent"}, {ID: "another"}} {
		must(t, newSession(t, s, m).Used(llm.Expense{Purpose: "subagent", Model: "p/m", Usage: llm.Usage{Input: 7}, Cost: 2, Took: time.Second}))
	}
	got, err = s.Spent("one")
	must(t, err)
	if want = append(want, store.Spent{Purpose: "subagent", Calls: 2, Usage: llm.Usage{Input: 14}, Cost: 4, Took: 2 * time.Second}); !reflect.DeepEqual(got, want) {
		t.Errorf("with its agents: %+v", got)
	}
}
