package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

func goalGet(s Store) tools.Tool {
	spec := reads("goal_get", "Return the session's goal with its revision and success criteria, or null when there is none. While criteria are open it lists the newest calls that succeeded, whose receiptId can satisfy one.")
	return look(s, spec, "the goal", func(w Work) (any, []tools.Section, error) {
		v := map[string]any{"goal": w.Goal}
		if w.Goal != nil && slices.ContainsFunc(w.Goal.Criteria, Criterion.open) {
			list, err := s.Receipts()
			if err != nil {
				return nil, nil, err
			}
			v["receipts"] = list[:min(len(list), shownReceipts)]
		}
		return v, table(goalRows(w)), nil
	})
}

// shownReceipts is how many calls goal_get names.
const shownReceipts = 20

type goalArgs struct {
	ExpectedRevision  int       `json:"expected_revision,omitempty" doc:"The revision of the goal that this update was made for; leave it out only to set a goal where there is none."`
	Status            string    `json:"status,omitempty" enum:"active,complete,blocked" doc:"The new status; leave it out to keep it. Complete is refused while steps, todos or criteria are open."`
	BlockingCondition string    `json:"blocking_condition,omitempty" doc:"What has to change before work can go on; needed for blocked, and only for it."`
	SatisfyCriteria   []satisfy `json:"satisfy_criteria,omitempty" doc:"Criteria that are met now, each with the call that shows it."`
	WaiveCriteria     []waive   `json:"waive_criteria,omitempty" doc:"Criteria that do not apply after all, each with the reason."`
	Objective         string    `json:"objective,omitempty" doc:"Sets a new goal: what is to be true in the end. Only where there is none, or the last one is complete."`
	SuccessCriteria   []string  `json:"success_criteria,omitempty" doc:"With objective: what has to be shown before the goal is complete."`
}

type satisfy struct {
	CriterionID string `json:"criterionId" doc:"ID of the criterion."`
	ReceiptID   string `json:"receiptId" doc:"ID of a call of this session that succeeded and shows it; goal_get lists them."`
}

type waive struct {
	CriterionID string `json:"criterionId" doc:"ID of the criterion."`
	Reason      string `json:"reason" doc:"Why it does not apply."`
}

func goalUpdate(s Store) tools.Tool {
	spec := updates("goal_update", "Update the session's goal: satisfy or waive success criteria, mark it complete or blocked, or set one where there is none. "+
		"A criterion counts as met only with the receipt of a call that succeeded. A stale expected_revision is refused with the current one.")
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a goalArgs) (*tools.Proposal, error) {
		var receipts []Receipt
		if s != nil && len(a.SatisfyCriteria) > 0 {
			var err error
			if receipts, err = s.Receipts(); err != nil {
				return nil, err
			}
		}
		return update{
			apply:   func(w *Work) error { return w.updateGoal(a, receipts) },
			summary: goalSummary,
			result:  func(w Work) any { return w.Goal },
			show:    func(w Work) []tools.Section { return table(goalRows(w)) },
		}.propose(s)
	})
}

// SetGoal gives the work the goal that a person names; "" takes it away.
func (w *Work) SetGoal(objective string) error {
	if objective = strings.TrimSpace(objective); objective == "" {
		w.Goal = nil
		return nil
	}
	return w.newGoal(objective, nil)
}

func (w *Work) newGoal(objective string, criteria []string) error {
	if strings.TrimSpace(objective) == "" {
		return invalid("objective is blank")
	}
	if err := checkLength("objective", objective, textRunes); err != nil {
		return err
	}
	if len(criteria) > mostCriteria {
		return invalid("%d success criteria; at most %d", len(criteria), mostCriteria)
	}
	g := &Goal{ID: w.mint("g"), Revision: 1, Objective: objective, Status: "active"}
	if w.Goal != nil {
		g.Revision = w.Goal.Revision + 1
	}
	for i, c := range criteria {
		if err := checkTitle(fmt.Sprintf("success_criteria[%d]", i), c); err != nil {
			return err
		}
		g.Criteria = append(g.Criteria, Criterion{ID: fmt.Sprintf("c%d", i+1), Text: c})
	}
	w.Goal = g
	return nil
}

// updateGoal carries a out, or says why it cannot be.
func (w *Work) updateGoal(a goalArgs, receipts []Receipt) error {
	g := w.Goal
	switch {
	case g == nil && a.ExpectedRevision != 0:
		return stale("the goal", 0, a.ExpectedRevision)
	case g == nil && a.Objective == "":
		return invalid("there is no goal: set one with objective")
	case g != nil && a.ExpectedRevision == 0:
		return invalid("expected_revision is missing: the goal is at revision %d", g.Revision)
	case g != nil && a.ExpectedRevision != g.Revision:
		return stale("the goal", g.Revision, a.ExpectedRevision)
	case a.Objective == "" && g.Status == "complete":
		return invalid("the goal is complete and cannot change any more; objective sets a new one")
	case a.Objective == "" && len(a.SuccessCriteria) > 0:
		return invalid("success_criteria come with objective: those of a goal that is set do not change")
	case a.Objective != "" && g != nil && g.Status != "complete":
		return invalid("there is a goal already, which is %s; only the user can set another in its place (/goal)", g.Status)
	}
	if a.Objective != "" {
		if a.Status != "" && a.Status != "active" || len(a.SatisfyCriteria)+len(a.WaiveCriteria) > 0 || a.BlockingCondition != "" {
			return invalid("a new goal is active and nothing of it is met yet: leave out all but objective and success_criteria")
		}
		return w.newGoal(a.Objective, a.SuccessCriteria)
	}
	g.Revision++
	if err := g.settle(a, receipts); err != nil {
		return err
	}
	return w.setStatus(a)
}

// settle marks the criteria that a names as met or waived.
func (g *Goal) settle(a goalArgs, receipts []Receipt) error {
	find := func(id string) (*Criterion, error) {
		for i := range g.Criteria {
			if c := &g.Criteria[i]; c.ID == id {
				if !c.open() {
					return nil, invalid("the criterion %s is settled already", c.ID)
				}
				return c, nil
			}
		}
		return nil, invalid("there is no criterion %q", tools.CleanLine(id))
	}
	for _, s := range a.SatisfyCriteria {
		c, err := find(s.CriterionID)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(receipts, func(r Receipt) bool { return r.ID == s.ReceiptID }) {
			return invalid("no call of this session that succeeded has the ID %q; goal_get lists those that did", tools.CleanLine(s.ReceiptID))
		}
		c.Receipt = s.ReceiptID
	}
	for _, x := range a.WaiveCriteria {
		c, err := find(x.CriterionID)
		if err != nil {
			return err
		}
		if err := checkTitle("the reason to waive "+c.ID, x.Reason); err != nil {
			return err
		}
		c.Waived = x.Reason
	}
	return nil
}

func (w *Work) setStatus(a goalArgs) error {
	g := w.Goal
	if blank := strings.TrimSpace(a.BlockingCondition) == ""; blank == (a.Status == "blocked") {
		return invalid("blocking_condition goes with the status blocked, and with no other")
	}
	if err := checkLength("blocking_condition", a.BlockingCondition, textRunes); err != nil {
		return err
	}
	switch a.Status {
	case "":
		return nil
	case "complete":
		if left := w.unfinished(); len(left) > 0 {
			return invalid("the goal is not complete: %s", strings.Join(left, "; "))
		}
	}
	g.Status, g.BlockedBy = a.Status, a.BlockingCondition
	return nil
}

// unfinished names what is still open.
func (w *Work) unfinished() []string {
	var left []string
	for _, c := range w.Goal.Criteria {
		if c.open() {
			left = append(left, fmt.Sprintf("the criterion %s is neither satisfied nor waived (%s)", c.ID, tools.CleanLine(c.Text)))
		}
	}
	if w.Plan != nil {
		for _, s := range w.Plan.Steps {
			if !s.done() {
				left = append(left, fmt.Sprintf("the step %s is %s (%s)", tools.CleanLine(s.ID), s.Status, tools.CleanLine(s.Title)))
			}
		}
	}
	for _, t := range w.Todos {
		if t.open() {
			left = append(left, fmt.Sprintf("the item %s is %s (%s)", tools.CleanLine(t.ID), t.Status, tools.CleanLine(t.Subject)))
		}
	}
	return left
}

func (c Criterion) open() bool { return c.Receipt == "" && c.Waived == "" }
