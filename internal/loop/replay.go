package loop

import (
	"encoding/json"
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
	for i, m := range s.messages {
		if i == s.shown.from && s.shown.view.Summary != "" {
			emit(Noticed{Text: "the model is shown a summary in the place of all above"})
		}
		switch m.Role {
		case llm.User:
			if r, ok := s.unprompted(m); ok {
				emit(Settled{r})
				continue
			}
			if about(m) == hookFor { // part of the turn that it came in
				s.replayUser(m, emit)
				continue
			}
			if id, ok := s.reports(m); ok {
				emit(Noticed{Text: "the report of " + id + " was given to the model"})
				continue
			}
			end()
			open = true
			s.replayUser(m, emit)
		case llm.Assistant:
			s.replayAssistant(m, emit)
		}
	}
	end()
	if s.measure(nil).Window > 0 {
		s.measure(emit)
	}
	return nil
}

// about returns what the first part of a message says that it is for, "" for
// nothing and for a message without parts, which only a damaged record has.
func about(m *llm.Message) string {
	if len(m.Parts) == 0 {
		return ""
	}
	return m.Parts[0].For
}

// unprompted returns the record of a call that m tells the model about and that
// nobody typed, such as an offer: it is part of the turn in which it was made.
func (s *Session) unprompted(m *llm.Message) (tools.Record, bool) {
	r, ok := s.records[about(m)]
	return r, ok && (r.Decision.By == tools.ByPerson || commandOf(r) == "")
}

// reports returns whose report m gives to the model, when it gives one.
func (s *Session) reports(m *llm.Message) (string, bool) {
	id := about(m)
	_, call := s.records[id]
	return id, id != "" && id != attached && id != alongFor && id != wholeFor && id != failedFor && id != hookFor && !call
}

// commandOf returns the line that the operator typed, and "" when the call was
// made in another way.
func commandOf(r tools.Record) string {
	var args struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(r.Call.Args, &args) // other arguments have no such line
	return args.Command
}

func (s *Session) replayUser(m *llm.Message, emit func(Event)) {
	for _, p := range m.Parts {
		if p.Kind != llm.Text || p.For == attached || p.For == failedFor {
			continue
		}
		if r, ok := s.records[p.For]; ok {
			emit(Prompted{Text: commandOf(r), Operator: true})
			emit(Settled{r})
			continue
		}
		if notice, ok := untagged(p.Text); ok {
			emit(Noticed{Text: notice})
			continue
		}
		if p.For == wholeFor {
			emit(Noticed{Text: wholeAlong(p.Text)})
			continue
		}
		if p.For == alongFor || p.For == hookFor {
			emit(Noticed{Text: goesAlong(p.Text)})
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
		r := s.records[c.ID]
		if r.Effect == tools.Delegating {
			for _, m := range s.madeBy(c.ID) {
				emit(Settled{m})
			}
		}
		emit(Settled{r})
	}
}

// untagged returns the text of a recovery notice without the tags that mark it
// for the model, and whether text is one.
func untagged(text string) (string, bool) {
	in, ok := strings.CutPrefix(text, "<recovery_notice>")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(in), "</recovery_notice>")), ok
}
