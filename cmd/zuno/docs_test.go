package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/headless"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/command"
	"github.com/zuno-dev/zuno/internal/tools/file"
	"github.com/zuno-dev/zuno/internal/tui"
)

var update = flag.Bool("update", false, "rewrite the generated pages")

// TestDocs compares the generated pages with what the code says.
func TestDocs(t *testing.T) {
	for name, page := range map[string]string{
		"config.md": config.Reference(), "tools.md": toolsPage(t), "keys.md": "# Keys\n\nGenerated from the table of bindings by `make docs`. The same sheet is behind `?`.\n\n" + tui.Keys(),
		"themes.md":   tui.ThemesPage(),
		"denylist.md": denylistPage(), "cli.md": cliPage(),
		"exit-codes.md": exitPage(), "json.md": headless.Reference(),
	} {
		path := "../../docs/" + name
		if *update {
			if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != page {
			t.Errorf("%s differs from the code; run make docs (%v)", name, err)
		}
	}
}

func toolsPage(t *testing.T) string {
	all := toolsOf(t)
	offered, _ := builtin.Select(all, nil, nil)
	var b strings.Builder
	b.WriteString("# Tools\n\nGenerated from the declarations of the tools by `make docs`.\n\n" +
		"| tool | offered | effect | replay | concurrency | risk | time limit |\n|---|---|---|---|---|---|---|\n")
	for _, tool := range all {
		s := tool.Spec()
		limit := "none"
		if d := s.Limit(); d > 0 {
			limit = d.String()
		}
		on := "when switched on"
		switch {
		case slices.Contains(builtin.Names(offered), s.Name):
			on = "yes"
		case s.Name == builtin.Reconcile:
			on = "while a call is uncertain"
		}
		if s.Name == "web_search" {
			on = "with a service that searches"
		}
		if s.Name == skillTool {
			on = "when there are skills"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", s.Name, on, s.Effect, s.Replay, s.Concurrency, s.Risk, limit)
	}
	b.WriteString("\nEffect, risk and the like may be set for each call from its arguments: a command that is known to only read is read-only, " +
		"and what lies outside the workspace asks whatever the tool.\n")
	for _, tool := range all {
		s := tool.Spec()
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\nArguments:\n\n```json\n%s\n```\n", s.Name, s.Description, s.Schema)
	}
	b.WriteString("\n## Other names\n\nThese names are accepted as well, with their own spelling of the arguments. The record keeps both names.\n\n| name | tool |\n|---|---|\n")
	for _, a := range builtin.Aliases() {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", a.Name, a.Tool)
	}
	return b.String()
}

// toolsOf returns every tool, in a workspace that is empty.
func toolsOf(t *testing.T) []tools.Tool {
	root := t.TempDir()
	ws, err := file.NewWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	return builtin.New(builtin.Config{
		Workspace: ws, Files: file.New(ws), Command: command.Config{Workspace: root},
		Rg: func(context.Context) (string, error) { return "rg", nil },
	})
}

func denylistPage() string {
	var b strings.Builder
	b.WriteString("# Denylist\n\nGenerated from the table in `internal/shell` by `make docs`.\n\n" +
		"These command lines are blocked under every policy, for the model and behind `!` alike. " +
		"The list catches mistakes and known harm; it is not a sandbox.\n\n| id | category | blocks | instead | for example |\n|---|---|---|---|---|\n")
	cell := func(s string) string {
		return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
	}
	for _, r := range shell.Denylist() {
		example := ""
		if len(r.Examples) > 0 {
			example = "`" + cell(r.Examples[0]) + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.ID, r.Category, cell(r.Reason), cell(r.Instead), example)
	}
	return b.String()
}

func cliPage() string {
	var b strings.Builder
	b.WriteString("# Command line\n\nGenerated from the commands by `make docs`.\n")
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			return
		}
		text := c.Long
		if text == "" {
			text = c.Short + "."
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n```\n%s```\n", c.CommandPath(), text, c.UsageString())
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(io.Discard))
	return b.String()
}

func exitPage() string {
	var b strings.Builder
	b.WriteString("# Exit codes\n\nGenerated from the table in `cmd/zuno/exit.go` by `make docs`.\n\n| code | means | what to do |\n|---|---|---|\n")
	for _, m := range exitMeanings() {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", m.code, m.means, m.advice)
	}
	return b.String()
}

var dist = flag.String("dist", "", "write man pages and completions into this folder")

// TestDistDocs writes what a package of zuno brings along, or tries that it can.
func TestDistDocs(t *testing.T) {
	dir := *dist
	if dir == "" {
		dir = t.TempDir()
	}
	for _, sub := range []string{"man", "completions"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root := newRoot(io.Discard)
	root.DisableAutoGenTag = true
	if err := doc.GenManTree(root, &doc.GenManHeader{Title: "ZUNO", Section: "1", Source: "zuno"}, filepath.Join(dir, "man")); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, "completions")
	err := errors.Join(root.GenBashCompletionFileV2(filepath.Join(at, "zuno.bash"), true), root.GenZshCompletionFile(filepath.Join(at, "_zuno")),
		root.GenFishCompletionFile(filepath.Join(at, "zuno.fish"), true), root.GenPowerShellCompletionFileWithDesc(filepath.Join(at, "zuno.ps1")))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"man/zuno.1", "man/zuno-config-explain.1", "completions/zuno.bash", "completions/_zuno", "completions/zuno.fish", "completions/zuno.ps1"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
