package tui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

func colours() *theme { return newTheme([]string{"TERM=xterm-256color"}) }

func streamed(s string, piece, w int) []string {
	st := stream{md: newMarkdown(colours())}
	var rows []string
	for s != "" {
		n := min(piece, len(s))
		rows = append(rows, st.write(s[:n], w)...)
		s = s[n:]
	}
	return append(rows, st.flush(w)...)
}

const moreProse = "1. first\n2. second with a longer text that has to be wrapped at forty columns\n\n   and a paragraph\n\n   ```sh\n   go test ./...\n   ```\n\n3. third\n\n" +
	"> quoted *text*\n> goes on\n\n- [x] done\n- [ ] open\n\n~~gone~~ `code` <b>raw</b> https://example.org \\*escaped\\*\n\n---\n\n    indented code\n\n" +
	"| a | b | c | d | e | f | g | h |\n|--|--|--|--|--|--|--|--|\n| aaaaaaaa | bbbbbbbb | cccccccc | dddddddd | eeeeeeee | ffffffff | gggggggg | hhhhhhhh |\n\n" +
	"Setext\n======\n\n~~~\nopen fence\n"

// listProse is what models write of lists with code in them, of tables, and of
// signs that mean something to Markdown by accident.
const listProse = "10. Ten:\n    ```sh\n    make x\n    ```\n    Then this *text* goes on, and it is long enough to be wrapped somewhere.\n11. Eleven\n\n" +
	"- a\n  - b\n    ```\n    code\n      more\n    ```\n    after b with **bold** text\n  - c\n\n    second paragraph of c\n- d\n\n" +
	"| Name | Value | Where |\n|:--|--:|:-:|\n| a | 1 | here |\n| b | 22.5 | x<br>and y |\n\n" +
	"2*3*4 and f(*args) and *this* and &lt;tag&gt; &amp;c; &nosuch; &#27; `&amp;` \\&amp; a<br/>b\n\n" +
	"````md\n```go\nx\n```\n````\n\nSee https://example.com/a/long/path/that/does/not/fit/into/one/row/of/the/terminal?query=1234567890 for more.\n"

func TestMarkdownLooksAsExpected(t *testing.T) {
	for _, w := range widths() {
		rows := append(append(streamed(prose, len(prose), w), strings.Repeat("=", 10)), streamed(moreProse, len(moreProse), w)...)
		golden(t, fmt.Sprintf("markdown-%d", w), append(append(rows, strings.Repeat("=", 10)), streamed(listProse, len(listProse), w)...))
	}
}

func TestPiecesGiveTheSameRowsAsTheWhole(t *testing.T) {
	for _, text := range []string{prose, moreProse, listProse, "one\n", "no newline", "\n\n\n", "# h\n# h2\ntext\n# h3", "```\ncode\n\n\nmore\n```\nafter\n\n\nend"} {
		whole := strings.Join(streamed(text, len(text), 60), "\n")
		for _, n := range []int{1, 2, 3, 7, 50} {
			if got := strings.Join(streamed(text, n, 60), "\n"); got != whole {
				t.Errorf("in pieces of %d %q becomes\n%s\nwant\n%s", n, text, got, whole)
			}
		}
	}
}

func TestCodeIsPrintedAsItIs(t *testing.T) {
	long := strings.Repeat("x", 300)
	rows := streamed("```go\nfunc a() {\n\treturn\n}\n"+long+"\n```\n", 5, 40)
	if got, want := ansi.Strip(strings.Join(rows, "\n")), "```go\nfunc a() {\n    return\n}\n"+long+"\n```"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What is open at the end of a line, a comment or a string, is open on the next,
// however the text comes; nothing is put behind a line, and what no language is
// known of has one colour.
func TestTheWordsOfCodeAreColoured(t *testing.T) {
	th := colours()
	text := "```go\nfunc f() { /* open  \nreturn */ return \"x\" }\n```\n\n```what\nfunc f()\n```\n\n```diff\n-a\n+b\n```\n"
	rows := streamed(text, 3, 40)
	want := []string{
		th.bold.render("func") + " " + th.accent.render("f") + "() { " + th.muted.render("/* open  "),
		th.muted.render("return */") + " " + th.bold.render("return") + " " + th.warn.render(`"x"`) + " }",
		th.code.render("func f()"), th.del.render("-a"), th.add.render("+b"),
	}
	for _, w := range want {
		if !slices.Contains(rows, w) {
			t.Errorf("no row %q in\n%q", w, rows)
		}
	}
	st := stream{md: newMarkdown(th)}
	st.write("```go\n/* open\nfunc", 40)
	if got := st.tail(40, 3); len(got) != 1 || got[0] != th.muted.render("func") {
		t.Errorf("the tail is %q", got)
	}
	for _, env := range [][]string{{"TERM=dumb"}, {"TERM=xterm-256color", "NO_COLOR=1"}} {
		md := newMarkdown(newTheme(env))
		st := stream{md: md}
		rows := append(st.write(text, 40), st.flush(40)...)
		if all := strings.Join(rows, "\n"); regexp.MustCompile(`\x1b\[[0-9;]*[349][0-7]`).MatchString(all) {
			t.Errorf("%v has colours: %q", env, all)
		}
	}
}

func TestTheTailIsShownBeforeItIsComplete(t *testing.T) {
	st := stream{md: newMarkdown(colours())}
	if rows := st.write("Done.\n\nStill **com", 40); ansi.Strip(strings.Join(rows, "|")) != "Done." {
		t.Errorf("committed %q", rows)
	}
	if got := ansi.Strip(strings.Join(st.tail(40, 5), "|")); got != "Still **com" {
		t.Errorf("the tail is %q", got)
	}
}

// The text is looked at once, however it is cut: without the bound on the tail
// these would take minutes.
func TestTheCostIsLinear(t *testing.T) {
	began := time.Now()
	for _, text := range []string{
		strings.Repeat("word ", 60_000),
		strings.Repeat("- item of a list without blank lines\n", 8_000),
		"```\n" + strings.Repeat("a line of code that never ends\n", 8_000),
		strings.Repeat("x", 200_000),
	} {
		st := stream{md: newMarkdown(colours())}
		for s := text; s != ""; {
			n := min(40, len(s))
			st.write(s[:n], 80)
			if len(st.text) > maxTail+4096 {
				t.Fatalf("%d bytes are kept", len(st.text))
			}
			s = s[n:]
		}
	}
	t.Log(time.Since(began))
}

func TestTablesFitTheWidth(t *testing.T) {
	var b strings.Builder
	b.WriteString("| one | two | three |\n|---|---|---|\n")
	for range 5 {
		b.WriteString("| " + strings.Repeat("long cell ", 12) + " | x | 日本語の長いセル " + strings.Repeat("日本", 20) + " |\n")
	}
	for w := 4; w < 130; w++ {
		for _, r := range newMarkdown(colours()).render(b.String(), w) {
			if width(r) > w {
				t.Fatalf("at %d: %q takes %d", w, r, width(r))
			}
		}
	}
}

func BenchmarkStreamMarkdown1MB(b *testing.B) {
	stream1MB(b, prose)
}

func BenchmarkStreamCode1MB(b *testing.B) {
	stream1MB(b, "```go\n"+strings.Repeat("func f(x int) string { return \"a\" } // c\n\tif a[i] == 0x1f && strings.HasPrefix(s, `x`) {\n", 200)+"```\n\n")
}

func stream1MB(b *testing.B, piece string) {
	text := strings.Repeat(piece, 1<<20/len(piece)+1)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		st := stream{md: newMarkdown(colours())}
		for s := text; s != ""; {
			n := min(256, len(s))
			st.write(s[:n], 80)
			s = s[n:]
		}
		st.flush(80)
	}
}

// FuzzOneLine holds the short way of a line without marks to the parser's.
func FuzzOneLine(f *testing.F) {
	for _, s := range []string{
		"Now the next one.", "Now the next one.  \n", "a: b, (c) \"d\" - e 1. f! g", "x\n", "été ‒ naïve 日本語のテキスト 👩‍👩‍👧", "a  b", "a=b #c +d |e| $f %g @h www.x.org http://y",
		"- no", "1. no", "a\n- b", "a\n===", " a", "\u00a0a", "a\\", "a*b*", "Word " + strings.Repeat("long", 60),
	} {
		f.Add(s, 40)
	}
	f.Fuzz(func(t *testing.T, src string, w int) {
		src, w = plain(src), 4+(w%200+200)%200
		m := newMarkdown(colours())
		if _, short := oneLine(src); short && !slices.Equal(m.render(src, w), m.parsed(src, w, wrap)) {
			t.Errorf("%q at %d: %q, parsed %q", src, w, m.render(src, w), m.parsed(src, w, wrap))
		}
	})
}
