package approval

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/spelling"
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

// String returns the word of the configuration; "none" where no rule matches.
func (a Action) String() string { return [...]string{"none", "allow", "ask", "deny"}[a] }

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
		if len(r.Tools(known)) == 0 && !strings.HasPrefix(r.Tool, "mcp") {
			return fmt.Errorf("permission.rules: %q matches no tool%s", r.Tool, spelling.Hint(r.Tool, append([]string{"edit"}, known...)))
		}
	}
	return nil
}

// Tools returns the names among known that r is about.
func (r Rule) Tools(known []string) []string {
	var names []string
	for _, name := range known {
		if matchTool(r.Tool, name) {
			names = append(names, name)
		}
	}
	return names
}

// Decides reports whether r, were it the only rule, would decide on p: an allow
// has to match everything that p touches, another action anything of it.
func (r Rule) Decides(p *tools.Proposal) bool { return Rules{r}.Match(p) == r.Action }

// Match returns what the rules say of p. Each subject of p is judged by its
// last matching rule; the strictest of them counts, and an allow needs every
// subject allowed. A deny that matches anywhere is terminal. The other readings
// of what p touches, and what it does as other tools would, count only against
// it.
func (rs Rules) Match(p *tools.Proposal) Action {
	a, _ := rs.judge(p)
	return a
}

// judge is Match, and says which use of p the answer is due to, "" for none.
func (rs Rules) judge(p *tools.Proposal) (Action, string) {
	a, about := rs.matchOwn(p), ""
	if a == RuleDeny {
		return a, ""
	}
	for _, u := range p.Uses {
		switch as, i := rs.use(u, p.There); {
		case as == RuleDeny:
			return as, rs[i].because(u)
		case as == RuleAsk && a != RuleAsk:
			a, about = as, rs[i].because(u)
		}
	}
	return a, about
}

// matchOwn is Match for the tool's own rules.
func (rs Rules) matchOwn(p *tools.Proposal) Action {
	strictest := Action(-1)
	for _, s := range subjects(p) {
		a := NoRule
		if i := rs.last(p.Spec.Name, s); i >= 0 {
			a = rs[i].Action
		}
		if a == RuleDeny {
			return RuleDeny
		}
		strictest = stricter(strictest, a)
	}
	for _, s := range p.Readings {
		if i := rs.last(p.Spec.Name, s); i < 0 || rs[i].Action == RuleAllow {
			continue
		} else if rs[i].Action == RuleDeny {
			return RuleDeny
		}
		strictest = RuleAsk
	}
	return strictest
}

// A RuleMatch is a rule that matches one subject of a proposal.
type RuleMatch struct {
	Rule    int // index
	Subject string
	// Decides says that the rule is the one that counts for the subject.
	Decides bool
}

// Matches returns every rule that matches a subject of p, by subject and then
// in the order of the rules.
func (rs Rules) Matches(p *tools.Proposal) []RuleMatch {
	var all []RuleMatch
	for _, s := range subjects(p) {
		decides := rs.last(p.Spec.Name, s)
		for i, r := range rs {
			if r.matches(p.Spec.Name, s) {
				all = append(all, RuleMatch{i, s, i == decides})
			}
		}
	}
	for _, s := range p.Readings {
		if i := rs.last(p.Spec.Name, s); i >= 0 && rs[i].Action != RuleAllow {
			all = append(all, RuleMatch{i, s, true})
		}
	}
	for _, u := range p.Uses {
		if _, i := rs.use(u, p.There); i >= 0 {
			all = append(all, RuleMatch{i, used(u) + ", which it " + verbs[u.Tool], true})
		}
	}
	return all
}

// matches reports whether r is about a subject. What forbids "git push *" is
// about "git push" too; what allows it is not, for it says "with something".
func (r Rule) matches(tool, subject string) bool {
	if !matchTool(r.Tool, tool) {
		return false
	}
	return wild(r.Pattern, subject) || r.Action != RuleAllow && strings.HasSuffix(r.Pattern, " *") && wild(r.Pattern, subject+" ")
}

// subjects are what p touches; what touches nothing that has a name is matched
// as "".
func subjects(p *tools.Proposal) []string {
	if len(p.Subjects) == 0 {
		return []string{""}
	}
	return p.Subjects
}

// stricter orders ask over none over allow; -1 is nothing yet.
func stricter(a, b Action) Action {
	rank := func(x Action) int { return map[Action]int{-1: 0, RuleAllow: 1, NoRule: 2, RuleAsk: 3}[x] }
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// last returns the index of the rule that decides on a subject: the first deny
// that matches, else the last match, else -1.
func (rs Rules) last(tool, subject string) int {
	found := -1
	for i, r := range rs {
		if !r.matches(tool, subject) {
			continue
		}
		if r.Action == RuleDeny {
			return i
		}
		found = i
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
	return wild(key, tool)
}

// wild reports whether s matches pattern, in which * stands for any text,
// separators included, and ? for one character. The whole of s must match.
func wild(pattern, s string) bool {
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
