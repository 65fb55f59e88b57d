package tui

import (
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
)

// ask opens the card of a question; withdraw takes it away.
func (s *screen) ask(a *ask, now time.Time) {
	s.dirty, s.urgent = true, true
	dir := ""
	if s.ready != nil {
		dir = firstOf(s.ready.Root, s.ready.Dir)
	}
	c := newCard(s.th, a.request, dir, func(ans approval.Answer) {
		a.reply <- ans
		s.remove(a)
	})
	c.layout, c.keymap = &s.layout, s.keys
	s.editor(c, a.request.Proposal.Call.ID)
	if a.request.CheckKey != nil {
		s.keyed(c, a.request.CheckKey)
	}
	s.asks[a] = c
	s.cards = append(s.cards, c)
	s.beckon("waits for your answer: "+a.request.Proposal.Spec.Name+" "+a.request.Proposal.Summary, now)
}

func (s *screen) withdraw(a *ask) {
	s.dirty, s.urgent = true, true
	s.remove(a)
}

func (s *screen) remove(a *ask) {
	c, ok := s.asks[a]
	if !ok {
		return
	}
	delete(s.asks, a)
	for i := range s.cards {
		if s.cards[i] == c {
			s.cards = append(s.cards[:i], s.cards[i+1:]...)
			break
		}
	}
}

// sighted begins the time in which a question takes no answer.
func (s *screen) sighted(m sightMsg) {
	if m.question == m.card.question {
		m.card.appeared, s.dirty = m.at, true
	}
}

// dismiss declines the question in front, when it is one that came from outside
// and no turn is there to be stopped in its place; false when there is none.
func (s *screen) dismiss() bool {
	for a, c := range s.asks {
		if c == s.card() {
			a.reply <- approval.Answer{Verb: approval.Deny}
			s.remove(a)
			return true
		}
	}
	return false
}

// asked reports whether the card in front is a question from outside.
func (s *screen) asked() bool {
	for _, c := range s.asks {
		if c == s.card() {
			return true
		}
	}
	return false
}

// card returns the card in front, nil when there is none.
func (s *screen) card() *card {
	if len(s.cards) == 0 {
		return nil
	}
	return s.cards[0]
}
