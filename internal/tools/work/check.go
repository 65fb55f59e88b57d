package work

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/tools"
)

// The bounds of what is kept.
const (
	mostSteps    = 100
	mostTodos    = 200
	mostChanges  = 100
	mostCriteria = 20
	mostDepends  = 50
	idBytes      = 512
	titleRunes   = 300
	textRunes    = 4000
)

func invalid(format string, args ...any) error {
	return tools.Refuse(tools.InvalidArguments, "invalid arguments: "+format, args...)
}

// stale is the refusal of an update that was made for another revision.
func stale(what string, now, expected int) error {
	return tools.Refuse(tools.Stale, "%s is at revision %d, not %d: it was changed since you read it. Look at it again, then update it", what, now, expected)
}

// mint makes up an ID that no other part of the work has or had.
func (w *Work) mint(prefix string) string {
	for {
		w.Minted++
		if id := fmt.Sprint(prefix, w.Minted); !w.knows(id) {
			return id
		}
	}
}

func (w *Work) knows(id string) bool {
	return w.todo(id) >= 0 || w.Plan != nil && (w.Plan.ID == id || w.Plan.step(id) >= 0) || w.Goal != nil && w.Goal.ID == id
}

func (w *Work) todo(id string) int {
	return slices.IndexFunc(w.Todos, func(t Todo) bool { return t.ID == id })
}

func (p *Plan) step(id string) int {
	return slices.IndexFunc(p.Steps, func(s Step) bool { return s.ID == id })
}

// checkID refuses what is no identifier.
func checkID(what, id string) error {
	switch {
	case id == "":
		return invalid("%s is empty", what)
	case len(id) > idBytes:
		return invalid("%s has more than %d bytes", what, idBytes)
	case strings.ContainsFunc(id, unicode.IsControl):
		return invalid("%s holds control characters", what)
	}
	return nil
}

// checkTitle refuses a title that is blank or too long.
func checkTitle(what, s string) error {
	if strings.TrimSpace(s) == "" {
		return invalid("%s is blank", what)
	}
	return checkLength(what, s, titleRunes)
}

func checkLength(what, s string, most int) error {
	if n := utf8.RuneCountInString(s); n > most {
		return invalid("%s has %d characters; at most %d", what, n, most)
	}
	return nil
}

// checkGoal refuses the ID of a goal that is not the current one.
func (w *Work) checkGoal(id string) error {
	switch {
	case id == "":
	case w.Goal == nil:
		return invalid("goal_id is %q, but there is no goal", tools.CleanLine(id))
	case w.Goal.ID != id:
		return invalid("goal_id is %q, but the goal is %q", tools.CleanLine(id), tools.CleanLine(w.Goal.ID))
	}
	return nil
}

// cycle returns a node from which next leads back to itself, "" when there is
// none.
func cycle(nodes []string, next func(string) []string) string {
	const (
		fresh = iota
		open
		done
	)
	state := map[string]int{}
	var visit func(string) bool
	visit = func(n string) bool {
		switch state[n] {
		case open:
			return true
		case done:
			return false
		}
		state[n] = open
		if slices.ContainsFunc(next(n), visit) {
			return true
		}
		state[n] = done
		return false
	}
	for _, n := range nodes {
		if visit(n) {
			return n
		}
	}
	return ""
}
