package approval

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// An Action is what a permission rule says.
type Action int

// The actions; NoRule is what no match means.
const (
	NoRule Action = iota
	RuleAllow
	RuleAsk
	RuleDeny
)

// ParseAction returns the action of that name.
func ParseAction(name string) (Action, error) {
	switch name {
	case "allow":
		return RuleAllow, nil
	case "ask":
		return RuleAsk, nil
	case "deny":
		return RuleDeny, nil
	}
	return NoRule, fmt.Errorf("unknown rule action %q (one of allow, ask, deny)", name)
}

// A Rule is one line of permission.rules: a tool name or wildcard, a pattern
// for what the call touches ("*" for anything), and an action.
type Rule struct {
	Tool, Pattern string
	Action        Action
}

// Rules are ordered: the last match wins, but a deny is terminal.
type Rules []Rule

// editTools are the tools that the key "edit" stands for.
var editTools = [...]string{"write", "edit", "apply_patch"}

// Check returns an error naming the first rule that could never match, given
// the names of all tools there are, and the key that would.
func (rs Rules) Check(known []string) error {
	for _, r := range rs {
		for _, t := range editTools {
			if r.Tool == t && t != "edit" {
				return fmt.Errorf("permission.rules: %q never matches: the key %q covers write, edit and apply_patch", r.Tool, "edit")
			}
		}
		ok := false
		for _, name := range known {
			ok = ok || matchTool(r.Tool, name)
		}
		if !ok && !strings.HasPrefix(r.Tool, "mcp") {
			return fmt.Errorf("permission.rules: %q matches no tool", r.Tool)
		}
	}
	return nil
}

// Match returns what the rules say of p. Each subject of p is judged by its
// last matching rule; the strictest of them counts, and an allow needs every
// subject allowed. A deny that matches anywhere is terminal.
func (rs Rules) Match(p *tools.Proposal) Action {
	subjects := p.Subjects
	if len(subjects) == 0 {
		subjects = []string{""}
	}
	strictest := Action(-1)
	for _, s := range subjects {
		a := rs.one(p.Spec.Name, s)
		if a == RuleDeny {
			return RuleDeny
		}
		strictest = stricter(strictest, a)
	}
	return strictest
}

// stricter orders ask over none over allow; -1 is nothing yet.
func stricter(a, b Action) Action {
	rank := func(x Action) int { return map[Action]int{-1: 0, RuleAllow: 1, NoRule: 2, RuleAsk: 3}[x] }
	if rank(b) > rank(a) {
		return b
	}
	return a
}

func (rs Rules) one(tool, subject string) Action {
	found := NoRule
	for _, r := range rs {
		if !matchTool(r.Tool, tool) || !Wild(r.Pattern, subject) {
			continue
		}
		if r.Action == RuleDeny {
			return RuleDeny
		}
		found = r.Action
	}
	return found
}

func matchTool(key, tool string) bool {
	if key == "edit" {
		for _, t := range editTools {
			if t == tool {
				return true
			}
		}
		return false
	}
	return Wild(key, tool)
}

// Wild reports whether s matches pattern, in which * stands for any text,
// separators included, and ? for one character. The whole of s must match.
func Wild(pattern, s string) bool {
	p, t := []rune(pattern), []rune(s)
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
