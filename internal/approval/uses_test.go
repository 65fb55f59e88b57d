package approval

import (
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

// What rules say of reading and editing holds for commands that do it: what is
// certainly forbidden is blocked, what may be is asked about, and nothing is
// allowed by it.
func TestRulesForFilesHoldForWhatCommandsDoToThem(t *testing.T) {
	shell := func(uses ...tools.Use) *tools.Proposal {
		return &tools.Proposal{
			Spec: tools.Spec{Name: "shell"}, Subjects: []string{"cat f"}, Uses: uses,
			There: func(path string) bool { return path != "gone" && path != "src/gone" },
		}
	}
	read := func(path string, form tools.UseForm) tools.Use {
		return tools.Use{Tool: "read", Path: path, Form: form}
	}
	edit := func(path string) tools.Use {
		return tools.Use{Tool: "edit", Path: path, Form: tools.UsesExactly}
	}
	const exactly, matches, below, shown, unknown = tools.UsesExactly, tools.UsesMatches, tools.UsesBelow, tools.UsesShown, tools.UsesUnknown
	secrets := Rules{{"read", "secrets/*", RuleDeny}}
	for _, c := range []struct {
		rules Rules
		use   tools.Use
		want  Action
	}{
		{secrets, read("secrets/x", exactly), RuleDeny},
		{secrets, read("secrets/a/b", exactly), RuleDeny},
		{secrets, read("secretsx", exactly), NoRule},
		{secrets, read("src/secrets/x", exactly), NoRule},
		{secrets, edit("secrets/x"), NoRule},
		{secrets, read("secrets/*.key", matches), RuleDeny},
		{secrets, read("*.md", matches), NoRule},
		{secrets, read("*", matches), NoRule},
		{secrets, read("*/*.md", matches), RuleAsk},
		{secrets, read("s?crets/[a-z]", matches), RuleAsk},
		{secrets, read("secrets", below), RuleDeny},
		{secrets, read("secrets/sub", below), RuleDeny},
		{secrets, read(".", below), RuleAsk},
		{secrets, read("src", below), NoRule},
		{secrets, read("secretsx", below), NoRule},
		{secrets, read("", unknown), RuleAsk},
		{Rules{{"read", "gone/*", RuleDeny}}, read(".", below), NoRule},
		{Rules{{"read", "src/gone/*", RuleDeny}}, read("src", below), NoRule},
		{Rules{{"read", "*.pem", RuleDeny}}, read(".", below), RuleAsk},
		{Rules{{"read", "*.pem", RuleDeny}}, read("certs/*", matches), RuleAsk},
		{Rules{{"read", "*.pem", RuleDeny}}, read("certs/*.crt", matches), NoRule},
		{Rules{{"read", ".env", RuleDeny}}, read(".", shown), NoRule},
		{Rules{{"read", ".env", RuleDeny}}, read(".", below), RuleAsk},
		{Rules{{"read", "a/.ssh/*", RuleDeny}}, read("a", shown), NoRule},
		{Rules{{"read", "*", RuleDeny}}, read("x", exactly), RuleDeny},
		{Rules{{"read", "*", RuleDeny}}, read(".", shown), RuleDeny},
		{Rules{{"read", "*", RuleAsk}, {"read", "src/*", RuleAllow}}, read("src/x", exactly), NoRule},
		{Rules{{"read", "*", RuleAsk}, {"read", "src/*", RuleAllow}}, read("x", exactly), RuleAsk},
		{Rules{{"read", "secrets/*", RuleAllow}}, read("secrets/x", exactly), NoRule},
		{Rules{{"*", "secrets/*", RuleDeny}}, read("secrets/x", exactly), RuleDeny},
		{Rules{{"*", "*", RuleAsk}}, read("x", exactly), RuleAsk}, // as the command itself
		{Rules{{"*", "*", RuleAsk}, {"shell", "cat *", RuleAllow}}, read("x", exactly), RuleAllow},
		{Rules{{"shell", "cat *", RuleAllow}, {"read", "secrets/*", RuleDeny}}, read("secrets/x", exactly), RuleDeny},
		{Rules{{"shell", "cat *", RuleAllow}, {"read", "secrets/*", RuleDeny}}, read("x", exactly), RuleAllow},
		{Rules{{"edit", "secrets/*", RuleDeny}}, edit("secrets/x"), RuleDeny},
		{Rules{{"edit", "secrets/*", RuleDeny}}, read("secrets/x", exactly), NoRule},
		{Rules{{"edit", "secrets/*", RuleDeny}}, tools.Use{Tool: "edit"}, RuleAsk},
	} {
		p := shell(c.use)
		if got := c.rules.Match(p); got != c.want {
			t.Errorf("%v: a command with %+v: %v, want %v", c.rules, c.use, got, c.want)
		}
		if got := c.rules.Match(p); got == RuleDeny || got == RuleAsk {
			if all := c.rules.Matches(p); len(all) == 0 {
				t.Errorf("%v: no rule is named for %+v", c.rules, c.use)
			}
		}
	}
}

func TestARefusalSaysWhichFileARuleForbids(t *testing.T) {
	g := New(Config{Policy: Yolo, Rules: Rules{{"read", "secrets/*", RuleDeny}}})
	p := &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Subjects: []string{"cat secrets/x"}, Uses: []tools.Use{{Tool: "read", Path: "secrets/x", Form: tools.UsesExactly}}}
	d, err := g.Decide(t.Context(), p, nil)
	if err != nil || d.Allowed || d.By != tools.ByRule || !strings.Contains(d.Reason, "it reads secrets/x, and a rule says deny for read \"secrets/*\"") {
		t.Errorf("%+v, %v", d, err)
	}
	p.Uses[0] = tools.Use{Tool: "read"}
	if d, err = g.Decide(t.Context(), p, nil); err != nil || d.Allowed || !strings.Contains(d.Reason, "it reads files that are only known when it runs") {
		t.Errorf("%+v, %v", d, err)
	}
}

func FuzzMeets(f *testing.F) {
	for _, x := range [][3]string{{"*/*.md", "secrets/*", "secrets/a.md"}, {"[ab]?", "a*", "ax"}, {"*", "*/x", "y"}, {"a*b*c", "?b*", "abc"}, {"[", "[", "["}} {
		f.Add(x[0], x[1], x[2])
	}
	f.Fuzz(func(t *testing.T, glob, pattern, path string) {
		if len(glob) > 40 || len(pattern) > 40 || strings.ContainsAny(glob, "[\\") || strings.Contains(path, "\n") {
			return
		}
		// A glob without brackets is a pattern that stops at slashes.
		if strings.Count(glob, "/") == strings.Count(path, "/") && wild(pattern, path) && globs(glob, path) && !meets(glob, pattern) {
			t.Errorf("%q matches %q and %q, which do not meet", path, glob, pattern)
		}
	})
}

// globs matches part by part.
func globs(glob, path string) bool {
	g, p := strings.Split(glob, "/"), strings.Split(path, "/")
	if len(g) != len(p) {
		return false
	}
	for i := range g {
		if !wild(g[i], p[i]) {
			return false
		}
	}
	return true
}
