package work

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// shownRows is how many rows of a list a receipt or a card shows.
const shownRows = 12

// table returns rows as a section, the first of them when there are many, and
// nothing when there are none.
func table(rows []string) []tools.Section {
	if len(rows) == 0 {
		return nil
	}
	if more := len(rows) - shownRows; more > 0 {
		rows = append(slices.Clone(rows[:shownRows]), fmt.Sprintf("…\t%d more", more))
	}
	return []tools.Section{{Kind: tools.Table, Body: strings.Join(rows, "\n")}}
}

// words says of a status what a person reads.
func words(status string) string {
	switch status {
	case "completed", "complete":
		return "done"
	case "in_progress":
		return "now"
	case "superseded", "cancelled":
		return "dropped"
	}
	return status
}

// one is s as one line of a table.
func one(s string) string { return tools.CleanLine(tools.Clip(strings.TrimSpace(s), 200)) }

func planRows(w Work) []string {
	if w.Plan == nil {
		return nil
	}
	rows := []string{"plan\t" + one(w.Plan.Title)}
	for _, s := range w.Plan.Steps {
		rows = append(rows, words(s.Status)+"\t"+one(s.Title))
	}
	return rows
}

// todoRows lists what is being done, what is open and then the rest.
func todoRows(w Work) []string {
	list := slices.Clone(w.Todos)
	rank := func(t Todo) int {
		return slices.Index([]string{"in_progress", "blocked", "pending"}, t.Status) + 4*boolToInt(!t.open())
	}
	slices.SortStableFunc(list, func(a, b Todo) int { return rank(a) - rank(b) })
	var rows []string
	for _, t := range list {
		row := words(t.Status) + "\t" + one(t.Subject)
		if t.Status == "in_progress" && t.ActiveForm != "" {
			row = words(t.Status) + "\t" + one(t.ActiveForm)
		}
		if t.Priority != "medium" && t.open() {
			row += " (" + t.Priority + ")"
		}
		rows = append(rows, row)
	}
	return rows
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func goalRows(w Work) []string {
	if w.Goal == nil {
		return nil
	}
	rows := []string{w.Goal.Status + "\t" + one(w.Goal.Objective)}
	if w.Goal.BlockedBy != "" {
		rows = append(rows, "because\t"+one(w.Goal.BlockedBy))
	}
	for _, c := range w.Goal.Criteria {
		state := "open"
		switch {
		case c.Receipt != "":
			state = "met"
		case c.Waived != "":
			state = "waived"
		}
		rows = append(rows, state+"\t"+one(c.Text))
	}
	return rows
}

func planSummary(w Work) string {
	done := 0
	for _, s := range w.Plan.Steps {
		done += boolToInt(s.done())
	}
	return fmt.Sprintf("%s (%d of %d done)", one(w.Plan.Title), done, len(w.Plan.Steps))
}

func todoSummary(w Work, changes []todoChange) string {
	done := 0
	for _, t := range w.Todos {
		done += boolToInt(!t.open())
	}
	count := map[string]int{}
	for _, c := range changes {
		count[c.Action]++
	}
	var parts []string
	for _, a := range []struct{ action, word string }{{"clear", "cleared"}, {"add", "added"}, {"update", "updated"}, {"remove", "removed"}} {
		switch n := count[a.action]; {
		case n > 0 && a.action == "clear":
			parts = append(parts, a.word)
		case n > 0:
			parts = append(parts, fmt.Sprintf("%d %s", n, a.word))
		}
	}
	return fmt.Sprintf("%s (%d of %d done)", strings.Join(parts, ", "), done, len(w.Todos))
}

func goalSummary(w Work) string { return one(w.Goal.Objective) + ": " + words(w.Goal.Status) }

// Lines returns a part of the work as lines for a person: plan, todo or goal.
// There is one at least.
func (w Work) Lines(part string) []string {
	var rows []string
	switch part {
	case "plan":
		rows = planRows(w)
	case "todo":
		rows = todoRows(w)
	case "goal":
		rows = goalRows(w)
	}
	if len(rows) == 0 {
		return []string{map[string]string{"plan": "there is no plan", "todo": "the todo list is empty", "goal": "there is no goal (/goal TEXT sets one)"}[part]}
	}
	for i, r := range rows {
		state, text, _ := strings.Cut(r, "\t")
		rows[i] = fmt.Sprintf("%-11s %s", state, text)
	}
	return rows
}

// Render returns the whole state as a tagged text for a model whose context was
// shortened, with the IDs and revisions that updates need; "" when there is
// none. It cannot close its tag.
func (w Work) Render() string {
	var b strings.Builder
	line := func(format string, args ...any) {
		for i, a := range args {
			if s, ok := a.(string); ok {
				args[i] = strings.ReplaceAll(tools.CleanLine(s), "<", `\u003c`)
			}
		}
		fmt.Fprintf(&b, format+"\n", args...)
	}
	if g := w.Goal; g != nil {
		line("Goal %s, revision %d, %s: %s", g.ID, g.Revision, g.Status, g.Objective)
		if g.BlockedBy != "" {
			line("  blocked by: %s", g.BlockedBy)
		}
		for _, c := range g.Criteria {
			state := "open"
			switch {
			case c.Receipt != "":
				state = "satisfied by " + c.Receipt
			case c.Waived != "":
				state = "waived: " + c.Waived
			}
			line("- %s %s (%s)", c.ID, c.Text, state)
		}
	}
	if p := w.Plan; p != nil {
		line("Plan %s, revision %d: %s", p.ID, p.Revision, p.Title)
		for _, s := range p.Steps {
			line("- %s %s: %s", s.ID, s.Status, s.Title)
		}
	}
	if len(w.Todos) > 0 {
		line("Todos:")
	}
	for _, t := range w.Todos {
		line("- %s, revision %d, %s, %s: %s", t.ID, t.Revision, t.Status, t.Priority, t.Subject)
		if t.Description != "" && t.open() {
			line("  %s", t.Description)
		}
		if len(t.Dependencies) > 0 {
			line("  after %s", strings.Join(t.Dependencies, ", "))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "<work_state>\n" + b.String() + "</work_state>"
}
