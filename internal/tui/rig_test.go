package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// patience is how long is waited for what has to come: that it never does is known
// only then, and the machine may be slow.
const patience = 2 * time.Minute

// A rig is the screen without a program around it: the test is the clock, the
// host and the terminal.
type rig struct {
	t *testing.T
	*screen
	clock   time.Time
	wake    time.Time
	painter *painter
	on      *canvas
	raw     bytes.Buffer
	emu     *vt.Emulator
	lines   []string // printed to the scrollback
	shown   frame
	started []prompt
	stopped int
	chosen  []string
	changes []func(context.Context) (Ready, error)
	held    int              // keys that were read and not yet sent
	slow    bool             // what is looked up takes until answer is called
	fetches []func() tea.Msg // answered when the message that asked is done
	quit    bool
}

func newRig(t *testing.T, w, h int, env ...string) *rig {
	t.Helper()
	r := &rig{t: t, clock: time.Unix(1_700_000_000, 0), emu: vt.NewEmulator(w, h)}
	env = append([]string{"TERM=xterm-256color", "HOME=/home/dev"}, env...)
	th := newTheme(env)
	r.painter = &painter{out: r, dumb: th.dumb}
	r.on = &canvas{p: r.painter, seen: func(a asks) { r.sighted(sightMsg{a, r.clock}) }}
	r.screen = newScreen(th, w, h, Options{Env: env, Version: "0.1.0", Policy: approval.LowRisk}, func() time.Time { return r.clock })
	r.screen.host, r.screen.canvas = r, r
	r.screen.draw(r.clock)
	return r
}

func (r *rig) boot(policy approval.Policy) *rig {
	ready := Ready{Session: &fake{}, Gate: approval.New(approval.Config{Policy: policy}), Model: "scripted/tour", Branch: "main", Dir: "/home/dev/src/zuno"}
	r.send(openedMsg{ready})
	r.send(readyMsg{ready: ready})
	return r
}

func (r *rig) Write(b []byte) (int, error) {
	r.raw.Write(b)
	return r.emu.Write(b)
}

func (r *rig) post(j job) {
	r.t.Helper()
	r.lines = append(r.lines, j.lines...)
	r.shown = j.frame
	if err := r.on.do(j); err != nil {
		r.t.Fatal(err)
	}
	if j.drawn != nil {
		close(j.drawn)
	}
}

func (r *rig) start(_ Session, p prompt) func() {
	r.started = append(r.started, p)
	return func() { r.stopped++ }
}

func (r *rig) change(_ Ready, open func(context.Context) (Ready, error)) {
	r.changes = append(r.changes, open)
}
func (r *rig) choose(_ *Offer, id string) { r.chosen = append(r.chosen, id) }
func (r *rig) run(do func() error, done func(error) tea.Msg) tea.Cmd {
	return func() tea.Msg { return done(do()) }
}
func (r *rig) behind() bool           { return r.held > 0 }
func (r *rig) wakeAt(d time.Duration) { r.wake = r.clock.Add(d) }
func (r *rig) fetch(f func() tea.Msg) { r.fetches = append(r.fetches, f) }
func (r *rig) arm(time.Time)          {}
func (r *rig) suspend()               {}
func (r *rig) resume() error          { return nil }
func (r *rig) regain() (bool, error)  { return true, nil }

func (r *rig) send(m tea.Msg) {
	switch key := m.(type) {
	case tea.KeyPressMsg:
		m = keyMsg{key, r.clock}
	case tea.PasteMsg:
		m = pasteMsg{key.Content, r.clock}
	}
	_, cmd := r.screen.Update(m)
	if cmd != nil {
		switch m := cmd().(type) {
		case tea.QuitMsg:
			r.quit = true
		case fetchedMsg, editedMsg:
			r.send(m)
		}
	}
	r.answer()
}

// answer carries out what was to be looked up, unless that takes a while.
func (r *rig) answer() {
	for len(r.fetches) > 0 && !r.slow {
		f := r.fetches[0]
		r.fetches = r.fetches[1:]
		r.send(f())
	}
}

// pass lets time go by, with the timer going off when it is due.
func (r *rig) pass(d time.Duration) {
	end := r.clock.Add(d)
	for !r.wake.IsZero() && !r.wake.After(end) {
		r.clock, r.wake = r.wake, time.Time{}
		r.send(wakeMsg{})
	}
	r.clock = end
}

// keys presses keys as a person does: a tenth of a second apart.
func (r *rig) keys(names ...string) {
	for _, n := range names {
		r.pass(100 * time.Millisecond)
		r.send(keyOf(n))
	}
	r.pass(100 * time.Millisecond)
}

// burst presses keys as a program does.
func (r *rig) burst(names ...string) {
	for _, n := range names {
		r.clock = r.clock.Add(100 * time.Microsecond)
		r.send(keyOf(n))
	}
}

func (r *rig) typed(s string) { r.keys(strings.Split(s, "")...) }

func keyOf(name string) tea.KeyPressMsg {
	k := tea.Key{}
	base := name
	for _, m := range []struct {
		prefix string
		mod    tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if rest, ok := strings.CutPrefix(base, m.prefix); ok {
			base, k.Mod = rest, k.Mod|m.mod
		}
	}
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "backspace": tea.KeyBackspace, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	if c, ok := named[base]; ok {
		k.Code = c
		return tea.KeyPressMsg(k)
	}
	k.Code = []rune(base)[0]
	if k.Mod == 0 {
		k.Text = base
	}
	return tea.KeyPressMsg(k)
}

// events folds events as the pump delivers them.
func (r *rig) events(evs ...loop.Event) {
	r.send(eventsMsg{events: evs})
	r.pass(50 * time.Millisecond)
}

// ask opens a card and returns where its answer arrives.
func (r *rig) ask(q approval.Request) *ask {
	a := &ask{q, make(chan approval.Answer, 1)}
	r.send(askMsg{a})
	return a
}

func (a *ask) answered(t *testing.T) approval.Answer {
	t.Helper()
	select {
	case ans := <-a.reply:
		return ans
	default:
		t.Fatal("the card was not answered")
		return approval.Answer{}
	}
}

func (a *ask) open(t *testing.T) {
	t.Helper()
	select {
	case ans := <-a.reply:
		t.Fatalf("the card was answered with %+v", ans)
	default:
	}
}

// frameText is the live zone, printedText what was printed above it.
func (r *rig) frameText() string   { return ansi.Strip(strings.Join(r.shown.rows, "\n")) }
func (r *rig) printedText() string { return ansi.Strip(strings.Join(r.lines, "\n")) }

func (r *rig) shows(want string) {
	r.t.Helper()
	if !strings.Contains(r.frameText(), want) {
		r.t.Errorf("the live zone does not show %q:\n%s", want, r.frameText())
	}
}

func (r *rig) hides(what string) {
	r.t.Helper()
	if strings.Contains(r.frameText(), what) {
		r.t.Errorf("the live zone shows %q:\n%s", what, r.frameText())
	}
}

func callOf(id, tool string) tools.Call {
	return tools.Call{ID: id, Tool: tool, Args: json.RawMessage(`{}`)}
}

// shellRequest is what the gate asks about a command.
func shellRequest(command string) approval.Request {
	return approval.Request{
		Proposal: &tools.Proposal{
			Call: callOf("c1", "shell"), Spec: tools.Spec{Name: "shell", Risk: tools.Unknown}, Summary: command,
			Preview: []tools.Section{{Kind: tools.Command, Body: command}}, Key: "go test",
		},
		Verdict: tools.High, Why: "classified high-risk, and the policy is low-risk", Key: "go test", Tool: true,
	}
}

func pickRequest() approval.Request {
	return approval.Request{
		Proposal: &tools.Proposal{
			Call: callOf("c2", "question"), Spec: tools.Spec{Name: "question", Effect: tools.UserMediated}, Summary: "Which database?",
			Preview: []tools.Section{{Kind: tools.Text, Body: "Which database?"}},
			Options: []tools.Option{{ID: "sqlite", Label: "SQLite", Detail: "one file"}, {ID: "pg", Label: "PostgreSQL"}, {ID: "other", Label: "Something else", Write: true}},
		},
		Why: "one of these must be chosen",
	}
}

func editRequest() approval.Request {
	return approval.Request{
		Proposal: &tools.Proposal{
			Call: callOf("c3", "apply_patch"), Spec: tools.Spec{Name: "apply_patch", Risk: tools.Low}, Summary: "internal/loop/run.go",
			Preview: []tools.Section{{Kind: tools.Diff, Body: sampleDiff}},
		},
		Why: "it is low-risk, and the policy is read-only", Tool: true,
	}
}

var _ Session = (*fake)(nil)

func begun(r *rig, text string) {
	r.typed(text)
	r.keys("enter")
	if len(r.started) == 0 {
		r.t.Fatalf("%q did not start a turn", text)
	}
}

func canceled() error { return fmt.Errorf("turn: %w", context.Canceled) }
