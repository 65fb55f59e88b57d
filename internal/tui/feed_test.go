package tui

import (
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A stalled is a keyboard whose screen takes nothing until it goes on, and whose
// clock stands still until it is set.
type stalled struct {
	*keyboard
	t     *testing.T
	w     *os.File
	clock atomic.Int64
	asked atomic.Int64 // times that the clock was looked at
	gate  chan struct{}
	msgs  chan tea.Msg
}

func newStalled(t *testing.T) *stalled {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s := &stalled{t: t, w: w, gate: make(chan struct{}), msgs: make(chan tea.Msg, 100)}
	var armed atomic.Int64
	now := func() time.Time {
		defer s.asked.Add(1)
		return time.Unix(0, s.clock.Load())
	}
	s.keyboard, err = plug(r, nil, "xterm", &armed, nil, now, func(m tea.Msg) { <-s.gate; s.msgs <- m }, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.unplug()
		r.Close()
		w.Close()
	})
	return s
}

// typed has s read at a time, in milliseconds.
func (s *stalled) typed(text string, ms int64) {
	s.t.Helper()
	before := s.asked.Load()
	s.clock.Store(ms * int64(time.Millisecond))
	if _, err := s.w.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
	for s.asked.Load() == before {
		runtime.Gosched()
	}
}

// A screen that is held up learns when keys were read, and not when it got them.
func TestKeysComeWithTheTimeAtWhichTheyWereRead(t *testing.T) {
	s := newStalled(t)
	s.typed("a", 100)
	s.typed("b", 200)
	s.typed("cd", 300)
	s.typed("\x1b[200~x\ry\x1b[201~e", 400)
	if !s.behind() {
		t.Error("it does not know that keys wait")
	}
	s.clock.Store(int64(time.Hour))
	close(s.gate)
	for _, want := range []struct {
		text string
		ms   int64
	}{{"a", 100}, {"b", 200}, {"c", 300}, {"d", 300}, {"x\ry", 400}, {"e", 400}} {
		var text string
		var at time.Time
		switch m := (<-s.msgs).(type) {
		case keyMsg:
			text, at = m.Text, m.at
		case pasteMsg:
			text, at = m.text, m.at
		}
		if text != want.text || at.UnixMilli() != want.ms {
			t.Errorf("got %q at %d, want %q at %d", text, at.UnixMilli(), want.text, want.ms)
		}
	}
	for s.behind() {
		runtime.Gosched()
	}
}

// What one press of Ctrl+C by itself ends is not the keyboard.
func TestAPasteWithoutAnEndEndsWithCtrlC(t *testing.T) {
	s := newStalled(t)
	s.typed("\x1b[20", 1)
	s.typed("0~one\x03two", 2)
	s.typed("\r", 3)
	s.typed("\x03", 4)
	s.typed("z", 5)
	close(s.gate)
	if m, is := (<-s.msgs).(pasteMsg); !is || m.text != "one\x03two\r" {
		t.Errorf("pasted %q", m.text)
	}
	for _, want := range []string{"ctrl+c", "z"} {
		if m, is := (<-s.msgs).(keyMsg); !is || m.String() != want {
			t.Errorf("got %v, want %s", m, want)
		}
	}
}

func TestWhetherAPasteIsOpenIsKnown(t *testing.T) {
	for _, c := range []struct {
		chunks []string
		last   string // what becomes of the last one, "" for nothing
	}{
		{[]string{"\x03"}, ""},
		{[]string{"\x1b[200~a", "\x03"}, "\x1b[201~\x03"},
		{[]string{"\x1b[200~a", "\x1b[99;5u"}, "\x1b[201~\x1b[99;5u"},
		{[]string{"\x1b[200~a", "b\x03"}, ""},
		{[]string{"\x1b[200~a\x1b[201~", "\x03"}, ""},
		{[]string{"\x1b[200~a\x1b[20", "1~", "\x03"}, ""},
		{[]string{"\x1b[2", "00", "~", "\x03"}, "\x1b[201~\x03"},
		{[]string{"\x1b[200~a\x1b[201~b\x1b[200~", "\x03"}, "\x1b[201~\x03"},
		{[]string{"\x1b[200~a", "\x03", "\x03"}, ""},
	} {
		var p pasteMarks
		var got string
		for _, b := range c.chunks {
			got = string(p.note([]byte(b)))
		}
		if want := firstOf(c.last, c.chunks[len(c.chunks)-1]); got != want {
			t.Errorf("%q: got %q, want %q", c.chunks, got, want)
		}
	}
}

// late gives the screen keys that were read some milliseconds after now, when it
// has been held up for a second.
func (r *rig) late(keys map[int64]string, order ...int64) {
	began := r.clock
	r.clock = began.Add(time.Second)
	for i, ms := range order {
		r.held = len(order) - i - 1
		r.send(keyMsg{keyOf(keys[ms]), began.Add(time.Duration(ms) * time.Millisecond)})
		r.clock = r.clock.Add(50 * time.Millisecond)
		r.send(wakeMsg{})
	}
	r.held = 0
	r.pass(time.Second)
}

// A screen that is held up takes keys for a paste, or not, as they were read.
func TestAHeldUpScreenJudgesKeysByWhenTheyWereRead(t *testing.T) {
	slow := map[int64]string{100: "h", 250: "i", 400: "enter"}
	fast := map[int64]string{100: "h", 101: "i", 102: "enter", 103: "y", 104: "enter"}

	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.late(slow, 100, 250, 400)
	if len(r.started) != 1 || r.started[0].text != "hi" {
		t.Errorf("typed: started %v", r.started)
	}
	r = newRig(t, 80, 24).boot(approval.LowRisk)
	r.late(fast, 100, 101, 102, 103, 104)
	if got := r.composer.buf.text(); len(r.started) != 0 || got != "hi\ny" {
		t.Errorf("pasted: started %v, kept %q", r.started, got)
	}

	r = newRig(t, 80, 24).boot(approval.LowRisk)
	a := r.ask(shellRequest("git status"))
	r.pass(time.Second)
	r.late(map[int64]string{100: "y", 101: "e"}, 100, 101)
	a.open(t)
	r.late(map[int64]string{100: "x", 200: "y"}, 100, 200)
	if got := a.answered(t); got.Verb != approval.Once {
		t.Errorf("typed y answers %+v", got)
	}
}

// A key that was read before a card came into sight answers nothing, however
// late the screen gets it.
func TestAKeyReadBeforeACardIsNoAnswer(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	typed := r.clock
	r.pass(5 * time.Second)
	a := r.ask(shellRequest("rm x"))
	r.pass(time.Second)
	r.send(keyMsg{keyOf("y"), typed})
	r.pass(time.Second)
	a.open(t)
}

// A card takes no answer before the terminal has it: while another size is
// being settled, and while the transcript hides it.
func TestACardIsAnsweredOnlyOnceItIsInSight(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.events(loop.Prompted{Text: "x"})
	r.send(sizeMsg{90, 30})
	a := r.ask(shellRequest("rm x"))
	for range 20 { // the window is being dragged
		r.clock = r.clock.Add(50 * time.Millisecond)
		r.send(sizeMsg{90 + len(r.lines)%2, 30})
	}
	r.send(keyOf("y"))
	r.clock = r.clock.Add(2 * burstEnd)
	r.send(wakeMsg{})
	a.open(t)
	r.pass(time.Second)
	r.keys("ctrl+t")
	r.pass(time.Second)
	r.leavePager(r.clock) // and a slow terminal has not drawn the card again
	if !r.card().early(r.clock) {
		t.Error("the card takes answers before it is in sight again")
	}
	r.show(r.clock)
	r.send(keyOf("y"))
	r.pass(time.Second)
	a.open(t)
	r.shows("Run once")
	r.keys("y")
	if got := a.answered(t); got.Verb != approval.Once {
		t.Errorf("got %+v", got)
	}
}

// Whoever presses a key twice answers one question and not the next.
func TestTheNextQuestionTakesNoKeyAtOnce(t *testing.T) {
	q := pickRequest()
	q.Proposal.Options = []tools.Option{
		{ID: "a", Label: "A", Group: "First?"},
		{ID: "b", Label: "B", Group: "First?"},
		{ID: "c", Label: "C", Group: "Second?"},
		{ID: "d", Label: "D", Group: "Second?"},
	}
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	a := r.ask(q)
	r.pass(time.Second)
	r.keys("1", "1")
	r.pass(time.Second)
	a.open(t)
	r.shows("Second?")
	r.keys("2")
	if got := a.answered(t); got.Choice != "a\nd" {
		t.Errorf("got %+v", got)
	}
}

// C075: what follows the end of a paste at once belongs to it: the text held
// what ends one.
func TestWhatFollowsAPasteAtOnceSendsNothing(t *testing.T) {
	for _, rest := range [][]string{{"enter"}, {"x", "enter"}} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		r.pass(time.Second)
		r.send(tea.PasteMsg{Content: "before"})
		r.burst(rest...)
		r.send(tea.PasteMsg{}) // the true end
		r.pass(time.Second)
		if got := r.composer.buf.text(); len(r.started) != 0 || got[len(got)-1] != '\n' {
			t.Errorf("%v: started %v, kept %q", rest, r.started, got)
		}
		r.keys("enter")
		if len(r.started) != 1 {
			t.Errorf("%v: a press of Enter does not send it", rest)
		}
	}
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.pass(time.Second)
	r.send(tea.PasteMsg{Content: "as a program does"})
	r.burst("enter")
	r.pass(time.Second)
	if len(r.started) != 1 {
		t.Error("a paste and Enter, and nothing after it, is not sent")
	}
}
