package tui

import (
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A poll is a picker: its rows stand in groups, one for each question, which
// are asked one after the other on the same card.
type poll struct {
	groups [][]tools.Option
	at     int
	picked []string // choices of the groups so far, and of this one
	first  int      // index in picked at which this group's begin
	give   func(approval.Answer)
}

// done is the ID of the row that ends a group of which several rows may be
// chosen.
const doneID = ""

func newPoll(options []tools.Option, give func(approval.Answer)) *poll {
	p := &poll{give: give}
	for i, o := range options {
		if i == 0 || o.Group != options[i-1].Group {
			p.groups = append(p.groups, nil)
		}
		last := len(p.groups) - 1
		p.groups[last] = append(p.groups[last], o)
	}
	return p
}

// show puts the current group's rows on the card. Nothing is chosen
// beforehand.
func (p *poll) show(c *card) {
	group := p.groups[p.at]
	if group[0].Group != "" {
		c.sections = []tools.Section{{Kind: tools.Text, Body: group[0].Group}}
	}
	c.docs = nil
	c.bodyW, c.scroll, c.choice, c.line, c.rows = 0, 0, -1, nil, nil
	for _, o := range group {
		r := row{label: verbatimLine(o.Label), detail: verbatimLine(o.Detail), verb: approval.Once, id: o.ID}
		if o.Write {
			r.asks = "your answer"
		}
		if i := p.index(o.ID); i >= 0 {
			r.label = c.th.glyph.ok + " " + r.label
		}
		c.rows = append(c.rows, r)
	}
	if group[0].Many {
		c.rows = append(c.rows, row{letter: "d", label: "Done", detail: "several may be chosen", verb: approval.Once, id: doneID})
	}
	c.rows = append(c.rows, row{letter: "n", label: "None of these", short: "none", verb: approval.Deny, unseen: true, asks: "why not?", optional: true})
}

// take notes one answer, and goes on to the next group or gives the choice.
func (p *poll) take(c *card, a answered) {
	group := p.groups[p.at]
	switch {
	case a.row.verb == approval.Deny:
		p.give(approval.Answer{Verb: approval.Deny, Reason: a.text})
		return
	case a.row.asks != "" && a.text == "" && p.index(a.row.id) < 0:
		c.note = "write an answer first"
		return
	case a.row.id == doneID && len(p.picked) == p.first:
		c.choice, c.note = -1, "choose at least one row first"
		return
	case a.row.id != doneID:
		p.toggle(group, a)
		if group[0].Many {
			p.show(c)
			return
		}
	}
	if p.at++; p.at < len(p.groups) {
		p.first = len(p.picked)
		c.question++
		c.appeared = time.Time{} // a second press of the key before is no answer
		p.show(c)
		return
	}
	p.give(approval.Answer{Verb: approval.Once, Choice: strings.Join(p.picked, "\n")})
}

// toggle adds the row to what is chosen, or takes it back.
func (p *poll) toggle(group []tools.Option, a answered) {
	if i := p.index(a.row.id); i >= 0 {
		p.picked = slices.Delete(p.picked, i, i+1)
		return
	}
	for _, o := range group {
		if o.ID == a.row.id {
			p.picked = append(p.picked, tools.Choose(o, a.text))
		}
	}
}

// index returns where the row of that ID is in picked, -1 when it is not.
func (p *poll) index(id string) int {
	return slices.IndexFunc(p.picked, func(s string) bool {
		own, _, _ := strings.Cut(s, ":")
		return own == id
	})
}
