package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A Past is what of a session can be taken back. Its methods may read files and
// the record; they are called from goroutines of the UI's, and never while a
// turn runs.
type Past interface {
	// Turns returns what can be gone back to, the newest first.
	Turns() ([]PastTurn, error)
	// Plan works out what going back to before a turn would do. It changes
	// nothing.
	Plan(id string) (*Rewind, error)
}

// A PastTurn is one row of what can be gone back to.
type PastTurn struct{ ID, Prompt, Detail string }

// A Rewind is a way back that was worked out, and not gone yet.
type Rewind struct {
	Title string
	// Sections show, complete, what it would do and what it cannot.
	Sections []tools.Section
	Choices  []tools.Option
	// Walk goes back the chosen way. It runs as a turn does, and returns the prompt
	// that was taken back, for the composer; "" when none was.
	Walk func(ctx context.Context, choice string, emit func(loop.Event)) (draft string, err error)
}

// rewind asks where to go back to.
func (s *screen) rewind(string) string {
	if s.ready == nil {
		s.waiting = append(s.waiting, func() { s.hint = s.rewind("") })
		return ""
	}
	if why := s.noRewind(); why != "" {
		return why
	}
	past := s.ready.Past
	s.hint = ""
	s.host.fetch(func() tea.Msg {
		turns, err := past.Turns()
		return fetchedMsg{func(s *screen) { s.chooseTurn(past, turns, err) }}
	})
	return ""
}

// noRewind says why nothing can be taken back now, "" when it can.
func (s *screen) noRewind() string {
	switch {
	case s.ready == nil:
		return ""
	case s.ready.Past == nil:
		return "this session keeps nothing that could be taken back"
	case s.busy:
		return "a turn is running: stop it first (" + s.keys.escEsc(s.th) + ")"
	}
	return ""
}

// free reports whether the person can be asked something by the screen itself,
// and says why not.
func (s *screen) free() bool {
	if s.busy || s.card() != nil {
		s.hint = "something else began meanwhile: nothing was taken back"
		return false
	}
	return true
}

func (s *screen) chooseTurn(past Past, turns []PastTurn, err error) {
	switch {
	case err != nil:
		s.hint = plainLine(err.Error())
		return
	case len(turns) == 0:
		s.hint = "there is nothing to take back yet"
		return
	case !s.free():
		return
	}
	options := make([]tools.Option, len(turns))
	for i, t := range turns {
		options[i] = tools.Option{ID: t.ID, Label: t.Prompt, Detail: t.Detail}
	}
	text := []tools.Section{{Kind: tools.Text, Body: "Go back to before which prompt? Nothing is changed before you have seen what would be."}}
	s.choose("rewind", text, options, func(id string) {
		s.host.fetch(func() tea.Msg {
			plan, err := past.Plan(id)
			return fetchedMsg{func(s *screen) { s.confirmRewind(plan, err) }}
		})
	})
}

func (s *screen) confirmRewind(plan *Rewind, err error) {
	if err != nil {
		s.hint = plainLine(err.Error())
		return
	}
	if !s.free() {
		return
	}
	s.choose(plan.Title, plan.Sections, plan.Choices, func(id string) {
		draft := ""
		s.run(prompt{work: func(ctx context.Context, emit func(loop.Event)) (err error) {
			draft, err = plan.Walk(ctx, id, emit)
			return err
		}}, s.now())
		s.then = func() {
			if draft != "" && s.composer.buf.empty() {
				s.composer.buf.set(draft)
			}
		}
	})
}

// choose puts a card of the screen's own in front of the person. Esc takes it
// away.
func (s *screen) choose(title string, sections []tools.Section, options []tools.Option, chosen func(id string)) *card {
	var c *card
	away := func() { s.cards = slices.DeleteFunc(s.cards, func(o *card) bool { return o == c }) }
	c = newChoice(s.th, title, sections, options, func(id string) {
		away()
		chosen(id)
	})
	c.cancel = away
	s.cards = append(s.cards, c)
	return c
}

// run begins what is carried out as a turn.
func (s *screen) run(p prompt, now time.Time) {
	s.busy, s.began, s.stopping, s.ended = true, now, false, false
	s.steers = p.work == nil && !p.operator
	s.stop = s.host.start(s.ready.Session, p)
}
