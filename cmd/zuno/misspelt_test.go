package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// saidOf is what the program says of a command line that it does not take.
func saidOf(t *testing.T, line string) string {
	t.Helper()
	root := newRoot(io.Discard)
	root.SetArgs(strings.Fields(line))
	err := root.ExecuteContext(t.Context())
	if err == nil {
		t.Fatalf("zuno %s was taken", line)
	}
	if code, _ := exitCode(err); code != exitUsage {
		t.Errorf("zuno %s ends with %d", line, code)
	}
	return err.Error()
}

func TestAMisspeltWordIsAnsweredWithTheRightOne(t *testing.T) {
	for line, want := range map[string]string{
		"doctr":                            "did you mean zuno doctor?",
		"sesions":                          "did you mean zuno sessions?",
		"sesions gc":                       "did you mean zuno sessions gc?",
		"resume":                           "zuno -c continues",
		"mcp lits":                         "did you mean zuno mcp list?",
		"mcp ls":                           "did you mean zuno mcp list?",
		"mcp tset github --cwd x":          "did you mean zuno mcp test?",
		"mcp tset github --josn":           "did you mean zuno mcp test?", // and not what is wrong with a flag of it
		"memory rm 3":                      "did you mean zuno memory remove?",
		"run --modle x":                    "did you mean --model?",
		"run -model x":                     "did you mean --model?",
		"run --output_format json":         "did you mean --output-format?",
		"run --output json":                "did you mean --output-format?",
		"run --policy strict":              "did you mean --approval-policy?",
		"run --session-id x":               "did you mean --session?",
		"--max-steps 3 hi":                 "zuno run has it",
		"-p hi":                            "zuno run PROMPT answers once",
		"--dangerously-skip-permissions":   "--approval-policy yolo",
		"config explain --yolo":            "unknown flag: --yolo (see", // it runs nothing
		"run --zzzzzzzz":                   "unknown flag: --zzzzzzzz (see zuno run --help)",
		"run --continue=perhaps":           "--continue perhaps: it must be true or false, or have no value",
		"ledger --session":                 "--session needs a value: --session ID",
		"sessions \x1b[31m":                `there is no command "\\x1b[31m"`,
		"run --" + strings.Repeat("x", 99): "unknown flag: --xxxx",
	} {
		if got := saidOf(t, line); !strings.Contains(got, want) || strings.Contains(got, "?;") || strings.ContainsAny(got, "\x1b\n") {
			t.Errorf("zuno %s: %s", line, got)
		}
	}
}

// Each flag and command of the tree, with two letters swapped, is answered with
// itself.
func TestEveryCommandAndFlagIsFoundAgain(t *testing.T) {
	swapped := func(s string) string { return s[:2] + s[3:4] + s[2:3] + s[4:] }
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		line := strings.TrimPrefix(c.CommandPath(), "zuno")
		c.InitDefaultHelpFlag()
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if len(f.Name) < 5 || f.Name[2] == f.Name[3] {
				return
			}
			if got := saidOf(t, line+" --"+swapped(f.Name)); !strings.Contains(got, "did you mean --"+f.Name+"?") {
				t.Errorf("zuno%s --%s: %s", line, swapped(f.Name), got)
			}
		})
		for _, sub := range c.Commands() {
			if !sub.IsAvailableCommand() {
				continue
			}
			if n := sub.Name(); len(n) > 4 && n[2] != n[3] {
				if got := saidOf(t, line+" "+swapped(n)); !strings.Contains(got, "did you mean "+sub.CommandPath()+"?") {
					t.Errorf("zuno%s %s: %s", line, swapped(n), got)
				}
			}
			walk(sub)
		}
	}
	walk(newRoot(io.Discard))
}

// What is no misspelt command is a prompt.
func TestAPromptIsNoMisspeltCommand(t *testing.T) {
	for _, words := range [][]string{{"hello"}, {"refactor"}, {"commit"}, {"modify"}, {"explain", "this"}, {"sesions", "are", "slow"}, {"fix the tests"}, {"showing", "gc"}, {}, {"test"}} {
		if got := meant(newRoot(io.Discard), words); got != "" {
			t.Errorf("%q: %s", words, got)
		}
	}
}
