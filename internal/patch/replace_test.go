package patch

import (
	"slices"
	"strings"
	"testing"
)

func TestReplaceTakesTextLiterally(t *testing.T) {
	const hostile = "sh -c \"echo $$ $1 ${HOME} $& \\1 %s %d $`\""
	one, err := Replace([]byte("run(old)"), "run(old)", hostile, false)
	if err != nil || string(one.Text) != hostile {
		t.Errorf("once: %q, %v", one.Text, err)
	}
	three, err := Replace([]byte("run(old)\nrun(old)\nrun(old)\n"), "run(old)", hostile, true)
	if err != nil || string(three.Text) != strings.Repeat(hostile+"\n", 3) || three.Count != 3 || !slices.Equal(three.Lines, []int{1, 2, 3}) {
		t.Errorf("all: %q %v, %v", three.Text, three.Lines, err)
	}
}

func TestReplaceFollowsTheEndingsOfTheFile(t *testing.T) {
	for _, c := range []struct {
		name, old, was, next string
		all                  bool
		want                 string
	}{
		{"CRLF", "a\r\nb\r\nc\r\n", "b", "B\nB2", false, "a\r\nB\r\nB2\r\nc\r\n"},
		{"CRLF across lines", "a\r\nb\r\nc\r\n", "a\nb\n", "x\n", false, "x\r\nc\r\n"},
		{"CRLF, the ending only", "a\r\nb\r\n", "a\nb", "ab", false, "ab\r\n"},
		{"CRLF in the arguments too", "a\r\nb\r\n", "a\r\nb", "x\r\ny", false, "x\r\ny\r\n"},
		{"CRLF in the arguments, LF in the file", "a\nb\n", "a\r\nb", "x\ny", false, "x\ny\n"},
		{"mixed", "a\nb\r\na\rb\n", "b", "1\n2", true, "a\n1\r\n2\r\na\r1\n2\n"},
		{"byte order mark", "\ufeffport = 1\n", "port = 1", "port = 2", false, "\ufeffport = 2\n"},
		{"byte order mark in the arguments", "\ufeffport = 1\n", "\ufeffport = 1", "\ufeffport = 2", false, "\ufeffport = 2\n"},
		{"no final newline", "a\nb", "b", "c", false, "a\nc"},
		{"bytes that are not UTF-8", "\xff a \xfe\n", " a ", " b ", false, "\xff b \xfe\n"},
		{"lines that stay keep their endings", "a\r\nb\nc\r\nd\n", "a\nb\nc", "a\nB\nc", false, "a\r\nB\nc\r\nd\n"},
		{"mixed endings, with a line more", "a\r\nb\nc\r\n", "a\nb\nc\n", "a\nx\nb\nc\n", false, "a\r\nx\r\nb\nc\r\n"},
		{"mixed endings, with a line less", "a\r\nb\nc\rd\n", "a\nb\nc\n", "a\nc\n", false, "a\r\nc\rd\n"},
		{"mixed endings, all of it new", "a\r\nb\nc\n", "a\nb\n", "1\n2\n3\n", false, "1\r\n2\n3\nc\n"},
		{"to the end of the file", "a\r\nb", "\nb", "\nc\nd", false, "a\r\nc\r\nd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Replace([]byte(c.old), c.was, c.next, c.all)
			if err != nil || string(got.Text) != c.want {
				t.Errorf("got %q, %v, want %q", got.Text, err, c.want)
			}
		})
	}
}

func TestReplaceRefusesAllButOnePlace(t *testing.T) {
	for _, c := range []struct{ name, old, was, next, err string }{
		{"nothing to look for", "a", "", "b", "is empty"},
		{"no change", "a", "a", "a", "are the same"},
		{"only the newline at the end", "a\nb", "b\n", "b", "the same but for that"},
		{"numbers of lines", "alpha\n\tbeta\n", "2: \tbeta", "2: gamma", "leave the numbers out"},
		{"no place", "alpha\nbeta gamma\n", "beta gamna", "x", "2: beta gamma"},
		{"several places", "x\ny\nx\n", "x", "z", "2 times, at lines 1, 3"},
		{"places that overlap", "aaa", "aa", "b", "2 times, at line 1"},
		{"places with different endings", "a\nb\r\na\r\nb\n", "a\nb", "c", "2 times"},
		{"an empty file", "", "a", "b", "the file is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := Replace([]byte(c.old), c.was, c.next, false); err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("got %q, %v, want an error with %q", got.Text, err, c.err)
			}
		})
	}
}

func TestWholeLinesMatchTolerantlyInOnePlace(t *testing.T) {
	for _, c := range []struct{ name, old, was, next, want, note string }{
		{"indentation", "func f() {\r\n\tif x {\r\n\t\ty()\r\n\t}\r\n}\r\n", "if x {\n\ty()\n}", "if z {\n\ty()\n\tw()\n}", "func f() {\r\n\tif z {\r\n\t\ty()\r\n\t\tw()\r\n\t}\r\n}\r\n", "matched at line 2, not minding indentation"},
		{"trailing space, and lines that stay keep theirs", "a  \nb \n", "a\nb\n", "a\nc\n", "a  \nc\n", "trailing space"},
		{"quotes", "say “hi”\n", "say \"hi\"", "say \"ho\"", "say “ho”\n", "typographic"},
		{"a part of a line", "x = “a”; y\r\n", "x = \"a\"", "x = \"b\"", "x = “b”; y\r\n", "typographic"},
		{"a part with quotes that the file has plain", "x = \"a\"; y\n", "= “a”;", "= “b”;", "x = \"b\"; y\n", "typographic"},
		{"a part across lines", "x “a\r\nb” y\n", "\"a\nb\"", "\"a\nc\nb\"", "x “a\r\nc\r\nb” y\n", "typographic"},
		{"a part with bytes", "x caf\xe9 y\n", "caf\ufffd", "un caf\ufffd", "x un caf\xe9 y\n", "another form"},
		{"a part with an escape", "x\x1b[1m y\n", "\\x1b[1m", "\\x1b[2m", "x\x1b[2m y\n", "another form"},
		{"lines that go", "a \nb\n", "a\n", "", "b\n", "trailing space"},
		{"a last line that is not ended", "a\nb", "b\n", "c\n", "a\nc", "no newline at its end"},
		{"one that goes", "a\nb", "b\n", "", "a\n", "no newline at its end"},
		{"several places", "a \nb\na\t\n", "a\nb", "c\nb", "c\nb\na\t\n", "trailing space"},
	} {
		got, err := Replace([]byte(c.old), c.was, c.next, false)
		if err != nil || string(got.Text) != c.want || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], c.note) {
			t.Errorf("%s: %q %q, %v", c.name, got.Text, got.Notes, err)
		}
	}
	for _, c := range []struct {
		name, old, was, next string
		all                  bool
	}{
		{"two places", "\ta\n  a\n", "    a", "b", false},
		{"every place", "\ta\n", "    a", "b", true},
		{"one word off", "line 8\n", "lime 8", "x", false},
		{"a part of a line that is there twice", "x = “a”; y = “a”\n", "\"a\"", "z", false},
		{"a part of an escape", "x\x0c y\n", "x0c", "z", false},
		{"bytes of which one goes", "x \xe9\xe8 y\n", "\ufffd\ufffd y", "\ufffd y", false},
		{"a newline that goes", "a \nb\n", "a\n", "c", false},
	} {
		if got, err := Replace([]byte(c.old), c.was, c.next, c.all); err == nil {
			t.Errorf("%s: became %q", c.name, got.Text)
		}
	}
}

// A line full of what is shown as escapes does not cost its length squared.
func TestAPartOfManyEscapesIsGivenUp(t *testing.T) {
	for _, n := range []int{1 << 13, 1 << 17} {
		old := strings.Repeat("\x1b", n) + "\n"
		if got, err := Replace([]byte(old), "x1", "y", false); err == nil {
			t.Errorf("became %d bytes", len(got.Text))
		}
	}
}
