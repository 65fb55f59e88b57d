package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/tools"
)

// Doubts are the calls of a session of which nobody knows whether they
// happened. Its methods may read files and the record, and are called from
// goroutines of the UI's.
type Doubts interface {
	// Uncertain looks at the world for what can be found out without a person,
	// and returns the calls that stay in doubt.
	Uncertain() ([]Doubt, error)
	// Settle records what the person found out.
	Settle(id string, f tools.Finding, note string) error
}

// A Doubt is one such call.
type Doubt struct {
	ID, Tool, Summary string
	// Detail is what is known of it: when, and how its result was lost.
	Detail string
	// Sections show what it was to do.
	Sections []tools.Section
}

// uncertain lists the calls in doubt and asks what became of them.
func (s *screen) uncertain(string) string {
	if s.ready == nil {
		s.waiting = append(s.waiting, func() { s.hint = s.uncertain("") })
		return ""
	}
	doubts := s.ready.Doubts
	if doubts == nil {
		return "this session keeps no record of calls"
	}
	s.host.fetch(func() tea.Msg {
		list, err := doubts.Uncertain()
		return fetchedMsg{func(s *screen) { s.chooseDoubt(doubts, list, err) }}
	})
	return ""
}

// recount looks how many calls are still in doubt: the model may have found
// out.
func (s *screen) recount() {
	if s.doubts == 0 || s.ready.Doubts == nil {
		return
	}
	doubts := s.ready.Doubts
	s.host.fetch(func() tea.Msg {
		list, err := doubts.Uncertain()
		return fetchedMsg{func(s *screen) {
			if err == nil {
				s.doubts = len(list)
			}
		}}
	})
}

func (s *screen) chooseDoubt(doubts Doubts, list []Doubt, err error) {
	switch {
	case err != nil:
		s.hint = plainLine(err.Error())
		return
	case len(list) == 0:
		s.doubts = 0
		s.print(s.script.note("nothing is uncertain: what became of every call is known"))
		return
	case s.card() != nil:
		s.hint = "answer the card first"
		return
	}
	s.doubts = len(list)
	options := make([]tools.Option, len(list))
	for i, d := range list {
		options[i] = tools.Option{ID: fmt.Sprint(i), Label: d.Tool + ": " + d.Summary, Detail: d.Detail}
	}
	text := []tools.Section{{Kind: tools.Text, Body: "These calls may have happened, in full, in part or not at all. Look at the real state; then say what became of them. Until then, what would touch the same is held back."}}
	s.choose("uncertain", text, options, func(id string) {
		for i, d := range list {
			if fmt.Sprint(i) == id {
				s.settleDoubt(doubts, d)
			}
		}
	})
}

// settleDoubt asks what became of one call.
func (s *screen) settleDoubt(doubts Doubts, d Doubt) {
	c := s.choose(d.Tool+": "+d.Summary, append(d.Sections, tools.Section{Kind: tools.Text, Body: d.Detail}), nil, nil)
	for _, f := range []struct {
		id    tools.Finding
		label string
	}{{tools.Happened, "It happened"}, {tools.DidNotHappen, "It did not happen"}, {tools.InPart, "It happened in part"}} {
		c.rows = append(c.rows, row{label: f.label, id: string(f.id), asks: "how do you know?", optional: true})
	}
	c.answer = func(a answered) {
		c.cancel()
		s.host.fetch(func() tea.Msg {
			err := doubts.Settle(d.ID, tools.Finding(a.row.id), a.text)
			return fetchedMsg{func(s *screen) {
				if err != nil {
					s.hint = plainLine(err.Error())
					return
				}
				s.doubts = max(0, s.doubts-1)
				s.print(s.script.note(fmt.Sprintf("settled by you: %s %s: %s", d.Tool, d.Summary, a.row.label)))
			}}
		})
	}
}
