package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
)

// A keyLine is the key of "always allow" while the person edits it: what it
// would cover is looked up as they type.
type keyLine struct {
	check   func(key string) (approval.Coverage, error)
	look    func(do func() func()) // does something outside of the screen, then what it returns
	looking bool
	key     string // what is known is about this
	known   bool
	found   approval.Coverage
	err     error
}

// update looks up what the key covers, unless that is known or under way.
func (k *keyLine) update(c *card) {
	if c.line == nil || c.rows[c.choice].verb != approval.AlwaysCommand {
		return
	}
	key := c.line.text()
	if k.looking || k.known && k.key == key {
		return
	}
	k.looking, k.known = true, false
	k.look(func() func() {
		found, err := k.check(key)
		return func() {
			k.looking, k.known, k.key, k.found, k.err = false, true, key, found, err
			k.update(c)
		}
	})
}

// shownCovered is how many commands are named.
const shownCovered = 4

// rows says what the key would have covered.
func (k *keyLine) rows(c *card, w int) []string {
	th := c.th
	switch {
	case !k.known || k.key != c.line.text():
		return []string{th.muted.render("looking up what it covers" + th.glyph.more)}
	case k.err != nil:
		return wrapText("cannot be remembered: "+plainLine(k.err.Error()), th.warn, w, "", "  ")
	}
	n := len(k.found.Commands)
	says := "In this repository it runs without asking, for good. It covers this command"
	if k.found.Of == 0 {
		says += "; there is no other in the record yet."
	} else {
		says += fmt.Sprintf(", and would have covered %d of %d other %s so far.", n, k.found.Of, plural(k.found.Of, "command"))
	}
	rows := wrapText(says, th.muted, w, "", "")
	for i, line := range k.found.Commands {
		if i == shownCovered && n > shownCovered {
			rows = append(rows, th.muted.render(fmt.Sprintf("  %s and %d more", th.glyph.more, n-i)))
			break
		}
		first, _, more := strings.Cut(line, "\n")
		if more {
			first += " " + th.glyph.more
		}
		rows = append(rows, th.muted.render(clip("  "+th.glyph.bullet+" "+verbatimLine(first), w)))
	}
	return rows
}

// submit answers with the key, once it is known what that covers.
func (k *keyLine) submit(c *card) {
	switch key := c.line.text(); {
	case !k.known || k.key != key:
		c.note = "what it covers is still being looked up"
	case k.err != nil:
		c.note = "this key cannot be remembered"
	default:
		c.give(approval.Answer{Verb: approval.AlwaysCommand, Key: k.found.Key})
	}
}

// open begins a line of text for the chosen row.
func (c *card) open(text string, now time.Time) {
	c.line, c.opened = &buffer{}, now
	c.line.set(text)
	if c.keys != nil {
		c.keys.update(c)
	}
}

// keyed lets the person edit the key that an ask offers to remember.
func (s *screen) keyed(c *card, check func(string) (approval.Coverage, error)) {
	c.keys = &keyLine{check: check, look: func(do func() func()) {
		s.host.fetch(func() tea.Msg {
			done := do()
			return fetchedMsg{func(*screen) { done() }}
		})
	}}
}
