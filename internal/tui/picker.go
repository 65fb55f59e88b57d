package tui

import (
	"slices"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// exact is the kind of a section whose body is shown as it is: no row of it is
// broken but at the edge, and none begins where a title does.
const exact tools.SectionKind = "exact"

func (c *card) options(options []tools.Option) {
	for _, o := range options {
		c.rows = append(c.rows, row{label: verbatimLine(o.Label), detail: verbatimLine(o.Detail), verb: approval.Once, id: o.ID})
	}
}

// newOffer returns the card of an offer made at the start.
func newOffer(th *theme, o *Offer, chosen func(id string)) *card {
	sections := []tools.Section{{Kind: tools.Text, Body: o.Text}}
	for _, s := range o.Exact {
		sections = append(sections, tools.Section{Kind: exact, Title: s.Title, Body: s.Body})
	}
	c := newChoice(th, o.Title, sections, o.Choices, chosen)
	c.answer = func(a answered) { c.accept(o.Choices, a, chosen) }
	c.warn = o.Whole != ""
	for i := range c.rows {
		c.rows[i].unseen = c.rows[i].id != o.Whole
	}
	return c
}

// newChoice returns a card of the screen's own, which no proposal is behind.
func newChoice(th *theme, title string, sections []tools.Section, options []tools.Option, chosen func(id string)) *card {
	c := &card{th: th, badge: "choose", title: verbatimLine(title), choice: -1, sections: sections, layout: new(diffLayout), keymap: newKeymap(nil)}
	c.options(options)
	c.answer = func(a answered) { chosen(a.row.id) }
	return c
}

// accept passes on the choice of an offer. A row that asks for a line asks for a
// secret: what is typed or pasted is neither shown nor kept anywhere.
func (c *card) accept(options []tools.Option, a answered, chosen func(id string)) {
	i := slices.IndexFunc(options, func(o tools.Option) bool { return o.ID == a.row.id })
	switch {
	case !options[i].Write:
		chosen(a.row.id)
	case c.line == nil:
		c.line = &buffer{mask: c.th.glyph.bullet}
		c.note = "paste it and press " + c.keymap.hint(c.th, cmdSubmit, inCard) + c.th.glyph.dot + "it is not shown" + c.th.glyph.dot + c.keymap.esc(c.th) + " back"
	case a.text == "":
		c.line, c.note = nil, "nothing was pasted"
	default:
		c.line = nil
		chosen(tools.Choose(options[i], a.text))
	}
}
