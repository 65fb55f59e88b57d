package tui

import (
	"os"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// What is typed while something else has the terminal is for that, to the first
// byte; what was typed before arrives before what is typed afterwards.
func TestAMutedKeyboardTakesNothing(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	var armed atomic.Int64
	msgs, gate := make(chan tea.Msg), make(chan struct{})
	send := func(m tea.Msg) { <-gate; msgs <- m }
	fail := func(err error) { t.Error(err) }
	typed := func(s string) {
		t.Helper()
		if _, err := w.WriteString(s); err != nil {
			t.Fatal(err)
		}
	}
	first, err := plug(r, nil, "xterm", &armed, nil, time.Now, send, fail)
	if err != nil {
		t.Fatal(err)
	}
	typed("ab")
	// The bytes are read when the pipe is empty; the screen has got none of them.
	for is := 0; is == 0; {
		if is, err = readable(0, r.Fd()); err != nil {
			t.Fatal(err)
		}
	}
	first.mute()
	typed("vi keys")
	buf := make([]byte, 64)
	if n, err := r.Read(buf); err != nil || string(buf[:n]) != "vi keys" {
		t.Fatalf("the editor reads %q, %v", buf[:n], err)
	}
	second, err := plug(r, nil, "xterm", &armed, first.done, time.Now, send, fail)
	if err != nil {
		t.Fatal(err)
	}
	typed("c")
	close(gate)
	got := ""
	for len(got) < 3 {
		if k, is := (<-msgs).(keyMsg); is {
			got += k.Text
		}
	}
	if got != "abc" {
		t.Errorf("the screen reads %q", got)
	}
	second.unplug()
	second.unplug() // as when the program ends while the editor has the terminal
}

// What holds Ctrl is found on a keyboard of another alphabet by its place, and on
// one of this alphabet by its letter. Locks do not matter.
func TestKeysOfOtherKeyboards(t *testing.T) {
	s := newStalled(t)
	sent := []struct{ bytes, key string }{
		{"\x1b[1089::99;5u", "ctrl+c"}, // Cyrillic
		{"\x1b[97::113;5u", "ctrl+a"},  // AZERTY
		{"\x1b[13;129u", "enter"},      // with Num Lock
		{"\x1b[27;65u", "esc"},         // with Caps Lock
		{"я", "я"},
		{"\x1b[64;7u", "@"}, // AltGr, as Windows has it
		{"\x1b[8364;7u", "€"},
		{"\x1b[27;7;123~", "{"},
		{"\x1b[103;7u", "ctrl+alt+g"},
		{"\x1b[57400;129u", "1"}, // the keypad
		{"\x1b[57414u", "enter"},
		{"\x1b[57423u", "home"},
		{"\x1b[127;5u", "ctrl+backspace"},
		{"\x1b[3;5~", "ctrl+delete"},
		{"\x1b[13;5u", "ctrl+enter"},
	}
	for i, k := range sent {
		s.typed(k.bytes, int64(i))
	}
	close(s.gate)
	for _, k := range sent {
		if m, is := (<-s.msgs).(keyMsg); !is || m.String() != k.key {
			t.Errorf("%q is %v, want %s", k.bytes, m, k.key)
		}
	}
}
