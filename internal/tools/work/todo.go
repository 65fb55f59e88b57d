package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

func todoGet(s Store) tools.Tool {
	spec := reads("todo_get", "Return the session's todo list: every item with its ID, revision and status.")
	return look(s, spec, "the todo list", func(w Work) (any, []tools.Section, error) {
		list := w.Todos
		if list == nil {
			list = []Todo{}
		}
		return map[string][]Todo{"todos": list}, table(todoRows(w)), nil
	})
}

type todoArgs struct {
	Changes []todoChange `json:"changes" doc:"The changes, made in order, all of them or none."`
}

type todoChange struct {
	Action           string   `json:"action" enum:"add,update,remove,clear" doc:"What to do: add an item, update the given fields of one, remove one, or clear the whole list to begin a new one."`
	ID               string   `json:"id,omitempty" doc:"The item. Needed to update and to remove; an added item without one gets one."`
	ExpectedRevision int      `json:"expected_revision,omitempty" doc:"Needed to update and to remove: the revision of the item that you know."`
	Subject          *string  `json:"subject,omitempty" doc:"What is to be done, in one line. Needed to add."`
	Description      *string  `json:"description,omitempty" doc:"More about it."`
	ActiveForm       *string  `json:"active_form,omitempty" doc:"The subject while it is being done, such as: Running the tests."`
	Status           *string  `json:"status,omitempty" enum:"pending,in_progress,completed,cancelled,blocked" doc:"How far it is; pending when an added item does not say. At most one item is in_progress."`
	Priority         *string  `json:"priority,omitempty" enum:"high,medium,low" doc:"How important it is; medium when an added item does not say."`
	GoalID           *string  `json:"goal_id,omitempty" doc:"ID of the goal that it serves."`
	PlanStepID       *string  `json:"plan_step_id,omitempty" doc:"ID of the step of the plan that it is a part of."`
	ParentID         *string  `json:"parent_id,omitempty" doc:"ID of the item that it is a part of."`
	Owner            *string  `json:"owner,omitempty" doc:"Who does it."`
	Dependencies     []string `json:"dependencies,omitempty" doc:"IDs of the items that have to be done first."`
}

func todoUpdate(s Store) tools.Tool {
	spec := updates("todo_update", "Change the session's todo list, in one batch that is carried out whole or not at all. Mark an item in_progress before you work on it and completed as soon as it is done. "+
		"A stale expected_revision is refused with the current one.")
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a todoArgs) (*tools.Proposal, error) {
		return update{
			apply:   func(w *Work) error { return w.changeTodos(a.Changes) },
			summary: func(w Work) string { return todoSummary(w, a.Changes) },
			result:  todoResult,
			show:    func(w Work) []tools.Section { return table(todoRows(w)) },
		}.propose(s)
	})
}

// todoResult is what the model needs to go on: IDs, revisions and status.
func todoResult(w Work) any {
	type item struct {
		ID       string `json:"id"`
		Revision int    `json:"revision"`
		Status   string `json:"status"`
		Subject  string `json:"subject"`
	}
	list := []item{}
	for _, t := range w.Todos {
		list = append(list, item{t.ID, t.Revision, t.Status, t.Subject})
	}
	return map[string]any{"todos": list}
}

// changeTodos carries the changes out, or says why they cannot be.
func (w *Work) changeTodos(changes []todoChange) error {
	if n := len(changes); n == 0 || n > mostChanges {
		return invalid("one to %d changes, not %d", mostChanges, n)
	}
	touched := map[string]bool{}
	for i, c := range changes {
		id, err := w.changeTodo(c)
		if err != nil {
			return within(err, fmt.Sprintf("changes[%d]: ", i))
		}
		touched[id] = true
	}
	if n := len(w.Todos); n > mostTodos {
		return invalid("the list would have %d items; at most %d: remove what is done", n, mostTodos)
	}
	return w.checkTodos(touched)
}

// within puts the place of a change before what is wrong with it.
func within(err error, where string) error {
	const head = "invalid arguments: "
	if r, ok := err.(*tools.Refusal); ok {
		copied := *r
		if rest, found := strings.CutPrefix(r.Reason, head); found {
			copied.Reason = head + where + rest
		} else {
			copied.Reason = where + r.Reason
		}
		return &copied
	}
	return err
}

// changeTodo carries one change out and returns the item that it was about.
func (w *Work) changeTodo(c todoChange) (string, error) {
	switch c.Action {
	case "clear":
		w.Todos = nil
		return "", nil
	case "add":
		return w.addTodo(c)
	}
	if err := checkID("id", c.ID); err != nil {
		return "", err
	}
	i := w.todo(c.ID)
	switch {
	case i < 0:
		return "", invalid("there is no item %q", tools.CleanLine(c.ID))
	case c.ExpectedRevision == 0:
		return "", invalid("expected_revision is missing: the item %q is at revision %d", tools.CleanLine(c.ID), w.Todos[i].Revision)
	case c.ExpectedRevision != w.Todos[i].Revision:
		return "", stale(fmt.Sprintf("the item %q", tools.CleanLine(c.ID)), w.Todos[i].Revision, c.ExpectedRevision)
	case c.Action == "remove":
		w.Todos = slices.Delete(w.Todos, i, i+1)
		return c.ID, nil
	}
	w.Todos[i].Revision++
	c.fill(&w.Todos[i])
	return c.ID, nil
}

func (w *Work) addTodo(c todoChange) (string, error) {
	if c.ID == "" {
		c.ID = w.mint("t")
	}
	if err := checkID("id", c.ID); err != nil {
		return "", err
	}
	if w.todo(c.ID) >= 0 {
		return "", invalid("there is an item %q already", tools.CleanLine(c.ID))
	}
	if c.ExpectedRevision != 0 {
		return "", invalid("expected_revision is for items that are there already")
	}
	t := Todo{ID: c.ID, Revision: 1, Status: "pending", Priority: "medium"}
	c.fill(&t)
	w.Todos = append(w.Todos, t)
	return c.ID, nil
}

// fill sets the fields of t that c names.
func (c todoChange) fill(t *Todo) {
	for _, f := range []struct{ from, to *string }{
		{c.Subject, &t.Subject},
		{c.Description, &t.Description},
		{c.ActiveForm, &t.ActiveForm},
		{c.Status, &t.Status},
		{c.Priority, &t.Priority},
		{c.GoalID, &t.Goal},
		{c.PlanStepID, &t.PlanStep},
		{c.ParentID, &t.Parent},
		{c.Owner, &t.Owner},
	} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if c.Dependencies != nil {
		t.Dependencies = c.Dependencies
	}
}

// checkTodos holds the list to what is true of every list. What points outside
// of it is looked at only in what was touched: a plan or a goal may have gone on
// since.
func (w *Work) checkTodos(touched map[string]bool) error {
	busy := 0
	for _, t := range w.Todos {
		if t.Status == "in_progress" {
			busy++
		}
		if err := w.checkLinks(t); err != nil {
			return err
		}
		if touched[t.ID] {
			if err := w.checkTouched(t); err != nil {
				return err
			}
		}
	}
	if busy > 1 {
		return invalid("%d items would be in_progress; at most one may be", busy)
	}
	ids := make([]string, len(w.Todos))
	for i, t := range w.Todos {
		ids[i] = t.ID
	}
	if id := cycle(ids, func(id string) []string { return w.Todos[w.todo(id)].parents() }); id != "" {
		return invalid("the item %q would be a part of itself", tools.CleanLine(id))
	}
	if id := cycle(ids, func(id string) []string { return w.Todos[w.todo(id)].Dependencies }); id != "" {
		return invalid("the item %q would have to be done before itself", tools.CleanLine(id))
	}
	return nil
}

func (t Todo) parents() []string {
	if t.Parent == "" {
		return nil
	}
	return []string{t.Parent}
}

// checkLinks refuses links to items that are not there.
func (w *Work) checkLinks(t Todo) error {
	id := tools.CleanLine(t.ID)
	if t.Parent != "" && w.todo(t.Parent) < 0 {
		return invalid("the item %q is a part of %q, which is not there", id, tools.CleanLine(t.Parent))
	}
	seen := map[string]bool{}
	for _, d := range t.Dependencies {
		switch {
		case d == t.ID:
			return invalid("the item %q depends on itself", id)
		case seen[d]:
			return invalid("the item %q depends on %q twice", id, tools.CleanLine(d))
		case w.todo(d) < 0:
			return invalid("the item %q depends on %q, which is not there", id, tools.CleanLine(d))
		}
		seen[d] = true
	}
	return nil
}

func (w *Work) checkTouched(t Todo) error {
	id := tools.CleanLine(t.ID)
	if err := checkTitle(fmt.Sprintf("the subject of %q", id), t.Subject); err != nil {
		return err
	}
	for _, f := range []struct{ what, text string }{{"description", t.Description}, {"active_form", t.ActiveForm}, {"owner", t.Owner}} {
		if err := checkLength(fmt.Sprintf("the %s of %q", f.what, id), f.text, textRunes); err != nil {
			return err
		}
	}
	if len(t.Dependencies) > mostDepends {
		return invalid("the item %q depends on %d others; at most %d", id, len(t.Dependencies), mostDepends)
	}
	if t.PlanStep != "" && (w.Plan == nil || w.Plan.step(t.PlanStep) < 0) {
		return invalid("the plan has no step %q", tools.CleanLine(t.PlanStep))
	}
	return w.checkGoal(t.Goal)
}

// open reports whether t is still to be done.
func (t Todo) open() bool { return t.Status != "completed" && t.Status != "cancelled" }
