package patch

import "testing"

func TestAdoptKeepsWhatAModelCannotSee(t *testing.T) {
	for _, c := range []struct{ name, old, text, want string }{
		{"byte order mark", "\ufeffa\n", "b\n", "\ufeffb\n"},
		{"byte order mark given too", "\ufeffa\n", "\ufeffb\n", "\ufeffb\n"},
		{"CRLF", "a\r\nb\r\n", "a\nx\nb\n", "a\r\nx\r\nb\r\n"},
		{"mixed", "a\r\nb\nc\r", "a\nb\nx\nc\n", "a\r\nb\nx\nc\r"},
		{"the final newline is the text's", "a\r\nb\r\n", "a\nb", "a\r\nb"},
		{"the final newline is the text's, added", "a\r\nb", "a\nb\n", "a\r\nb\r\n"},
		{"explicit CR", "a\r\nb\n", "a\r\nb\r\n", "a\r\nb\r\n"},
		{"LF", "a\nb\n", "x\r\n", "x\r\n"},
		{"everything new", "a\r\nb\r\n", "1\n2\n3\n", "1\r\n2\r\n3\r\n"},
		{"bytes that are not UTF-8", "a\xe9\nb\n", "new\na\ufffd\nB\n", "new\na\xe9\nB\n"},
		{"bytes that are not UTF-8, CRLF", "a\xe9\r\nb\r\n", "a\ufffd\nB", "a\xe9\r\nB"},
		{"bytes of a changed line", "a\xe9 1\xe8\nb\n", "a\ufffd 2\ufffd\nb\n", "a\xe9 2\xe8\nb\n"},
		{"a form feed, which is shown as an escape", "a\n\x0c\nb\n", "a\n\\x0c\nc\n", "a\n\x0c\nc\n"},
		{"hidden characters of a changed line", "a\u200bb = 1\x1b[m\n", "a\\u{200b}b = 2\\x1b[m\n", "a\u200bb = 2\x1b[m\n"},
		{"an escape that is a text", "a\\x0c\n", "a\\x0cb\n", "a\\x0cb\n"},
		{"typographic characters are taken at their word", "say “hi”\n", "say \"hi\"\n", "say \"hi\"\n"},
		{"a line with such bytes goes", "a\xe9\nb\n", "b\n", "b\n"},
		{"emptied", "a\r\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := Adopt([]byte(c.old), c.text); err != nil || string(got) != c.want {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestAdoptRefusesToLoseBytes(t *testing.T) {
	for _, c := range []struct{ name, old, text string }{
		{"bytes of which one goes", "a\xe9\xe8 1\nb\n", "a\ufffd 2\nb\n"},
		{"bytes that are there twice", "a\xe9 1\nb\n", "a\ufffd\ufffd 2\nb\n"},
		{"escapes that are a text elsewhere", "a\x0c\nb\na\\x0c\n", "b\na\\x0c\n"},
		{"a new line", "a\xe9\n", "a\ufffd\na\ufffd\n"},
		{"one of two that look alike goes", "a\xe9\nb\na\xe8\n", "a\ufffd\nb\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := Adopt([]byte(c.old), c.text); err == nil {
				t.Errorf("got %q", got)
			}
		})
	}
}
