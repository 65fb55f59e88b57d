package store_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/delegate"
)

// delegation is a session with a call that delegates, and the agent's.
func delegation(t *testing.T, s *store.Store, background bool) (parent, child *store.Session, b delegate.Job) {
	t.Helper()
	parent = newSession(t, s, store.Meta{Dir: "/w"})
	must(t, parent.Append(llm.UserText("look into it")))
	c := tools.Call{ID: "t", Tool: "task", Args: json.RawMessage(`{}`)}
	must(t, parent.Append(asks(c)))
	must(t, parent.Propose(&tools.Proposal{Call: c, Spec: tools.Spec{Effect: tools.Delegating}, Summary: "explore"}))
	must(t, parent.Decide(c, allowed()))
	must(t, parent.Start(c))
	b, err := parent.NewJob(delegate.Job{Call: "t", Agent: "explore", Title: "look", Prompt: "look", Background: background})
	must(t, err)
	return parent, newSession(t, s, store.Meta{ID: b.Child, Parent: parent.ID(), Dir: "/w"}), b
}

// died makes the process that held the sessions one that is gone.
func died(t *testing.T, path string) {
	rawExec(t, path, `UPDATE session SET owner_start = 'another'`)
}

func reopen(t *testing.T, s *store.Store, id string) *store.Session {
	t.Helper()
	j, err := s.OpenSession(id)
	must(t, err)
	return j
}

func TestAJobIsBegunAndEndedOnce(t *testing.T) {
	s := openNew(t)
	parent, _, b := delegation(t, s, true)
	must(t, parent.BeginJob(b.ID))
	if err := parent.BeginJob(b.ID); err == nil {
		t.Error("it began twice")
	}
	must(t, parent.EndJob(b.ID, delegate.Completed, "found"))
	if err := parent.EndJob(b.ID, delegate.Failed, "late"); err == nil {
		t.Error("it ended twice")
	}
	list, err := parent.Jobs()
	must(t, err)
	if len(list) != 1 || list[0].Status != delegate.Completed || list[0].Report != "found" || list[0].Settled.IsZero() || list[0].Child != b.Child {
		t.Errorf("%+v", list)
	}
	if other, err := newSession(t, s, store.Meta{}).Jobs(); err != nil || len(other) != 0 {
		t.Errorf("another session has %v %v", other, err)
	}
}

// A report is told in the commit of the message that holds it, or not at all.
func TestAReportIsToldOnce(t *testing.T) {
	s := openNew(t)
	parent, _, b := delegation(t, s, true)
	quiet, err := parent.NewJob(delegate.Job{Call: "t", Agent: "explore", Background: true, Quiet: true})
	must(t, err)
	must(t, parent.EndJob(quiet.ID, delegate.Completed, "quiet"))
	if list, err := parent.UntoldJobs(); err != nil || len(list) != 0 {
		t.Fatalf("untold before it ended: %v %v", list, err)
	}
	must(t, parent.EndJob(b.ID, delegate.Completed, "found"))
	untold := func() int {
		list, err := parent.UntoldJobs()
		must(t, err)
		return len(list)
	}
	parent.Tell(b.ID)
	if n := untold(); n != 1 {
		t.Errorf("%d untold before the message", n)
	}
	must(t, parent.Append(llm.UserText("report")))
	if n := untold(); n != 0 {
		t.Errorf("%d untold after it", n)
	}
	must(t, parent.Append(llm.UserText("more")))
}

// A result that has the report is another way to tell it: in the commit that
// settles the call, or not at all.
func TestAReportInAResultIsToldByIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	parent, _, b := delegation(t, s, true)
	must(t, parent.EndJob(b.ID, delegate.Completed, "found"))
	untold := func(j *store.Session) int {
		list, err := j.UntoldJobs()
		must(t, err)
		return len(list)
	}
	settle := func(j *store.Session, id string, o tools.Outcome) {
		t.Helper()
		c := tools.Call{ID: id, Tool: "job", Args: json.RawMessage(`{}`)}
		begun(t, j, &tools.Proposal{Call: c, Spec: tools.Spec{Effect: tools.ReadOnly, Replay: tools.Safe}})
		if o.Kind != tools.OK {
			return // it dies here
		}
		must(t, j.Settle(c, o, 0))
	}
	settle(parent, "lists", tools.Outcome{Kind: tools.OK, Text: b.ID + " completed"})
	if n := untold(parent); n != 1 {
		t.Errorf("%d untold after a list", n)
	}
	settle(parent, "dies", tools.Outcome{})
	died(t, path)
	again := reopen(t, openAt(t, path), parent.ID())
	if n := untold(again); n != 1 {
		t.Errorf("%d untold after a crash before the result was recorded", n)
	}
	settle(again, "waits", tools.Outcome{Kind: tools.OK, Text: "found", Reports: []string{b.ID}})
	if n := untold(again); n != 0 {
		t.Errorf("%d untold after the result", n)
	}
}

// After a crash, what the agent did is settled call by call; the job and the
// call that delegated are in doubt only through them.
func TestACrashIsTheAgentsCalls(t *testing.T) {
	for _, c := range []struct {
		name   string
		spec   tools.Spec
		begun  bool
		status delegate.Status
		doubts int
	}{
		{"it had not begun", tools.Spec{}, false, delegate.Cancelled, 0},
		{"it was reading", tools.Spec{Effect: tools.ReadOnly}, true, delegate.Failed, 0},
		{"it was changing something", tools.Spec{}, true, delegate.Uncertain, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "zuno.db")
			s := openAt(t, path)
			parent, child, b := delegation(t, s, false)
			if c.begun {
				must(t, parent.BeginJob(b.ID))
				must(t, child.Append(llm.UserText("look")))
				must(t, child.Append(asks(call("x"))))
				must(t, child.Propose(&tools.Proposal{Call: call("x"), Spec: c.spec, Summary: "make"}))
				must(t, child.Decide(call("x"), allowed()))
				must(t, child.Start(call("x")))
			}
			died(t, path)
			again := reopen(t, s, parent.ID())
			past, err := again.Load()
			must(t, err)
			if o := past.Records["t"].Outcome; o.Kind != tools.Error {
				t.Errorf("the call that delegated is %v: %s", o.Kind, o.Text)
			}
			jobs, err := again.Jobs()
			must(t, err)
			if jobs[0].Status != c.status || jobs[0].Doubts != c.doubts || jobs[0].Report == "" {
				t.Errorf("the job is %+v", jobs[0])
			}
			list, err := again.Uncertain()
			must(t, err)
			if len(list) != c.doubts {
				t.Fatalf("%d in doubt", len(list))
			}
			if c.begun {
				if err := child.Append(llm.UserText("late")); err == nil {
					t.Error("the agent that was lost still writes")
				}
			}
			if c.doubts == 0 {
				return
			}
			id := b.Child + "/x"
			if list[0].Call.ID != id || !strings.Contains(past.Notice, "call "+id) {
				t.Errorf("%q is named in %q", list[0].Call.ID, past.Notice)
			}
			held, err := again.Held(&tools.Proposal{Call: call("y")})
			must(t, err)
			if held == nil {
				t.Error("the same call of the parent is not held back")
			}
			if err := again.Reconcile(id, tools.Happened, tools.ByModel, "guess"); err == nil {
				t.Error("a model that looked at nothing settled it")
			}
			if err := newSession(t, s, store.Meta{}).Reconcile(id, tools.Happened, tools.ByPerson, "seen"); err == nil {
				t.Error("another session settled it")
			}
			must(t, again.Reconcile(id, tools.Happened, tools.ByPerson, "seen"))
			if list, err := again.Uncertain(); err != nil || len(list) != 0 {
				t.Errorf("%v %v", list, err)
			}
		})
	}
}

// What an agent changed is taken back with the turn that delegated.
func TestATurnIsTakenBackWithWhatItsAgentDid(t *testing.T) {
	s := openNew(t)
	parent, child, _ := delegation(t, s, false)
	must(t, child.Append(llm.UserText("do it")))
	must(t, child.Append(asks(call("w"), call("sh"))))
	touch := tools.Touch{Path: "/w/a", Name: "a", Before: tools.StateOf(tools.Regular, 0o644, []byte("old")), After: tools.StateOf(tools.Regular, 0o644, []byte("new"))}
	for id, touches := range map[string][]tools.Touch{"w": {touch}, "sh": nil} {
		must(t, child.Propose(&tools.Proposal{Call: call(id), Summary: id, Touches: touches}))
		must(t, child.Decide(call(id), allowed()))
		must(t, child.Start(call(id)))
		must(t, child.Settle(call(id), tools.Outcome{Kind: tools.OK}, 0))
	}
	must(t, parent.Settle(tools.Call{ID: "t"}, tools.Outcome{Kind: tools.OK}, 0))
	turns, err := parent.Turns()
	must(t, err)
	r, err := parent.Since(turns[0].Seq)
	must(t, err)
	if len(r.Points) != 1 || string(r.Points[0].Want.Data) != "old" || len(r.Effects) != 1 || r.Effects[0].Summary != "sh" {
		t.Errorf("%+v", r)
	}
}

// The work of several agents that was lost is in doubt when a call of one of them
// is, and is known otherwise.
func TestTheWorkOfSeveralIsInDoubtWithThatOfOne(t *testing.T) {
	for _, started := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "z.db")
		s, err := store.Open(path, nil)
		must(t, err)
		parent, child, b := delegation(t, s, false)
		must(t, parent.BeginJob(b.ID))
		all, err := parent.NewJob(delegate.Job{Call: "t", Agent: "council", Several: true, Background: true})
		must(t, err)
		must(t, parent.BeginJob(all.ID))
		if started {
			c := tools.Call{ID: "s", Tool: "shell", Args: json.RawMessage(`{}`)}
			must(t, child.Append(llm.UserText("look")))
			must(t, child.Append(asks(c)))
			must(t, child.Propose(&tools.Proposal{Call: c, Summary: "touch x"}))
			must(t, child.Decide(c, allowed()))
			must(t, child.Start(c))
		}
		id := parent.ID()
		died(t, path)
		list, err := reopen(t, s, id).Jobs()
		must(t, err)
		want := delegate.Failed
		if started {
			want = delegate.Uncertain
		}
		for _, j := range list {
			if j.Status != want || j.Several != (j.ID == all.ID) || j.Doubts > 0 != started {
				t.Errorf("started %v: %+v", started, j)
			}
		}
		must(t, s.Close())
	}
}
