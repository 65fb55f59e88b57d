package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// An entryKind says what an entry of the session is.
type entryKind int

const (
	entryPrompt entryKind = iota
	entryCommand
	entryThought
	entryAnswer
	entryCall
	entryNote
)

// An entry is one thing that the session's events said, as it came and whole.
type entry struct {
	kind entryKind
	text string // of all but calls
	// more says that an answer or a thought goes on where the entry before ends,
	// and fence is the line that opened the fence it goes on in.
	more  bool
	fence string
	rec   tools.Record
	// preview is what was proposed.
	preview []tools.Section
}

// entries is the session as the pager reads it. The texts are those of the
// events, not copies.
type entries struct {
	list    []*entry
	open    strings.Builder // of the last entry, while it grows
	growing bool
	fence   string // the line that opened the fence which is open in it, "" outside of one
	line    int    // where in open the last line begins
	version int    // counts the changes
}

// An entry of an answer is closed at the end of a block beyond entrySoft bytes,
// and at the end of any line beyond entryHard: so that what grows is laid out
// anew at a cost that has a bound.
const (
	entrySoft = 8 << 10
	entryHard = 32 << 10
)

// apply follows one event; call is what is known of the call that it settles.
func (e *entries) apply(ev loop.Event, call *liveCall) {
	switch ev := ev.(type) {
	case loop.Prompted:
		kind := entryPrompt
		if ev.Operator {
			kind = entryCommand
		}
		e.add(&entry{kind: kind, text: ev.Text})
	case loop.Delta:
		e.grow(entryAnswer, ev.Text)
	case loop.Thought:
		e.grow(entryThought, ev.Text)
	case loop.Stepped:
		e.seal()
	case loop.Settled:
		n := &entry{kind: entryCall, rec: ev.Record}
		if call != nil {
			n.preview = call.preview
		}
		e.add(n)
	case loop.Noticed:
		text := ev.Text
		if ev.Retry && e.growing && e.last().kind == entryAnswer {
			text += doesNotCount
		}
		e.add(&entry{kind: entryNote, text: text})
	case loop.Ended:
		e.seal()
		if ev.Err != nil {
			e.add(&entry{kind: entryNote, text: ev.Err.Error()})
		}
	}
}

func (e *entries) add(n *entry) {
	e.seal()
	e.list = append(e.list, n)
	e.version++
}

// grow appends to the entry that is open, or opens one.
func (e *entries) grow(kind entryKind, text string) {
	if !e.growing || e.last().kind != kind {
		e.add(&entry{kind: kind})
		e.growing = true
	}
	e.version++
	for text != "" {
		at := strings.IndexByte(text, '\n') + 1
		if at == 0 {
			at = len(text)
		}
		e.open.WriteString(text[:at])
		for e.open.Len() > 2*entryHard {
			e.split(e.cutAt(entryHard))
		}
		if text[at-1] == '\n' {
			e.lineDone()
		}
		text = text[at:]
	}
}

// lineDone looks at the line that has become whole, and closes an entry that is
// long enough behind it.
func (e *entries) lineDone() {
	l := strings.TrimRight(e.open.String()[e.line:], "\r\n")
	e.line = e.open.Len()
	trimmed := strings.TrimLeft(l, " ")
	switch mark := fenceOf(trimmed); {
	case e.fence != "" && closes(trimmed, fenceOf(strings.TrimLeft(e.fence, " "))):
		e.fence = ""
	case e.fence == "" && mark != "":
		e.fence = l
	}
	n := e.open.Len()
	if n > entryHard || n > entrySoft && (e.fence != "" || strings.TrimSpace(l) == "") {
		e.split(n)
	}
}

// cutAt returns a place of at most n bytes where no character is cut.
func (e *entries) cutAt(n int) int {
	s := e.open.String()
	for n > 1 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// split closes the entry at its n-th byte; what follows goes on in another.
func (e *entries) split(n int) {
	s, fence := e.open.String(), e.fence
	last := e.last()
	last.text = s[:n]
	e.open = strings.Builder{}
	e.open.WriteString(s[n:])
	e.line = max(0, e.line-n)
	e.list = append(e.list, &entry{kind: last.kind, more: true, fence: fence})
}

// seal closes the entry that is open; one that turned out empty is dropped.
func (e *entries) seal() {
	if !e.growing {
		return
	}
	last := e.last()
	last.text = e.open.String()
	if last.text == "" {
		e.list = e.list[:len(e.list)-1]
	}
	e.open, e.growing, e.fence, e.line = strings.Builder{}, false, "", 0
	e.version++
}

func (e *entries) last() *entry { return e.list[len(e.list)-1] }

// text returns the text of entry i, as far as it has come.
func (e *entries) text(i int) string {
	if e.growing && i == len(e.list)-1 {
		return e.open.String()
	}
	return e.list[i].text
}

// whole returns the text of an entry with those that it goes on from and in.
func (e *entries) whole(i int) string {
	for i > 0 && e.list[i].more {
		i--
	}
	var b strings.Builder
	b.WriteString(e.text(i))
	for i++; i < len(e.list) && e.list[i].more; i++ {
		b.WriteString(e.text(i))
	}
	return b.String()
}

// copied is what entry i is when it is copied: an answer as Markdown, a call as
// its whole result. Nothing in it can drive a terminal.
func (e *entries) copied(i int) string {
	n := e.list[i]
	if n.kind != entryCall {
		return strings.TrimSpace(plain(e.whole(i)))
	}
	if n.rec.Outcome.Text == "" {
		return plain(n.rec.Summary)
	}
	return strings.TrimRight(plain(n.rec.Outcome.Text), "\n")
}

// find returns the index of the newest entry before i for which is says so, -1
// for none.
func (e *entries) find(before int, is func(*entry) bool) int {
	for i := min(before, len(e.list)) - 1; i >= 0; i-- {
		if is(e.list[i]) {
			return i
		}
	}
	return -1
}

func isCall(n *entry) bool { return n.kind == entryCall }

func isUncertain(n *entry) bool {
	return n.kind == entryCall && n.rec.Outcome.Kind == tools.Uncertain
}

// settledID returns the ID of the call that an event settles, else "".
func settledID(ev loop.Event) string {
	if s, ok := ev.(loop.Settled); ok {
		return s.Record.Call.ID
	}
	return ""
}
