package store_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/work"
)

func answer(text string) *llm.Message {
	return &llm.Message{Role: llm.Assistant, Model: "p/m", Stop: llm.StopEnd, Parts: []llm.Part{{Kind: llm.Text, Text: text}}}
}

func TestAForkBeginsAsACopyOfTheFirstTurns(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "one", Dir: "/d", Branch: "main"})
	for i, text := range []string{"first", "taken back", "second", "third"} {
		must(t, j.Append(llm.UserText(text)))
		runCall(t, j, text, nil, tools.Never, tools.Outcome{Kind: tools.OK, Text: "did " + text, Images: []tools.Image{{MIME: "image/png", Data: []byte{1}}}})
		must(t, j.Append(answer("done")))
		if i == 1 {
			turns, err := j.Turns()
			must(t, err)
			must(t, j.Rewind(turns[1].Seq))
		}
	}
	must(t, j.Used(llm.Expense{Purpose: "conversation", Model: "p/m", Usage: llm.Usage{Input: 1}, Cost: 1, Took: 1}))
	id, err := s.Fork("one", 2)
	must(t, err)
	f, err := s.OpenSession(id)
	must(t, err)
	p, err := f.Load()
	must(t, err)
	said := ""
	for _, m := range p.Messages {
		said += m.Text() + ";"
	}
	if said != "first;;done;second;;done;" || len(p.Records) != 2 || p.Records["second"].Outcome.Text != "did second" || len(p.Records["first"].Outcome.Images) != 1 {
		t.Errorf("the fork holds %q and %d records", said, len(p.Records))
	}
	if m := f.Meta(); m.Forked != "one" || m.Branch != "main" || m.Title != "first (fork)" || m.Dir != "/d" {
		t.Errorf("%+v", m)
	}
	must(t, f.Append(llm.UserText("another way")))
	must(t, f.Close())
	if spent, err := s.Spent(id); err != nil || len(spent) != 0 {
		t.Error(spent, err)
	}
	if v, err := s.Verify(); err != nil || v.Broken != nil {
		t.Error(v.Broken, err)
	}
	for _, n := range []int{-1, 4} {
		if _, err := s.Fork("one", n); err == nil || !strings.Contains(err.Error(), "it has 3 turns") {
			t.Errorf("at %d: %v", n, err)
		}
	}
}

func TestAForkKnowsWhatWasFoundOutAndWhatIsLeftOut(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "one"})
	must(t, j.Append(llm.UserText("first")))
	runCall(t, j, "c1", json.RawMessage(`{"command":"make"}`), tools.Never, tools.Outcome{Kind: tools.Uncertain, Text: "?"})
	must(t, j.Reconcile("c1", tools.DidNotHappen, tools.ByPerson, "I looked"))
	must(t, j.Append(answer("done")))
	must(t, j.Append(llm.UserText("second")))
	must(t, j.Append(answer("done")))
	must(t, j.Compact("what was", "facts", 2, 100, 50))
	must(t, j.Append(llm.UserText("third")))
	must(t, j.Append(answer("done")))
	must(t, j.ChangeWork(func(w *work.Work) error {
		w.Plan = &work.Plan{ID: "p", Title: "a plan", Steps: []work.Step{{ID: "s", Title: "a step", Status: "pending"}}}
		w.Todos = []work.Todo{{ID: "t", Subject: "a todo"}}
		w.Goal = &work.Goal{ID: "g", Objective: "a goal", Criteria: []work.Criterion{{ID: "c", Text: "a test"}}}
		return nil
	}))
	was, err := j.Work()
	must(t, err)
	for turns, summary := range map[int]string{0: "what was", 2: "what was", 1: ""} {
		id, err := s.Fork("one", turns)
		must(t, err)
		f, err := s.OpenSession(id)
		must(t, err)
		if list, err := f.Uncertain(); err != nil || len(list) != 0 {
			t.Errorf("%d turns: %v are in doubt, %v", turns, list, err)
		}
		p, err := f.Load()
		must(t, err)
		if p.View.Summary != summary || summary != "" && p.View.Covers != 3 {
			t.Errorf("%d turns: the view is %+v", turns, p.View)
		}
		now, err := f.Work()
		must(t, err)
		if (turns == 0) != reflect.DeepEqual(now, was) {
			t.Errorf("%d turns: the work is %+v", turns, now)
		}
		must(t, f.Close())
	}
	if v, err := s.Verify(); err != nil || v.Broken != nil {
		t.Error(v.Broken, err)
	}
}

func TestASessionWithACallThatRunsIsNotForked(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "one"})
	must(t, j.Append(llm.UserText("before")))
	must(t, j.Append(answer("yes")))
	must(t, j.Append(llm.UserText("go")))
	must(t, j.Append(asks(call("c1"))))
	if _, err := s.Fork("one", 0); !errors.Is(err, store.ErrUnsettled) {
		t.Error(err)
	}
	if list, err := s.Sessions(0); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
	if _, err := s.Fork("one", 1); err != nil {
		t.Error(err)
	}
	if _, err := s.Fork("nosuch", 0); !errors.Is(err, store.ErrNoSession) {
		t.Error(err)
	}
}

func TestRenamingAndTheBranchAreStored(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "one", Branch: "main"})
	must(t, j.Rename("before anything"))
	must(t, j.Append(llm.UserText("hello")))
	must(t, j.Located("topic"))
	_, err := s.Rename("on", "ghp_0123456789abcdefghijABCDEFGHIJ012345 in it")
	must(t, err)
	list, err := s.Sessions(0)
	must(t, err)
	if m := list[0]; m.Title != "[redacted: GitHub token] in it" || m.Branch != "topic" {
		t.Errorf("%+v", m)
	}
	must(t, j.Rename("at last"))
	if m, _, err := s.Read("one"); err != nil || m.Title != "at last" || m.Branch != "topic" {
		t.Errorf("%+v %v", m, err)
	}
}

func TestOldSessionsAreRemovedWithAllThatBelongsToThem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	at := time.Unix(1_700_000_000, 0)
	s, err := store.Open(path, func() time.Time { return at })
	must(t, err)
	defer s.Close()
	make := func(m store.Meta, text string, o tools.Outcome) *store.Session {
		j := newSession(t, s, m)
		must(t, j.Append(llm.UserText(text)))
		before := tools.StateOf(tools.Regular, 0o644, []byte(strings.Repeat(m.ID, 1000)))
		c := call("c")
		must(t, j.Append(asks(c)))
		must(t, j.Propose(&tools.Proposal{Call: c, Touches: []tools.Touch{{Path: "/x", Before: before, After: before}}}))
		must(t, j.Decide(c, allowed()))
		must(t, j.Start(c))
		must(t, j.Settle(c, o, 1))
		must(t, j.Used(llm.Expense{Purpose: "conversation", Model: "p/m", Usage: llm.Usage{Input: 1}, Cost: 1, Took: 1}))
		at = at.Add(time.Second)
		return j
	}
	ok := tools.Outcome{Kind: tools.OK, Text: "needle"}
	must(t, make(store.Meta{ID: "old"}, "haystack", ok).Close())
	must(t, make(store.Meta{ID: "child", Parent: "old"}, "delegated", ok).Close())
	must(t, make(store.Meta{ID: "doubt"}, "x", tools.Outcome{Kind: tools.Uncertain}).Close())
	held := make(store.Meta{ID: "held"}, "x", ok)
	open := make(store.Meta{ID: "open"}, "x", ok)
	must(t, open.Append(asks(call("never"))))
	must(t, open.Close())
	must(t, make(store.Meta{ID: "kept"}, "x", ok).Close())
	limit := at
	at = at.Add(time.Hour)
	must(t, make(store.Meta{ID: "new"}, "x", ok).Close())

	what := func(c store.Collected) string {
		out := ""
		for _, m := range c.Removed {
			out += "-" + m.ID + " "
		}
		for _, k := range c.Kept {
			out += "+" + k.ID + ": " + k.Why + "; "
		}
		return out
	}
	const kept = "+open: 1 of its calls have no outcome; continue it once to settle them; +held: a running zuno holds it; "
	const doubt = "+doubt: 1 of its calls may have happened, and the model was not told yet; "
	dry, err := s.Collect(store.Collection{Before: limit, Keep: 2, Dry: true})
	must(t, err)
	if got := what(dry); got != "-old "+kept+doubt {
		t.Errorf("dry: %s", got)
	}
	if list, err := s.Sessions(0); err != nil || len(list) != 6 {
		t.Error(list, err)
	}
	done, err := s.Collect(store.Collection{Before: limit, Keep: 2})
	must(t, err)
	if got := what(done); got != "-old "+kept+doubt || done.Freed <= 0 {
		t.Errorf("%s freed %d", got, done.Freed)
	}
	if n := rawInt(t, path, `SELECT count(*) FROM session WHERE id IN ('old', 'child')`); n != 0 {
		t.Errorf("%d are left", n)
	}
	for _, q := range []string{"call", "message", "llm_usage", "chain"} {
		if n := rawInt(t, path, `SELECT count(*) FROM `+q+` WHERE session NOT IN (SELECT n FROM session)`); n != 0 {
			t.Errorf("%d rows of %s are left", n, q)
		}
	}
	if n := rawInt(t, path, `SELECT count(*) FROM content`); n != 5 {
		t.Errorf("there are %d contents", n)
	}
	if hits, err := s.Search("haystack", "", 0); err != nil || len(hits) != 0 {
		t.Error(hits, err)
	}
	must(t, s.Check())
	done, err = s.Collect(store.Collection{Before: at.Add(time.Hour), Untold: true})
	must(t, err)
	if got := what(done); got != "-new -kept -doubt "+kept {
		t.Error(got)
	}
	must(t, held.Append(llm.UserText("it is still mine")))
	must(t, held.Close())
	must(t, s.Check())
}

func TestASearchFindsWhatWasSaidAndReturned(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "one", Dir: "/a"})
	must(t, j.Append(llm.UserText("Fix the Überlauf in foo_bar.go")))
	runCall(t, j, "c1", nil, tools.Never, tools.Outcome{Kind: tools.OK, Text: "head-word " + strings.Repeat("x ", 9000) + "middle-word " + strings.Repeat("y ", 9000) + "tail-word"})
	other := newSession(t, s, store.Meta{ID: "two", Dir: "/b"})
	must(t, other.Append(llm.UserText("an uberlauf elsewhere")))
	for query, want := range map[string]string{
		"uberlauf": "user two;user one;", "überlauf FIX": "user one;", "foo_bar": "user one;", "foo_b": "user one;", "make": "shell one;",
		"head-word": "shell one;", "tail-wo": "shell one;", `"`: "", `" OR x*`: "", "NEAR(": "", "": "", "  ": "", "nothing": "", "-": "",
	} {
		hits, err := s.Search(query, "", 0)
		got := ""
		for _, h := range hits {
			got += h.Who + " " + h.ID + ";"
		}
		if got != want || err != nil {
			t.Errorf("%q: %s, %v", query, got, err)
		}
	}
	if hits, err := s.Search("uberlauf", "/b", 0); err != nil || len(hits) != 1 || !strings.Contains(hits[0].Text, "an uberlauf elsewhere") {
		t.Errorf("%+v %v", hits, err)
	}
	turns, err := j.Turns()
	must(t, err)
	must(t, j.Rewind(turns[0].Seq))
	if hits, err := s.Search("foo_bar", "", 0); err != nil || len(hits) != 0 {
		t.Errorf("what was taken back is found: %+v %v", hits, err)
	}
}
