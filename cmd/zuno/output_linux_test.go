package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// printing is what each command is given to have it print, a run each. A
// command without a row is not known to say when it could not.
var printing = map[string][][]string{
	"zuno":                {{"--help"}, {"--version"}},
	"zuno config":         {{}},
	"zuno config schema":  {{}},
	"zuno config explain": {{}, {"model"}},
	"zuno config edit":    {{}},
	"zuno doctor":         {{}, {"--json"}},
	"zuno models":         {{}, {"--json"}},
	"zuno rules":          {{}},
	"zuno rules list":     {{}, {"--json"}},
	"zuno rules check":    {{"ls"}, {"--json", "ls"}},
	"zuno rules add":      {{"git", "status"}},
	"zuno rules remove":   {{"git", "log"}},
	"zuno trust":          {{}, {"--yes"}, {"--list"}},
	"zuno undo":           {{"--yes"}},
	"zuno memory":         {{}},
	"zuno memory list":    {{}, {"--json"}},
	"zuno memory add":     {{"another", "thing"}},
	"zuno memory remove":  {{"1"}},
	"zuno mcp":            {{}},
	"zuno mcp list":       {{}},
	"zuno mcp tools":      {{"fake"}},
	"zuno mcp test":       {{"fake"}},
	"zuno mcp login":      {{"--help"}},
	"zuno mcp logout":     {{"web"}},
	"zuno mcp ratify":     {{"fake", "echo", "read-only"}},
	"zuno sessions":       {{}, {"--json"}},
	"zuno sessions search": {
		{"hello"}, {"--json", "hello"}, {"nowhere"},
	},
	"zuno sessions rename": {{"SESSION", "another title"}},
	"zuno sessions fork":   {{"SESSION"}},
	"zuno sessions gc":     {{}, {"--older-than", "0d"}},
	"zuno sessions repair": {{}},
	"zuno show":            {{"SESSION"}},
	"zuno export":          {{"SESSION"}, {"--format", "json", "SESSION"}},
	"zuno ledger":          {{}, {"--json"}, {"--verify"}, {"--verify", "--json"}, {"--uncertain"}},
	"zuno run":             {{"hello"}, {"--output-format", "json", "hello"}, {"--output-format", "stream-json", "hello"}, {"--help"}},
	"zuno tour":            {{"--help"}},
	"zuno completion bash": {{}},
	"zuno completion zsh":  {{}},
	"zuno completion fish": {{}}, "zuno completion powershell": {{}}, "zuno completion": {{}}, "zuno help": {{}, {"run"}},
}

// changes are the commands that cannot be run twice alike in the same folder.
var changes = map[string]bool{
	"zuno rules remove": true, "zuno trust": true, "zuno undo": true, "zuno memory add": true, "zuno memory remove": true, "zuno sessions rename": true, "zuno mcp ratify": true, "zuno run": true,
}

// TestNoCommandHidesThatItCouldNotPrint has every command of the tree print to
// a disk that is full: each says so, once, and does not end with 0.
func TestNoCommandHidesThatItCouldNotPrint(t *testing.T) {
	t.Parallel()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if _, known := printing[c.CommandPath()]; !known && c.IsAvailableCommand() {
			t.Errorf("%s has no row in the table of what prints", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(io.Discard))
	looksOnly := folderWithSomethingToPrint(t)
	for path, runs := range printing {
		for _, args := range runs {
			args = append(strings.Fields(path)[1:], args...)
			t.Run(strings.Join(args, " "), func(t *testing.T) {
				t.Parallel()
				roomy, full := looksOnly, looksOnly
				if changes[path] {
					roomy, full = folderWithSomethingToPrint(t), folderWithSomethingToPrint(t)
				}
				roomy.printsWithRoom(t, args)
				full.saysThatItCouldNotPrint(t, args)
			})
		}
	}
}

func (f printingFolder) printsWithRoom(t *testing.T, args []string) {
	t.Helper()
	var out, words strings.Builder
	cmd := f.zuno(t, args)
	cmd.Stdout, cmd.Stderr = &out, &words
	if err := cmd.Run(); out.Len() == 0 || strings.Contains(words.String(), "standard output") {
		t.Errorf("with room it printed %q and said %q (%v)", out.String(), words.String(), err)
	}
}

func (f printingFolder) saysThatItCouldNotPrint(t *testing.T, args []string) {
	t.Helper()
	device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer device.Close()
	var words strings.Builder
	cmd := f.zuno(t, args)
	cmd.Stdout, cmd.Stderr = device, &words
	err = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code <= 0 {
		t.Errorf("exit code %d (%v)", code, err)
	}
	line := "zuno: write to standard output: no space left on device; what was printed is not complete\n"
	if said := words.String(); strings.Count(said, line) != 1 || strings.Count(said, "no space") != 1 {
		t.Errorf("it said %q", said)
	}
}

// A reader that went away has had enough: nothing is said of it.
func TestAReaderThatWentAwayIsToldNothing(t *testing.T) {
	t.Parallel()
	f := folderWithSomethingToPrint(t)
	for _, line := range []string{"zuno config schema | true", "trap '' PIPE; zuno config schema | true", "zuno run hello | true", "trap '' PIPE; zuno completion bash | true"} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
		cmd.Dir, cmd.Env = f.dir, f.env
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "standard output") || strings.Contains(string(out), "pipe") {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}

// A printingFolder is a project, and a user of it, in which every command has
// something to say: a session with a change, a memory, an allowed command,
// servers, and settings that want trust.
type printingFolder struct {
	dir string
	env []string
}

func folderWithSomethingToPrint(t *testing.T) printingFolder {
	t.Helper()
	_, url := serveLax(t, `{"steps": [{"calls": [{"name": "write", "args": {"filePath": "a.txt", "content": "a\n"}}]}`+strings.Repeat(`, {"text": "hello"}`, 12)+`]}`)
	f := printingFolder{t.TempDir(), append(zunoEnv(t, url), "EDITOR=true")}
	if err := os.WriteFile(filepath.Join(f.dir, "zuno.json"), []byte(`{"mcp": {"theirs": {"command": ["theirs"]}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	configure(t, f.env, `{"memory": true, "mcp": {"fake": {"command": ["fakemcp"]}, "web": {"url": "http://127.0.0.1:1/mcp"}}}`)
	for _, args := range [][]string{
		{"run", "--allow-tool", "write", "hello"}, {"rules", "add", "git", "log"}, {"memory", "add", "one", "thing"},
	} {
		if out, err := f.zuno(t, args).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return f
}

// zuno is the program with these arguments; SESSION among them is the session
// that there is.
func (f printingFolder) zuno(t *testing.T, args []string) *exec.Cmd {
	t.Helper()
	args = slices.Clone(args)
	if i := slices.Index(args, "SESSION"); i >= 0 {
		out, err := f.zuno(t, []string{"sessions"}).Output()
		if err != nil {
			t.Fatal(err)
		}
		args[i], _, _ = strings.Cut(string(out), " ")
	}
	cmd := exec.CommandContext(t.Context(), "zuno", args...)
	cmd.Dir, cmd.Env = f.dir, f.env
	return cmd
}
