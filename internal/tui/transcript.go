package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A transcript is the fold of a session's events: what is settled becomes lines
// for the scrollback, once; what is not is kept for the live zone.
type transcript struct {
	th *theme
	w  int // columns a line may take
	// brief leaves out what receipts show of calls that went well.
	brief bool

	answer   stream
	thoughts cleaner
	thought  string // the last line of what the model thinks
	calls    live
	filling  filling
	explored explored
	last     block // what was printed last
	busy     bool
	settled  int // calls of this turn
	usage    llm.Usage
	judging  llm.Usage // the classifier's
	cost     float64
	history  []string // what the person said
}

// A block is a kind of lines; a blank line is put between kinds.
type block int

const (
	blockNone block = iota
	blockHeader
	blockPrompt
	blockAnswer
	blockAnswered // a complete answer: another one is apart
	blockReceipt
	blockNote
	blockPage // what a command printed
)

// apply folds one event in and returns the lines that are final now.
func (t *transcript) apply(ev loop.Event, now time.Time) []string {
	t.calls.apply(ev, now)
	t.filling.apply(ev)
	switch ev := ev.(type) {
	case loop.Prompted:
		t.busy, t.settled = true, 0
		return t.prompted(ev)
	case loop.Delta:
		t.thought = ""
		lines := t.closeExplored()
		return append(lines, t.put(blockAnswer, t.answer.write(ev.Text, t.w))...)
	case loop.Thought:
		t.think(ev.Text)
	case loop.Stepped:
		t.thought = ""
		return t.closeAnswer()
	case loop.Settled:
		return t.settle(ev.Record)
	case loop.Noticed:
		if ev.Retry {
			return t.again(ev.Text)
		}
		return append(t.closeExplored(), t.note(ev.Text)...)
	case loop.Used:
		t.used(ev)
	case loop.Ended:
		return t.end(ev)
	case loop.Proposed, loop.Classifying, loop.Classified, loop.Asked, loop.Decided, loop.Started, loop.Progress,
		loop.Compacting, loop.Measured:
		// The live zone or the status line shows them.
	}
	return nil
}

// put returns rows with a blank line before them where the kind changes.
func (t *transcript) put(kind block, rows []string) []string {
	if len(rows) == 0 {
		return nil
	}
	if t.last != blockNone && (t.last != kind || kind == blockPrompt || kind == blockPage) {
		rows = append([]string{""}, rows...)
	}
	t.last = kind
	return rows
}

func (t *transcript) prompted(ev loop.Prompted) []string {
	lines := t.closeExplored()
	glyph, st, text := t.th.glyph.user, t.th.user, ev.Text
	if ev.Operator {
		glyph, st = t.th.glyph.operator, t.th.operator
		t.history = append(t.history, "! "+text)
	} else {
		t.history = append(t.history, text)
	}
	rows := wrapWhole([]span{{strings.TrimRight(verbatim(text), "\n"), t.th.strong}}, min(t.w, proseWidth), st.render(glyph)+" ", "  ")
	return append(lines, t.put(blockPrompt, rows)...)
}

func (t *transcript) think(piece string) {
	s := t.thought + t.thoughts.write(piece)
	if at := strings.LastIndexByte(strings.TrimRight(s, "\n"), '\n'); at >= 0 {
		s = s[at+1:]
	}
	if n := len(s) - 4*proseWidth; n > 0 {
		s = strings.ToValidUTF8(s[n:], "")
	}
	t.thought = s
}

// doesNotCount is said below an answer that broke off and is asked for again.
const doesNotCount = "; what was said of this answer so far does not count"

// again says why the model is asked once more. What had come of its answer goes
// from the live zone; when a part of it stands in the scrollback, the rest joins
// it, and what it is worth is said.
func (t *transcript) again(why string) []string {
	t.thought, t.thoughts = "", cleaner{}
	var lines []string
	if t.answer.begun() {
		lines, why = t.closeAnswer(), why+doesNotCount
	} else {
		t.answer = stream{md: t.answer.md}
	}
	lines = append(lines, t.closeExplored()...)
	return append(lines, t.note(why)...)
}

func (t *transcript) closeAnswer() []string {
	t.thoughts = cleaner{}
	rows := t.put(blockAnswer, t.answer.flush(t.w))
	if t.last == blockAnswer {
		t.last = blockAnswered
	}
	return rows
}

func (t *transcript) settle(rec tools.Record) []string {
	lines := t.closeAnswer()
	call := t.calls.settle(rec.Call.ID)
	t.settled++
	if folds(rec) {
		t.explored.add(rec)
		return lines
	}
	lines = append(lines, t.closeExplored()...)
	r := receipt{th: t.th, w: t.w, rec: rec, brief: t.brief && rec.Outcome.Kind == tools.OK && (rec.Outcome.ExitCode == nil || *rec.Outcome.ExitCode == 0)}
	if call != nil {
		r.preview = call.preview
	}
	return append(lines, t.put(blockReceipt, r.rows())...)
}

func (t *transcript) closeExplored() []string {
	rows := t.explored.rows(t.th, t.w)
	t.explored = explored{}
	return t.put(blockReceipt, rows)
}

func (t *transcript) note(text string) []string {
	text = strings.TrimSpace(plain(text))
	if text == "" {
		return nil
	}
	return t.put(blockNote, wrapWhole([]span{{text, style{}}}, min(t.w, proseWidth), t.th.warn.render(t.th.glyph.note)+" ", "  "))
}

// problem is a note of something that went wrong.
func (t *transcript) problem(text string) []string {
	return t.put(blockNote, wrapWhole([]span{{strings.TrimSpace(plain(text)), t.th.fail}}, min(t.w, proseWidth), t.th.fail.render(t.th.glyph.fail)+" ", "  "))
}

func (t *transcript) used(ev loop.Used) {
	if ev.Purpose == "classifier" {
		t.judging = t.judging.Add(ev.Usage)
	} else {
		t.usage = t.usage.Add(ev.Usage)
	}
	t.cost += ev.Cost
}

// end closes the turn, whatever was still open in it.
func (t *transcript) end(ev loop.Ended) []string {
	lines := append(t.closeAnswer(), t.closeExplored()...)
	t.busy, t.thought, t.calls = false, "", live{}
	switch {
	case errors.Is(ev.Err, context.Canceled):
		lines = append(lines, t.put(blockNote, []string{t.th.warn.render(t.th.glyph.cancelled) + " interrupted" + t.worked(ev.Took)})...)
	case ev.Err != nil:
		lines = append(lines, t.problem(ev.Err.Error())...)
	case t.settled > 0 && ev.Took >= time.Second:
		lines = append(lines, t.put(blockNote, []string{t.th.muted.render("worked " + duration(ev.Took))})...)
	}
	return lines
}

func (t *transcript) worked(took time.Duration) string {
	if took < time.Millisecond {
		return ""
	}
	return t.th.muted.render(" after " + duration(took))
}

// explored is the read-only calls that settled one after another: they share
// one receipt.
type explored struct {
	names []string
	n     map[string]int
	what  []string
	took  time.Duration
	first tools.Record
	total int
}

// folds reports whether a settled call is one of those that share a receipt: it
// only looked, nothing went wrong and nobody was asked.
func folds(r tools.Record) bool {
	o := r.Outcome
	return r.Effect == tools.ReadOnly && o.Kind == tools.OK && o.ExitCode == nil && len(o.Changes) == 0 &&
		len(o.Show) == 0 && !r.Operator && r.Decision.By != tools.ByPerson
}

func (e *explored) add(r tools.Record) {
	if e.n == nil {
		e.n, e.first = map[string]int{}, r
	}
	if e.n[r.Call.Tool] == 0 {
		e.names = append(e.names, r.Call.Tool)
	}
	e.n[r.Call.Tool]++
	e.total++
	e.took += r.Took
	if len(e.what) < 20 {
		e.what = append(e.what, plainLine(r.Summary))
	}
}

// rows returns the receipt, none when there is nothing to say.
func (e *explored) rows(th *theme, w int) []string {
	switch e.total {
	case 0:
		return nil
	case 1:
		return receipt{th: th, w: w, rec: e.first}.rows()
	}
	parts := make([]string, len(e.names))
	for i, n := range e.names {
		parts[i] = fmt.Sprintf("%s %d", plainLine(n), e.n[n])
	}
	spans := []span{{pad("explored", toolWidth) + " ", th.strong}, {strings.Join(parts, th.glyph.dot), style{}}, {"  ok", th.muted}}
	if e.took >= time.Millisecond {
		spans = append(spans, span{th.glyph.dot + duration(e.took), th.muted})
	}
	rows := wrap(spans, w, th.ok.render(th.glyph.ok)+" ", "  ")
	return append(rows, th.muted.render("  "+clip(strings.Join(e.what, ", "), max(4, w-2))))
}
