package tui

import (
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// commandItems returns the commands that query may mean, those that begin with
// it first.
func (s *screen) commandItems(query string) []popItem {
	all := slashCommands()
	for _, c := range s.commands() {
		all = append(all, slashCommand{name: c.Name, arg: c.Arg, help: c.Help})
	}
	var words []string // names and aliases
	var of []int       // whose they are
	for i, c := range all {
		for _, w := range append([]string{c.name}, c.aliases...) {
			words, of = append(words, w), append(of, i)
		}
	}
	var order []int
	take := func(i int) {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	for i, w := range words {
		if strings.HasPrefix(w, query) {
			take(of[i])
		}
	}
	if query != "" {
		for _, m := range fuzzy.Find(query, words) {
			take(of[m.Index])
		}
	}
	var items []popItem
	for _, i := range order {
		c := all[i]
		it := popItem{label: plainLine(strings.TrimSpace("/" + c.name + " " + c.arg)), detail: plainLine(c.help + c.also()), why: c.obstacle(s), put: "/" + c.name}
		if c.arg != "" {
			it.put += " "
		}
		items = append(items, it)
	}
	return items
}

// obstacle says why the command cannot be carried out now, "" when it can.
func (c slashCommand) obstacle(s *screen) string {
	if c.unavailable == nil {
		return ""
	}
	return c.unavailable(s)
}

// known reports whether a command has exactly that name.
func (s *screen) known(name string) bool {
	return IsCommand(name) || slices.ContainsFunc(s.commands(), func(c Command) bool { return c.Name == name })
}
