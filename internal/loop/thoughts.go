package loop

import (
	"errors"
	"slices"

	"github.com/zuno-dev/zuno/internal/llm"
)

// overThoughts leaves out the reasoning of the conversation when the provider
// refuses to take back what it signed: another key, or another server behind the
// same name, cannot read it. The first result is false where that is not what is
// wrong. What is recorded keeps it.
func (s *Session) overThoughts(refused error, emit func(Event)) (done bool, err error) {
	var e *llm.Error
	if !errors.As(refused, &e) || e.Kind != llm.BadThought {
		return false, nil
	}
	if !slices.ContainsFunc(s.shown.messages, func(m *llm.Message) bool { return unreasoned(m) != m }) {
		return true, refused
	}
	s.shown.thoughtless = len(s.messages)
	s.reshow()
	s.measure(emit)
	emit(Noticed{Text: "the provider refused the reasoning of this conversation that was sent back; it is left out from here on: " + e.Message, Retry: true})
	return true, nil
}

// unreasoned returns m without reasoning and what is signed: m itself when it has
// none.
func unreasoned(m *llm.Message) *llm.Message {
	signed := func(p llm.Part) bool {
		return p.Kind == llm.Thinking || p.Opaque != nil || p.Call != nil && p.Call.Opaque != nil
	}
	if !slices.ContainsFunc(m.Parts, signed) {
		return m
	}
	out := *m
	out.Parts = nil
	for _, p := range m.Parts {
		if p.Kind == llm.Thinking {
			continue
		}
		p.Opaque = nil
		if p.Call != nil {
			c := *p.Call
			c.Opaque, p.Call = nil, &c
		}
		out.Parts = append(out.Parts, p)
	}
	return &out
}
