package tui

import (
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// An option of this ID asks for a line of text; the choice is then the prefix
// and that text.
const (
	otherID     = "__other"
	otherPrefix = "other:"
)

// pick makes the card a picker: one row for each option, none chosen.
func (c *card) pick(options []tools.Option) {
	c.badge = "choose"
	c.options(options)
	c.rows = append(c.rows, row{letter: "n", label: "None of these", short: "none", verb: approval.Deny, asks: "why not? (Enter alone is fine)"})
	c.choice = -1
}

func (c *card) options(options []tools.Option) {
	for _, o := range options {
		r := row{label: verbatimLine(o.Label), detail: verbatimLine(o.Detail), verb: approval.Once, id: o.ID}
		if o.ID == otherID {
			r.asks = "your answer"
		}
		c.rows = append(c.rows, r)
	}
}

// newOffer returns the card of an offer made at the start.
func newOffer(th *theme, o *Offer, now time.Time, chosen func(id string)) *card {
	c := &card{th: th, badge: "choose", title: verbatimLine(o.Title), appeared: now, choice: -1,
		sections: []tools.Section{{Kind: tools.Text, Body: o.Text}}}
	c.options(o.Choices)
	c.answer = func(a answered) { chosen(a.row.id) }
	return c
}
