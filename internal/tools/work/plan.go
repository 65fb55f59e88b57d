package work

import (
	"context"
	"fmt"
	"slices"

	"github.com/zuno-dev/zuno/internal/tools"
)

func planGet(s Store) tools.Tool {
	spec := reads("plan_get", "Return the session's plan with its revision, or null when there is none. Use it before plan_update when you do not have the current revision.")
	return look(s, spec, "the plan", func(w Work) (any, []tools.Section, error) {
		return map[string]*Plan{"plan": w.Plan}, table(planRows(w)), nil
	})
}

type planArgs struct {
	ExpectedRevision int        `json:"expected_revision,omitempty" doc:"The revision of the plan that this update was made for; leave it out only when there is no plan yet."`
	GoalID           string     `json:"goal_id,omitempty" doc:"ID of the goal that the plan serves."`
	Title            string     `json:"title" doc:"What the plan is for, in one line."`
	Steps            []planStep `json:"steps" doc:"All steps in order, those that are there already included. Exactly one is in_progress as long as any is pending."`
}

type planStep struct {
	ID     string `json:"id,omitempty" doc:"ID of a step that is there already; leave it out for a new step, which gets one."`
	Title  string `json:"title" doc:"What is done in this step, in one line."`
	Status string `json:"status" enum:"pending,in_progress,completed,superseded" doc:"How far the step is; a step that is not needed any more is superseded, not left out."`
}

func planUpdate(s Store) tools.Tool {
	spec := updates("plan_update", "Replace the session's plan by a whole new snapshot of it: title and all steps with their status. Steps keep their IDs; completed and superseded ones never change. "+
		"When every step of a plan is done, a snapshot without any of its IDs begins a new plan. A stale expected_revision is refused with the current one.")
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a planArgs) (*tools.Proposal, error) {
		return update{
			apply:   func(w *Work) error { return w.setPlan(a) },
			summary: planSummary,
			result:  func(w Work) any { return w.Plan },
			show:    func(w Work) []tools.Section { return table(planRows(w)) },
		}.propose(s)
	})
}

// setPlan makes the plan what a says, or says why it cannot be that.
func (w *Work) setPlan(a planArgs) error {
	old := w.Plan
	switch {
	case old == nil && a.ExpectedRevision != 0:
		return stale("the plan", 0, a.ExpectedRevision)
	case old != nil && a.ExpectedRevision == 0:
		return invalid("expected_revision is missing: there is a plan, at revision %d", old.Revision)
	case old != nil && a.ExpectedRevision != old.Revision:
		return stale("the plan", old.Revision, a.ExpectedRevision)
	}
	if err := checkSteps(a); err != nil {
		return err
	}
	if err := w.checkGoal(a.GoalID); err != nil {
		return err
	}
	p := &Plan{Revision: 1, Title: a.Title, Goal: a.GoalID}
	if old != nil {
		p.Revision = old.Revision + 1
		if !old.finished() || slices.ContainsFunc(a.Steps, func(s planStep) bool { return old.step(s.ID) >= 0 }) {
			p.ID = old.ID
			if err := old.keeps(a.Steps); err != nil {
				return err
			}
		}
	}
	if p.ID == "" {
		p.ID = w.mint("p")
	}
	for _, s := range a.Steps {
		if s.ID == "" {
			s.ID = w.mint("s")
			for slices.ContainsFunc(a.Steps, func(o planStep) bool { return o.ID == s.ID }) {
				s.ID = w.mint("s")
			}
		}
		p.Steps = append(p.Steps, Step(s))
	}
	w.Plan = p
	return nil
}

// checkSteps holds a snapshot to what is true of every plan.
func checkSteps(a planArgs) error {
	if err := checkTitle("title", a.Title); err != nil {
		return err
	}
	if n := len(a.Steps); n == 0 || n > mostSteps {
		return invalid("a plan has one to %d steps, not %d", mostSteps, n)
	}
	seen, count := map[string]bool{}, map[string]int{}
	for i, s := range a.Steps {
		if err := checkTitle(fmt.Sprintf("steps[%d].title", i), s.Title); err != nil {
			return err
		}
		count[s.Status]++
		if s.ID == "" {
			continue
		}
		if err := checkID(fmt.Sprintf("steps[%d].id", i), s.ID); err != nil {
			return err
		}
		if seen[s.ID] {
			return invalid("the step %q is there twice", tools.CleanLine(s.ID))
		}
		seen[s.ID] = true
	}
	switch {
	case count["in_progress"] > 1:
		return invalid("%d steps are in_progress; at most one may be", count["in_progress"])
	case count["pending"] > 0 && count["in_progress"] == 0:
		return invalid("steps are pending, but none is in_progress: say which one is being worked on")
	}
	return nil
}

// keeps refuses steps that leave out one of p's or change one that is done.
func (p *Plan) keeps(steps []planStep) error {
	for _, old := range p.Steps {
		i := slices.IndexFunc(steps, func(s planStep) bool { return s.ID == old.ID })
		switch {
		case i < 0:
			return invalid("the step %q (%s) is left out: keep it, and mark it superseded when it is not needed any more", tools.CleanLine(old.ID), tools.CleanLine(old.Title))
		case old.done() && Step(steps[i]) != old:
			return invalid("the step %q is %s and cannot change any more", tools.CleanLine(old.ID), old.Status)
		}
	}
	return nil
}

func (s Step) done() bool { return s.Status == "completed" || s.Status == "superseded" }

// finished reports whether there is nothing left to do.
func (p *Plan) finished() bool {
	return !slices.ContainsFunc(p.Steps, func(s Step) bool { return !s.done() })
}
