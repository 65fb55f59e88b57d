package tui

import (
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/loop"
)

// spoken is what a terminal that cannot move its cursor is told instead of a
// live zone: a card when it appears, and the lines about it or the composer
// when they change. Its lines are edited by the terminal itself.
func (s *screen) spoken(now time.Time) []string {
	c := s.card()
	var rows []string
	if c != nil {
		if c != s.said.card {
			rows = append([]string{""}, c.view(max(20, s.w-1), 1<<20, false, now).rows...)
		} else if c.note != "" {
			rows = append(rows, c.note)
		}
		if c.line != nil {
			rows = append(rows, c.rows[c.choice].asks, c.foot(max(20, s.w-1), false, now))
		}
	} else {
		if s.hint != "" {
			rows = append(rows, s.hint)
		}
		if s.stopping {
			rows = append(rows, "stopping")
		}
		if s.esc.armed(now) {
			rows = append(rows, "again stops the turn")
		}
		rows = append(rows, s.queued(max(20, s.w-1))...)
	}
	text := fmt.Sprint(rows)
	if c == s.said.card && text == s.said.text {
		return nil
	}
	s.said.card, s.said.text = c, text
	return rows
}

// tell says aloud what the live zone shows elsewhere: that a call runs, and that
// it is the person's turn.
func (s *screen) tell(ev loop.Event, replay bool) {
	if !s.th.reader || replay {
		return
	}
	switch ev := ev.(type) {
	case loop.Started:
		if c := s.script.calls.find(ev.Call.ID); c != nil {
			s.print([]string{clip("running: "+plainLine(c.tool)+" "+plainLine(c.subject), max(20, s.w-1))})
		}
	case loop.Classifying:
		s.print([]string{"classifying: " + plainLine(ev.Call.Tool)})
	case loop.Ended:
		s.print([]string{"ready"})
	}
}

// A said is what a dumb terminal was told last.
type said struct {
	card *card
	text string
}
