package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// key routes one key that was read at now: what stops or leaves first, then the
// keys that work everywhere, then the card, then the composer.
func (s *screen) key(k tea.KeyPressMsg, now time.Time) tea.Cmd {
	s.overdue(now)
	fast := s.composer.burst.key(k.Text != "", now)
	s.dirty, s.urgent, s.typing = true, !fast, true
	s.beacon.pressed = now
	name := k.String()
	if name == "ctrl+j" && s.th.dumb {
		name = "enter" // a terminal that edits its own lines ends them with LF
	}
	if s.pager != nil && s.keys.find(name, anywhere) != cmdSuspend {
		return s.pagerKey(name, k.Text, now)
	}
	if s.composer.search != nil && s.card() == nil && s.keys.find(name, inSearch) == cmdScope {
		s.widen()
		return nil
	}
	cmd := s.keys.find(name, anywhere)
	if s.sheet && cmd != cmdCtrlC && cmd != cmdCtrlD {
		s.sheet = false
		if cmd == cmdEsc || cmd == cmdEscEsc || name == "?" {
			return nil
		}
	}
	if c := s.card(); c != nil && cmd != cmdNone {
		c.stray(now)
	}
	switch cmd {
	case cmdEsc, cmdEscEsc, cmdCtrlC, cmdCtrlD:
		s.press(cmd, now)
		return nil
	case cmdPolicy:
		if s.composer.burst.text {
			return nil // in what a terminal pasted without saying so
		}
		s.setPolicy(s.policy.Next())
		s.hint = ""
		return nil
	case cmdRepaint:
		s.resize = resizing{w: s.w, h: s.h, low: s.h, at: now.Add(-s.quiet())}
		return nil
	case cmdSuspend:
		if noSuspend != "" {
			s.hint = noSuspend
			return nil
		}
		s.leavePager(now)
		return s.suspendNow()
	case cmdTranscript:
		s.hint = s.transcript("")
		return nil
	case cmdResult:
		s.hint = s.expand("")
		return nil
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
	return s.compose(name, k.Text, now)
}

// press feeds the machine of keys that stop or leave.
func (s *screen) press(cmd command, now time.Time) {
	k := map[command]press{cmdEsc: pressEsc, cmdEscEsc: pressEscEsc, cmdCtrlC: pressCtrlC, cmdCtrlD: pressCtrlD}[cmd]
	if c := s.card(); c != nil && (k == pressEsc || k == pressEscEsc) && c.back() {
		return
	}
	s.chord = ""
	if k == pressCtrlD && s.erasesRight() {
		return
	}
	if !s.composer.burst.held.IsZero() {
		s.composer.burst.release()
	}
	if s.pressed(k) {
		return
	}
	var act action
	s.esc, act = s.esc.press(k, s.busy || s.asked() && k != pressCtrlD, !s.composer.buf.empty(), now)
	s.hint = ""
	if s.esc.armed(now) {
		s.host.arm(s.esc.at.Add(armFor))
	}
	switch act {
	case actStop:
		if !s.busy {
			s.dismiss()
			return
		}
		s.stopping = true
		if s.stop != nil {
			s.stop()
		}
	case actClear:
		s.composer.take()
		s.popup = nil
		s.hint = s.keys.hint(s.th, cmdUp, inComposer) + " brings the draft back"
	case actQuit:
		s.quitting = true
	case actRewind:
		if s.card() == nil {
			s.hint = s.rewind("")
		}
	}
}

// erasesRight does what the key that leaves does in a text, as in a shell's line,
// and reports whether there is one.
func (s *screen) erasesRight() bool {
	b := &s.composer.buf
	switch c := s.card(); {
	case c != nil && c.line != nil:
		b = c.line
	case c != nil, s.composer.vim.on && !s.composer.vim.insert, s.composer.search != nil, b.empty():
		return false
	default:
		s.composer.back = 0
		defer s.repopup()
	}
	s.hint, s.esc = "", escape{}
	return edit(b, cmdEraseRight)
}

// compose gives a key to the composer.
func (s *screen) compose(name, text string, now time.Time) tea.Cmd {
	c := &s.composer
	if c.burst.more() {
		c.buf.insert("\n")
	}
	s.hint = ""
	name, whole := s.chorded(name)
	if !whole {
		return nil
	}
	defer s.repopup()
	cmd := s.keys.find(name, inComposer, inLine)
	switch {
	case c.burst.fast > 0 && pastes(cmd) && !strings.Contains(name, " "):
		// A control byte in what a terminal pasted without saying so.
	case c.search != nil && c.searchKey(cmd, text, now):
	case cmd == cmdEditor:
		return s.editElsewhere()
	case c.vi(name, text, cmd):
	case s.does(cmd, now):
	case cmd == cmdHelp && c.buf.empty() && c.burst.fast == 0:
		s.sheet = true
	case cmd != cmdHelp && edit(&c.buf, cmd):
		c.back = 0
	case text != "":
		c.typed(text)
	}
	return nil
}

// pastes reports commands that must not come about by text that is pasted.
func pastes(cmd command) bool {
	return cmd == cmdEditor || cmd == cmdStash || cmd == cmdSearch || cmd == cmdUnqueue || cmd == cmdUndo
}

// does carries out what a key does in the composer but edit, and reports
// whether it was that.
func (s *screen) does(cmd command, now time.Time) bool {
	c := &s.composer
	switch cmd {
	case cmdSubmit:
		if s.th.dumb {
			c.burst = burst{}
		}
		if !s.popEnter() && c.enter(now) {
			s.submit(now)
		}
	case cmdNewline:
		c.buf.insert("\n")
	case cmdComplete:
		s.tab(now)
	case cmdUp:
		if !s.popMove(-1) {
			c.up()
		}
	case cmdDown:
		if !s.popMove(1) {
			c.down()
		}
	case cmdUnqueue:
		s.unqueue()
	case cmdSearch:
		c.searchOn()
	case cmdStash:
		if c.buf.empty() {
			c.bring()
		} else {
			c.putAside()
		}
	case cmdExpand:
		if !c.buf.expand() {
			s.hint = "there is no paste beside the cursor"
		}
	default:
		return false
	}
	return true
}

// tab completes what can be completed; what cannot is sent for after the turn
// that runs.
func (s *screen) tab(now time.Time) {
	text := s.composer.buf.text()
	if full, ok := complete(text, s.commands()); ok {
		s.composer.buf.set(full)
		return
	}
	switch {
	case isOperator(text):
		s.completePath(text)
	case s.composer.burst.fast > 0:
		s.composer.typed("\t")
	case s.popTake(true):
	case s.busy && strings.TrimSpace(text) != "":
		s.send(true, now)
	}
}

// chorded joins a key to the one before it where both make a command, and
// reports whether it is whole.
func (s *screen) chorded(name string) (string, bool) {
	if s.chord != "" {
		name, s.chord = s.chord+" "+name, ""
		if s.keys.find(name, inComposer, inLine) == cmdNone {
			s.hint = keyNames([]string{name}) + " means nothing"
			return "", false
		}
		return name, true
	}
	if s.keys.first[name] {
		s.chord = name
		return "", false
	}
	return name, true
}

// keyOf is how the first key of a command of the composer is spelt for people.
func (s *screen) keyOf(cmd command) string {
	for _, b := range s.keys.table {
		if b.do == cmd && b.where != inCard && len(b.keys) > 0 {
			return keyNames(b.keys[:1])
		}
	}
	return "(no key)"
}

// overdue does what was held back until it was known that nothing follows at
// once, when what follows was read at now.
func (s *screen) overdue(now time.Time) {
	if c := s.card(); c != nil {
		c.tick(now, s.now())
	}
	if at := s.composer.burst.due(); !at.IsZero() && !now.Before(at) && s.composer.burst.release() {
		s.submit(s.now())
		s.repopup()
	}
}

// paste takes text that the terminal marked as pasted, and read at now. It never
// answers a card, and keys that follow it at once belong to it: the text may
// have held what ends a paste.
func (s *screen) paste(text string, now time.Time) {
	s.overdue(now)
	s.dirty, s.urgent = true, true
	s.sheet, s.hint = false, ""
	if s.composer.burst.pasted(now) {
		s.composer.buf.insert("\n")
	}
	if c := s.card(); c != nil && s.pager == nil {
		c.stray(now)
	}
	if s.pager != nil { // nothing is typed blindly into what cannot be seen
		if s.pager.line != nil {
			s.pager.line.insert(strings.ReplaceAll(normalise(text), "\n", " "))
		}
		return
	}
	if c := s.card(); c != nil && c.line != nil {
		c.typed(text, cmdNone, now)
		return
	}
	defer s.repopup()
	if path, is := pictureOf(text); is && s.drop(path, text) {
		return
	}
	s.composer.paste(text)
}

// pressed gives a key that stops or leaves to what is open in the composer, and
// reports whether it closed something.
func (s *screen) pressed(k press) bool {
	c := &s.composer
	if k != pressEsc && k != pressCtrlC || s.card() != nil {
		return false
	}
	s.hint = ""
	switch {
	case c.search != nil:
		c.searchOff(false)
		s.repopup()
	case s.popAway():
	case k == pressEsc && c.vim.leave(&c.buf):
	case k == pressEsc && c.vim.on && !s.busy && !c.buf.empty():
		// Who uses vi presses Esc to be sure of the mode, and not to lose a draft.
	default:
		return false
	}
	return true
}

// suspendNow gives the terminal back and stops the process, as a shell's user
// expects of ctrl+z.
func (s *screen) suspendNow() tea.Cmd {
	s.suspended = true
	s.host.suspend()
	return suspendProcess
}

// goesOn is what a process does that was stopped from outside: the shell has had
// the terminal, and nothing of ours stands where it was.
func (s *screen) goesOn() {
	if s.suspended {
		return // it was for whoever has the terminal
	}
	lost, err := s.host.regain()
	switch {
	case err != nil:
		s.err, s.quitting = err, true
		return
	case !lost:
		return
	}
	s.beacon.titled = ""
	s.canvas.post(job{anew: true})
	s.dirty, s.urgent = true, true
}

// resumed takes the terminal again.
func (s *screen) resumed() {
	s.suspended = false
	if err := s.host.resume(); err != nil {
		s.err, s.quitting = err, true
		return
	}
	s.beacon.titled = "" // the shell has its own
	s.dirty, s.urgent = true, true
}
