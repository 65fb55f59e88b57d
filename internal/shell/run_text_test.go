//go:build unix

package shell

import (
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestOutputBecomesPlainText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"text", "a\tb\nü€😀\n", "a\tb\nü€😀\n"},
		{"bytes that are not UTF-8", "ok\xff\xfe\x00end\n", `ok\xff\xfe\0end` + "\n"},
		{"line ends", "a\r\nb\r\r\nc", "a\nb\nc"},
		{"progress", "\r1%\r2%\r3%\n", "3%\n"},
		{"progress at the end", "10%\r100%\r", "100%"},
		{"progress over lines", "a\n1\r2\nb\n", "a\n2\nb\n"},
		{"an erased line", "working…\x1b[2K\x1b[1Gdone\n", "done\n"},
		{"an erased rest", "50%\r\x1b[Kdone\n", "done\n"},
		{"backspaces", "N\bNA\bAME |\b/\b-\n", "NAME -\n"},
		{"a backspace stays in its line", "a\n\b\bb", "a\nb"},
		{"colours", "\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mrgb\x1b[m", "red rgb"},
		{"8-bit colours", "\x9b31mred\u009b0m", "red"},
		{"a title", "\x1b]0;pwn\aX\x1b]2;pwn\x1b\\Y\x9d0;pwn\x9cZ\u009d0;pwn\u009c", "XYZ"},
		{"a link", "\x1b]8;;http://example.com\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"a title with ST among its bytes", "\x1b]0;✜\aX", "X"},
		{"device strings", "\x1bPq#0~\x1b\\A\x1b_x\x1b\\B\x1b^x\x1b\\C\x1bXx\x1b\\", "ABC"},
		{"a string that does not end", "\x1b]0;rest of the output\nmore", "0;rest of the output\nmore"},
		{"a string that another cuts off", "\x1b]0;t\x1b[31mred", "red"},
		{"other escapes", "\x1b(B\x1b7\x1b8\x1bc\x1b=x\x1b", "x"},
		{"a sequence that does not end", "\x1b[12", "12"},
		{"a sequence with a line break in it", "\x1b[1\nx", "1\nx"},
		{"bells and shifts", "a\a\x0e\x0f\x7fb", "ab"},
		{"other controls", "a\x01\fb\v", `a\x01\x0cb\x0b`},
		{"a C1 control", "a\u0085b\x85", `a\x85b\x85`},
	} {
		if got := plain([]byte(c.in)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add([]byte("\x1b]0;x\x1b\\\r\b\x9b1mü\xff\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := plain(raw)
		if !utf8.ValidString(got) {
			t.Fatalf("not UTF-8: %q", got)
		}
		for _, r := range got {
			if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
				t.Fatalf("a control character: %q", got)
			}
		}
		if plain([]byte(got)) != got {
			t.Fatalf("not stable: %q", got)
		}
		if len(raw) == 0 {
			return
		}
		cut := Output{Head: raw[:len(raw)/2], Tail: raw[len(raw)/2:], Total: int64(2 * len(raw))}
		text, _ := Result{Stdout: cut, Stderr: cut}.Text(64, 4)
		if !utf8.ValidString(text) {
			t.Fatalf("not UTF-8: %q", text)
		}
	})
}

func TestBinaryOutputIsSaidAndNotSent(t *testing.T) {
	res := Run(t.Context(), testCmd(t, "head -c 2000 /bin/ls; echo readable >&2"))
	text, cut := res.Text(51200, 2000)
	if text != "[binary data, 2000 bytes, not shown]\nstderr:\nreadable\n" || !cut {
		t.Errorf("%q", text)
	}
	for text, want := range map[string]bool{
		strings.Repeat("Grüße aus Köln, 東京 ✓\n", 20):            false,
		strings.Repeat("\x1b[31mred\x1b[0m\r\n", 20):            false,
		strings.Repeat("name\x00", 20):                          false, // find -print0
		strings.Repeat("a\x00", 50):                             true,  // UTF-16
		strings.Repeat("Gr\xfc\xdfe aus K\xf6ln, caf\xe9\n", 9): false, // ISO 8859-1
	} {
		if isBinary([]byte(text)) != want {
			t.Errorf("%.40q: binary is %v", text, !want)
		}
	}
}

func TestTextIsCutInTheMiddleOfEachStream(t *testing.T) {
	lines := func(word string, n int) []byte { return []byte(strings.Repeat(word+"\n", n)) }
	long := func(word string, n int) Output { b := lines(word, n); return Output{Head: b, Total: int64(len(b))} }
	for _, c := range []struct {
		name       string
		out, err   Output
		bytes, n   int
		cut        bool
		has, hasNo []string
	}{
		{"fits", long("out", 5), long("err", 5), 100, 100, false, []string{"out\nstderr:\nerr\n"}, []string{"cut"}},
		{"nothing", Output{}, Output{}, 100, 100, false, nil, []string{"stderr"}},
		{"only stderr", Output{}, long("err", 1), 100, 100, false, []string{"stderr:\nerr\n"}, nil},
		{"bytes", long("out", 100), long("err", 2), 100, 100, true, []string{"standard output had 400 bytes", "stderr:\nerr\nerr\n"}, []string{"cut: stderr"}},
		{"lines", long("o", 100), long("e", 100), 1000, 20, true, []string{"cut: standard output had 200 bytes; the first 10 and the last 10", "cut: stderr"}, nil},
		{"a quiet stdout", long("o", 1), long("e", 100), 1000, 20, true, []string{"o\nstderr:", "cut: stderr had 200 bytes; the first 18 and the last 20"}, nil},
		{"one long line", Output{Head: []byte(strings.Repeat("é", 100)), Total: 200}, Output{}, 21, 20, true, []string{"éé\n[… cut", "…]\nééééé"}, []string{`\x`}},
		{"a gap within characters", Output{Head: []byte("é\xc3"), Tail: []byte("\xa9é"), Total: 100}, Output{}, 100, 20, true, []string{"é\n[… cut: standard output had 100 bytes", "…]\né"}, []string{`\x`}},
		{"a gap within a line", Output{Head: []byte("a\nb"), Tail: []byte("rest\nlast\n"), Total: 100}, Output{}, 100, 20, true, []string{"a\nb\n[… cut", "…]\nlast\n", "was not kept"}, []string{"rest\n"}},
	} {
		text, cut := Result{Stdout: c.out, Stderr: c.err}.Text(c.bytes, c.n)
		if cut != c.cut {
			t.Errorf("%s: cut is %v", c.name, cut)
		}
		for _, s := range c.has {
			if !strings.Contains(text, s) {
				t.Errorf("%s: %q is not in %q", c.name, s, text)
			}
		}
		for _, s := range c.hasNo {
			if strings.Contains(text, s) {
				t.Errorf("%s: %q is in %q", c.name, s, text)
			}
		}
	}
}

func TestStatusIsOneLine(t *testing.T) {
	for want, r := range map[string]Result{
		"did not start: it is gone":       {Exit: -1, Err: os.ErrNotExist},
		"timed out after 1s and was":      {Started: true, TimedOut: true, Killed: true, Exit: 143, Signal: "SIGTERM", Duration: time.Second},
		"was stopped after 1s":            {Started: true, Killed: true, Exit: 143, Signal: "SIGTERM", Duration: time.Second},
		"exit code 141 (as after SIGPIPE": {Started: true, Exit: 141},
		"exit code 255":                   {Started: true, Exit: 255},
	} {
		if r.Err != nil {
			want = "did not start: file does not exist"
		}
		if got := r.Status(); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
