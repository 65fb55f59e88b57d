package tui

import (
	"os"
	"sync/atomic"
	"testing"
	"time"
)

func TestOnlyCertainPressesOfEscAreSpeltOut(t *testing.T) {
	for _, c := range []struct {
		sent  string
		armed bool
		want  string
	}{
		{"\x1b\x1b", false, "\x1b[27u\x1b[27u"},
		{"\x1b\x1b", true, "\x1b[27u\x1b[27u"},
		{"\x1b", true, "\x1b[27u"},
		{"\x1b", false, "\x1b"},
		{"\x1b[A", true, "\x1b[A"},
		{"\x1b\x1b[A", true, "\x1b\x1b[A"},
		{"x", true, "x"},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var armed atomic.Int64
		if c.armed {
			armed.Store(time.Now().Add(time.Hour).UnixNano())
		}
		if _, err := w.WriteString(c.sent); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 64)
		n, err := (&escKeys{r, &armed}).Read(buf)
		if err != nil || string(buf[:n]) != c.want {
			t.Errorf("%q, armed %v: %q, %v", c.sent, c.armed, buf[:n], err)
		}
		r.Close()
		w.Close()
	}
}
