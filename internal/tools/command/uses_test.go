package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestACommandSaysWhichFilesItUsesAsTheToolsWould(t *testing.T) {
	c := newConfig(t)
	for _, d := range []string{"secrets", "sub"} {
		if err := os.Mkdir(filepath.Join(c.Workspace, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("secrets", filepath.Join(c.Workspace, "link")); err != nil {
		t.Fatal(err)
	}
	read := func(path string, form tools.UseForm) tools.Use {
		return tools.Use{Tool: "read", Path: path, Form: form}
	}
	for line, want := range map[string][]tools.Use{
		"cat secrets/x":              {read("secrets/x", tools.UsesExactly)},
		"cat link/x":                 {read("link/x", tools.UsesExactly), read("secrets/x", tools.UsesExactly)},
		"cat " + c.Workspace + "/a":  {read("a", tools.UsesExactly)},
		"grep -r x":                  {read(".", tools.UsesBelow)},
		"cat /nowhere/a":             {read("/nowhere/a", tools.UsesExactly)},
		"cat sub/*":                  {read("sub/*", tools.UsesMatches)},
		"cat $X":                     {read("", tools.UsesUnknown)},
		"echo x > sub/f":             {{Tool: "edit", Path: "sub/f", Form: tools.UsesExactly}},
		"cd sub && cat ../secrets/x": {read("secrets/x", tools.UsesExactly)},
	} {
		p := mustPropose(t, c, line)
		for _, u := range want {
			if !slices.Contains(p.Uses, u) {
				t.Errorf("%q uses %v, want %v among them", line, p.Uses, u)
			}
		}
		if !p.There("secrets") || p.There("secrets/x") || !p.There(c.Workspace) {
			t.Errorf("%q: what is there is not known", line)
		}
	}
}

// A link that leads elsewhere after the decision is read by nobody.
func TestALinkThatLeadsElsewhereByNowIsStale(t *testing.T) {
	c := newConfig(t)
	for name, text := range map[string]string{"a": "plain\n", "b": "canary\n"} {
		if err := os.WriteFile(filepath.Join(c.Workspace, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(c.Workspace, "link")
	if err := os.Symlink("a", link); err != nil {
		t.Fatal(err)
	}
	p := mustPropose(t, c, "cat link")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("b", link); err != nil {
		t.Fatal(err)
	}
	out := execute(t, t.Context(), p)
	if out.Block != tools.Stale || strings.Contains(out.Text, "canary") || !strings.Contains(out.Text, "it now uses") {
		t.Errorf("%+v", out)
	}
}

func TestACardSaysWhatHoldsACommandForHighRisk(t *testing.T) {
	c := newConfig(t)
	for line, want := range map[string]string{
		"git commit --no-verify -m x": "high-risk\tgit commit skips the checks that the repository makes first",
		"sort -o f g":                 "high-risk\tsort -o writes a file",
		"git push":                    "asks\t",
		"cat $X":                      "not known\t",
	} {
		p := mustPropose(t, c, line)
		table := p.Preview[1].Body
		if !strings.Contains(table, want) || strings.HasPrefix(want, "high-risk") != strings.Contains(table, "high-risk\t") {
			t.Errorf("the card of %q says %q, want %q", line, table, want)
		}
	}
}
