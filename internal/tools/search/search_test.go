//go:build unix

package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"go.uber.org/goleak"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ripgrep finds the ripgrep for the tests, or skips.
func ripgrep(t testing.TB) string {
	t.Helper()
	env := os.Environ()
	if os.Getenv("ZUNO_RG") == "" {
		local, _ := filepath.Glob("../../../.tools/rg-npm/node_modules/@vscode/ripgrep-*/bin/rg")
		for _, p := range local {
			abs, _ := filepath.Abs(p)
			env = append(env, "ZUNO_RG="+abs)
		}
	}
	rg, _, err := shell.FindRipgrep(t.Context(), shell.Lookup{Env: env})
	if err != nil {
		t.Skip(err)
	}
	return rg
}

// A bench is a workspace with the two tools.
type bench struct {
	testing.TB
	ws         string
	glob, grep tools.Tool
}

func newBench(t testing.TB, files map[string]string) *bench {
	t.Helper()
	ws, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env, _ := shell.Environ(append(os.Environ(), "RIPGREP_CONFIG_PATH="+ws+"/.ripgreprc"), nil)
	rg := ripgrep(t)
	list := New(Config{
		Resolve: func(path string) (string, bool, error) {
			if !filepath.IsAbs(path) {
				path = filepath.Join(ws, path)
			}
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real
			}
			return path, path != ws && !strings.HasPrefix(path, ws+"/"), nil
		},
		Rg:  func(context.Context) (string, error) { return rg, nil },
		Env: env,
	})
	b := &bench{t, ws, list[0], list[1]}
	for name, text := range files {
		b.write(name, text)
	}
	return b
}

func (b *bench) write(name, text string) {
	b.Helper()
	path := filepath.Join(b.ws, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

func propose(ctx context.Context, tool tools.Tool, args ...string) (*tools.Proposal, error) {
	m := map[string]string{}
	for i := 0; i < len(args); i += 2 {
		m[args[i]] = args[i+1]
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return tool.Propose(ctx, tools.Call{ID: "1", Tool: tool.Spec().Name, Args: raw})
}

// call proposes and executes.
func (b *bench) call(tool tools.Tool, args ...string) tools.Outcome {
	b.Helper()
	p, err := propose(b.Context(), tool, args...)
	if err != nil {
		return tools.OutcomeOf(err)
	}
	out := p.Execute(b.Context(), tools.Decision{Allowed: true}, nil)
	if !utf8.ValidString(out.Text) || tools.Clean(out.Text) != out.Text {
		b.Errorf("not clean: %q", out.Text)
	}
	if _, err := os.Stat(filepath.Join(b.ws, "OUT")); err == nil {
		b.Fatalf("%v ran a program", args)
	}
	return out
}

// ok executes and wants success; $ in the answer stands for the workspace.
func (b *bench) ok(tool tools.Tool, args ...string) string {
	b.Helper()
	out := b.call(tool, args...)
	if out.Kind != tools.OK {
		b.Errorf("%v: %s: %s", args, out.Kind, out.Text)
	}
	return strings.ReplaceAll(out.Text, b.ws, "$")
}

func TestTheToolsAreReadOnly(t *testing.T) {
	for _, tool := range New(Config{}) {
		s := tool.Spec()
		if s.Effect != tools.ReadOnly || s.Replay != tools.Safe || s.Concurrency != tools.ParallelSafe || s.Risk != tools.ReadOnlyRisk {
			t.Errorf("%+v", s)
		}
	}
}

func TestGlobListsSortedAbsolutePaths(t *testing.T) {
	b := newBench(t, map[string]string{
		"b.go": "", "a/z.go": "", "a.b/x.go": "", "a/b/c.go": "", ".hidden/h.go": "", ".git/config.go": "", "sub/.git": "gitdir: x", "sub/s.go": "",
		".gitignore": "*.log\nbuild/\n", "x.log": "", "build/o.go": "", "README.md": "", "-uuu": "", "!x": "", "dir with blank/ü.go": "",
	})
	for _, c := range []struct{ pattern, path, want string }{
		{"**/*.go", "", "$/.hidden/h.go $/a/b/c.go $/a/z.go $/a.b/x.go $/b.go $/dir with blank/ü.go $/sub/s.go"},
		{"*.go", "a", "$/a/b/c.go $/a/z.go"},
		{"a/*.go", "", "$/a/z.go"},
		{"./a/*.go", "", "$/a/z.go"},
		{"/b.go", "", "$/b.go"},
		{"a/", "", "$/a/b/c.go $/a/z.go"},
		{"a/**", "", "$/a/b/c.go $/a/z.go"},
		{"a**/*.go", "", "$/a/b/c.go $/a/z.go $/a.b/x.go"},
		{"{b,z}.go", "", "$/a/z.go $/b.go"},
		{"[!a-y].go", "", "$/a/z.go $/dir with blank/ü.go"},
		{"*.log", "", "No files found"},
		{"build/*", "", "No files found"},
		{".git/**", "", "No files found"},
		{"-uuu", "", "$/-uuu"},
		{"!x", "", "$/!x"},
		{"--files", "", "No files found"},
		{"nothing", "", "No files found"},
	} {
		args := []string{"pattern", c.pattern}
		if c.path != "" {
			args = append(args, "path", c.path)
		}
		if got := strings.ReplaceAll(b.ok(b.glob, args...), "\n", " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.pattern, got, c.want)
		}
	}
	if got := b.ok(b.glob, "pattern", b.ws+"/a/*.go"); got != "$/a/z.go" {
		t.Errorf("an absolute pattern: %q", got)
	}
}

func TestGrepListsLinesByFile(t *testing.T) {
	b := newBench(t, map[string]string{
		"b.go": "func b() {}\nx\nfunc c() {}\n", "a/z.txt": "func\r\n", ".hidden": "func\n", ".git/x": "func\n",
		".gitignore": "*.log\n", "x.log": "func\n", "deep/down/f.go": "\tfunc f()\n",
	})
	if err := os.MkdirAll(filepath.Join(b.ws, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	all := "Found 5 matches in 4 files\n\n$/.hidden:\n  Line 1: func\n\n$/a/z.txt:\n  Line 1: func\n\n$/b.go:\n  Line 1: func b() {}\n  Line 3: func c() {}\n\n" +
		"$/deep/down/f.go:\n  Line 1: \\tfunc f()"
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, all},
		{[]string{"include", "*.go"}, "Found 3 matches in 2 files\n\n$/b.go:\n  Line 1: func b() {}\n  Line 3: func c() {}\n\n$/deep/down/f.go:\n  Line 1: \\tfunc f()"},
		{[]string{"include", "**/*.{txt,md}"}, "Found 1 matches in 1 files\n\n$/a/z.txt:\n  Line 1: func"},
		{[]string{"include", "deep/**/*.go"}, "Found 1 matches in 1 files\n\n$/deep/down/f.go:\n  Line 1: \\tfunc f()"},
		{[]string{"include", "*.log"}, "No matches found"},
		{[]string{"path", "b.go"}, "Found 2 matches in 1 files\n\n$/b.go:\n  Line 1: func b() {}\n  Line 3: func c() {}"},
		{[]string{"path", "a"}, "Found 1 matches in 1 files\n\n$/a/z.txt:\n  Line 1: func"},
		{[]string{"path", "x.log", "include", "*.go"}, "Found 1 matches in 1 files\n\n$/x.log:\n  Line 1: func"},
	} {
		if got := b.ok(b.grep, append([]string{"pattern", "func"}, c.args...)...); got != c.want {
			t.Errorf("%v: %q, want %q", c.args, got, c.want)
		}
	}
}

func TestNoValueBecomesAnOption(t *testing.T) {
	b := newBench(t, map[string]string{"text": "a --pre=./p.sh b\nc -f/etc/hostname d\n--help\n", ".ripgreprc": "--pre=./p.sh\n--invert-match\n"})
	b.write("p.sh", "#!/bin/sh\ntouch '"+b.ws+"/OUT'\ncat\n")
	if err := os.Chmod(filepath.Join(b.ws, "p.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("RIPGREP_CONFIG_PATH", filepath.Join(b.ws, ".ripgreprc"))
	for pattern, want := range map[string]string{
		"--pre=./p.sh":    "Line 1: a --pre=./p.sh b",
		"-f/etc/hostname": "Line 2: c -f/etc/hostname d",
		"--help":          "Line 3: --help",
	} {
		got := b.ok(b.grep, "pattern", pattern, "path", "text")
		if !strings.HasPrefix(got, "Found 1 matches") || !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q", pattern, got)
		}
	}
	for _, args := range [][]string{
		{"pattern", "x", "path", "--pre=./p.sh"},
		{"pattern", "x", "path", "-"},
	} {
		if out := b.call(b.grep, args...); out.Block != tools.InvalidArguments {
			t.Errorf("%v: %+v", args, out)
		}
	}
	for _, include := range []string{"--pre=./p.sh", "-*", "--type-list", "include:go", "a,b"} {
		if got := b.ok(b.grep, "pattern", "help", "include", include); got != "No matches found" {
			t.Errorf("%s: %q", include, got)
		}
	}
	for _, pattern := range []string{"--pre=./p.sh", "-uuu", "--type-list", "--no-ignore"} {
		if got := b.ok(b.glob, "pattern", pattern); got != "No files found" {
			t.Errorf("%s: %q", pattern, got)
		}
	}
}

func TestWrongArgumentsAreBlockedWithAReason(t *testing.T) {
	b := newBench(t, map[string]string{"f": "x\n"})
	for _, c := range []struct {
		tool tools.Tool
		args []string
		want string
	}{
		{b.grep, []string{"pattern", "("}, "unclosed group"},
		{b.grep, []string{"pattern", "a\nb"}, "not allowed"},
		{b.grep, []string{"pattern", `(a{1000}){1000}{1000}`}, "size limit"},
		{b.grep, []string{"pattern", ""}, "empty"},
		{b.grep, []string{"pattern", "a\x00"}, "NUL"},
		{b.grep, []string{"pattern", "x", "include", "{a"}, "not closed"},
		{b.grep, []string{"pattern", "x", "include", "[a"}, "not closed"},
		{b.grep, []string{"pattern", "x", "path", "missing"}, "does not exist"},
		{b.glob, []string{"pattern", ""}, "empty"},
		{b.glob, []string{"pattern", "[z-a]"}, "range"},
		{b.glob, []string{"pattern", "[/]"}, "nothing in it"},
		{b.glob, []string{"pattern", `a\`}, "lone"},
		{b.glob, []string{"pattern", "../*"}, "name the directory with path"},
		{b.glob, []string{"pattern", "*", "path", "f"}, "is a file"},
		{b.glob, []string{"pattern", "*", "path", "missing"}, "does not exist"},
		{b.glob, []string{"pattern", strings.Repeat("a", 5000)}, "too long"},
		{b.grep, []string{"pattern", "x", "path", "/proc/self/environ"}, "/proc"},
	} {
		out := b.call(c.tool, c.args...)
		if out.Kind != tools.Blocked || out.Block != tools.InvalidArguments || !strings.Contains(out.Text, c.want) {
			t.Errorf("%.60q: %+v", c.args, out)
		}
	}
}

func TestAListingIsCutInAStableOrder(t *testing.T) {
	b := newBench(t, nil)
	var names []string
	for i := range 130 {
		name := fmt.Sprintf("d%d/e.%d/f%03d", i%7, i%3, i)
		names = append(names, name)
		b.write(name, strings.Repeat("line\n", 30))
	}
	slices.SortFunc(names, func(x, y string) int { return slices.Compare(strings.Split(x, "/"), strings.Split(y, "/")) })
	want := "$/" + strings.Join(names[:100], "\n$/") + "\n[truncated: the first 100 of 130 files; narrow the pattern or the path]"
	for range 3 {
		if got := b.ok(b.glob, "pattern", "*"); got != want {
			t.Fatalf("%q", got)
		}
	}
	var lines strings.Builder
	lines.WriteString("Found 100 matches in 4 files\n")
	for i := range 100 {
		if i%30 == 0 {
			fmt.Fprintf(&lines, "\n$/%s:\n", names[i/30])
		}
		fmt.Fprintf(&lines, "  Line %d: line\n", i%30+1)
	}
	lines.WriteString("\n[truncated: the first 100 of more than 2000 matches; narrow the pattern or the path]")
	for range 3 { // 3,900 matches: the second, ordered run
		out := b.call(b.grep, "pattern", "line")
		if got := strings.ReplaceAll(out.Text, b.ws, "$"); got != lines.String() || !out.Truncated {
			t.Fatalf("%v %q", out.Truncated, got)
		}
	}
	out := b.call(b.grep, "pattern", "line", "path", names[0])
	if out.Truncated || !strings.HasPrefix(out.Text, "Found 30 matches in 1 files") {
		t.Errorf("%v %q", out.Truncated, out.Text)
	}
}

func TestBothWaysToOrderAgree(t *testing.T) {
	names := []string{"a", "a-b/x", "a.b", "a0", "aa/b", "b/a", "b/a.x/y", "b/ä", "b/a\xff", "b/a x", "B", ".h/x", "é", "a\x01b"}
	b := newBench(t, nil)
	for _, n := range names {
		b.write(n+"/file", "x\n")
	}
	job := search{
		rg: ripgrep(t), args: []string{"--files"}, root: root{abs: b.ws}, env: os.Environ(), decode: newPaths,
	}
	ours, err := job.run(t.Context())
	if err != nil || len(ours.hits) != len(names) {
		t.Fatalf("%+v, %v", ours, err)
	}
	theirs, err := job.once(t.Context(), maxResults, "--sort=path")
	if err != nil || !slices.Equal(ours.hits, theirs.hits) {
		t.Errorf("%+v\n%+v, %v", ours.hits, theirs.hits, err)
	}
}

func TestStrangeNamesAreShownAndFlagged(t *testing.T) {
	b := newBench(t, map[string]string{"a\nb": "hit\n", "bad\xff": "hit\n", "esc\x1b[31m": "hit\n", "x: binary file matches": "hit\n", "$(touch OUT)": "hit\n", "-rf": "hit\n"})
	list := "$/$(touch OUT)\n$/-rf\n$/a\\nb\n$/bad\\xff\n$/esc\\x1b[31m\n$/x: binary file matches\n"
	flag := "[3 of the names are not UTF-8 or have control characters; they are shown with escapes and cannot be used as they stand]"
	if got := b.ok(b.glob, "pattern", "*"); got != list+flag {
		t.Errorf("%q", got)
	}
	got := b.ok(b.grep, "pattern", "hit")
	for _, name := range strings.Split(strings.TrimSpace(list), "\n") {
		if !strings.Contains(got, "\n"+name+":\n  Line 1: hit\n") {
			t.Errorf("%s is missing in %q", name, got)
		}
	}
	if !strings.HasSuffix(got, flag) {
		t.Errorf("%q", got)
	}
}

func TestLongLinesAreCutAtACharacter(t *testing.T) {
	b := newBench(t, map[string]string{
		"short":  strings.Repeat("é", 499) + "!\n",
		"longer": strings.Repeat("é", 500) + "!\n",
		"long":   strings.Repeat("€", 5_000_000) + "!\n",
		"bytes":  "€" + strings.Repeat("\xff", 3000) + "€\n",
	})
	for _, c := range []struct{ file, want string }{
		{"short", strings.Repeat("é", 499) + "!"},
		{"longer", strings.Repeat("é", 500) + " [… line cut]"},
		{"long", strings.Repeat("€", 500) + " [… line cut]"},
		{"bytes", "€" + strings.Repeat(`\xff`, 499) + " [… line cut]"},
	} {
		if got := b.ok(b.grep, "pattern", "€|é", "path", c.file); !strings.HasSuffix(got, "  Line 1: "+c.want) {
			t.Errorf("%s: %d bytes, %.100q", c.file, len(got), got)
		}
	}
}

func TestPipesDevicesAndBinaryFilesDoNotHoldASearchUp(t *testing.T) {
	b := newBench(t, map[string]string{"text": "first\n", "late.bin": "first\n" + strings.Repeat("x\n", 100_000) + "\x00first\n", "early.bin": "first\x00\n"})
	if err := syscall.Mkfifo(filepath.Join(b.ws, "p"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(b.ws, "z")); err != nil {
		t.Fatal(err)
	}
	big := filepath.Join(b.ws, "big")
	b.write("big", "first\n")
	if err := os.Truncate(big, 3<<30); err != nil {
		t.Fatal(err)
	}
	got := b.ok(b.grep, "pattern", "first")
	if got != "Found 2 matches in 2 files\n\n$/late.bin:\n  Line 1: first\n\n$/text:\n  Line 1: first\n\n[1 binary files match too; their lines are not shown]" {
		t.Errorf("%q", got)
	}
	if got := b.ok(b.grep, "pattern", "first", "path", "early.bin"); got != "No matches found\n\n[1 binary files match too; their lines are not shown]" {
		t.Errorf("%q", got)
	}
	for _, path := range []string{"p", "z", "/dev/zero"} {
		if out := b.call(b.grep, "pattern", "first", "path", path); out.Block != tools.InvalidArguments || !strings.Contains(out.Text, "neither a file") {
			t.Errorf("%s: %+v", path, out)
		}
	}
}

func TestAFileThatBecameAPipeIsNotOpened(t *testing.T) {
	b := newBench(t, map[string]string{"f": "x\n"})
	p, err := propose(t.Context(), b.grep, "pattern", "x", "path", "f")
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(b.ws, "f"))
	if err := syscall.Mkfifo(filepath.Join(b.ws, "f"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := p.Execute(t.Context(), tools.Decision{Allowed: true}, nil); out.Block != tools.Stale {
		t.Errorf("%+v", out)
	}
}

func TestOutsideTheWorkspaceOnlyAPersonMayAllowIt(t *testing.T) {
	b := newBench(t, map[string]string{"f": "x\n"})
	other := t.TempDir()
	for _, tool := range []tools.Tool{b.glob, b.grep} {
		p, err := propose(t.Context(), tool, "pattern", "x", "path", other)
		if err != nil || !strings.Contains(p.Manual, other) || p.Subjects[0] != other {
			t.Errorf("%+v, %v", p, err)
		}
		p, err = propose(t.Context(), tool, "pattern", "x")
		if err != nil || p.Manual != "" || p.Subjects[0] != "." || p.Summary != "x in ." {
			t.Errorf("%+v, %v", p, err)
		}
	}
}

func TestWithoutRipgrepTheToolsAreUnavailable(t *testing.T) {
	ws := t.TempDir()
	for _, tool := range New(Config{
		Resolve: func(string) (string, bool, error) { return ws, false, nil },
		Rg:      func(context.Context) (string, error) { return "", errors.New("install ripgrep") },
	}) {
		_, err := propose(t.Context(), tool, "pattern", "x")
		if out := tools.OutcomeOf(err); out.Block != tools.Unavailable || out.Text != "install ripgrep" {
			t.Errorf("%+v", out)
		}
	}
}

func TestACancelledSearchEnds(t *testing.T) {
	b := newBench(t, map[string]string{"f": "x\n"})
	p, err := propose(t.Context(), b.grep, "pattern", "x")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out := p.Execute(ctx, tools.Decision{Allowed: true}, nil); out.Kind != tools.Cancelled {
		t.Errorf("%+v", out)
	}
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	b := newBench(t, map[string]string{"f": "x\n", "g": "x\n"})
	if err := os.Chmod(filepath.Join(b.ws, "g"), 0); err != nil {
		t.Fatal(err)
	}
	got := b.ok(b.grep, "pattern", "x")
	if !strings.HasPrefix(got, "Found 1 matches") || !strings.Contains(got, "1 paths could not be read: $/g: Permission denied") {
		t.Errorf("%q", got)
	}
}

func BenchmarkGrep(b *testing.B) {
	w := newBench(b, nil)
	for i := range 2000 {
		w.write(fmt.Sprintf("d%02d/f%04d.go", i%50, i), strings.Repeat("some line of text\n", 50)+fmt.Sprintln("needle", i%100))
	}
	for name, pattern := range map[string]string{"one": "needle 7$", "dense": "line"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w.ok(w.grep, "pattern", pattern)
			}
		})
	}
	b.Run("glob", func(b *testing.B) {
		for b.Loop() {
			w.ok(w.glob, "pattern", "**/f00*.go")
		}
	})
}
