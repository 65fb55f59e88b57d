package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// calling is a rig that calls the person as n says.
func calling(t *testing.T, n Notify, env ...string) *rig {
	t.Helper()
	r := newRig(t, 80, 24, env...)
	r.opts.Notify, r.opts.UI.Title = n, true
	r.beacon = newBeacon(r.opts, r.th, r.clock)
	return r.boot(approval.LowRisk)
}

func TestTheTerminalCallsWhenNobodyLooks(t *testing.T) {
	notify := Notify{When: "unfocused", Method: "osc777", Long: 10 * time.Second}
	for _, c := range []struct {
		name string
		do   func(r *rig)
		want string
	}{
		{"a card", func(r *rig) { r.ask(shellRequest("rm x")) }, "waits for your answer: shell rm x"},
		{"a question", func(r *rig) { r.ask(pickRequest()) }, "waits for your answer: question"},
		{"an uncertain call", func(r *rig) { r.events(settledCall("u", "shell", "make deploy", "", tools.Uncertain)) }, "uncertain: shell make deploy"},
		{"a long turn", func(r *rig) { r.pass(11 * time.Second); r.send(turnDoneMsg{}) }, "done after 11s"},
		{"a short turn", func(r *rig) { r.send(turnDoneMsg{}) }, ""},
		{"a turn that broke off", func(r *rig) { r.send(turnDoneMsg{err: errors.New("overloaded; \x1b[31mred")}) }, "stopped: overloaded, red"},
	} {
		for _, focus := range []tea.Msg{tea.BlurMsg{}, tea.FocusMsg{}} {
			r := calling(t, notify)
			begun(r, "go")
			r.events(loop.Prompted{Text: "go"})
			r.send(focus)
			r.raw.Reset()
			c.do(r)
			r.pass(50 * time.Millisecond)
			_, away := focus.(tea.BlurMsg)
			got := strings.Contains(r.raw.String(), "\x1b]777;notify;zuno;"+c.want)
			if called := strings.Contains(r.raw.String(), "\x1b]777"); called != (away && c.want != "") || called && !got {
				t.Errorf("%s, %T: wrote %q", c.name, focus, r.raw.String())
			}
		}
	}
}

func TestHowTheTerminalCalls(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for env, want := range map[string]string{
		"TERM=xterm-256color": "\x07", "TERM=xterm-kitty": "\x1b]99;i=zuno:d=1;a, b\x1b\\", "TERM_PROGRAM=ghostty": "\x1b]777;notify;zuno;a, b\x1b\\",
		"TERM_PROGRAM=iTerm.app": "\x1b]9;a, b\x07", "TERM=xterm-kitty TMUX=/tmp/x": "\x07",
	} {
		o := Options{Env: strings.Fields(env), Notify: Notify{When: "always", Method: "auto"}}
		b := newBeacon(o, newTheme(o.Env), now)
		if got := b.call("a; b", now); got != want {
			t.Errorf("%s: %q, want %q", env, got, want)
		}
		if got := b.call("again", now.Add(time.Second)); got != "" {
			t.Errorf("%s: called twice within two seconds: %q", env, got)
		}
	}
	quiet := newBeacon(Options{Notify: Notify{When: "unfocused"}}, newTheme(nil), now)
	if quiet.call("x", now.Add(awayAfter-1)) != "" || quiet.call("x", now.Add(awayAfter)) == "" {
		t.Error("a terminal that says nothing of focus: only after 15 s without a key")
	}
	never := newBeacon(Options{Notify: Notify{When: "never"}}, newTheme(nil), now)
	if never.call("x", now.Add(time.Hour)) != "" {
		t.Error("never is now")
	}
}

func TestTheTitleSaysWhatGoesOn(t *testing.T) {
	r := calling(t, Notify{})
	title := func(want string) {
		t.Helper()
		raw := r.raw.String()
		got := raw[strings.LastIndex(raw, "\x1b]2;")+1:]
		if got, _, _ = strings.Cut(got, "\x07"); got != "]2;zuno · zuno · "+want {
			t.Errorf("the title is %q, want %s", got, want)
		}
	}
	title("ready")
	begun(r, "go")
	title("working")
	a := r.ask(shellRequest("rm x"))
	title("needs you")
	r.pass(time.Second)
	r.keys("y")
	a.answered(t)
	title("working")
	r.raw.Reset()
	r.pass(3 * time.Second)
	if strings.Contains(r.raw.String(), "\x1b]2;") {
		t.Error("the title is set again and again")
	}
	for _, env := range []string{"TERM=linux", "TERM=dumb"} {
		r := calling(t, Notify{}, env)
		if strings.Contains(r.raw.String(), "\x1b]") {
			t.Errorf("%s: a title is set: %q", env, r.raw.String())
		}
	}
}

func TestTheStatusKeepsWhatMattersMost(t *testing.T) {
	for w := 6; w <= 200; w++ {
		r := newRig(t, w, 24).boot(approval.LowRisk)
		r.ready.Effort, r.confined = "high", "sandboxed"
		r.doubts = 2
		r.queue = queue{list: []prompt{{text: "x"}}, paused: true}
		row := plainText([]string{r.status(w - 1)})
		if width(row) > w-1 && w > 9 {
			t.Fatalf("%d columns: %q", w, row)
		}
		for min, part := range map[int]string{9: "low-risk", 30: "2 uncertain", 45: "queued 1", 60: "tour high", 100: "sandboxed"} {
			if w > min+1 && !strings.Contains(row, part) {
				t.Errorf("%d columns: %q does not say %q", w, row, part)
			}
		}
	}
}
