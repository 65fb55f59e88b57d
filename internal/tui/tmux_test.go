package tui

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A tmux is a terminal that wraps what stands on it anew when its size changes:
// only there can it be seen whether a resize loses, repeats or litters.
type tmux struct {
	t    *testing.T
	sock string
}

func newTmux(t *testing.T, env ...string) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux: the behaviour on a change of size is not tested")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	m := &tmux{t, fmt.Sprintf("zuno-tui-%d-%s", os.Getpid(), strings.ToLower(t.Name()))}
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", m.sock, "kill-server").Run() })
	m.do("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-s", "s", "-e", "ZUNO_TUI_SCRIPTED=1", "sh")
	m.do("set", "-g", "window-size", "manual")
	m.do("set", "-g", "history-limit", "50000")
	m.do("respawn-pane", "-k", "-t", "s", "env "+strings.Join(append(env, "ZUNO_TUI_SCRIPTED=1"), " ")+" "+self+"; exec cat")
	m.until("start", func(s string) bool { return strings.Contains(s, "ask zuno") && strings.Contains(s, "scripted/tour") })
	return m
}

func (m *tmux) do(args ...string) string {
	m.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-L", m.sock}, args...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// all is the scrollback and the screen.
func (m *tmux) all() string { return m.do("capture-pane", "-p", "-S", "-", "-t", "s") }

func (m *tmux) until(what string, met func(string) bool) {
	m.t.Helper()
	end := time.Now().Add(patience)
	for {
		s := m.all()
		if met(s) {
			return
		}
		if time.Now().After(end) {
			m.t.Fatalf("never: %s\n%s", what, s)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (m *tmux) keys(keys ...string) { m.do(append([]string{"send-keys", "-t", "s"}, keys...)...) }

// size changes the size and waits until the live zone stands still again.
func (m *tmux) size(w, h int) {
	m.t.Helper()
	m.do("resize-window", "-t", "s", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h))
	before, same := "", time.Now()
	m.until("a still screen", func(s string) bool {
		if s != before {
			before, same = s, time.Now()
		}
		return time.Since(same) > tmuxLag+100*time.Millisecond
	})
}

var numbered = regexp.MustCompile(`L\d{4} line`)

// counts checks that each numbered line is there once, and one live zone.
func (m *tmux) counts(when string, lines int, zone string) {
	m.t.Helper()
	s := m.all()
	seen := map[string]int{}
	for _, l := range numbered.FindAllString(s, -1) {
		seen[l]++
	}
	repeated := 0
	for _, n := range seen {
		repeated += n - 1
	}
	if lost := lines - len(seen); lost != 0 || repeated != 0 {
		m.t.Errorf("%s: %d lines lost, %d repeated", when, lost, repeated)
	}
	if n := strings.Count(s, zone); n != 1 {
		m.t.Errorf("%s: %d live zones", when, n)
	}
	if n := strings.Count(s, "0.1.0"); n != 1 {
		m.t.Errorf("%s: %d headers", when, n)
	}
}

const zoneMark = "ask zuno"

func TestResizingLosesAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	m := newTmux(t)
	for _, w := range []int{60, 40, 80} {
		m.size(w, 24)
		m.counts(fmt.Sprintf("a short session at %d columns", w), 0, zoneMark)
	}
	m.keys("lines:110", "Enter")
	m.until("the lines", func(s string) bool { return strings.Contains(s, "L0109 line") && strings.Contains(s, "tok") })
	m.counts("printed", 110, zoneMark)
	for _, w := range []int{60, 40, 100, 80} {
		m.size(w, 24)
		m.counts(fmt.Sprintf("%d columns", w), 110, zoneMark)
	}
	for _, h := range []int{10, 6, 24} {
		m.size(80, h)
		m.counts(fmt.Sprintf("%d rows", h), 110, zoneMark)
	}
	for _, s := range [][2]int{{118, 40}, {60, 20}, {80, 24}} {
		m.size(s[0], s[1])
		m.counts(fmt.Sprintf("%d by %d", s[0], s[1]), 110, zoneMark)
	}
	for _, s := range [][2]int{{1, 1}, {2, 2}, {10, 1}, {1, 50}, {300, 100}} {
		m.do("resize-window", "-t", "s", "-x", fmt.Sprint(s[0]), "-y", fmt.Sprint(s[1]))
	}
	m.size(80, 24)
	m.until("the status line", func(s string) bool { return strings.Contains(s, "⇧⇥ · scripted/tour ·") })
	m.keys("say:alive", "Enter")
	m.until("an answer", func(s string) bool { return strings.Contains(s, "\nalive") })
}

func TestResizingWithACardAndWhileStreaming(t *testing.T) {
	t.Parallel()
	m := newTmux(t)
	m.keys("lines:60 shell", "Enter")
	// The row of what runs says "Esc Esc stops" too, while lines are still coming.
	m.until("the card", func(s string) bool { return strings.Contains(s, "Run once") && strings.Contains(s, "L0059 line") })
	for _, s := range [][2]int{{40, 24}, {100, 24}, {80, 12}, {80, 24}, {120, 40}, {60, 20}, {200, 50}, {80, 24}} {
		m.size(s[0], s[1])
		m.counts(fmt.Sprintf("a card at %d by %d", s[0], s[1]), 60, "$ go test")
	}
	m.keys("y")
	m.until("the receipt", func(s string) bool { return strings.Contains(s, "exit 1") && strings.Contains(s, zoneMark) })
	m.counts("answered", 60, zoneMark)
	m.keys("stream wait lines:9", "Enter")
	for i := range 6 {
		m.do("resize-window", "-t", "s", "-x", fmt.Sprint(60+i*8), "-y", "24")
	}
	m.until("the end", func(s string) bool { return strings.Contains(s, "That is all.") && !strings.Contains(s, "working") })
	m.size(80, 24)
	if n := strings.Count(m.all(), zoneMark); n != 1 {
		t.Errorf("%d live zones", n)
	}
}

// The pane's own process has no shell above it that could continue it.
func TestWhatCannotBeSuspendedGoesOn(t *testing.T) {
	t.Parallel()
	m := newTmux(t)
	m.keys("a draft", "C-z")
	m.until("why not", func(s string) bool { return strings.Contains(s, "no shell with job control") })
	m.keys("!")
	m.until("the draft", func(s string) bool {
		return strings.Contains(s, "› a draft!") && !strings.Contains(s, "no shell with")
	})
}

func TestLeavingTmuxLeavesTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	m := newTmux(t)
	m.keys("/quit", "Enter")
	m.until("the end", func(s string) bool { return strings.Contains(s, "left") })
	if s := m.all(); strings.Contains(s, zoneMark) {
		t.Errorf("the live zone is left behind:\n%s", s)
	}
	if s := strings.TrimSpace(m.do("display", "-p", "-t", "s", "#{alternate_on} #{cursor_flag} #{bracket_paste_flag} #{keypad_flag}")); !strings.HasPrefix(s, "0 1") {
		t.Errorf("the terminal is left as %q", s)
	}
	m.keys("cooked", "Enter") // cat answers: the line discipline is back
	m.until("an echo and cat's line", func(s string) bool { return strings.Count(s, "cooked") == 2 })
}
