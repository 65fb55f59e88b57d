package approval

import (
	"slices"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestLastMatchingRuleWinsAndDenyIsTerminal(t *testing.T) {
	rules := Rules{
		{"*", "*", RuleAsk},
		{"shell", "git *", RuleAllow},
		{"shell", "git push*", RuleAsk},
		{"edit", "secret/*", RuleDeny},
		{"edit", "*", RuleAllow},
	}
	p := func(tool string, subjects ...string) *tools.Proposal {
		return &tools.Proposal{Spec: tools.Spec{Name: tool}, Subjects: subjects}
	}
	for _, c := range []struct {
		p    *tools.Proposal
		want Action
	}{
		{p("read", "a"), RuleAsk},
		{p("shell", "git status"), RuleAllow},
		{p("shell", "git push origin"), RuleAsk},
		{p("shell", "git status", "rm x"), RuleAsk},
		{p("shell", "git status", "git log"), RuleAllow},
		{p("write", "a.go"), RuleAllow},
		{p("apply_patch", "a.go", "secret/k"), RuleDeny},
		{p("edit", "secret/k"), RuleDeny},
		{p("question"), RuleAsk},
	} {
		if got := rules.Match(c.p); got != c.want {
			t.Errorf("%s %q: %v, want %v", c.p.Spec.Name, c.p.Subjects, got, c.want)
		}
	}
	if got := (Rules{{"shell", "git *", RuleAllow}}).Match(p("shell", "git log", "make")); got != NoRule {
		t.Errorf("an allow that covers half of a command line: %v, want none", got)
	}
}

func TestEveryMatchingRuleIsNamedAndOneDecides(t *testing.T) {
	rules := Rules{
		{"shell", "git *", RuleAllow},
		{"edit", "*", RuleAllow},
		{"shell", "git push*", RuleDeny},
		{"*", "git *", RuleAsk},
	}
	p := func(tool string, subjects ...string) *tools.Proposal {
		return &tools.Proposal{Spec: tools.Spec{Name: tool}, Subjects: subjects}
	}
	for _, c := range []struct {
		p    *tools.Proposal
		want []RuleMatch
	}{
		{p("shell", "ls"), nil},
		{p("shell", "git log"), []RuleMatch{{0, "git log", false}, {3, "git log", true}}},
		{p("shell", "git push", "ls"), []RuleMatch{{0, "git push", false}, {2, "git push", true}, {3, "git push", false}}},
		{p("shell", "git log", "git x"), []RuleMatch{{0, "git log", false}, {3, "git log", true}, {0, "git x", false}, {3, "git x", true}}},
		{p("write"), []RuleMatch{{1, "", true}}},
		{p("write", "a"), []RuleMatch{{1, "a", true}}},
	} {
		if got := rules.Matches(c.p); !slices.Equal(got, c.want) {
			t.Errorf("%s %q: %+v, want %+v", c.p.Spec.Name, c.p.Subjects, got, c.want)
		}
		strictest := NoRule
		for _, m := range rules.Matches(c.p) {
			if m.Decides && rules[m.Rule].Action > strictest {
				strictest = rules[m.Rule].Action
			}
		}
		if got := rules.Match(c.p); got != strictest {
			t.Errorf("%s %q: %v, but the matches come to %v", c.p.Spec.Name, c.p.Subjects, got, strictest)
		}
	}
}

func TestARuleDecidesAloneOnWhatItMatches(t *testing.T) {
	for _, c := range []struct {
		rule     Rule
		subjects []string
		want     bool
	}{
		{Rule{"shell", "git *", RuleAllow}, []string{"git log"}, true},
		{Rule{"shell", "git *", RuleAllow}, []string{"git log", "rm x"}, false},
		{Rule{"shell", "git *", RuleAsk}, []string{"git log", "rm x"}, true},
		{Rule{"shell", "rm *", RuleDeny}, []string{"git log", "rm x"}, true},
		{Rule{"shell", "rm *", RuleDeny}, []string{"git log"}, false},
		{Rule{"edit", "*", RuleDeny}, []string{"git log"}, false},
	} {
		if got := c.rule.Decides(&tools.Proposal{Spec: tools.Spec{Name: "shell"}, Subjects: c.subjects}); got != c.want {
			t.Errorf("%+v on %q: %v", c.rule, c.subjects, got)
		}
	}
}

func TestTheToolsOfARule(t *testing.T) {
	known := []string{"read", "write", "apply_patch", "shell"}
	for key, want := range map[string][]string{
		"shell": {"shell"}, "s*": {"shell"}, "edit": {"write", "apply_patch"}, "*": known, "mcp_x": nil,
	} {
		if got := (Rule{Tool: key}).Tools(known); !slices.Equal(got, want) {
			t.Errorf("%s: %v", key, got)
		}
	}
}

func TestActionsAreWrittenAsTheyAreRead(t *testing.T) {
	for a := RuleAllow; a <= RuleDeny; a++ {
		if got, err := ParseAction(a.String()); got != a || err != nil {
			t.Errorf("%v: %v, %v", a, got, err)
		}
	}
	if got, err := ParseAction(NoRule.String()); err == nil {
		t.Errorf("none is %v", got)
	}
}

func TestARuleThatCannotMatchIsAnError(t *testing.T) {
	known := []string{"read", "write", "apply_patch", "shell"}
	for rule, ok := range map[string]bool{"write": false, "apply_patch": false, "edit": true, "sh*": true, "bash": false, "*": true, "mcp_x": true} {
		if err := (Rules{{rule, "*", RuleAllow}}).Check(known); (err == nil) != ok {
			t.Errorf("rule for %q: %v", rule, err)
		}
	}
}

func TestWild(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"*", "", true},
		{"", "", true},
		{"", "x", false},
		{"git *", "git status", true},
		{"git *", "git", false},
		{"git*", "gitx/y", true},
		{"a*b*c", "a/x/b/y/c", true},
		{"a*b*c", "acb", false},
		{"?é", "xé", true},
	} {
		if got := wild(c.pattern, c.s); got != c.want {
			t.Errorf("Wild(%q, %q) = %v", c.pattern, c.s, got)
		}
	}
}

// Other readings of a call are a ground to forbid and to ask, never to allow.
func TestReadingsCountOnlyAgainst(t *testing.T) {
	p := func(subject string, readings ...string) *tools.Proposal {
		return &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Subjects: []string{subject}, Readings: readings}
	}
	rs := Rules{{"shell", "*", RuleAllow}, {"shell", "curl *", RuleDeny}, {"shell", "git push *", RuleAsk}, {"shell", "git log*", RuleAllow}}
	for _, c := range []struct {
		p    *tools.Proposal
		want Action
	}{
		{p("wrap curl x", "curl x"), RuleDeny},
		{p("git -C a push", "git push"), RuleAsk},
		{p("git push"), RuleAsk},
		{p("curl"), RuleDeny},
		{p("git -C a log", "git log"), RuleAllow},
		{p("wrap ls", "ls"), RuleAllow},
	} {
		if got := rs.Match(c.p); got != c.want {
			t.Errorf("%q %q: %v, want %v", c.p.Subjects, c.p.Readings, got, c.want)
		}
	}
	only := Rules{{"shell", "git log*", RuleAllow}, {"shell", "git log *", RuleAllow}}
	if got := only.Match(p("git -C a log", "git log")); got != NoRule {
		t.Errorf("an allow by a reading: %v", got)
	}
	if got := (Rules{{"shell", "git push *", RuleAllow}}).Match(p("git push")); got != NoRule {
		t.Errorf("an allow of something more: %v", got)
	}
	if all := rs.Matches(p("wrap curl x", "curl x")); len(all) != 2 || all[1].Subject != "curl x" || all[1].Rule != 1 {
		t.Errorf("%+v", all)
	}
}
