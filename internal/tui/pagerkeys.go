package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/loop"
)

// logged notes an event for the pager.
func (s *screen) logged(ev loop.Event) {
	var call *liveCall
	if id := settledID(ev); id != "" {
		call = s.script.calls.find(id)
		s.unfolded = 0
	}
	s.log.apply(ev, call)
}

// transcript opens the pager.
func (s *screen) transcript(string) string {
	switch {
	case s.th.dumb:
		return "this terminal cannot show the session on a screen of its own: it stands above, and /expand prints a whole result"
	case len(s.log.list) == 0:
		return "there is nothing to read yet"
	}
	w, h := s.w, s.h
	if !s.resize.at.IsZero() {
		w, h = s.resize.w, s.resize.h
	}
	s.sheet = false
	s.pager = newPager(s.th, &s.log, s.keys, w, h)
	return ""
}

// leavePager goes back to the inline screen, and prints what came meanwhile.
func (s *screen) leavePager(now time.Time) {
	if s.pager == nil {
		return
	}
	s.pager = nil
	for _, c := range s.cards {
		c.appeared = time.Time{} // until it is in sight again
	}
	s.canvas.post(job{inline: true})
	if !s.resize.at.IsZero() {
		s.resizeNow(now)
	}
	s.dirty, s.urgent = true, true
}

// awaits says what the person should go back to the inline screen for.
func (s *screen) awaits() string {
	if c := s.card(); c != nil {
		return "a card waits"
	}
	return ""
}

// pagerKey carries out a key in the pager.
func (s *screen) pagerKey(name, text string, now time.Time) tea.Cmd {
	p := s.pager
	s.urgent = true
	if p.line != nil {
		p.typed(name, text, s.keys.find(name, inLine))
		return nil
	}
	if name == " " {
		name = "space"
	}
	switch cmd := s.keys.find(name, inPager); cmd {
	case cmdLeave:
		s.leavePager(now)
	case cmdCopy:
		p.note = s.copyText(s.log.copied(p.chosen))
	case cmdResult:
		p.brief = !p.brief
		p.again()
		p.show(p.chosen, 0)
	case cmdFind:
		p.line, p.note = &buffer{}, ""
	default:
		p.move(cmd)
	}
	return nil
}

// move carries out a key that only moves.
func (p *pager) move(cmd command) {
	if len(p.log.list) == 0 {
		return
	}
	page := max(1, p.room()-2)
	switch cmd {
	case cmdDown:
		p.scroll(1)
	case cmdUp:
		p.scroll(-1)
	case cmdPageDown:
		p.scroll(page)
	case cmdPageUp:
		p.scroll(-page)
	case cmdHalfDown:
		p.scroll(max(1, page/2))
	case cmdHalfUp:
		p.scroll(-max(1, page/2))
	case cmdFirst:
		p.start()
	case cmdLast:
		p.end()
	case cmdNextFound:
		p.search(1)
	case cmdPrevFound:
		p.search(-1)
	case cmdNextCall:
		p.jump(1, isCall, "no call after this one")
	case cmdPrevCall:
		p.jump(-1, isCall, "no call before this one")
	case cmdNextUncertain:
		p.uncertain()
	}
}

// typed takes a key of the line that is searched for.
func (p *pager) typed(name, text string, cmd command) {
	switch {
	case name == "esc" || name == "ctrl+c":
		p.line = nil
	case name == "enter":
		p.query, p.line = strings.ToLower(p.line.text()), nil
		if p.query != "" {
			p.search(1)
		}
	case edit(p.line, cmd):
	case text != "":
		p.line.insert(normalise(text))
	}
}
