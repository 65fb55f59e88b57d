package loop

import (
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// Replay emits the stored turns as the events that a front end folds, in the
// form they had when they happened, without what only mattered while it ran.
func (s *Session) Replay(emit func(Event)) error {
	open := false
	end := func() {
		if open {
			emit(Ended{})
		}
		open = false
	}
	for _, m := range s.messages {
		switch m.Role {
		case llm.User:
			end()
			open = true
			s.replayUser(m, emit)
		case llm.Assistant:
			s.replayAssistant(m, emit)
		}
	}
	end()
	return nil
}

func (s *Session) replayUser(m *llm.Message, emit func(Event)) {
	for _, p := range m.Parts {
		if p.Kind != llm.Text {
			continue
		}
		if r, ok := s.records[p.For]; ok {
			emit(Prompted{Text: r.Summary, Operator: true})
			emit(Settled{r})
			continue
		}
		if strings.HasPrefix(p.Text, "<recovery_notice>") {
			emit(Noticed{Text: p.Text})
			continue
		}
		emit(Prompted{Text: p.Text})
	}
}

func (s *Session) replayAssistant(m *llm.Message, emit func(Event)) {
	calls := m.Calls()
	for _, p := range m.Parts {
		if p.Kind == llm.Text {
			emit(Delta{p.Text})
		}
	}
	emit(Stepped{Calls: len(calls)})
	for _, c := range calls {
		emit(Settled{s.records[c.ID]})
	}
}

// Uncertain returns the calls of this session whose effect may have happened.
func (s *Session) Uncertain() []tools.Record {
	var list []tools.Record
	for _, m := range s.messages {
		for _, c := range m.Calls() {
			if r := s.records[c.ID]; r.Outcome.Kind == tools.Uncertain {
				list = append(list, r)
			}
		}
	}
	return list
}
