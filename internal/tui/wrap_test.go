package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestRowsAreBrokenBetweenWords(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"", 10, ""},
		{"one two three", 8, "one two|three"},
		{"one two three", 7, "one two|three"},
		{"one  two", 80, "one  two"},
		{"one two   three", 7, "one two|three"},
		{"abcdefghij", 4, "abcd|efgh|ij"},
		{"ab cdefghij", 4, "ab|cdef|ghij"},
		{"a\nb\n\nc", 9, "a|b||c"},
		{"日本語日本語", 6, "日本語|日本語"},
		{"日本語", 1, "日|本|語"},
		{"👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 4, "👨‍👩‍👧👨‍👩‍👧|👨‍👩‍👧"},
		{"a\tb", 9, "a    b"},
	} {
		got := strings.Join(wrapText(c.in, style{}, c.w, "", ""), "|")
		if got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.in, c.w, got, c.want)
		}
	}
}

func TestRowsNeverExceedTheWidth(t *testing.T) {
	text := "日本語 한국어 👨‍👩‍👧 🇪🇺 ⚙️ é ﷽ שלום/العربية\ttab U+00AD:\u00ad " + strings.Repeat("x", 50) + " end"
	for w := 2; w < 40; w++ {
		for _, r := range wrap([]span{{text, style{"\x1b[1m", "\x1b[m"}}, {"tail", style{}}}, w, "", "") {
			if width(r) > w {
				t.Fatalf("at %d: %q takes %d", w, r, width(r))
			}
		}
		joined := strings.Join(hard(expandTabs(text), w), "")
		if joined != expandTabs(text) {
			t.Fatalf("hard loses text at %d", w)
		}
	}
}

func TestEachRowIsCompleteInItself(t *testing.T) {
	bold := style{"\x1b[1m", "\x1b[m"}
	for _, r := range wrap([]span{{"one two three four", bold}}, 6, "", "") {
		if !strings.HasPrefix(r, "\x1b[1m") || !strings.HasSuffix(r, "\x1b[m") {
			t.Errorf("row %q", r)
		}
	}
	if got := wrap([]span{{"foo", style{}}, {"bar", bold}, {"baz", style{}}}, 8, "", ""); ansi.Strip(strings.Join(got, "|")) != "foobarba|z" {
		t.Errorf("a word of three styles is broken: %q", got)
	}
}

func TestBothEndsOfAPathStay(t *testing.T) {
	if got := clipMiddle("internal/loop/very/long/path/run.go", 20); width(got) > 20 || !strings.HasPrefix(got, "internal") || !strings.HasSuffix(got, "run.go") {
		t.Errorf("got %q", got)
	}
}
