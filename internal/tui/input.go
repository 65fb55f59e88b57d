package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// early is how long after the start a key may have been typed before it: the
// terminal still edited its own lines then.
const early = 250 * time.Millisecond

// key routes one key: what stops or leaves first, then the keys that work
// everywhere, then the card, then the composer.
func (s *screen) key(k tea.KeyPressMsg, now time.Time) tea.Cmd {
	fast := s.composer.burst.key(now)
	s.dirty, s.urgent, s.typing = true, !fast, true
	name := k.String()
	if name == "ctrl+j" && (s.th.dumb || now.Sub(s.born) < early) {
		name = "enter" // a terminal that edits its own lines ends them with LF
	}
	cmd := s.keys.find(name, anywhere)
	if s.sheet && cmd != cmdCtrlC && cmd != cmdCtrlD {
		s.sheet = false
		if cmd == cmdEsc || cmd == cmdEscEsc || name == "?" {
			return nil
		}
	}
	switch cmd {
	case cmdEsc, cmdEscEsc, cmdCtrlC, cmdCtrlD:
		s.press(cmd, now)
		return nil
	case cmdPolicy:
		s.setPolicy(s.policy.Next())
		s.hint = ""
		return nil
	case cmdRepaint:
		s.resize = resizing{w: s.w, h: s.h, low: s.h, at: now.Add(-resizeQuiet)}
		return nil
	case cmdSuspend:
		return s.suspendNow()
	}
	s.esc = escape{}
	if c := s.card(); c != nil {
		places := []place{inCard}
		if c.line != nil {
			places = []place{inLine, inCard}
		}
		c.key(name, k.Text, s.keys.find(name, places...), now)
		return nil
	}
	s.compose(name, k.Text, now)
	return nil
}

// press feeds the machine of keys that stop or leave.
func (s *screen) press(cmd command, now time.Time) {
	k := map[command]press{cmdEsc: pressEsc, cmdEscEsc: pressEscEsc, cmdCtrlC: pressCtrlC, cmdCtrlD: pressCtrlD}[cmd]
	if c := s.card(); c != nil && (k == pressEsc || k == pressEscEsc) && c.back() {
		return
	}
	if !s.composer.burst.held.IsZero() {
		s.composer.burst.release()
	}
	var act action
	s.esc, act = s.esc.press(k, s.busy, !s.composer.buf.empty(), now)
	s.hint = ""
	if s.esc.armed(now) {
		s.host.arm(s.esc.at.Add(armFor))
	}
	switch act {
	case actStop:
		s.stopping = true
		if s.stop != nil {
			s.stop()
		}
	case actClear:
		s.composer.take()
	case actQuit:
		s.quitting = true
	case actRewind:
		if s.card() == nil {
			s.hint = s.rewind("")
		}
	}
}

// compose gives a key to the composer.
func (s *screen) compose(name, text string, now time.Time) {
	c := &s.composer
	if c.burst.more() {
		c.buf.insert("\n")
	}
	s.hint = ""
	cmd := s.keys.find(name, inComposer, inLine)
	switch {
	case cmd == cmdSubmit:
		if s.th.dumb {
			c.burst = burst{}
		}
		if c.enter(now) {
			s.submit(now)
		}
	case cmd == cmdHelp && c.buf.empty() && c.burst.fast == 0:
		s.sheet = true
	case cmd == cmdNewline:
		c.buf.insert("\n")
	case cmd == cmdComplete:
		if full, ok := complete(c.buf.text(), s.commands()); ok {
			c.buf.set(full)
		} else {
			s.completePath(c.buf.text())
		}
	case cmd == cmdUp:
		c.up()
	case cmd == cmdDown:
		c.down()
	case cmd == cmdUnqueue:
		s.unqueue()
	case cmd != cmdHelp && edit(&c.buf, cmd):
		c.back = 0
	case text != "":
		c.typed(text)
	}
}

// unqueue takes the newest queued message back into an empty composer.
func (s *screen) unqueue() {
	n := len(s.queue)
	if n == 0 || !s.composer.buf.empty() {
		return
	}
	p := s.queue[n-1]
	s.queue = s.queue[:n-1]
	if p.operator {
		p.text = "! " + p.text
	}
	s.composer.buf.set(p.text)
}

// paste takes text that the terminal marked as pasted. It never answers a card.
func (s *screen) paste(text string) {
	s.dirty, s.urgent = true, true
	s.sheet = false
	if c := s.card(); c != nil && c.line != nil {
		c.typed(text, cmdNone)
		return
	}
	s.composer.paste(text)
}

// suspendNow gives the terminal back and stops the process, as a shell's user
// expects of ctrl+z.
func (s *screen) suspendNow() tea.Cmd {
	s.suspended = true
	s.host.suspend()
	return tea.Suspend
}

// resumed takes the terminal again.
func (s *screen) resumed() {
	s.suspended = false
	if err := s.host.resume(); err != nil {
		s.err, s.quitting = err, true
		return
	}
	s.dirty, s.urgent = true, true
}
