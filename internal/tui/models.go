package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/tools"
)

// Models are the models that a session can be carried on with. Its methods may
// read files and ask servers of this machine; they are called from goroutines
// of the UI's, also while a turn runs.
type Models interface {
	// List returns them, those used last first.
	List() ([]tools.Option, error)
	// Use has the next request go to a model with an effort; "" for either leaves
	// what is. It returns what is in use then.
	Use(model, effort string) (InUse, error)
}

// An InUse is the model of a session.
type InUse struct {
	Model, Effort string
	// Efforts are those that it can be asked for; none when it cannot.
	Efforts []string
}

// model changes the model, from the next request on.
func (s *screen) model(name string) string {
	return s.withModels(func(m Models) {
		if name != "" {
			s.use(m, name, "")
			return
		}
		s.host.fetch(func() tea.Msg {
			list, err := m.List()
			return fetchedMsg{func(s *screen) {
				s.pick("model", "The next request goes to it; what was said before stays with the model that said it.", list, err,
					func(id string) { s.use(m, id, "") })
			}}
		})
	})
}

// effort changes how hard the model thinks.
func (s *screen) effort(word string) string {
	return s.withModels(func(m Models) {
		if word != "" {
			s.use(m, "", word)
			return
		}
		s.host.fetch(func() tea.Msg {
			now, err := m.Use("", "")
			return fetchedMsg{func(s *screen) {
				var list []tools.Option
				for _, e := range now.Efforts {
					list = append(list, tools.Option{ID: e, Label: e, Detail: map[bool]string{true: "now"}[e == now.Effort]})
				}
				if len(list) == 0 && err == nil {
					s.hint = plainLine(now.Model) + " cannot be asked for an effort"
					return
				}
				s.pick("effort", "How hard the model thinks before it answers.", list, err, func(id string) { s.use(m, "", id) })
			}}
		})
	})
}

func (s *screen) withModels(do func(Models)) string {
	switch {
	case s.ready == nil:
		s.waiting = append(s.waiting, func() { s.hint = s.withModels(do) })
	case s.ready.Models == nil:
		return "the model of this session cannot be changed"
	default:
		do(s.ready.Models)
	}
	return ""
}

// pick asks for one of the options, or says what it must be named by.
func (s *screen) pick(what, why string, list []tools.Option, err error, chosen func(id string)) {
	switch {
	case err != nil:
		s.hint = plainLine(err.Error())
	case len(list) == 0:
		s.hint = "there is no other " + what
	case s.card() != nil:
		s.hint = "answer the card first"
	default:
		s.choose(what, []tools.Section{{Kind: tools.Text, Body: why}}, list, chosen)
	}
}

func (s *screen) use(m Models, model, effort string) {
	s.host.fetch(func() tea.Msg {
		now, err := m.Use(model, effort)
		return fetchedMsg{func(s *screen) {
			if err != nil {
				s.hint = plainLine(err.Error())
				return
			}
			s.ready.Model, s.ready.Effort = now.Model, now.Effort
			words := []string{now.Model}
			if now.Effort != "" && slices.Contains(now.Efforts, now.Effort) {
				words = append(words, "effort "+now.Effort)
			}
			s.print(s.script.note("from the next request on: " + strings.Join(words, ", ")))
		}}
	})
}
