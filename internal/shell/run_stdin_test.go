package shell

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestACommandReadsItsInput(t *testing.T) {
	dir, env := t.TempDir(), os.Environ()
	big := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16) // more than a pipe holds
	for _, c := range []struct {
		line, want string
		in         []byte
	}{
		{"cat", "hello", []byte("hello")},
		{"cat; echo end", "end\n", nil},
		{"cat", "", []byte{}},
		{"wc -c", "1048576", big},
		{"true", "", big},
		{"(sleep 30 &) ; head -c 3", "012", big},
	} {
		res := Run(t.Context(), Cmd{Line: c.line, Dir: dir, Env: env, Stdin: c.in})
		if got := string(res.Stdout.Head) + string(res.Stdout.Tail); res.Err != nil || res.Exit != 0 || !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, exit %d, %v", c.line, got, res.Exit, res.Err)
		}
	}
}
