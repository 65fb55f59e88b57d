package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestTheComposerIsUsableBeforeTheSessionIsThere(t *testing.T) {
	r := newRig(t, 80, 24)
	r.shows("starting")
	r.typed("first")
	r.keys("enter")
	r.keys("shift+tab")
	if len(r.started) != 0 {
		t.Fatal("a turn began without a session")
	}
	r.shows("queued 1: first")
	r.boot(approval.LowRisk)
	if len(r.started) != 1 || r.started[0].text != "first" {
		t.Errorf("started %v", r.started)
	}
	if got := r.ready.Gate.Policy(); got != approval.HighRisk {
		t.Errorf("the policy chosen meanwhile is lost: %s", got)
	}
	if got := r.printedText(); !strings.Contains(got, "zuno · 0.1.0 · scripted/tour") || !strings.Contains(got, "~/src/zuno · main") {
		t.Errorf("the header is %q", got)
	}
}

func TestPromptsAreQueuedWhileATurnRuns(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	begun(r, "one")
	r.typed("two")
	r.keys("enter")
	r.typed("! three")
	r.keys("enter")
	r.shows("queued 1: two")
	r.shows("! queued 2: three")
	if len(r.started) != 1 {
		t.Fatalf("started %v", r.started)
	}
	r.events(loop.Prompted{Text: "one"}, loop.Ended{})
	r.send(turnDoneMsg{})
	if len(r.started) != 2 || r.started[1].text != "two" {
		t.Fatalf("started %v", r.started)
	}
	r.send(turnDoneMsg{err: errors.New("overloaded")})
	r.pass(time.Second)
	if len(r.started) != 2 {
		t.Error("the queue goes on after an error")
	}
	r.shows("queue paused · Enter to resume")
	r.keys("alt+up")
	if got := r.composer.buf.text(); got != "! three" {
		t.Errorf("taken back: %q", got)
	}
	r.keys("enter")
	if len(r.started) != 3 || !r.started[2].operator {
		t.Errorf("started %v", r.started)
	}
}

func TestTheQueueWaitsAfterAnInterrupt(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	begun(r, "one")
	r.typed("two")
	r.keys("enter")
	r.keys("esc")
	r.shows("Esc again stops the turn")
	r.pass(2 * time.Second)
	r.hides("Esc again stops")
	r.keys("esc", "esc")
	if r.stopped != 1 {
		t.Fatalf("stopped %d times", r.stopped)
	}
	r.shows("stopping")
	r.keys("alt+esc")
	if r.stopped != 2 {
		t.Error("a second stop during the cleanup is not passed on")
	}
	r.send(turnDoneMsg{err: canceled()})
	r.shows("queue paused")
	if !strings.Contains(r.printedText(), "■ interrupted") {
		t.Errorf("printed %q", r.printedText())
	}
	r.keys("enter")
	if len(r.started) != 2 || r.started[1].text != "two" {
		t.Errorf("started %v", r.started)
	}
}

func TestLeavingTakesTwoPresses(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.keys("ctrl+c")
	r.shows("again to leave")
	r.pass(2 * time.Second)
	r.hides("again to leave")
	r.keys("ctrl+d", "x", "ctrl+c")
	if r.quit {
		t.Fatal("left too early")
	}
	r.keys("ctrl+c")
	if !r.quit {
		t.Error("two presses do not leave")
	}
}

func TestABootErrorEndsTheUI(t *testing.T) {
	r := newRig(t, 80, 24)
	r.send(readyMsg{err: errors.New("read config: broken")})
	if !r.quit || r.err == nil {
		t.Error("it goes on")
	}
	r = newRig(t, 80, 24)
	r.send(readyMsg{err: ErrLeave})
	if !r.quit || r.err != nil {
		t.Errorf("leaving an offer: quit %t, error %v", r.quit, r.err)
	}
}

func TestAnOfferIsAPicker(t *testing.T) {
	r := newRig(t, 80, 24)
	r.send(readyMsg{ready: offered(nil, approval.LowRisk)})
	r.pass(time.Second)
	r.shows("no model is configured")
	r.keys("enter")
	if len(r.chosen) != 0 {
		t.Fatal("something was chosen beforehand")
	}
	r.keys("1")
	if len(r.chosen) != 1 || r.chosen[0] != "tour" {
		t.Errorf("chosen %v", r.chosen)
	}
}

func TestNothingHappensWhenNothingHappens(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.pass(time.Minute)
	n := r.raw.Len()
	r.pass(time.Hour)
	if r.raw.Len() != n || !r.wake.IsZero() {
		t.Errorf("%d bytes and a timer at %v while idle", r.raw.Len()-n, r.wake)
	}
	r.ask(shellRequest("go test"))
	r.pass(time.Minute)
	n = r.raw.Len()
	r.pass(time.Hour)
	if r.raw.Len() != n || !r.wake.IsZero() {
		t.Error("an open card keeps the terminal busy")
	}
}

func TestFramesAreBounded(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	begun(r, "go")
	r.events(loop.Prompted{Text: "go"})
	frames := 0
	last := r.shown
	for range 1000 { // a second of deltas
		r.clock = r.clock.Add(time.Millisecond)
		r.send(eventsMsg{events: []loop.Event{loop.Delta{Text: "word "}}})
		if !r.shown.same(last) {
			frames++
			last = r.shown
		}
	}
	if frames > 31 {
		t.Errorf("%d frames in a second", frames)
	}
}

func TestTheStatusLineKeepsThePolicy(t *testing.T) {
	for w := 1; w < 200; w += 3 {
		r := newRig(t, w, 24).boot(approval.Yolo)
		r.events(loop.Used{Usage: llm.Usage{Input: 30_000, Output: 1_000}, Cost: 0.04})
		row := r.status(max(1, w-1))
		if w > 8 && !strings.Contains(row, "yolo") || width(row) > max(4, w) {
			t.Errorf("at %d: %q", w, row)
		}
	}
}

func TestNoSizeBreaksAnything(t *testing.T) {
	sizes := [][2]int{{1, 1}, {2, 2}, {10, 1}, {1, 50}, {20, 6}, {40, 10}, {80, 24}, {400, 120}, {500, 200}}
	states := map[string]func(r *rig){
		"idle":      func(*rig) {},
		"draft":     func(r *rig) { r.composer.buf.set("日本語 a long draft\nof lines " + strings.Repeat("x", 300)) },
		"streaming": func(r *rig) { r.events(loop.Prompted{Text: "x"}, loop.Delta{Text: prose + moreProse}) },
		"table": func(r *rig) {
			r.events(loop.Delta{Text: "| a | b |\n|---|---|\n| 日本語 | " + strings.Repeat("x", 99) + " |\n"})
		},
		"live": func(r *rig) {
			for i := range 9 {
				c := callOf(fmt.Sprint(i), "shell")
				r.events(loop.Proposed{Call: c, Proposal: &tools.Proposal{Call: c, Summary: strings.Repeat("sub ", 40)}}, loop.Started{Call: c},
					loop.Progress{Call: c, Progress: tools.Progress{Text: "output\n"}})
			}
		},
		"receipts": func(r *rig) { r.events(everyReceipt()...) },
		"card":     func(r *rig) { r.ask(shellRequest(strings.Repeat("long command ", 200))) },
		"diff":     func(r *rig) { r.ask(editRequest()) },
		"picker":   func(r *rig) { r.ask(pickRequest()) },
		"reason":   func(r *rig) { r.ask(pickRequest()); r.pass(time.Second); r.keys("n", "x") },
		"sheet":    func(r *rig) { r.keys("?") },
		"queue":    func(r *rig) { r.queue = queue{list: make([]prompt, 9), paused: true} },
		"jobs": func(r *rig) {
			r.ready.Jobs = func() []Job {
				return slices.Repeat([]Job{{ID: "bg-日本", Command: strings.Repeat("x ", 99), Running: true, Last: "y"}}, 9)
			}
		},
	}
	for name, enter := range states {
		for _, from := range [][2]int{{80, 24}, {1, 1}} {
			r := newRig(t, from[0], from[1]).boot(approval.LowRisk)
			enter(r)
			for _, to := range append(sizes, [2]int{0, 0}, from) {
				r.emu.Resize(max(1, to[0]), max(1, to[1]))
				r.send(sizeMsg{to[0], to[1]})
				r.pass(time.Second)
				if n := len(r.shown.rows); n > max(1, r.h-2) {
					t.Errorf("%s at %v: %d rows", name, to, n)
				}
				for _, row := range r.shown.rows {
					if width(row) > max(1, r.w-1) {
						t.Errorf("%s at %v: the row %q takes %d", name, to, row, width(row))
					}
				}
				if r.shown.cy >= max(1, len(r.shown.rows)) || r.shown.cx >= max(1, r.w) {
					t.Errorf("%s at %v: the cursor is at %d,%d", name, to, r.shown.cx, r.shown.cy)
				}
			}
		}
	}
}

func TestNoColourLeavesWordsAndGlyphs(t *testing.T) {
	r := newRig(t, 80, 24, "NO_COLOR=1").boot(approval.LowRisk)
	r.events(everyReceipt()...)
	r.ask(editRequest())
	for _, seq := range []string{"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[35m", "\x1b[36m", ";3", "\x1b[1;3"} {
		if strings.Contains(strings.Join(append(r.lines, r.shown.rows...), "\n"), seq) {
			t.Errorf("%q is written although NO_COLOR is set", seq)
		}
	}
}

func TestADumbTerminalGetsLinesAndNothingElse(t *testing.T) {
	r := newRig(t, 80, 24, "TERM=dumb").boot(approval.LowRisk)
	r.events(loop.Prompted{Text: "go"}, loop.Delta{Text: prose}, loop.Stepped{})
	r.events(everyReceipt()...)
	a := r.ask(shellRequest("go test"))
	r.pass(time.Second)
	r.burst("y", "ctrl+j")
	r.pass(time.Second)
	if got := a.answered(t); got.Verb != approval.Once {
		t.Errorf("got %+v", got)
	}
	r.pass(time.Second)
	r.burst("h", "i", "ctrl+j")
	if len(r.started) != 1 || r.started[0].text != "hi" {
		t.Errorf("started %v", r.started)
	}
	if strings.Contains(r.raw.String(), "\x1b") {
		t.Errorf("an escape sequence is written: %q", r.raw.String())
	}
	for _, want := range []string{"$ go test", "1 y  Run once", "+ shell", "# write"} {
		if !strings.Contains(r.raw.String(), want) {
			t.Errorf("%q is not said:\n%s", want, r.raw.String())
		}
	}
}

func TestRepliesOfTheTerminalAreNotText(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	a := r.ask(shellRequest("go test"))
	r.pass(time.Second)
	for _, m := range []tea.Msg{tea.BackgroundColorMsg{}, tea.CursorPositionMsg{X: 3, Y: 5}, tea.FocusMsg{}, tea.BlurMsg{}, tea.ModeReportMsg{}, tea.KeyboardEnhancementsMsg{}, tea.MouseWheelMsg{}} {
		r.send(m)
	}
	a.open(t)
	if !r.composer.buf.empty() {
		t.Errorf("the composer holds %q", r.composer.buf.text())
	}
}

func TestTheKeySheetIsMadeFromTheTable(t *testing.T) {
	r := newRig(t, 100, 40).boot(approval.LowRisk)
	r.keys("?")
	r.shows("next approval policy")
	r.keys("esc")
	r.hides("next approval policy")
	md := Keys()
	for _, b := range bindings() {
		if b.help != "" && !strings.Contains(md, b.help) {
			t.Errorf("%v is not in the table", b.keys)
		}
	}
	seen := map[string]bool{}
	for _, b := range bindings() {
		for _, k := range b.keys {
			id := fmt.Sprint(b.where, k)
			if seen[id] {
				t.Errorf("%s is bound twice in one place", k)
			}
			seen[id] = true
		}
	}
}

func TestNoLineIsLostByAResizeWithoutReflow(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	begun(r, "go")
	for i := range 109 {
		r.events(loop.Delta{Text: fmt.Sprintf("L%04d line\n\n", i)})
	}
	r.events(loop.Stepped{})
	for _, size := range [][2]int{{60, 24}, {40, 20}, {100, 10}, {80, 24}} {
		r.emu.Resize(size[0], size[1])
		r.send(sizeMsg{size[0], size[1]})
		r.pass(time.Second)
	}
	r.events(loop.Ended{})
	all := r.emuText()
	for i := range 109 {
		if !strings.Contains(all, fmt.Sprintf("L%04d line", i)) {
			t.Errorf("L%04d is lost", i)
		}
	}
	if n := strings.Count(all, "working"); n != 1 {
		t.Errorf("%d live zones are left:\n%s", n, all)
	}
}

// emuText is the scrollback and the screen.
func (r *rig) emuText() string {
	var b strings.Builder
	for y := range r.emu.ScrollbackLen() {
		for x := range r.emu.Width() {
			if c := r.emu.ScrollbackCellAt(x, y); c != nil {
				b.WriteString(c.Content)
			}
		}
		b.WriteByte('\n')
	}
	return b.String() + r.emu.String()
}

// What ended a turn is shown with what the person can do about it, once.
func TestAnErrorSaysWhatToDo(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.opts.Advise = func(err error) error { return fmt.Errorf("%w (check the key)", err) }
	r.events(loop.Prompted{Text: "hi"}, loop.Ended{Err: errors.New("HTTP 401: invalid key")})
	if n := strings.Count(r.printedText(), "HTTP 401: invalid key (check the key)"); n != 1 {
		t.Errorf("%d times in\n%s", n, r.printedText())
	}
	r.events(loop.Prompted{Text: "hi"}, loop.Ended{})
	if strings.Count(r.printedText(), "check the key") != 1 {
		t.Errorf("a turn that went well has advice:\n%s", r.printedText())
	}
}
