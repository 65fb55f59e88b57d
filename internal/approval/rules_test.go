package approval

import (
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
		if got := Wild(c.pattern, c.s); got != c.want {
			t.Errorf("Wild(%q, %q) = %v", c.pattern, c.s, got)
		}
	}
}
