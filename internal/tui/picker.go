package tui

import (
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

func (c *card) options(options []tools.Option) {
	for _, o := range options {
		c.rows = append(c.rows, row{label: verbatimLine(o.Label), detail: verbatimLine(o.Detail), verb: approval.Once, id: o.ID})
	}
}

// newOffer returns the card of an offer made at the start.
func newOffer(th *theme, o *Offer, now time.Time, chosen func(id string)) *card {
	return newChoice(th, o.Title, []tools.Section{{Kind: tools.Text, Body: o.Text}}, o.Choices, now, chosen)
}

// newChoice returns a card of the screen's own, which no proposal is behind.
func newChoice(th *theme, title string, sections []tools.Section, options []tools.Option, now time.Time, chosen func(id string)) *card {
	c := &card{th: th, badge: "choose", title: verbatimLine(title), appeared: now, choice: -1, sections: sections}
	c.options(options)
	c.answer = func(a answered) { chosen(a.row.id) }
	return c
}
