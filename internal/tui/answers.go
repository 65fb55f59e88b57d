package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// answers draws the rows to answer with: one below the other, or on one row
// where there is no room.
func (c *card) answers(w, h int) []string {
	if c.line != nil {
		rows, _, _ := c.lineRows(w, h)
		return rows
	}
	if len(c.rows)+6 > h && (len(c.rows) <= 9 || h < 10) { // a long list scrolls
		if row, whole := c.compact(w); whole || !c.worded() {
			return []string{row}
		}
		rows := c.someAnswers(w, max(1, h-5))
		if h < 6 {
			rows = rows[:1]
		}
		return rows
	}
	most := max(2, h/2)
	var rows []string
	for i := range c.rows {
		first, rest, spans := c.answerRow(i)
		rows = append(rows, wrap(spans, w, first, rest)...)
	}
	if len(rows) <= most {
		return rows
	}
	return c.someAnswers(w, most)
}

// someAnswers draws n of the rows, the chosen one among them, and says how many
// there are besides.
func (c *card) someAnswers(w, n int) []string {
	n = min(n, len(c.rows))
	from := min(max(0, c.choice-n/2), len(c.rows)-n)
	var rows []string
	for i := from; i < from+n; i++ {
		first, _, spans := c.answerRow(i)
		for _, s := range spans {
			first += s.st.render(s.text)
		}
		rows = append(rows, clip(first, w))
	}
	if rest := len(c.rows) - n; rest > 0 {
		rows = append(rows, c.th.muted.render(fmt.Sprintf("    %s %d more %s", c.th.glyph.more, rest, plural(rest, "row"))))
	}
	return rows
}

// answerRow returns what a row begins with, what its further rows begin with,
// and its text.
func (c *card) answerRow(i int) (first, rest string, spans []span) {
	r := c.rows[i]
	mark, st := "  ", style{}
	if i == c.choice {
		mark, st = c.th.accent.render(c.th.glyph.user)+" ", c.th.strong
	}
	key := " "
	if i < 9 {
		key = fmt.Sprint(i + 1)
	}
	key = pad(key+" "+r.letter, 3)
	spans = []span{{r.label, st}}
	if r.detail != "" {
		spans = append(spans, span{"  " + r.detail, c.th.muted})
	}
	return mark + c.th.accent.render(key) + "  ", strings.Repeat(" ", 7), spans
}

// worded reports whether the words of a row are the answer, as an option's are:
// they cannot be cut.
func (c *card) worded() bool {
	return slices.ContainsFunc(c.rows, func(r row) bool { return r.short == "" })
}

// compact puts all answers on one row, and reports whether they are whole.
func (c *card) compact(w int) (string, bool) {
	if row := c.compacted(math.MaxInt); width(row) <= w {
		return row, true
	}
	each := (w - 3*(len(c.rows)-1)) / len(c.rows)
	if each < 5 {
		each = 1 // the keys alone
	}
	return clip(c.compacted(each), w), false
}

// compacted joins the answers, each in so many columns.
func (c *card) compacted(each int) string {
	parts := make([]string, len(c.rows))
	for i, r := range c.rows {
		key, st := r.letter, style{}
		if key == "" {
			key = fmt.Sprint(i + 1)
		}
		if i == c.choice {
			key, st = c.th.glyph.user+key, c.th.strong
		}
		parts[i] = c.th.accent.render(key)
		if each > 1 {
			parts[i] = clip(parts[i]+" "+st.render(firstOf(r.short, r.label)), each)
		}
	}
	return strings.Join(parts, c.th.glyph.dot)
}
