// Package work holds the tools for the state of the work itself: the plan, the
// todo list and the goal of a session. They change no file of the person's;
// what they keep belongs to the session and survives a restart.
//
// Every part has a revision. An update names the one it was made for, and one
// that was made for another is refused with the current one, so that nothing is
// overwritten that its writer had not seen.
package work

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Work is everything that is kept of a session's work. The zero Work is that
// of a session in which nothing was planned.
type Work struct {
	// Revision counts all changes and Minted the IDs that were made up.
	Revision, Minted int
	Plan             *Plan // nil when there is none
	Todos            []Todo
	Goal             *Goal // nil when there is none
}

// A Plan is the steps to a result, in order.
type Plan struct {
	ID       string `json:"id"`
	Revision int    `json:"revision"`
	Title    string `json:"title"`
	Goal     string `json:"goal_id,omitempty"`
	Steps    []Step `json:"steps"`
}

// A Step is one step of a plan. Its status is pending, in_progress, completed
// or superseded.
type Step struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

// A Todo is one item of the list. Its status is pending, in_progress,
// completed, cancelled or blocked, its priority high, medium or low.
type Todo struct {
	ID           string   `json:"id"`
	Revision     int      `json:"revision"`
	Subject      string   `json:"subject"`
	Description  string   `json:"description,omitempty"`
	ActiveForm   string   `json:"active_form,omitempty"`
	Status       string   `json:"status"`
	Priority     string   `json:"priority"`
	Goal         string   `json:"goal_id,omitempty"`
	PlanStep     string   `json:"plan_step_id,omitempty"`
	Parent       string   `json:"parent_id,omitempty"`
	Owner        string   `json:"owner,omitempty"`
	Dependencies []string `json:"dependencies,omitempty"`
}

// A Goal is what the session is for. Its status is active, blocked or complete.
type Goal struct {
	ID        string      `json:"id"`
	Revision  int         `json:"revision"`
	Objective string      `json:"objective"`
	Status    string      `json:"status"`
	BlockedBy string      `json:"blocking_condition,omitempty"`
	Criteria  []Criterion `json:"success_criteria,omitempty"`
}

// A Criterion is one thing that has to be so before a goal is complete. It is
// met by a call that succeeded, or waived for a reason.
type Criterion struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Receipt string `json:"receiptId,omitempty"` // ID of the call
	Waived  string `json:"waived,omitempty"`    // why
}

// A Receipt is a call of the session that succeeded.
type Receipt struct {
	ID      string `json:"receiptId"`
	Tool    string `json:"tool"`
	Summary string `json:"summary"`
}

// A Store keeps the work of one session. It is called from the goroutines of a
// turn and from those of a front end.
type Store interface {
	// Work returns what is kept now.
	Work() (Work, error)
	// ChangeWork has f change what is kept and keeps the result, all of it or,
	// when f or the disk fails, nothing. It counts Revision itself. F may be
	// called more than once, each time on what is kept then.
	ChangeWork(f func(*Work) error) error
	// Receipts returns the calls of the session that succeeded, newest first.
	Receipts() ([]Receipt, error)
}

// New returns the tools of this family over s. With a nil s their calls are
// refused.
func New(s Store) []tools.Tool {
	return []tools.Tool{planGet(s), planUpdate(s), todoGet(s), todoUpdate(s), goalGet(s), goalUpdate(s)}
}

// reads and updates are what the two kinds of tools declare.
func reads(name, description string) tools.Spec {
	return tools.Spec{
		Name: name, Description: description,
		Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk,
	}
}

func updates(name, description string) tools.Spec {
	return tools.Spec{
		Name: name, Description: description,
		Effect: tools.SideEffecting, Replay: tools.Never, Concurrency: tools.Exclusive, Risk: tools.Low,
	}
}

// none are the arguments of a tool that takes none.
type none struct{}

// errNoStore is the refusal where nothing is kept.
func errNoStore() error {
	return tools.Refuse(tools.Unavailable, "this session keeps no plan, todos or goal")
}

// look returns a tool that shows a part of the work.
func look(s Store, spec tools.Spec, summary string, part func(Work) (any, []tools.Section, error)) tools.Tool {
	return tools.New(spec, func(context.Context, tools.Spec, none) (*tools.Proposal, error) {
		if s == nil {
			return nil, errNoStore()
		}
		return &tools.Proposal{Summary: summary, Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
			w, err := s.Work()
			if err != nil {
				return tools.Outcome{Kind: tools.Error, Text: err.Error()}
			}
			v, show, err := part(w)
			if err != nil {
				return tools.Outcome{Kind: tools.Error, Text: err.Error()}
			}
			return tools.Outcome{Kind: tools.OK, Text: encode(v), Show: show}
		}}, nil
	})
}

// An update is a change that was worked out on a copy of the work.
type update struct {
	apply   func(*Work) error
	summary func(Work) string
	result  func(Work) any
	show    func(Work) []tools.Section
}

// propose works u out on what is kept now, and carries it out only on that.
func (u update) propose(s Store) (*tools.Proposal, error) {
	if s == nil {
		return nil, errNoStore()
	}
	before, err := s.Work()
	if err != nil {
		return nil, err
	}
	after := before.clone()
	if err := u.apply(&after); err != nil {
		return nil, err
	}
	p := &tools.Proposal{Summary: u.summary(after), Preview: u.show(after)}
	p.Do = func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
		if ctx.Err() != nil {
			return tools.Outcome{Kind: tools.Cancelled, Text: "stopped before anything was changed"}
		}
		var now Work
		err := s.ChangeWork(func(w *Work) error {
			if w.Revision != before.Revision {
				return tools.Refuse(tools.Stale, "the work was changed meanwhile; look at it again, then update it")
			}
			err := u.apply(w)
			now = w.clone()
			return err
		})
		if err != nil {
			return tools.OutcomeOf(err)
		}
		return tools.Outcome{Kind: tools.OK, Text: encode(u.result(now)), Show: u.show(now)}
	}
	return p, nil
}

// clone returns a copy that shares nothing with w.
func (w Work) clone() Work {
	if w.Plan != nil {
		p := *w.Plan
		p.Steps = slices.Clone(p.Steps)
		w.Plan = &p
	}
	if w.Goal != nil {
		g := *w.Goal
		g.Criteria = slices.Clone(g.Criteria)
		w.Goal = &g
	}
	w.Todos = slices.Clone(w.Todos)
	for i := range w.Todos {
		w.Todos[i].Dependencies = slices.Clone(w.Todos[i].Dependencies)
	}
	return w
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain values always encode
	}
	return string(b)
}
