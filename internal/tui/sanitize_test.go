package tui

import (
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestEscapeSequencesAreRemovedAndTheRestMadeVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                              "plain",
		"\x1b[31mred\x1b[0m":                 "red",
		"a\x1b]0;title\x07b":                 "ab",
		"a\x1b]52;c;Y2FuYXJ5\x1b\\b":         "ab",
		"\x1b[?1049hX\x1b[2J":                "X",
		"\x1bP+q\x1b\\x":                     "x",
		"\x1b(Bx":                            "x",
		"\u009b31mred":                       "red",
		"\u009d0;t\u009cx":                   "x",
		"bell\x07":                           `bell\x07`,
		"lone \x1b":                          `lone \x1b`,
		"unclosed \x1b]0;title":              `unclosed \x1b]0;title`,
		"\x1b]0;hides\nnothing\x07":          `\x1b]0;hides` + "\n" + `nothing\x07`,
		"raw \x9b31m":                        `raw \x9b31m`,
		"über 日本 👨‍👩‍👧 é":                    "über 日本 👨‍👩‍👧 é",
		"a\rb":                               `a\x0db`,
		"crlf\r\nend":                        "crlf\nend",
		"\x1b[" + strings.Repeat("1;", 99):   `\x1b[` + strings.Repeat("1;", 99),
		"\x1b]0;" + strings.Repeat("x", 9e3): `\x1b]0;` + strings.Repeat("x", 9e3),
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := verbatim("ls \x1b]0;x\x07; rm y"), `ls \x1b]0;x\x07; rm y`; got != want {
		t.Errorf("verbatim hides what would be run: %q, want %q", got, want)
	}
}

func TestASequenceSplitOverPiecesIsRecognised(t *testing.T) {
	const text = "one \x1b[31mred\x1b[0m \x1b]0;t\x07two \u009b1m日本\r\nend\x1b"
	for n := 1; n < 9; n++ {
		var c cleaner
		got := ""
		for s := text; s != ""; {
			k := min(n, len(s))
			got += c.write(s[:k])
			s = s[k:]
		}
		got += c.flush()
		if want := "one red two 日本\nend" + `\x1b`; got != want {
			t.Errorf("in pieces of %d: %q, want %q", n, got, want)
		}
	}
}

func FuzzNothingHostileIsLeft(f *testing.F) {
	f.Add("\x1b[31m\u009b\x9b", 3)
	f.Add("\x1b]0;a\x1b\\\xc2\x9d", 1)
	f.Fuzz(func(t *testing.T, s string, n int) {
		var c cleaner
		pieces := ""
		for rest := s; rest != ""; {
			k := min(max(1, n%16), len(rest))
			pieces += c.write(rest[:k])
			rest = rest[k:]
		}
		pieces += c.flush()
		for _, got := range []string{plain(s), plainLine(s), verbatim(s), pieces} {
			if tools.Clean(got) != got || strings.ContainsAny(got, "\x1b\x07\r") {
				t.Errorf("%q leaves %q", s, got)
			}
		}
	})
}

func TestOutputIsShownAsATerminalWouldLeaveIt(t *testing.T) {
	lines, more := outputLines("one\ntwo\n 10%\r 50%\r100%\r\n\x1b[32mok\x1b[0m\n\n", 2)
	if more != 2 || strings.Join(lines, "|") != "100%|ok" {
		t.Errorf("got %q and %d more", lines, more)
	}
	if lines, more := outputLines("\n\n", 5); lines != nil || more != 0 {
		t.Errorf("nothing printed gives %q and %d more", lines, more)
	}
}
