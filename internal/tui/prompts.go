package tui

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/loop"
)

// A prompt is one line the person submitted.
type prompt struct {
	text     string
	operator bool
	// work, when not nil, is done in the place of the text: something that the
	// screen began itself.
	work func(ctx context.Context, emit func(loop.Event)) error
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
		s.cards = append(s.cards, newOffer(s.th, r.Offer, now, func(id string) {
			s.cards = s.cards[1:]
			s.hint = "starting" + s.th.glyph.more
			s.host.choose(r.Offer, id)
		}))
		return
	}
	s.ready = &r
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
	if r.Prompt != "" {
		s.queue = append([]prompt{promptOf(r.Prompt)}, s.queue...)
	}
	for _, do := range s.waiting {
		do()
	}
	s.waiting = nil
	s.next(now)
}

// submit takes what the person sent: a command for the UI, or a prompt for the
// queue. What cannot be taken stays in the composer.
func (s *screen) submit(now time.Time) {
	text := strings.TrimSpace(s.composer.buf.text())
	switch {
	case text == "":
		if len(s.queue) > 0 {
			s.paused = false
			s.next(now)
		}
		return
	case text == "!":
		s.hint = "! command runs a command yourself, at once: write a space after the exclamation mark"
		return
	}
	if c, arg, is, problem := slash(text, s.commands()); is {
		if problem != "" && s.ready == nil {
			problem = "the session is still starting; send it again when it is there"
		}
		if problem == "" {
			problem = c.run(s, arg)
		}
		if s.hint = problem; problem == "" {
			s.composer.take()
		}
		return
	}
	s.composer.take()
	s.queue = append(s.queue, promptOf(text))
	s.paused = s.paused && len(s.queue) > 1
	s.next(now)
}

func promptOf(text string) prompt {
	if isOperator(text) {
		return prompt{text: operatorCommand(text), operator: true}
	}
	return prompt{text: strings.TrimSpace(text)}
}

// next starts the first queued prompt when nothing runs.
func (s *screen) next(now time.Time) {
	if s.busy || s.paused || s.ready == nil || len(s.queue) == 0 || s.quitting {
		return
	}
	p := s.queue[0]
	s.queue = s.queue[1:]
	s.run(p, now)
}

func (s *screen) turnDone(err error, now time.Time) {
	s.dirty, s.urgent = true, true
	if !s.ended {
		s.print(s.script.apply(loop.Ended{Err: err, Took: now.Sub(s.began)}, now))
	}
	s.recount()
	s.paused = len(s.queue) > 0 && (err != nil || s.stopping)
	s.busy, s.stopping, s.stop, s.esc = false, false, nil, escape{}
	if then := s.then; then != nil {
		s.then = nil
		if err == nil {
			then()
		}
	}
	s.next(now)
}
