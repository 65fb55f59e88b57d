package shell

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Rule is one row of the denylist: something that zuno does not run under
// any policy. The list catches the accidents of a confused model. It is not a
// sandbox and does not stop an attacker.
type Rule struct {
	// ID is stable: configuration and receipts name it.
	ID string
	// Category groups rules; Reason says what the command would do and Instead
	// what to do in its place.
	Category, Reason, Instead string
	// Fixed rows cannot be lifted by any configuration.
	Fixed bool
	// Examples are lines that the rule blocks, Passes similar lines that no
	// rule blocks. Tests run both.
	Examples, Passes []string

	programs []string                 // the programs it looks at; none for what the walk finds
	match    func(c *call) (m string) // what matched, or ""
}

// A Hit is a rule that a line matches, and the part that matches it.
type Hit struct{ Rule, Category, Reason, Instead, Match string }

// Error is the text for the model and the receipt. It names the rule and says
// that no approval overrides it.
func (h *Hit) Error() string {
	return fmt.Sprintf("blocked by denylist rule %s: %s (%q). This is one rule of a fixed list: no approval or policy overrides it. "+
		"Instead: %s. If it is really wanted, the user can run it themselves outside zuno.", h.Rule, h.Reason, clip(h.Match, 120), h.Instead)
}

func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// Denylist returns the rules in the order in which they are tested.
func Denylist() []Rule { return slices.Clone(denylist().rules) }

type rulebook struct {
	rules []Rule
	by    map[string][]int // program → rules
	index map[string]int   // id → rule
}

var denylist = sync.OnceValue(func() rulebook {
	b := rulebook{by: map[string][]int{}, index: map[string]int{}}
	for _, part := range [][]Rule{
		destroyRules(), rmRules(), privilegeRules(), machineRules(), remoteRules(), inlineRules(),
		processRules(), permissionRules(), readRules(), wipeRules(), accountRules(),
	} {
		b.rules = append(b.rules, part...)
	}
	for i, r := range b.rules {
		b.index[r.ID] = i
		for _, p := range r.programs {
			b.by[p] = append(b.by[p], i)
		}
	}
	return b
})

// ruleName is the name that rules know a program by.
func ruleName(name string) string {
	name = strings.ToLower(name)
	switch {
	case strings.HasPrefix(name, "mkfs."):
		return "mkfs"
	case isLanguage(name):
		return strings.TrimRight(name, "0123456789.")
	}
	return name
}

// ownName reports a name that ruleName leaves as it is, unless it is that of a
// language.
func ownName(name string) bool {
	for i := range len(name) {
		if name[i] >= 0x80 || name[i] >= 'A' && name[i] <= 'Z' {
			return false
		}
	}
	return !strings.HasPrefix(name, "mkfs.")
}

// check tests a call against the rules for its program.
func (s *scan) check(c *call) {
	if !c.traits.has(ruleTrait) && ownName(c.name) && !c.traits.has(languageTrait) {
		return
	}
	b := denylist()
	for _, i := range b.by[ruleName(c.name)] {
		if m := b.rules[i].match(c); m != "" {
			s.hit(b.rules[i].ID, m)
		}
	}
}

func (s *scan) hit(id, match string) {
	if _, have := s.hits[id]; have {
		return
	}
	b := denylist()
	r := b.rules[b.index[id]]
	s.hits[id] = Hit{Rule: r.ID, Category: r.Category, Reason: r.Reason, Instead: r.Instead, Match: match}
}

func (s *scan) settleHits() {
	if len(s.hits) == 0 {
		return
	}
	for _, r := range denylist().rules {
		if h, ok := s.hits[r.ID]; ok {
			s.out.Hits = append(s.out.Hits, h)
		}
	}
	s.out.Denied = &s.out.Hits[0]
}

// Lift returns the analysis with the named denylist rows lifted, as a user's
// own configuration may do: what they match is asked about instead. Fixed rows
// stay.
func (a Analysis) Lift(ids ...string) Analysis {
	b := denylist()
	var hits []Hit
	manual := slices.Clone(a.Manual)
	for _, h := range a.Hits {
		if slices.Contains(ids, h.Rule) && !b.rules[b.index[h.Rule]].Fixed {
			manual = append(manual, Touch{What: "runs", Target: clip(h.Match, 120), Why: h.Reason + " (rule " + h.Rule + " is lifted)"})
			continue
		}
		hits = append(hits, h)
	}
	a.Hits, a.Manual, a.Denied = hits, manual, nil
	if len(hits) > 0 {
		a.Denied = &a.Hits[0]
	}
	return a
}

// shown is a call as one line.
func (c *call) shown() string {
	return strings.ReplaceAll(strings.Join(append([]string{c.written}, texts(c.args)...), " "), hole, "…")
}

// always is the matcher of programs that are blocked however they are called.
func always(c *call) string { return c.shown() }

// withArgs blocks a program that is given anything.
func withArgs(c *call) string {
	if len(c.args) == 0 {
		return ""
	}
	return c.shown()
}

// option blocks a program that is given an option.
func withOption(letters string, longs ...string) func(*call) string {
	return func(c *call) string {
		if c.has(letters, longs...) {
			return c.shown()
		}
		return ""
	}
}

func when(c *call, yes bool) string {
	if yes {
		return c.shown()
	}
	return ""
}
