package tui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A keymap finds the command of a key, or of two keys in a row.
type keymap struct {
	table []binding
	do    map[place]map[string]command
	first map[string]bool // the keys that two-key commands begin with
}

// newKeymap returns the bindings with those in the place of their own that
// custom gives by name.
func newKeymap(custom map[string][]string) keymap {
	m := keymap{table: rebound(custom), do: map[place]map[string]command{}, first: map[string]bool{}}
	for _, b := range m.table {
		if m.do[b.where] == nil {
			m.do[b.where] = map[string]command{}
		}
		for _, k := range b.keys {
			m.do[b.where][k] = b.do
			if head, _, chord := strings.Cut(k, " "); chord {
				m.first[head] = true
			}
		}
	}
	return m
}

func rebound(custom map[string][]string) []binding {
	table, done := bindings(), map[string]bool{}
	if len(custom) == 0 {
		return table
	}
	for i := range table {
		name := table[i].name()
		keys, is := custom[name]
		if !is {
			continue
		}
		table[i].keys = nil
		for _, k := range keys {
			k, _ = keyName(k)
			table[i].keys = append(table[i].keys, k)
		}
		if done[name] {
			table[i].keys = nil // a second spelling of the same
		}
		done[name] = true
	}
	return table
}

// find looks a key up in the places, the first that knows it wins.
func (m keymap) find(key string, places ...place) command {
	for _, p := range places {
		if c, ok := m.do[p][key]; ok {
			return c
		}
	}
	return cmdNone
}

// key names the first key of a command in a place, "" when it has none.
func (m keymap) key(do command, where place) string {
	for _, b := range m.table {
		if b.do == do && b.where == where && len(b.keys) > 0 {
			return keyNames(b.keys[:1])
		}
	}
	return ""
}

// CheckKeys says what is wrong with keys given by the names of commands, and
// under which name; "" when nothing is.
func CheckKeys(custom map[string][]string) (name, problem string) {
	known := map[string]bool{}
	var all []string
	for _, b := range bindings() {
		if n := b.name(); n != "" && !known[n] {
			known[n], all = true, append(all, n)
		}
	}
	for _, name := range sortedKeys(custom) {
		if !known[name] {
			return name, fmt.Sprintf("there is no command %q%s", name, closest(name, all))
		}
		if len(custom[name]) == 0 && slices.Contains([]string{"submit", "escape", "interrupt", "card.submit", "card.down", "transcript.back"}, name) {
			return name, "the command needs a key"
		}
		for _, k := range custom[name] {
			if _, problem := keyName(k); problem != "" {
				return name, problem
			}
		}
	}
	return clash(rebound(custom), custom)
}

func sortedKeys(m map[string][]string) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// clash finds a key that means two things in one place. It is told of under a
// name that custom gives, where there is one.
func clash(table []binding, custom map[string][]string) (name, problem string) {
	for i, a := range table {
		for _, b := range table[i+1:] {
			if !meet(a, b) || a.do == b.do {
				continue
			}
			for _, k := range a.keys {
				for _, l := range b.keys {
					if k != l && !strings.HasPrefix(k, l+" ") && !strings.HasPrefix(l, k+" ") {
						continue
					}
					name, other := a.name(), b.name()
					if _, is := custom[name]; !is {
						name, other = other, name
					}
					return name, fmt.Sprintf("%s is a key of %q as well", keyNames([]string{k}), other)
				}
			}
		}
	}
	return "", ""
}

// meet reports whether a key can be meant for both.
func meet(one, other binding) bool {
	a, b := one.where, other.where
	switch {
	case a == b:
		return true
	case a == inPager || b == inPager:
		return false // it has the whole screen
	case a == inSearch:
		return slices.Contains(searchNeeds(), other.do)
	case b == inSearch:
		return slices.Contains(searchNeeds(), one.do)
	}
	return a == anywhere || b == anywhere || a == inLine && b == inComposer || a == inComposer && b == inLine
}

// searchNeeds are the commands that a search would be lost without; all others
// wait until it is over.
func searchNeeds() []command {
	return []command{cmdSearch, cmdStash, cmdErase, cmdSubmit, cmdComplete, cmdEsc, cmdEscEsc, cmdCtrlC, cmdCtrlD, cmdSuspend}
}

// keyName returns a key as the table spells it, or what is wrong with it.
func keyName(s string) (name, problem string) {
	chord := strings.Fields(strings.ToLower(s))
	if len(chord) == 0 || len(chord) > 2 {
		return "", fmt.Sprintf("%q is no key: write one such as \"ctrl+g\", or two with a blank between them", s)
	}
	for i, k := range chord {
		if one := strings.Fields(s)[i]; utf8.RuneCountInString(one) == 1 {
			chord[i] = one // a letter alone is what is typed, a capital one too
			continue
		}
		var held [3]bool
		base := k
		for again := true; again; {
			again = false
			for n, m := range []string{"ctrl+", "alt+", "shift+"} {
				if rest, is := strings.CutPrefix(base, m); is && rest != "" && !held[n] {
					base, held[n], again = rest, true, true
				}
			}
		}
		if utf8.RuneCountInString(base) != 1 && !slices.Contains(namedKeys(), base) {
			return "", fmt.Sprintf("%q is no key%s", s, closest(base, namedKeys()))
		}
		chord[i] = ""
		for n, m := range []string{"ctrl+", "alt+", "shift+"} {
			if held[n] {
				chord[i] += m
			}
		}
		chord[i] += base
	}
	return strings.Join(chord, " "), ""
}

// namedKeys are the keys that have a name and no character.
func namedKeys() []string {
	list := []string{"enter", "esc", "tab", "space", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end", "pgup", "pgdown"}
	for n := 1; n <= 12; n++ {
		list = append(list, fmt.Sprintf("f%d", n))
	}
	return list
}

// closest suggests the word that was probably meant.
func closest(word string, words []string) string {
	best, most := "", 0
	for _, w := range words {
		n := len(commonPrefix([]string{word, w}))
		for i := 0; i < len(word) && i < len(w); i++ {
			if word[len(word)-1-i] != w[len(w)-1-i] {
				break
			}
			n++
		}
		if n > most {
			best, most = w, n
		}
	}
	if most < 2 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}
