package highlight_test

import (
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/highlight"
)

func scanned(h *highlight.Highlighter, info, text string) [][]highlight.Run {
	s := h.Fence(info)
	var lines [][]highlight.Run
	for _, l := range strings.Split(text, "\n") {
		lines = append(lines, s.Line(l))
	}
	return lines
}

func TestLinesAreToldApartAsTheyCome(t *testing.T) {
	h := highlight.New()
	for _, c := range []struct{ info, text, want string }{
		{"go", `func f(x int) string { return "a\"b" } // end`, `K⟨func⟩.⟨ ⟩F⟨f⟩.⟨(x ⟩T⟨int⟩.⟨) ⟩T⟨string⟩.⟨ { ⟩K⟨return⟩.⟨ ⟩S⟨"a\"b"⟩.⟨ } ⟩C⟨// end⟩`},
		{"go", "a /* one\ntwo */ b\nc := `raw \\\nfunc` + \"\"", ".⟨a ⟩C⟨/* one⟩\nC⟨two */⟩.⟨ b⟩\n.⟨c := ⟩S⟨`raw \\⟩\nS⟨func`⟩.⟨ + ⟩S⟨\"\"⟩"},
		{"go", "r := '\\'' + '\"' // \"", `.⟨r := ⟩S⟨'\''⟩.⟨ + ⟩S⟨'"'⟩.⟨ ⟩C⟨// "⟩`},
		{"Go title=x", "x := \"not closed\nfunc", ".⟨x := ⟩S⟨\"not closed⟩\nK⟨func⟩"},
		{"python", "def f():\n    '''doc\n    def'''\n    return 0x1F + 1.5e-3 # é", "K⟨def⟩.⟨ ⟩F⟨f⟩.⟨():⟩\n.⟨    ⟩S⟨'''doc⟩\nS⟨    def'''⟩\n.⟨    ⟩K⟨return⟩.⟨ ⟩N⟨0x1F⟩.⟨ + ⟩N⟨1.5e-3⟩.⟨ ⟩C⟨# é⟩"},
		{"rs", "fn f<'a>(c: char) -> &'a str { 'x'; Vec::new() }", "K⟨fn⟩.⟨ f<'a>(c: ⟩T⟨char⟩.⟨) -> &'a ⟩T⟨str⟩.⟨ { ⟩S⟨'x'⟩.⟨; ⟩T⟨Vec⟩.⟨::⟩F⟨new⟩.⟨() }⟩"},
		{"js", "const s = `a\n${b}` // c", "K⟨const⟩.⟨ s = ⟩S⟨`a⟩\nS⟨${b}`⟩.⟨ ⟩C⟨// c⟩"},
		{"sh", "if x; then echo \"#no\" a#b; fi # c", "K⟨if⟩.⟨ x; ⟩K⟨then⟩.⟨ echo ⟩S⟨\"#no\"⟩.⟨ a#b; ⟩K⟨fi⟩.⟨ ⟩C⟨# c⟩"},
		{"SQL", "SELECT a FROM t -- x", "K⟨SELECT⟩.⟨ a ⟩K⟨FROM⟩.⟨ t ⟩C⟨-- x⟩"},
		{"json", `{"a": "b", "n": [1, true]}`, `.⟨{⟩T⟨"a"⟩.⟨: ⟩S⟨"b"⟩.⟨, ⟩T⟨"n"⟩.⟨: [⟩N⟨1⟩.⟨, ⟩N⟨true⟩.⟨]}⟩`},
		{"yaml", "- name: x # c\n  on: true", ".⟨- ⟩T⟨name⟩.⟨: x ⟩C⟨# c⟩\n.⟨  ⟩N⟨on⟩.⟨: ⟩N⟨true⟩"},
		{"html", "<!-- a\nb --><p class=\"x\">don't</p>", "C⟨<!-- a⟩\nC⟨b -->⟩.⟨<⟩T⟨p⟩.⟨ class=⟩S⟨\"x\"⟩.⟨>don't</⟩T⟨p⟩.⟨>⟩"},
		{"c", "#include <a.h>\nint x = 1;", "K⟨#include ⟩.⟨<a.h>⟩\nT⟨int⟩.⟨ x = ⟩N⟨1⟩.⟨;⟩"},
		{"go:cmd/main.go", "var x", "K⟨var⟩.⟨ x⟩"},
		{"main.rs", "let x", "K⟨let⟩.⟨ x⟩"},
		{"diff", "@@ -1 +1 @@\n-a\n+b\n c", "T⟨@@ -1 +1 @@⟩\nR⟨-a⟩\nA⟨+b⟩\n.⟨ c⟩"},
		{"unheard-of", "func", "func"},
		{"", "func", "func"},
	} {
		if got := strings.TrimSuffix(marked(c.text, scanned(h, c.info, c.text)), "\n"); got != c.want {
			t.Errorf("%s: %q\nis   %s\nwant %s", c.info, c.text, got, c.want)
		}
	}
}

func TestPeekingChangesNothing(t *testing.T) {
	s := highlight.New().Fence("go")
	s.Line("x /* open")
	if got := s.Peek("still */ func"); len(got) != 3 {
		t.Errorf("peeked %v", got)
	}
	if got := s.Line("still"); len(got) != 1 || got[0].Kind != highlight.Comment {
		t.Errorf("the comment is not open any more: %v", got)
	}
	if got := (*highlight.Scanner)(nil).Peek("x"); got != nil {
		t.Errorf("nothing knows %v", got)
	}
}

func FuzzScannedRunsStayInTheirLines(f *testing.F) {
	for _, name := range []string{"go", "c", "py", "js", "rust", "yaml", "json", "html", "sh", "css", "lua", "sql", "dockerfile"} {
		f.Add(name, "if (x) { \"unclosed\nfor é /* \x00 \xff '\\\n<a href='#'> r#\" ''' `\n#\n--[[ 0x.1e+")
	}
	h := highlight.New()
	f.Fuzz(func(t *testing.T, name, text string) {
		if len(text) > 4<<10 {
			return
		}
		s := h.Fence(name)
		for _, l := range strings.Split(text, "\n") {
			peeked, runs, at := s.Peek(l), s.Line(l), 0
			for _, r := range runs {
				if r.End <= at || r.End > len(l) {
					t.Fatalf("%s: run to %d after %d in %q", name, r.End, at, l)
				}
				at = r.End
			}
			if len(peeked) != len(runs) || s != nil && at != len(l) {
				t.Fatalf("%s: peeked %v, then %v of %q", name, peeked, runs, l)
			}
		}
	})
}

func BenchmarkScanner1MB(b *testing.B) {
	lines := strings.Split(strings.Repeat("func f(x int) string { return \"a\" } // c\n\tif a[i] == 0x1f && strings.HasPrefix(s, `x`) {\n", 1<<20/96), "\n")
	h := highlight.New()
	b.SetBytes(1 << 20)
	for b.Loop() {
		s := h.Fence("go")
		for _, l := range lines {
			s.Line(l)
		}
	}
}
