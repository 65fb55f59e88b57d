package tui

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/loop"
)

// A prompt is one line the person submitted.
type prompt struct {
	text     string
	operator bool
	// work, when not nil, is done in the place of the text: something that the
	// screen began itself.
	work func(ctx context.Context, emit func(loop.Event)) error

	// What follows is of a prompt that waits. n tells it from the others; id is
	// its ID in the session's Queue, zero when it is not stored.
	n      int
	id     int64
	steers bool
	held   bool   // it is being stored or taken back
	wish   func() // what to do when it is held no more
	lost   bool   // it could not be stored
}

// booted takes the session that is ready now, or what there is instead.
func (s *screen) booted(m readyMsg, now time.Time) {
	s.dirty, s.urgent = true, true
	if m.err != nil && s.left != nil {
		s.stayed(m.err)
		return
	}
	if m.err != nil {
		if !errors.Is(m.err, ErrLeave) {
			s.err = m.err
		}
		s.quitting = true
		return
	}
	r := m.ready
	s.hint = ""
	if r.Offer != nil {
		s.cards = append(s.cards, newOffer(s.th, r.Offer, func(id string) {
			s.cards = s.cards[1:]
			s.hint = "starting" + s.th.glyph.more
			s.host.choose(r.Offer, id)
		}))
		return
	}
	s.ready, s.ran, s.over = &r, nil, nil
	s.doubts = r.InDoubt
	if r.Gate != nil {
		if s.repolicy {
			r.Gate.SetPolicy(s.policy)
		}
		s.policy = r.Gate.Policy()
	}
	for _, n := range r.Notices {
		s.print(s.script.note(n))
	}
	for _, do := range s.waiting {
		do()
	}
	s.waiting = nil
	s.repopup() // for a mention that was begun before there were files
	s.open(r, now)
}

// open begins with what was asked for already. Messages that an earlier run
// left behind wait until the person says so.
func (s *screen) open(r Ready, now time.Time) {
	asked := s.queue.list
	if r.Prompt != "" {
		asked = append([]prompt{promptOf(r.Prompt)}, asked...)
	}
	s.queue.list = nil
	for _, w := range r.Waiting {
		s.queue.add(w.prompt())
	}
	s.queue.paused = len(r.Waiting) > 0
	if len(asked) > 0 {
		s.run(asked[0], now)
		for _, p := range asked[1:] {
			s.queue.add(p)
		}
	}
	s.store()
	s.next(now)
	s.popup = nil
	s.repopup() // what was typed before there were files to offer
}

// submit takes what the person sent: a command for the UI, or a prompt. What
// cannot be taken stays in the composer.
func (s *screen) submit(now time.Time) { s.send(false, now) }

// send is submit; after says that the turn that runs is not to be steered.
func (s *screen) send(after bool, now time.Time) {
	text := strings.TrimSpace(s.composer.buf.text())
	switch {
	case text == "":
		if s.queue.paused {
			s.queue.paused = false
			s.next(now)
		}
		return
	case text == "!":
		s.hint = "! command runs a command yourself, at once: write a space after the exclamation mark"
		return
	}
	if s.command(text) {
		return
	}
	if c, arg, is := s.called(text); is && c.Check != nil {
		if problem := c.Check(arg); problem != "" {
			s.hint = "/" + plainLine(c.Name) + ": " + plainLine(problem)
			return
		}
	}
	s.give(promptOf(s.sent()), after, now)
}

// give begins a turn with p, or has it wait; after says that the turn that runs
// is not to be steered.
func (s *screen) give(p prompt, after bool, now time.Time) {
	switch {
	case !s.busy && s.ready != nil && (len(s.queue.list) == 0 || s.queue.paused):
		s.run(p, now)
	default:
		p.steers = s.busy && s.steers && !after && !p.operator && s.ready.Queue != nil
		s.queue.add(p)
		s.store()
		s.next(now)
	}
}

// sent empties the composer for good.
func (s *screen) sent() string {
	text, keep := s.composer.take()
	if keep && s.ready != nil && s.ready.Remember != nil {
		remember := s.ready.Remember
		s.host.fetch(func() tea.Msg {
			remember(text)
			return fetchedMsg{func(*screen) {}}
		})
	}
	return text
}

// command carries out a / command, and reports whether text is one.
func (s *screen) command(text string) bool {
	if s.composer.buf.pasted() {
		return false // a paste that looks like a command is text
	}
	c, arg, is, problem := slash(text, s.commands())
	if !is {
		return false
	}
	if problem != "" && s.ready == nil {
		problem = "the session is still starting; send it again when it is there"
	}
	if problem == "" {
		problem = c.obstacle(s)
	}
	s.hint = ""
	if problem == "" {
		s.calling = plainLine(text)
		problem = c.run(s, arg)
		s.calling = ""
	}
	if problem == "" || c.name != "" && c.arg == "" { // else what was typed stays, to be mended
		s.sent()
	}
	if problem != "" {
		s.hint = problem
	}
	return true
}

func promptOf(text string) prompt {
	if isOperator(text) {
		return prompt{text: operatorCommand(text), operator: true}
	}
	return prompt{text: strings.TrimSpace(text)}
}

// giveBack returns a prompt that could not be recorded, and so was not sent, to
// where it came from.
func (s *screen) giveBack(m turnDoneMsg) {
	var unsaid *loop.UnsaidError
	p := m.prompt
	switch {
	case !errors.As(m.err, &unsaid):
	case p.id != 0: // it waits in the record still
		s.queue.add(p)
		s.queue.paused = true
	case s.composer.buf.empty():
		s.composer.buf.set(p.text)
		s.hint = "what was not sent is in the composer again"
	default: // not over what was typed meanwhile
		typed := s.composer.buf.cells
		s.composer.buf.set(p.text)
		s.composer.putAside()
		s.composer.buf.setCells(typed)
		s.hint = "what was not sent is put aside: " + s.keyOf(cmdStash) + " brings it back into an empty composer"
	}
}

func (s *screen) turnDone(err error, now time.Time) {
	s.dirty, s.urgent = true, true
	if !s.ended {
		s.print(s.script.apply(loop.Ended{Err: s.advised(err), Took: now.Sub(s.began)}, now))
	}
	switch took := now.Sub(s.began); {
	case s.stopping: // the person is here
	case err != nil:
		s.beckon("stopped: "+err.Error(), now)
	case took >= s.beacon.notify.Long:
		s.beckon("done after "+duration(took), now)
	}
	s.recount()
	s.synced()
	s.queue.paused = len(s.queue.list) > 0 && (s.queue.paused || err != nil || s.stopping)
	s.busy, s.stopping, s.stop, s.esc = false, false, nil, escape{}
	if then := s.then; then != nil {
		s.then = nil
		if err == nil {
			then()
		}
	}
	s.next(now)
}
