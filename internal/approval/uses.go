package approval

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// use returns what rules about another tool say of something that a call does
// as that tool would, and which of them says so, or -1. It is never an allow.
// What is not known for certain to be forbidden is asked about.
func (rs Rules) use(u tools.Use, there func(string) bool) (Action, int) {
	found, asks := -1, false
	for i, r := range rs {
		a := r.use(u, there)
		switch {
		case a == RuleDeny:
			return a, i
		case u.Form == tools.UsesExactly && r.about(u.Tool) && wild(r.Pattern, u.Path): // the last one counts
			found, asks = i, a == RuleAsk
		case a == RuleAsk && found < 0:
			found, asks = i, true
		}
	}
	if !asks {
		return NoRule, -1
	}
	return RuleAsk, found
}

// because says which use a rule is about, and what the rule says.
func (r Rule) because(u tools.Use) string {
	return fmt.Sprintf("it %s %s, and a rule says %s for %s %q", verbs[u.Tool], used(u), r.Action, u.Tool, r.Pattern)
}

var verbs = map[string]string{"read": "reads", "edit": "changes"}

// used names what is used.
func used(u tools.Use) string {
	switch u.Form {
	case tools.UsesExactly:
		return u.Path
	case tools.UsesMatches:
		return "what matches " + u.Path
	case tools.UsesBelow, tools.UsesShown:
		return "what is in " + u.Path
	}
	return "files that are only known when it runs"
}

// about reports a rule that is about a tool by its name. One that is about any
// tool, and says nothing of a place, is not.
func (r Rule) about(tool string) bool {
	named := !strings.ContainsAny(r.Tool, "*?")
	switch {
	case tool == "edit" && r.Tool == "edit":
		return true
	case tool == "edit":
		return (named || r.Pattern != "*") && matchTool(r.Tool, "write")
	}
	return (named || r.Pattern != "*") && matchTool(r.Tool, tool)
}

// use is Rules.use for one rule.
func (r Rule) use(u tools.Use, there func(string) bool) Action {
	if r.Action != RuleDeny && r.Action != RuleAsk || !r.about(u.Tool) {
		return NoRule
	}
	switch u.Form {
	case tools.UsesExactly:
		if wild(r.Pattern, u.Path) {
			return r.Action
		}
	case tools.UsesMatches:
		switch {
		case !strings.Contains(r.Pattern, "?") && wild(r.Pattern, u.Path): // and so all that the pattern matches
			return r.Action
		case meets(u.Path, r.Pattern):
			return RuleAsk
		}
	case tools.UsesBelow, tools.UsesShown:
		return r.below(u, there)
	default:
		return RuleAsk
	}
	return NoRule
}

// below judges the use of everything in a folder.
func (r Rule) below(u tools.Use, there func(string) bool) Action {
	in := u.Path + "/"
	if u.Path == "." {
		in = ""
	}
	fixed, rest := r.Pattern, ""
	if i := strings.IndexAny(r.Pattern, "*?"); i >= 0 {
		fixed, rest = r.Pattern[:i], r.Pattern[i:]
	}
	switch inside := strings.HasPrefix(fixed, in); {
	case wild(r.Pattern, u.Path), rest != "" && strings.Trim(rest, "*") == "" && strings.HasPrefix(in, fixed):
		return r.Action
	case !inside && (rest == "" || !strings.HasPrefix(in, fixed)):
		return NoRule
	case inside && u.Form == tools.UsesShown && hiddenIn(fixed[len(in):]):
		return NoRule
	}
	// Of what the pattern begins with, the part that is a path by itself.
	place := fixed
	if rest != "" {
		place = place[:strings.LastIndexByte(place, '/')+1]
	}
	if place = strings.TrimSuffix(place, "/"); place != "" && there != nil && !there(place) {
		return NoRule
	}
	return RuleAsk
}

// hiddenIn reports a path with a name that begins with a dot.
func hiddenIn(path string) bool {
	return strings.HasPrefix(path, ".") || strings.Contains(path, "/.")
}

// meets reports whether some path matches both a pattern of the shell, in which
// * stops at a slash, and one of a rule, in which it does not.
func meets(glob, pattern string) bool {
	g, p := []rune(glob), []rune(pattern)
	seen := map[[2]int]bool{}
	var from func(i, j int) bool
	from = func(i, j int) bool {
		if seen[[2]int{i, j}] {
			return false
		}
		seen[[2]int{i, j}] = true
		switch {
		case i == len(g) && j == len(p):
			return true
		case j < len(p) && p[j] == '*' && from(i, j+1):
			return true
		case i < len(g) && g[i] == '*' && from(i+1, j):
			return true
		}
		if i == len(g) || j == len(p) {
			return false
		}
		ni, some := i+1, false // after one character of the glob
		switch g[i] {
		case '*':
			ni, some = i, true
		case '?':
			some = true
		case '[':
			if n := strings.IndexByte(string(g[i+1:]), ']'); n > 0 {
				ni, some = i+1+len([]rune(string(g[i+1:])[:n]))+1, true
			}
		}
		if p[j] == '*' {
			return from(ni, j)
		}
		if some && p[j] == '/' || !some && p[j] != '?' && g[i] != p[j] {
			return false
		}
		return from(ni, j+1)
	}
	return from(0, 0)
}
