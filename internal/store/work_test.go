//go:build unix

package store_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/work"
)

// fullWork has something in every field.
func fullWork() work.Work {
	return work.Work{
		Revision: 1, Minted: 7,
		Plan: &work.Plan{ID: "p1", Revision: 3, Title: "plan", Goal: "g1", Steps: []work.Step{{ID: "s1", Title: "a", Status: "completed"}, {ID: "s2", Title: "b", Status: "in_progress"}}},
		Todos: []work.Todo{
			{ID: "t2", Revision: 2, Subject: "second, but first", Description: "d", ActiveForm: "f", Status: "blocked", Priority: "high", Goal: "g1", PlanStep: "s2", Parent: "t1", Owner: "o", Dependencies: []string{"t1", "t\"3"}},
			{ID: "t1", Revision: 1, Subject: "x", Status: "pending", Priority: "low"},
		},
		Goal: &work.Goal{ID: "g1", Revision: 4, Objective: "o", Status: "blocked", BlockedBy: "b", Criteria: []work.Criterion{{ID: "c1", Text: "t", Receipt: "r"}, {ID: "c2", Text: "u", Waived: "w"}}},
	}
}

func setWork(j *store.Session, w work.Work) error {
	return j.ChangeWork(func(now *work.Work) error {
		w.Revision = now.Revision
		*now = w
		return nil
	})
}

func TestWorkSurvivesARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s, err := store.Open(path, nil)
	must(t, err)
	j := newSession(t, s, store.Meta{})
	if w, err := j.Work(); err != nil || !reflect.DeepEqual(w, work.Work{}) {
		t.Errorf("%+v, %v", w, err)
	}
	must(t, setWork(j, fullWork())) // also before anything was said
	must(t, errors.Join(j.Close(), s.Close()))
	s = openAt(t, path)
	j, err = s.OpenSession(j.ID())
	must(t, err)
	if w, err := j.Work(); err != nil || !reflect.DeepEqual(w, fullWork()) {
		t.Errorf("%+v, %v", w, err)
	}
	if text, err := j.WorkState(); err != nil || !strings.Contains(text, "t2, revision 2, blocked") {
		t.Errorf("%s, %v", text, err)
	}
	// Another session has its own.
	k := newSession(t, s, store.Meta{})
	must(t, k.Append(llm.UserText("x")))
	if w, err := k.Work(); err != nil || w.Revision != 0 || w.Plan != nil {
		t.Errorf("%+v, %v", w, err)
	}
	must(t, setWork(j, work.Work{}))
	if w, err := j.Work(); err != nil || !reflect.DeepEqual(w, work.Work{Revision: 2}) {
		t.Errorf("emptied: %+v, %v", w, err)
	}
	must(t, errors.Join(j.Close(), k.Close()))
}

func TestAChangeThatIsRefusedChangesNothing(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{})
	must(t, setWork(j, fullWork()))
	no := errors.New("no")
	err := j.ChangeWork(func(w *work.Work) error {
		w.Todos, w.Plan = nil, nil
		return no
	})
	if err != no {
		t.Errorf("the error is %v", err)
	}
	if w, err := j.Work(); err != nil || !reflect.DeepEqual(w, fullWork()) {
		t.Errorf("%+v, %v", w, err)
	}
	must(t, j.Close())
	if err := setWork(j, work.Work{}); err == nil {
		t.Error("a closed session takes changes")
	}
}

func TestReceiptsAreTheCallsThatSucceeded(t *testing.T) {
	j := newSession(t, openNew(t), store.Meta{})
	zero, one := 0, 1
	for id, o := range map[string]tools.Outcome{
		"ok": {Kind: tools.OK}, "exit0": {Kind: tools.OK, ExitCode: &zero}, "exit1": {Kind: tools.OK, ExitCode: &one},
		"error": {}, "blocked": {Kind: tools.Blocked}, "uncertain": {Kind: tools.Uncertain},
	} {
		runCall(t, j, id, []byte(`{}`), tools.Never, o)
	}
	list, err := j.Receipts()
	got := map[string]string{}
	for _, r := range list {
		got[r.ID] = r.Summary
	}
	if err != nil || !reflect.DeepEqual(got, map[string]string{"ok": "make", "exit0": "make"}) {
		t.Errorf("%v, %v", got, err)
	}
	must(t, j.Close())
}

// killedInTheMiddle begins to change the work of a session and dies before the
// change is committed.
func killedInTheMiddle(path string) error {
	s, err := store.Open(path, nil)
	if err != nil {
		return err
	}
	j, err := s.OpenSession("work")
	if err != nil {
		return err
	}
	return j.SaveAndDie(work.Work{Revision: 9, Goal: &work.Goal{ID: "g9"}})
}

func TestADeathInTheMiddleOfAChangeLeavesTheOldState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s, err := store.Open(path, nil)
	must(t, err)
	j := newSession(t, s, store.Meta{ID: "work"})
	must(t, errors.Join(setWork(j, fullWork()), j.Close(), s.Close()))
	if out, err := childCommand("work", path, 0).CombinedOutput(); err == nil || len(out) > 0 {
		t.Fatalf("the child ended with %v: %s", err, out)
	}
	s = openAt(t, path)
	j, err = s.OpenSession("work")
	must(t, err)
	if w, err := j.Work(); err != nil || !reflect.DeepEqual(w, fullWork()) {
		t.Errorf("%+v, %v", w, err)
	}
	must(t, errors.Join(j.Close(), s.Check()))
}
