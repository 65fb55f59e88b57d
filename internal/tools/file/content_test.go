package file

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestC001LFArgumentsOnACRLFFile(t *testing.T) {
	const want = "a\r\nB\r\nB2\r\nc\r\n"
	b := newBench(t)
	b.put("f.txt", "a\r\nb\r\nc\r\n")
	b.ok("read", args{"filePath": "f.txt"})
	p := b.proposed("edit", args{"filePath": "f.txt", "oldString": "b", "newString": "B\nB2"})
	if !strings.HasSuffix(p.Summary, "f.txt +2 −1") {
		t.Errorf("summary %q", p.Summary)
	}
	run(p)
	b.holds("f.txt", want)

	b.put("g.txt", "a\r\nb\r\nc\r\n")
	p = b.proposed("apply_patch", patchOf("*** Update File: g.txt\n@@\n a\n-b\n+B\n+B2\n c"))
	if p.Summary != "g.txt +2 −1" {
		t.Errorf("summary %q", p.Summary)
	}
	run(p)
	b.holds("g.txt", want)
}

// Of lines that end in CR the ones that change are shown, as of any other.
func TestLinesThatEndInCRAreShownAsLines(t *testing.T) {
	b := newBench(t)
	b.put("f.txt", "a\rb\rc\r")
	p := b.proposed("apply_patch", patchOf("*** Update File: f.txt\n@@\n-b\n+B"))
	if len(p.Preview) != 2 || p.Preview[0].Body != "its line endings are CR" || p.Preview[1].Body != "--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n" {
		t.Errorf("the preview is %+v", p.Preview)
	}
	run(p)
	b.holds("f.txt", "a\rB\rc\r")
}

func TestC003ByteOrderMark(t *testing.T) {
	b := newBench(t)
	b.put("c.ini", "\ufeffport = 1\nhost = x\n")
	b.ok("apply_patch", patchOf("*** Update File: c.ini\n@@\n-port = 1\n+port = 2"))
	b.holds("c.ini", "\ufeffport = 2\nhost = x\n")
	out := b.ok("read", args{"filePath": "c.ini"})
	if strings.Contains(out.Text, "\ufeff") || !strings.Contains(out.Text, "\n1: port = 2\n") {
		t.Errorf("read shows %q", out.Text)
	}
	b.ok("write", args{"filePath": "c.ini", "content": "port = 3\nhost = x\n"})
	b.holds("c.ini", "\ufeffport = 3\nhost = x\n")
}

func TestWriteKeepsTheLineEndingsThatReadHides(t *testing.T) {
	b := newBench(t)
	b.put("f.txt", "a\r\nb\r\n")
	if out := b.ok("read", args{"filePath": "f.txt"}); strings.Contains(out.Text, "\r") {
		t.Errorf("read shows %q", out.Text)
	}
	p := b.proposed("write", args{"filePath": "f.txt", "content": "a\nnew\nb\n"})
	if p.Summary != "f.txt +1 −0" {
		t.Errorf("summary %q", p.Summary)
	}
	run(p)
	b.holds("f.txt", "a\r\nnew\r\nb\r\n")
}

func TestC004NoFinalNewline(t *testing.T) {
	b := newBench(t)
	b.put("n.txt", "l1\nl2\nl3")
	b.ok("apply_patch", patchOf("*** Update File: n.txt\n@@\n-l1\n+L1"))
	b.holds("n.txt", "L1\nl2\nl3")
	b.ok("apply_patch", patchOf("*** Update File: n.txt\n@@\n l3\n+l4"))
	b.holds("n.txt", "L1\nl2\nl3\nl4")
}

func TestC005AFinalBlankLineStays(t *testing.T) {
	b := newBench(t)
	b.put("b.txt", "alpha\nbeta\n\n")
	for i, from := range []string{"alpha", "A1", "A2"} {
		to := fmt.Sprintf("A%d", i+1)
		out := b.ok("apply_patch", patchOf("*** Update File: b.txt\n@@\n-"+from+"\n+"+to))
		b.holds("b.txt", to+"\nbeta\n\n")
		if c := out.Changes; len(c) != 1 || c[0].Added != 1 || c[0].Removed != 1 {
			t.Errorf("changes %+v", c)
		}
	}
}

func TestC006ReplacementIsLiteral(t *testing.T) {
	const hostile = "sh -c \"echo $$ $1 ${HOME} $& \\1 %s %d $`\""
	for _, n := range []int{1, 3} {
		b := newBench(t)
		b.put("f", strings.Repeat("run(old)\n", n))
		b.ok("read", args{"filePath": "f"})
		p := b.proposed("edit", args{"filePath": "f", "oldString": "run(old)", "newString": hostile, "replaceAll": n > 1})
		if got := strings.Count(p.Preview[len(p.Preview)-1].Body, "+"+hostile+"\n"); got != n {
			t.Errorf("the preview shows it %d times, want %d:\n%v", got, n, p.Preview)
		}
		run(p)
		b.holds("f", strings.Repeat(hostile+"\n", n))
	}
}

func TestC009ContextThatMatchesNowhereFails(t *testing.T) {
	b := newBench(t)
	var lines strings.Builder
	for i := range 30 {
		fmt.Fprintf(&lines, "line %02d\n", i+1)
	}
	b.put("f", lines.String())
	b.ok("read", args{"filePath": "f"})
	b.refused("apply_patch", patchOf("*** Update File: f\n@@\n line 07\n-line 08 (never existed)\n+LINE 8"), tools.InvalidArguments, "8: line 08")
	b.refused("edit", args{"filePath": "f", "oldString": "line 09\nlime 10", "newString": "x"}, tools.InvalidArguments, "10: line 10")
	b.holds("f", lines.String())
}

func TestEditRefusesWhatIsNotOnePlace(t *testing.T) {
	b := newBench(t)
	b.put("f", "x\ny\nx\n")
	b.ok("read", args{"filePath": "f"})
	b.refused("edit", args{"filePath": "f", "oldString": "x", "newString": "z"}, tools.InvalidArguments, "lines 1, 3")
	b.refused("edit", args{"filePath": "f", "oldString": "", "newString": "z"}, tools.InvalidArguments, "use write")
	b.refused("edit", args{"filePath": "f", "oldString": "x", "newString": "x"}, tools.InvalidArguments, "the same")
	b.refused("edit", args{"filePath": "F.txt", "oldString": "x", "newString": "y"}, tools.InvalidArguments, "does not exist; did you mean f?")
	b.refused("edit", args{"filePath": ".", "oldString": "x", "newString": "y"}, tools.InvalidArguments, "it is a directory")
	b.put("bin", "a\x00b")
	b.files.receipts.put(b.path("bin"), hashOf([]byte("a\x00b")))
	b.refused("edit", args{"filePath": "bin", "oldString": "a", "newString": "y"}, tools.InvalidArguments, "binary")
}

func TestC010AddOverAnExistingFile(t *testing.T) {
	b := newBench(t)
	b.put("notes.md", "keep me\r\n")
	b.refused("apply_patch", patchOf("*** Add File: notes.md\n+new"), tools.InvalidArguments, "notes.md exists")
	b.holds("notes.md", "keep me\r\n")
	p := b.proposed("apply_patch", patchOf("*** Delete File: notes.md\n*** Add File: notes.md\n+new"))
	if p.Summary != "notes.md +1 −1" || !strings.Contains(p.Preview[0].Body, "replaced as a whole") {
		t.Errorf("%q %+v", p.Summary, p.Preview)
	}
	if out := run(p); out.Changes[0].Kind != "M" {
		t.Errorf("changes %+v", out.Changes)
	}
	b.holds("notes.md", "new\r\n")
}

func TestC012ABadSectionStopsTheWholePatch(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "a\n")
	b.put("d.txt", "d\n")
	bad := patchOf("*** Update File: a.txt\n@@\n-a\n+A\n*** Update File: missing.txt\n@@\n-a\n+b\n*** Add File: c.txt\n+c\n*** Delete File: d.txt")
	b.refused("apply_patch", bad, tools.InvalidArguments, "missing.txt does not exist")
	var r *tools.Refusal
	if _, err := b.propose("apply_patch", bad); !errors.As(err, &r) || r.Summary != "a.txt, missing.txt, c.txt, d.txt" {
		t.Errorf("the refusal is about %+v", r)
	}
	b.holds("a.txt", "a\n")
	b.holds("d.txt", "d\n")
	b.missing("c.txt")
}

func TestAPatchNamesAllThatIsWrong(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "a\n")
	b.put("b.txt", "b\n")
	b.put("bin", "x\x00\n")
	if err := os.Symlink("a.txt", b.path("link")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ sections, want string }{
		"two problems":          {"*** Delete File: x\n*** Delete File: y", "x does not exist\ny does not exist"},
		"the same file twice":   {"*** Update File: a.txt\n@@\n-a\n+b\n*** Update File: ./a.txt\n@@\n-a\n+c", "a.txt: it is in the patch twice"},
		"twice through a link":  {"*** Update File: a.txt\n@@\n-a\n+b\n*** Update File: link\n@@\n-a\n+c", "link: it is in the patch twice"},
		"add, then delete":      {"*** Add File: n\n+n\n*** Delete File: n", "n does not exist"},
		"move onto a file":      {"*** Update File: a.txt\n*** Move to: b.txt\n@@\n-a\n+b", "b.txt exists"},
		"move onto a folder":    {"*** Update File: a.txt\n*** Move to: .\n@@\n-a\n+b", "it is a directory"},
		"move onto itself":      {"*** Update File: a.txt\n*** Move to: a.txt\n@@\n-a\n+b", "its own destination"},
		"a file and its folder": {"*** Add File: n/a\n+1\n*** Add File: n\n+2", "n and n/a: one of them would be a file and the folder of the other"},
		"a folder and its file": {"*** Add File: n\n+1\n*** Update File: a.txt\n*** Move to: n/b/c\n@@\n-a\n+b", "n/b/c and n: one of them"},
		"delete a folder":       {"*** Delete File: .", "it is a directory"},
		"delete a link":         {"*** Delete File: link", "link is a symbolic link to a.txt"},
		"no change in the end":  {"*** Update File: a.txt\n@@\n-a\n+a", "leaves the file as it is"},
		"update a binary":       {"*** Update File: bin\n@@\n-x\n+y", "binary"},
		"below a file":          {"*** Add File: a.txt/b\n+x", "not a directory"},
		"nothing to understand": {"*** Frobnicate File: a", "line 2 of the patch"},
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.refused("apply_patch", patchOf(c.sections), tools.InvalidArguments, c.want)
		})
	}
}

func TestAPatchAddsMovesAndDeletes(t *testing.T) {
	b := newBench(t)
	b.put("old/name.txt", "one\ntwo\n")
	b.put("gone", "x\n")
	if err := os.Chmod(b.path("old/name.txt"), 0o750); err != nil {
		t.Fatal(err)
	}
	p := b.proposed("apply_patch", patchOf("*** Update File: old/name.txt\n*** Move to: new/dir/name.txt\n@@\n-two\n+2\n*** Delete File: gone\n*** Add File: x/y/z\n+z\n*** Add File: x/empty"))
	if p.Summary != "4 files +2 −2: name.txt, gone, z, …" {
		t.Errorf("summary %q", p.Summary)
	}
	if table := p.Preview[0]; table.Kind != tools.Table || table.Body != "R\tnew/dir/name.txt\t+1 −1\nD\tgone\t+0 −1\nA\tx/y/z\t+1 −0\nA\tx/empty\t+0 −0" {
		t.Errorf("table %+v", table)
	}
	if want := []string{"old/name.txt", "new/dir/name.txt", "gone", "x/y/z", "x/empty"}; strings.Join(p.Subjects, " ") != strings.Join(want, " ") {
		t.Errorf("subjects %q", p.Subjects)
	}
	out := run(p)
	if out.Kind != tools.OK || len(out.Changes) != 4 || out.Changes[0] != (tools.Change{Path: "new/dir/name.txt", Kind: "R", From: "old/name.txt", Added: 1, Removed: 1}) {
		t.Errorf("%v %s %+v", out.Kind, out.Text, out.Changes)
	}
	b.holds("new/dir/name.txt", "one\n2\n")
	b.holds("x/y/z", "z\n")
	b.holds("x/empty", "")
	b.missing("gone")
	b.missing("old/name.txt")
	if st, err := os.Stat(b.path("new/dir/name.txt")); err != nil || st.Mode().Perm() != 0o750 {
		t.Errorf("the moved file: %v, %v", st.Mode(), err)
	}
	b.tidy()
}

func TestAUnifiedDiffIsAPatchToo(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "1\n2\n3\n")
	b.put("b.txt", "b\n")
	b.ok("apply_patch", args{"patchText": "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+c\n\\ No newline at end of file\n```\n"})
	b.holds("a.txt", "1\ntwo\n3\n")
	b.holds("c.txt", "c")
	b.missing("b.txt")
	b.put("b.txt", "b\nmore\n")
	b.refused("apply_patch", args{"patchText": "--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n"}, tools.InvalidArguments, "not all of its lines")
}

func TestTheResultSaysWhichPassMatched(t *testing.T) {
	b := newBench(t)
	b.put("f.py", "if x:\n    y()\n")
	out := b.ok("apply_patch", patchOf("*** Update File: f.py\n@@\n-  y()\n+  z()"))
	b.holds("f.py", "if x:\n    z()\n")
	if !strings.Contains(out.Text, "not minding indentation") {
		t.Errorf("it says %q", out.Text)
	}
}

func TestThePreviewSaysInWordsWhatADiffDoesNotShow(t *testing.T) {
	b := newBench(t)
	b.put("f.txt", "\ufeffa\nb\n")
	b.put("bin", "\x00\x01")
	b.ok("read", args{"filePath": "f.txt"})
	notes := func(p *tools.Proposal) string {
		var s string
		for _, sec := range p.Preview {
			if sec.Kind == tools.Text {
				s += sec.Body + "\n"
			}
		}
		return s
	}
	p := b.proposed("write", args{"filePath": "f.txt", "content": "a\r\nb"})
	if got := notes(p); !strings.Contains(got, "line endings change from LF to CRLF") || !strings.Contains(got, "newline at the end of the file is removed") {
		t.Errorf("notes %q", got)
	}
	p = b.proposed("apply_patch", patchOf("*** Delete File: bin"))
	if got := notes(p); !strings.Contains(got, "binary content, 2 bytes (SHA-256 ") || p.Summary != "delete bin (binary)" {
		t.Errorf("notes %q, summary %q", got, p.Summary)
	}
	p = b.proposed("apply_patch", patchOf("*** Delete File: bin\n*** Add File: bin\n+text"))
	if got := notes(p); !strings.Contains(got, "becomes 5 bytes") {
		t.Errorf("notes %q", got)
	}
	p = b.proposed("write", args{"filePath": "new.txt", "content": "\ufeffa\r\n"})
	if got := notes(p); !strings.Contains(got, "begins with a byte order mark") || !strings.Contains(got, "endings are CRLF") {
		t.Errorf("notes %q", got)
	}
}

// TestPeerFixtures runs the scenarios of another patch tool, where a folder of
// them is named. Those that contradict our contract are listed with what we do.
func TestPeerFixtures(t *testing.T) {
	dir := os.Getenv("ZUNO_PATCH_FIXTURES")
	if dir == "" {
		return
	}
	differs := map[string]string{ // file → content afterwards
		"010_move_overwrites_existing_destination":         "renamed/dir/name.txt=existing\n",
		"011_add_overwrites_existing_file":                 "duplicate.txt=old content\n",
		"015_failure_after_partial_success_leaves_changes": "",
	}
	cases, err := filepath.Glob(filepath.Join(dir, "*", "patch.txt"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no fixtures in %s (%v)", dir, err)
	}
	for _, c := range cases {
		name := filepath.Base(filepath.Dir(c))
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if err := os.CopyFS(b.root, os.DirFS(filepath.Join(filepath.Dir(c), "input"))); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			patch, err := os.ReadFile(c)
			if err != nil {
				t.Fatal(err)
			}
			out := b.call("apply_patch", args{"patchText": string(patch)})
			if expect, ok := differs[name]; ok {
				if file, content, ok := strings.Cut(expect, "="); ok {
					b.holds(file, content)
				} else {
					b.missing("created.txt")
				}
				return
			}
			want := tree(t, filepath.Join(filepath.Dir(c), "expected"))
			if strings.HasPrefix(name, "014_") && !strings.Contains(tree(t, filepath.Join(filepath.Dir(c), "input")), `\n"`) {
				want = strings.Replace(want, `line\n"`, `line"`, 1) // no newline is added that was not there
			}
			if got := tree(t, b.root); got != want {
				t.Errorf("%v %s\ngot\n%s\nwant\n%s", out.Kind, out.Text, got, want)
			}
		})
	}
}

func tree(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		fmt.Fprintf(&b, "%s: %q\n", rel, content)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return b.String()
}

// proposing measures how long apply_patch or write takes to propose.
func proposing(b *testing.B, tool, old string, a args) {
	root, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	ws, err := NewWorkspace(root)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "f"), []byte(old), 0o600); err != nil {
		b.Fatal(err)
	}
	f := New(ws).files
	f.receipts.put(filepath.Join(root, "f"), hashOf([]byte(old)))
	raw, err := json.Marshal(a)
	if err != nil {
		b.Fatal(err)
	}
	do := map[string]tools.Tool{"apply_patch": f.applyPatch(), "write": f.write()}[tool]
	for b.Loop() {
		if _, err := do.Propose(b.Context(), tools.Call{Tool: tool, Args: raw}); err != nil {
			b.Fatal(err)
		}
	}
}

func numbered(n int, what string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s line %d\n", what, i)
	}
	return b.String()
}

func BenchmarkPropose500EditsOf10000Lines(b *testing.B) {
	var p strings.Builder
	p.WriteString("*** Update File: f")
	for i := 5; i < 10_000; i += 20 {
		fmt.Fprintf(&p, "\n@@\n old line %d\n-old line %d\n+new line %d\n old line %d", i-1, i, i, i+1)
	}
	proposing(b, "apply_patch", numbered(10_000, "old"), patchOf(p.String()))
}

func BenchmarkProposeRewriteOf50000Lines(b *testing.B) {
	proposing(b, "write", numbered(50_000, "old"), args{"filePath": "f", "content": numbered(50_000, "new")})
}
