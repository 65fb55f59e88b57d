package highlight_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/highlight"
)

// marked writes each run as its text behind a letter of its kind.
func marked(text string, lines [][]highlight.Run) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		at := 0
		if i < len(lines) {
			for _, r := range lines[i] {
				b.WriteByte(".KTFSNCAR"[r.Kind])
				b.WriteString("⟨" + line[at:r.End] + "⟩")
				at = r.End
			}
		}
		b.WriteString(line[at:] + "\n")
	}
	return b.String()
}

func TestWordsAreToldApart(t *testing.T) {
	h := highlight.New()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a.go", "func f(x int) string {\n\treturn \"a\\\"b\" + `r\nw` // end\n}\nvar n = 0x1f, 3.5", []string{"K⟨func⟩", "F⟨f⟩", "T⟨int⟩", `S⟨"a\"b"⟩`, "S⟨`r⟩", "S⟨w`⟩", "C⟨// end⟩", "N⟨0x1f⟩", "N⟨3.5⟩"}},
		{"src/x.py", "def f():\n    return 'é' # c\n", []string{"K⟨def⟩", "F⟨f⟩", "C⟨# c⟩", "é"}},
		{"x.json", "{\"a\": 12, \"b\": true}", []string{"N⟨12⟩"}},
		{"x.sh", "if true; then echo \"x\"; fi # c", []string{"K⟨if⟩", "C⟨# c⟩"}},
		{"x.ts", "const a: number = 1;", []string{"N⟨1⟩"}},
		{"x.rs", "fn main() { let x = 1; }", []string{"K⟨fn⟩"}},
		{"Makefile", "all:\n\techo hi\n", nil},
		{"Dockerfile", "FROM x\nRUN echo hi\n", []string{"K⟨FROM⟩"}},
	} {
		got := marked(c.text, h.Lines(c.name, c.text))
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %s in\n%s", c.name, w, got)
			}
		}
	}
}

func TestWhatIsNotKnownIsPlain(t *testing.T) {
	h := highlight.New()
	for name, text := range map[string]string{"x.unknown": "func", "": "func", "a.go": "", "b.go": strings.Repeat("x\n", highlight.MaxBytes), "l.go": strings.Repeat("x", 2001), "c.go": "func f() {\r\n}\r\n"} {
		if got := h.Lines(name, text); got != nil {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// Every grammar that is embedded can be read and gives runs that fit.
func FuzzRunsStayInTheirLines(f *testing.F) {
	for _, name := range []string{"a.go", "a.c", "a.py", "a.js", "a.rb", "a.rs", "a.yaml", "a.php", "a.css", "a.sql", "Makefile", "Dockerfile", "a.kt", "a.tf", "a.pl"} {
		f.Add(name, "if (x) { \"unclosed\nfor é /* \x00 \xff '\n<a href='#'>")
	}
	h := highlight.New()
	f.Fuzz(func(t *testing.T, name, text string) {
		if len(text) > 4<<10 || !utf8.ValidString(text) {
			return
		}
		lines := strings.Split(text, "\n")
		for i, runs := range h.Lines(name, text) {
			at := 0
			for _, r := range runs {
				if i >= len(lines) || r.End <= at || r.End > len(lines[i]) {
					t.Fatalf("%s line %d: run to %d after %d in %q", name, i, r.End, at, lines)
				}
				at = r.End
			}
		}
	})
}

func BenchmarkLines(b *testing.B) {
	text := strings.Repeat("func f(x int) string { return \"a\" } // c\n", 1000)
	h := highlight.New()
	for b.Loop() {
		h.Lines("a.go", text)
	}
}
