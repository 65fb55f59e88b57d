package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// oracleScript runs every file of s in bash and notes in o which commands bash
// came to, and with which words: there is no program that it could find. The
// notes are lines, with other characters for the ends of words and lines.
const oracleScript = `
command_not_found_handle() { local r; printf -v r '%s\x1f' "$@"; printf '%s\n' "${r//$'\n'/$'\x01'}" >&9; }
PATH=/nowhere; HOME=/home/u; TMPDIR=/tmp
cd ws || exit
for f in ../s/*; do
	( set -f; exec 9>"../o/${f##*/}"; IFS= read -r -d '' l <"$f"; unset f; eval "$l" ) </dev/null >/dev/null 2>&1
done
true`

// bashRuns returns the words of the commands that bash comes to in each line,
// in the form of [ranAs].
func bashRuns(t *testing.T, lines []string) [][]string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash on this machine")
	}
	dir := t.TempDir()
	for _, d := range []string{"s", "o", "ws"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	name := func(d string, i int) string { return filepath.Join(dir, d, fmt.Sprintf("%05d", i)) }
	for i, line := range lines {
		if err := os.WriteFile(name("s", i), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(bash, "--noprofile", "--norc", "-c", oracleScript)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ran := make([][]string, len(lines))
	for i := range lines {
		data, err := os.ReadFile(name("o", i))
		if err != nil {
			t.Fatal(err)
		}
		ran[i] = strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
	}
	return ran
}

// ranAs is a call as the oracle notes it.
func ranAs(c *call) string {
	return strings.ReplaceAll(strings.Join(append([]string{c.written}, texts(c.args)...), "\x1f")+"\x1f", "\n", "\x01")
}

// hidden are lines in which a shell comes to X, which a reader of the line may
// take for something else.
var hiddenCommands = []string{
	"ls #\\\nX", "ls # a\\\nX a", ": # a\\\\\\\nX", "true && ls #\\\nX", "ls #\\\n#\\\nX", // a comment ends with its line
	"ls \"$\\\n(X)\"", "ls $\\\n(X)", "ls \"$\\\n{a:-$(X)}\"", "ls <<E\n$\\\n(X)\nE", // joined lines are an expansion
	"ls <<E\nE\\\n\nX\nE", "ls <<-E\n\tE\\\n\nX\nE", "ls <<EOF\nE\\\nOF\nX\nEOF", "ls <<EOF\nE\\\nO\\\nF\nX\nEOF", "ls <<E\n\\\nE\nX\nE", "ls <<-E\n\\\n\\\nE\nX\nE\n", // or a delimiter
	"X <&--oOUT a", "X 2>&-a", "X >& --o", // a descriptor is closed, and the rest is a word
	"coproc a=1 X", "coproc X a=1", "coproc a X", "true | time X", "time -- X", "X a\\", // what shells and parsers take differently
	"é=1 X", "}a=1 X",
}

// Whatever a shell comes to is among the commands of the analysis, word by word,
// or the analysis says that it does not know.
func TestAShellRunsNothingThatTheAnalysisDoesNotList(t *testing.T) {
	pieces := []string{
		"X", "Y", "Z", "X", "Y", " ", " ", " ", "\n", "\n", "\\\n", "\\\n", "\\", "#", " #", "'", "\"", ")", "{ ", " }", "}", ";", "&", "&&", "||", "|", "<<E\n", "\nE\n", "<<'E'\n", "<<-E\n", "E", "\t", "$'", "$\"", "$", "x=", "x=Y ", "-o", " -a", "a",
		"if ", "; then ", "; fi", "for i in a; do ", "; done", "case x in ", "x) ", ";; ", " esac", "f() ", "function f ", "[[ ", " ]]", "[", "!", "! ", "time ", "coproc ", "{a,b}", "{", ",", "=", "<<<", ">o ", "2>&1", "2>&-", "<&-", ">& ", "|&", "command ", "exec ", "\\\\", "\\\"", "\\'", "\\$", "\\#", "é", "x", "+", "\\x",
	}
	rnd := rand.New(rand.NewPCG(3, 5))
	lines := slices.Clone(hiddenCommands)
	for len(lines) < 900 {
		line := ""
		for range 1 + rnd.IntN(9) {
			line += pieces[rnd.IntN(len(pieces))]
		}
		lines = append(lines, line)
	}
	var known []string
	var found []Analysis
	for _, line := range lines {
		if a := Analyze(line, place()); a.Parsed && !a.Dynamic {
			known, found = append(known, line), append(found, a)
		}
	}
	commands := 0
	for i, ran := range bashRuns(t, known) {
		listed := map[string]bool{}
		for _, c := range found[i].calls {
			listed[ranAs(c)] = true
		}
		for _, r := range ran {
			if commands++; !listed[r] {
				t.Errorf("bash comes to %q in %q, which is taken for %q", strings.ReplaceAll(r, "\x1f", " "), known[i], names(found[i]))
			}
		}
	}
	if commands < 100 {
		t.Errorf("bash came to only %d commands: the pieces test nothing", commands)
	}
}

// The lines of the oracle are in need of bash; what is said of them is not.
func TestAHiddenCommandIsFoundOrAskedAbout(t *testing.T) {
	for _, line := range hiddenCommands {
		line = strings.ReplaceAll(line, "X", "sudo id")
		a := Analyze(line, place())
		if tier, _ := a.Tier(); tier != StaticHigh || a.Mild || a.Key != "" {
			t.Errorf("%q: %v, mild %v, key %q", line, tier, a.Mild, a.Key)
		}
		if a.Denied == nil && !strings.HasPrefix(line, "é") && !strings.HasPrefix(line, "}") {
			t.Errorf("%q is not blocked", line)
		}
	}
	for _, line := range []string{"ls # a\nls b", "ls \\\n  -l \\\n  b # c", "git commit -m 'Fix #1' \\\n  -m b", "cat <<E\na \\\n  b\nE", "grep '#' \\\n  f", "echo \\\\", "time ls", "x=1; ls $x"} {
		if a := Analyze(line, place()); a.Dynamic || a.Denied != nil {
			t.Errorf("%q: %s, %v", line, a.DynamicWhy, a.Denied)
		}
	}
}
