package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// The states a call in flight is shown in.
const (
	stateProposing   = "proposing"
	stateQueued      = "queued"
	stateClassifying = "classifying"
	stateAsking      = "awaiting approval"
	stateRunning     = "running"
	stateSettling    = "settling"
)

// A liveCall is a call that has not settled.
type liveCall struct {
	id, tool, subject string
	state             string
	began             time.Time
	line              string // its latest output
	preview           []tools.Section
}

// live is the calls in flight, in the model's order.
type live struct {
	calls  []*liveCall
	coming int // calls of the model's message that are not proposed yet
}

func (l *live) find(id string) *liveCall {
	for _, c := range l.calls {
		if c.id == id {
			return c
		}
	}
	return nil
}

// apply follows one event. Events of calls that it does not know are not its.
func (l *live) apply(ev loop.Event, now time.Time) {
	switch ev := ev.(type) {
	case loop.Stepped:
		l.coming = ev.Calls
	case loop.Proposed:
		l.coming = max(0, l.coming-1)
		c := &liveCall{id: ev.Call.ID, tool: ev.Call.Tool, state: stateQueued}
		if p := ev.Proposal; p != nil {
			c.subject, c.preview = p.Summary, p.Preview
		}
		l.calls = append(l.calls, c)
	case loop.Classifying:
		l.set(ev.Call.ID, stateClassifying)
	case loop.Classified:
		l.set(ev.Call.ID, stateQueued)
	case loop.Asked:
		l.set(ev.Call.ID, stateAsking)
	case loop.Decided:
		l.set(ev.Call.ID, stateQueued)
		if !ev.Decision.Allowed {
			l.set(ev.Call.ID, stateSettling)
		}
	case loop.Started:
		l.set(ev.Call.ID, stateRunning)
		if c := l.find(ev.Call.ID); c != nil {
			c.began = now
		}
	case loop.Progress:
		if c := l.find(ev.Call.ID); c != nil && ev.Progress.Text != "" {
			if lines, _ := outputLines(ev.Progress.Text, 1); len(lines) > 0 {
				c.line = lines[0]
			}
		}
	}
}

func (l *live) set(id, state string) {
	if c := l.find(id); c != nil {
		c.state = state
	}
}

// settle takes the call out and returns it, nil when it never was proposed.
func (l *live) settle(id string) *liveCall {
	for i, c := range l.calls {
		if c.id == id {
			l.calls = append(l.calls[:i], l.calls[i+1:]...)
			return c
		}
	}
	l.coming = max(0, l.coming-1)
	return nil
}

// maxLive is how many calls are shown one by one.
const maxLive = 6

// rows draws the calls in flight.
func (l *live) rows(th *theme, w int, mark string, now time.Time) []string {
	var rows []string
	for i, c := range l.calls {
		if i == maxLive-1 && len(l.calls) > maxLive {
			rows = append(rows, th.muted.render(fmt.Sprintf("  %s +%d more calls", th.glyph.more, len(l.calls)-i)))
			break
		}
		rows = append(rows, c.rows(th, w, mark, now)...)
	}
	if l.coming > 0 && len(l.calls) == 0 {
		rows = append(rows, th.accent.render(mark)+" "+th.muted.render(stateProposing+" "+count(l.coming, "call")))
	}
	return rows
}

func (c *liveCall) rows(th *theme, w int, mark string, now time.Time) []string {
	state := c.state
	if state == stateRunning {
		state += elapsed(now.Sub(c.began))
	}
	st := th.accent
	if c.state == stateAsking {
		st = th.warn
	}
	name, room := nameRoom(c.tool, state, w-5)
	row := st.render(mark) + " " + th.strong.render(name) + " "
	if room > 6 {
		row += clipMiddle(plainLine(c.subject), room) + "  "
	}
	rows := []string{row + th.muted.render(state)}
	if c.line != "" {
		rows = append(rows, th.muted.render("  "+th.glyph.bar+" "+clip(c.line, w-4)))
	}
	return rows
}

// nameRoom is how name is shown beside state, and how many of w columns are left
// for what stands between them: the state is what a row is for, and no name,
// which may be as long as a server likes, pushes it off.
func nameRoom(name, state string, w int) (string, int) {
	name = plainLine(name)
	most := w - width(state)
	name = pad(clipMiddle(name, min(most, max(toolWidth, w/2))), min(most, toolWidth))
	return name, most - width(name)
}

// toolWidth lines up the subjects of most tools.
const toolWidth = 11

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// duration prints a time as a person would say it.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%dms", max(0, d.Milliseconds()))
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh %02dm", int(d.Hours()), int(d.Minutes())%60)
}

// tokensWord prints a number of tokens.
func tokensWord(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d tok", n)
	case n < 100_000:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1000), ".0") + "k tok"
	}
	return fmt.Sprintf("%dk tok", n/1000)
}
