package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// argumentItems returns what the word at the end of text, which calls for a
// command, can be completed to: the names of its arguments, or what the value
// that was begun can be. The latter is asked for outside of the screen.
func (s *screen) argumentItems(text, word string) []popItem {
	c, arg, is := s.called(text)
	if !is || c.Missing == nil {
		return nil
	}
	before := strings.TrimSuffix(arg, word)
	open := c.Missing(before)
	if name, begun, value := strings.Cut(word, "="); value && slices.ContainsFunc(open, func(a Argument) bool { return a.Name == name }) {
		s.lookForValues(c, before, name, begun, text)
		return nil
	}
	var items []popItem
	for _, a := range open {
		if strings.HasPrefix(a.Name, word) && !strings.ContainsAny(a.Name, " \t\n=") {
			it := popItem{label: plainLine(a.Name) + "=", detail: plainLine(a.Help), put: a.Name + "="}
			if !a.Required {
				it.detail = strings.TrimSpace("can be left out  " + it.detail)
			}
			items = append(items, it)
		}
	}
	return items
}

// lookForValues asks what the value of an argument can be, and shows it if the
// text is still the same then.
func (s *screen) lookForValues(c Command, before, name, begun, text string) {
	if c.Values == nil {
		return
	}
	s.host.fetch(func() tea.Msg {
		found := c.Values(before, name, begun)
		return fetchedMsg{func(s *screen) { s.suggest(text, name, begun, found) }}
	})
}

func (s *screen) suggest(text, name, begun string, found []string) {
	b := &s.composer.buf
	kind, word, from, is := popFor(b)
	if b.text() != text || !is || kind != popArgument {
		return
	}
	p := &popup{kind: kind, query: word, from: from, choice: -1}
	for _, v := range found {
		if unspeakable(v) || strings.ContainsAny(v, "\"'") || v == begun {
			continue
		}
		put := name + "=" + v
		if strings.ContainsAny(v, " \t") {
			put = name + `="` + v + `"`
		}
		p.items = append(p.items, popItem{label: plainLine(v), put: put + " "})
	}
	if len(p.items) > 0 && s.popup == nil && !s.composer.dismissed {
		s.popup, s.dirty = p, true
	}
}
