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
	"github.com/zuno-dev/zuno/internal/loop"
)

// A shelf is a Queue in memory.
type shelf struct {
	list []Waiting
	last int64
	fail error
}

func (q *shelf) Put(text string, steers bool) (int64, error) {
	if q.fail != nil {
		return 0, q.fail
	}
	q.last++
	q.list = append(q.list, Waiting{q.last, text, steers})
	return q.last, nil
}

func (q *shelf) find(id int64) int {
	return slices.IndexFunc(q.list, func(w Waiting) bool { return w.ID == id })
}

func (q *shelf) Take(id int64) (bool, error) {
	i := q.find(id)
	if i < 0 {
		return false, q.fail
	}
	q.list = slices.Delete(q.list, i, i+1)
	return true, q.fail
}

func (q *shelf) Raise(id int64) (bool, error) {
	i := q.find(id)
	if i < 0 {
		return false, nil
	}
	w := q.list[i]
	q.list = slices.Insert(slices.Delete(q.list, i, i+1), 0, w)
	return true, nil
}

func (q *shelf) String() string {
	var s []string
	for _, w := range q.list {
		kind := "after"
		if w.Steers {
			kind = "steer"
		}
		s = append(s, kind+" "+w.Text)
	}
	return strings.Join(s, ", ")
}

func withQueue(t *testing.T, waiting ...Waiting) (*rig, *shelf) {
	r, q := newRig(t, 80, 30), &shelf{}
	q.list = slices.Clone(waiting)
	for _, w := range waiting {
		q.last = max(q.last, w.ID)
	}
	ready := Ready{Session: &fake{}, Gate: approval.New(approval.Config{}), Queue: q, Waiting: waiting}
	r.send(openedMsg{ready})
	r.send(readyMsg{ready: ready})
	return r, q
}

// say sends a text with a key.
func (r *rig) say(text, key string) {
	r.typed(text)
	r.keys(key)
}

func TestMessagesAreStoredBeforeTheyWait(t *testing.T) {
	r, q := withQueue(t)
	begun(r, "go")
	if q.String() != "" {
		t.Errorf("what starts at once is stored as %s", q)
	}
	r.say("look left", "enter")
	r.say("then this", "tab")
	r.say("! make", "enter")
	if got := q.String(); got != "steer look left, after then this, after ! make" {
		t.Errorf("stored %s", got)
	}
	r.shows("» steer 1: look left")
	r.shows("› queued 2: then this")
	r.shows("! queued 3: make")
	r.events(loop.Prompted{Text: "look left", Steers: true, Queued: 1})
	r.hides("look left")
	r.send(turnDoneMsg{})
	if len(r.started) != 2 || r.started[1].text != "then this" || r.started[1].id != 2 {
		t.Fatalf("started %+v", r.started)
	}
	r.say("! ls", "enter")
	r.send(turnDoneMsg{})
	if len(r.started) != 3 || !r.started[2].operator {
		t.Fatalf("started %+v", r.started)
	}
	r.say("a word to the command", "enter")
	if got := q.list[len(q.list)-1]; got.Steers {
		t.Error("a message steers a command, which nobody asks")
	}
}

func TestAMessageThatSteersTooLateStartsATurn(t *testing.T) {
	r, _ := withQueue(t)
	begun(r, "go")
	r.say("wait", "enter")
	r.send(turnDoneMsg{})
	if len(r.started) != 2 || r.started[1].id != 1 {
		t.Errorf("started %+v", r.started)
	}
}

// What the person does with a message that is being stored is done when it is.
func TestAMessageIsTakenBackWhileItIsStored(t *testing.T) {
	r, q := withQueue(t)
	begun(r, "go")
	r.slow = true
	r.say("never this", "tab")
	stored := r.fetches[0]()
	r.fetches = nil
	r.keys("alt+up")
	if got := r.composer.buf.text(); got != "" {
		t.Errorf("%q came back before it was known that it waits", got)
	}
	r.slow = false
	r.send(stored)
	if got := r.composer.buf.text(); got != "never this" || q.String() != "" || len(r.queue.list) > 0 {
		t.Errorf("the composer has %q, stored is %q, %d wait", got, q, len(r.queue.list))
	}
}

// The turn takes a message up before the screen hears that it is stored.
func TestAMessageIsNotTakenUpTwice(t *testing.T) {
	r, _ := withQueue(t)
	begun(r, "go")
	r.slow = true
	r.say("now", "enter")
	stored := r.fetches[0]()
	r.fetches = nil
	r.events(loop.Prompted{Text: "now", Steers: true, Queued: 1})
	r.send(turnDoneMsg{})
	if len(r.started) != 1 {
		t.Fatal("what is not stored yet was started")
	}
	r.send(stored)
	r.slow = false
	r.pass(time.Second)
	if len(r.started) != 1 || len(r.queue.list) != 0 {
		t.Errorf("started %+v, waiting %+v", r.started, r.queue.list)
	}
}

func TestAMessageIsTakenBackUnlessItIsTooLate(t *testing.T) {
	r, q := withQueue(t)
	begun(r, "go")
	r.say("one", "enter")
	r.say("two", "tab")
	r.keys("alt+up")
	if got := r.composer.buf.text(); got != "two" || q.String() != "steer one" {
		t.Errorf("taken back %q, stored %s", got, q)
	}
	r.keys("alt+up")
	r.shows("there is a draft: Ctrl+S puts it aside")
	r.keys("ctrl+s")
	q.list = nil // the turn has it
	r.keys("alt+up")
	r.shows("it was taken up meanwhile")
	r.shows("1 draft put aside: Ctrl+S brings it back")
	r.hides("one")
	q.fail = errors.New("the disk is full")
	r.say("three", "enter")
	r.shows("not through a crash: the disk is full")
	r.shows("queued 1 (not stored): three")
	r.keys("alt+up")
	if got := r.composer.buf.text(); got != "three" {
		t.Errorf("taken back %q", got)
	}
}

func TestNothingStartsWhileItIsTakenBack(t *testing.T) {
	r, _ := withQueue(t)
	begun(r, "go")
	r.say("one", "enter")
	r.slow = true
	r.keys("alt+up")
	r.send(turnDoneMsg{})
	if len(r.started) != 1 {
		t.Fatal("started and taken back")
	}
	r.slow = false
	r.answer()
	if got := r.composer.buf.text(); got != "one" || len(r.started) != 1 {
		t.Errorf("%q, started %+v", got, r.started)
	}
}

func TestWhatWaitedFromBeforeIsPaused(t *testing.T) {
	r, _ := withQueue(t, Waiting{4, "old one", true}, Waiting{5, "! make", false})
	r.shows("queued 1: old one")
	r.shows("! queued 2: make")
	r.shows("queue paused · Enter to resume")
	if len(r.started) > 0 {
		t.Fatal("it starts by itself")
	}
	r.say("first this", "enter")
	if len(r.started) != 1 || r.started[0].text != "first this" {
		t.Fatalf("started %+v", r.started)
	}
	r.send(turnDoneMsg{})
	if len(r.started) != 1 {
		t.Fatal("the pause is forgotten")
	}
	r.keys("enter")
	r.send(turnDoneMsg{})
	if len(r.started) != 3 || r.started[1].id != 4 || r.started[2].id != 5 || !r.started[2].operator {
		t.Errorf("started %+v", r.started)
	}
}

func TestAPromptOfTheCommandLineGoesBeforeWhatWaits(t *testing.T) {
	r := newRig(t, 80, 24)
	r.queue.add(promptOf("from the command line"))
	r.queue.add(promptOf("typed early"))
	q := &shelf{list: []Waiting{{7, "old", false}}, last: 7}
	ready := Ready{Session: &fake{}, Queue: q, Waiting: q.list}
	r.send(readyMsg{ready: ready})
	if len(r.started) != 1 || r.started[0].text != "from the command line" {
		t.Fatalf("started %+v", r.started)
	}
	if q.String() != "after old, after typed early" {
		t.Errorf("stored %s", q)
	}
	r.shows("queue paused")
}

func TestTheQueueIsAList(t *testing.T) {
	r, q := withQueue(t)
	r.say("/queue", "enter")
	r.shows("nothing waits")
	r.keys("ctrl+u")
	begun(r, "go")
	for _, s := range []string{"one", "two", "three"} {
		r.say(s, "tab")
	}
	open := func(row string) {
		r.say("/queue", "enter")
		r.pass(time.Second)
		r.keys(row)
		r.pass(time.Second)
	}
	open("3")
	r.shows("Let it go first")
	r.keys("1")
	r.pass(time.Second)
	if got := q.String(); got != "after three, after one, after two" {
		t.Errorf("raised: %s", got)
	}
	open("2")
	r.keys("3")
	r.pass(time.Second)
	if got := q.String(); got != "after three, after two" {
		t.Errorf("removed: %s", got)
	}
	open("1")
	r.keys("2")
	r.pass(time.Second)
	if got := r.composer.buf.text(); got != "three" || q.String() != "after two" {
		t.Errorf("edited: %q, %s", got, q)
	}
	r.hides("three  ")
}

// A hundred messages keep their order, however long the record takes.
func TestMessagesKeepTheirOrder(t *testing.T) {
	r, q := withQueue(t)
	begun(r, "go")
	r.slow = true
	for i := range 100 {
		r.send(tea.PasteMsg{Content: fmt.Sprintf("m%02d", i)})
		r.keys("tab")
	}
	r.slow = false
	r.answer()
	for i, w := range q.list {
		if w.Text != fmt.Sprintf("m%02d", i) || w.ID != r.queue.list[i].id {
			t.Fatalf("message %d is %+v, on the screen %+v", i, w, r.queue.list[i])
		}
	}
	if len(q.list) != 100 {
		t.Errorf("%d are stored", len(q.list))
	}
}

// TestAPromptThatWasNotSentComesBack: to the composer, beside what was typed
// meanwhile, or to the queue that it came from.
func TestAPromptThatWasNotSentComesBack(t *testing.T) {
	unsent := &loop.UnsaidError{Err: errors.New("the disk is full")}
	r, _ := withQueue(t)
	begun(r, "a long prompt")
	r.send(turnDoneMsg{r.started[0], unsent})
	r.shows("› a long prompt")
	r.shows("in the composer again")
	r.keys("enter")
	if len(r.started) != 2 || r.started[1].text != "a long prompt" {
		t.Fatalf("started %+v", r.started)
	}
	r.typed("typed meanwhile")
	r.send(turnDoneMsg{r.started[1], unsent})
	r.shows("› typed meanwhile")
	r.shows("put aside")
	r.keys("enter", "ctrl+s")
	r.shows("› a long prompt")
	r.keys("esc", "esc")

	r, q := withQueue(t)
	begun(r, "first")
	r.say("second", "tab")
	r.send(turnDoneMsg{prompt: r.started[0]})
	if len(r.started) != 2 || r.started[1].id == 0 {
		t.Fatalf("started %+v; stored %s", r.started, q)
	}
	r.send(turnDoneMsg{r.started[1], unsent})
	if len(r.queue.list) != 1 || r.queue.list[0].text != "second" || !r.queue.paused || len(r.started) != 2 {
		t.Errorf("waiting: %+v", r.queue.list)
	}
}

// A card of messages that wait shows none that has gone: it comes anew, and takes
// no answer at once, or closes.
func TestTheCardOfTheQueueFollowsIt(t *testing.T) {
	r, _ := withQueue(t)
	begun(r, "go")
	r.say("one", "tab")
	r.say("two", "tab")
	r.say("/queue", "enter")
	r.pass(time.Second)
	r.shows("queued 2: two")
	first := r.card()
	r.send(turnDoneMsg{})
	if c := r.card(); c == nil || c == first || strings.Contains(r.frameText(), "queued 1: one") {
		t.Fatalf("the card still shows what has gone:\n%s", r.frameText())
	}
	r.shows("queued 1: two")
	r.keys("1")
	r.shows("too early")
	r.pass(time.Second)
	r.keys("1")
	r.shows("choose · message")
	r.send(turnDoneMsg{})
	if r.card() != nil {
		t.Errorf("the card of a message that has gone is still there:\n%s", r.frameText())
	}
	r.shows(tooLate)
}
