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
		{"a changed line", "a\xe9 1\nb\n", "a\ufffd 2\nb\n"},
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
