package tui

import (
	"fmt"
	"slices"

	"github.com/zuno-dev/zuno/internal/tools"
)

// listQueue lists the messages that wait and asks what to do with one.
func (s *screen) listQueue(string) string {
	if why := s.noQueue(); why != "" {
		return why
	}
	var options []tools.Option
	for i, p := range s.queue.list {
		options = append(options, tools.Option{ID: fmt.Sprint(p.n), Label: s.waits(i, p)})
	}
	text := []tools.Section{{Kind: tools.Text, Body: "These messages wait, the first to go first. " + s.keys.esc(s.th) + " leaves them as they are."}}
	shown := slices.Clone(s.queue.list)
	c := s.choose("queue", text, options, func(id string) {
		for _, p := range s.queue.list {
			if fmt.Sprint(p.n) == id {
				s.askQueued(p)
				return
			}
		}
		s.hint = tooLate
	})
	c.follow = func() {
		if !slices.ContainsFunc(shown, func(p prompt) bool { return s.queue.index(p.n) < 0 }) {
			return
		}
		if c.cancel(); s.noQueue() != "" {
			s.hint = tooLate
			return
		}
		s.listQueue("") // as a card of its own, which takes no answer at once
	}
	return ""
}

// noQueue says why the queue cannot be shown now, "" when it can.
func (s *screen) noQueue() string {
	switch {
	case len(s.queue.list) == 0:
		return "nothing waits"
	case s.card() != nil:
		return "answer the card first"
	}
	return ""
}

// askQueued asks what to do with one message that waits.
func (s *screen) askQueued(p prompt) {
	options := []tools.Option{
		{ID: "raise", Label: "Let it go first"},
		{ID: "edit", Label: "Edit it", Detail: "takes it out of the queue, into the composer"},
		{ID: "remove", Label: "Remove it"},
	}
	c := s.choose("message", []tools.Section{{Kind: exact, Body: p.typed()}}, options, func(id string) {
		switch id {
		case "raise":
			s.raise(p.n)
		case "edit":
			s.takeBack(p.n, true)
		case "remove":
			s.takeBack(p.n, false)
		}
	})
	c.follow = func() {
		if s.queue.index(p.n) < 0 {
			c.cancel()
			s.hint = tooLate
		}
	}
}
