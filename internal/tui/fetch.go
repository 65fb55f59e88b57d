package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// A fetchedMsg is what was looked up outside of the screen.
type fetchedMsg struct{ show func(*screen) }

// permissions prints what runs without asking.
func (s *screen) permissions(string) string {
	return s.lookUp("this session has no list of what runs without asking", func(r *Ready) func() ([]string, error) { return r.Permissions })
}

// trust prints what the folder brings along.
func (s *screen) trust(string) string {
	return s.lookUp("this session has no list of what the folder brings along", func(r *Ready) func() ([]string, error) { return r.Trust })
}

// skills prints the skills.
func (s *screen) skills(string) string {
	return s.lookUp("this session has no skills", func(r *Ready) func() ([]string, error) { return r.Skills })
}

// memory prints what sessions are told, or has an entry forgotten.
func (s *screen) memory(arg string) string {
	return s.lookUp("this session has no memory", func(r *Ready) func() ([]string, error) { return with(r.Memory, arg) })
}

// agents prints the agents and their jobs, makes another one active, or stops a
// job.
func (s *screen) agents(arg string) string {
	return s.lookUp("this session has no other agents", func(r *Ready) func() ([]string, error) { return with(r.Agents, arg) })
}

// work returns what prints a part of the session's work, or changes it.
func work(part string) func(*screen, string) string {
	return func(s *screen, arg string) string {
		return s.lookUp("this session keeps no "+part, func(r *Ready) func() ([]string, error) {
			if r.Work == nil {
				return nil
			}
			return func() ([]string, error) { return r.Work(part, arg) }
		})
	}
}

// printed returns what prints the page of that name.
func printed(name string) func(*screen, string) string {
	return func(s *screen, arg string) string {
		return s.lookUp("this session has no page "+name, func(r *Ready) func() ([]string, error) {
			if r.Pages == nil {
				return nil
			}
			return func() ([]string, error) { return r.Pages(name, arg) }
		})
	}
}

// with is f with its argument; nil when there is no f.
func with(f func(string) ([]string, error), arg string) func() ([]string, error) {
	if f == nil {
		return nil
	}
	return func() ([]string, error) { return f(arg) }
}

// lookUp prints lines that are looked up outside of the screen, as soon as the
// session is there. It returns none where the session has no such lines.
func (s *screen) lookUp(none string, find func(*Ready) func() ([]string, error)) string {
	command := s.calling
	if s.ready == nil {
		s.waiting = append(s.waiting, func() {
			s.calling = command
			s.hint = s.lookUp(none, find)
			s.calling = ""
		})
		return ""
	}
	told := find(s.ready)
	if told == nil {
		return none
	}
	s.look(func() (func(*screen), error) {
		lines, err := told()
		return func(s *screen) {
			s.synced()
			s.paged(command, s.columns(lines))
		}, err
	})
	return ""
}

// synced takes over what the session may have changed by itself.
func (s *screen) synced() {
	if s.ready == nil {
		return
	}
	if s.ready.Gate != nil {
		s.policy = s.ready.Gate.Policy()
	}
	if s.ready.Active != nil {
		s.ready.Agent, s.ready.Model = s.ready.Active()
	}
}

// completePath completes the last word of a command line as a path.
func (s *screen) completePath(text string) {
	switch {
	case !isOperator(text):
		return
	case s.ready == nil:
		s.waiting = append(s.waiting, func() {
			if s.composer.buf.text() == text {
				s.completePath(text)
			}
		})
		return
	case s.ready.Complete == nil:
		return
	}
	look, word := s.ready.Complete, lastWord(text)
	s.host.fetch(func() tea.Msg {
		found := look(word)
		return fetchedMsg{func(s *screen) {
			if s.composer.buf.text() == text {
				s.completed(text, word, found)
			}
		}}
	})
}

// shownPaths is how many candidates are named when there is more than one.
const shownPaths = 6

// completed puts in what all paths have in common; when that is no more than
// what is there, it names some of them.
func (s *screen) completed(text, word string, found []string) {
	if len(found) == 0 {
		s.hint = "no path begins like that"
		return
	}
	common := commonPrefix(found)
	if len(found) == 1 && !strings.HasSuffix(common, "/") {
		common += " "
	}
	if len(common) > len(word) {
		s.composer.buf.set(strings.TrimSuffix(text, word) + common)
		return
	}
	names := found
	if len(names) > shownPaths {
		names = names[:shownPaths]
	}
	s.hint = plainLine(strings.Join(names, "  "))
	if more := len(found) - len(names); more > 0 {
		s.hint += fmt.Sprintf("  %s%d more", s.th.glyph.more, more)
	}
}

// lastWord is what stands behind the last blank that is not escaped.
func lastWord(text string) string {
	for i := len(text) - 1; i >= 0; i-- {
		if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') && (i == 0 || text[i-1] != '\\') {
			return text[i+1:]
		}
	}
	return text
}

func commonPrefix(list []string) string {
	p := list[0]
	for _, s := range list[1:] {
		for !strings.HasPrefix(s, p) {
			_, size := utf8.DecodeLastRuneInString(p)
			p = p[:len(p)-size]
		}
	}
	return p
}
