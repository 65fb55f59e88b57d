package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
)

// A drawn card is its rows and, while a line is typed, the cursor in them.
type drawn struct {
	rows   []string
	cx, cy int
	cursor bool
}

// view draws the card in at most h rows. Every row of the body can be reached
// by scrolling, and what is not in sight is counted; the rows to answer with
// are always there.
func (c *card) view(w, h int, armed bool, now time.Time) drawn {
	if c.full {
		return c.fullView(w, h, armed, now)
	}
	inner := max(8, w-2)
	c.layOut(inner)
	answers := c.answers(inner, h)
	info := c.infoRows(inner)
	foot := []string{""} // it depends on what is in sight
	title := c.head(inner)
	if h < len(title)+len(answers)+2 {
		title, foot = title[:1], nil
	}
	fixed := len(title) + len(answers) + len(foot)
	spaced := h >= fixed+len(info)+7
	if spaced {
		fixed += 3
	}
	if h >= fixed+len(info)+2 {
		fixed += len(info)
	} else {
		info = nil // the body ends with it
	}
	body := c.window(max(1, h-fixed), inner, info == nil)
	if foot != nil {
		foot[0] = clip(c.foot(inner, armed, now), inner)
	}
	if says := c.outOfSight(); says != "" && h-fixed < 2 {
		title = []string{clip(c.th.warn.render(says), inner)}
	}
	var rows []string
	rows = append(rows, title...)
	if spaced {
		rows = append(rows, "")
	}
	rows = append(rows, body...)
	if spaced && len(info) > 0 {
		rows = append(rows, "")
	}
	rows = append(rows, info...)
	if spaced {
		rows = append(rows, "")
	}
	at := len(rows)
	rows = append(rows, answers...)
	rows = append(rows, foot...)
	d := drawn{}
	if c.line != nil {
		_, cx, cy := c.lineRows(inner, h)
		d.cursor, d.cx, d.cy = true, min(cx+2, w-1), at+cy
	}
	bar := c.bar()
	for _, r := range rows {
		d.rows = append(d.rows, strings.TrimRight(bar+" "+r, " "))
	}
	return d
}

// layOut makes the body for a width, where it is not made.
func (c *card) layOut(w int) {
	if c.bodyW == w && c.laid == *c.layout {
		return
	}
	at := c.lineInSight()
	c.bodyW, c.body = w, c.makeBody(w)
	if c.laid != *c.layout {
		c.laid = *c.layout
		c.bringInSight(at)
	}
}

func (c *card) bar() string {
	if c.warn {
		return c.th.warn.render(c.th.glyph.bar)
	}
	return c.th.accent.render(c.th.glyph.bar)
}

func (c *card) head(w int) []string {
	st := c.th.accent
	if c.warn {
		st = c.th.warn
	}
	spans := []span{{c.badge, st}}
	if c.title != "" {
		spans = append(spans, span{c.th.glyph.dot, c.th.muted}, span{c.title, c.th.strong})
	}
	if c.waiting > 0 {
		spans = append(spans, span{c.th.glyph.dot + fmt.Sprintf("%d more waiting", c.waiting), c.th.muted})
	}
	return wrap(spans, w, "", "")
}

func (c *card) infoRows(w int) []string {
	var rows []string
	names := 6
	for _, in := range c.info {
		names = max(names, len(in[0]))
	}
	for _, in := range c.info {
		name := pad(in[0], names)
		rows = append(rows, wrapText(in[1], style{}, w, c.th.muted.render(name)+" ", strings.Repeat(" ", names+1))...)
	}
	return rows
}

// window returns the part of the body that is in sight, in at most n rows, the
// last of which says how much is not.
func (c *card) window(n, w int, withInfo bool) []string {
	var info []string
	if withInfo && len(c.info) > 0 {
		info = append([]string{""}, c.infoRows(w)...)
	}
	total := c.body.total + len(info)
	room := n
	if total > n {
		room = max(1, n-1)
	}
	c.page, c.end = room, max(0, total-room)
	c.scroll = min(c.scroll, c.end)
	to := min(total, c.scroll+room)
	c.seen = max(c.seen, to)
	rows := c.body.rows(min(c.scroll, c.body.total), min(to, c.body.total))
	if to > c.body.total {
		rows = append(rows, info[max(0, c.scroll-c.body.total):to-c.body.total]...)
	}
	if total <= n || n < 2 {
		return rows // the title says what is out of sight
	}
	return append(rows, clip(c.th.warn.render(c.outOfSight()), w))
}

// outOfSight says how much of the body is not shown, "" for nothing.
func (c *card) outOfSight() string {
	g := c.th.glyph
	var says []string
	if below := c.end - c.scroll; below > 0 {
		says = append(says, fmt.Sprintf("%d more %s (%s, PgDn)", below, plural(below, "line"), g.down))
	}
	if above := c.scroll; above > 0 {
		says = append(says, fmt.Sprintf("%d above (%s, PgUp)", above, g.up))
	}
	if says == nil {
		return ""
	}
	return g.more + " " + strings.Join(says, g.dot)
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// foot says what can be done, or why the last key did nothing.
func (c *card) foot(w int, armed bool, now time.Time) string {
	g := c.th.glyph
	switch {
	case armed && c.line != nil:
		return c.th.warn.render("esc again stops the turn")
	case armed:
		return c.th.warn.render("esc again stops the turn" + g.dot + "n only says no to this")
	case c.note != "":
		return c.th.warn.render(c.note)
	case c.full:
		return c.th.muted.render(c.moves() + c.besideKey() + c.keymap.key(cmdFull, inCard) + " or esc: back to answer")
	case c.line != nil && c.rows[c.choice].verb == approval.Edit:
		return c.th.muted.render(g.enter + " show what it is then" + g.dot + "esc back")
	case c.line != nil && c.rows[c.choice].verb == approval.AlwaysCommand:
		return c.th.muted.render(g.enter + " run, and remember this" + g.dot + "esc back")
	case c.line != nil:
		return c.th.muted.render(g.enter + " answer" + g.dot + "esc back")
	case c.early(now):
		return c.th.muted.render("keys typed before this appeared are not taken")
	case c.cancel != nil:
		return c.th.muted.render(g.up + g.down + " choose" + g.dot + g.enter + " answer" + g.dot + "esc close")
	}
	choose, stop := g.up+g.down+" choose"+g.dot+g.enter+" answer", g.dot+"esc esc stop"
	whole := choose + g.dot + g.shiftTab + " policy" + stop + strings.Join(c.opens(), "")
	if width(whole) > w { // the policy has its key on the status line too
		whole = asFits(w, append([]string{choose, stop}, c.opens()...)...)
	}
	return c.th.muted.render(whole)
}

// opens names the keys that show more of what is long.
func (c *card) opens() []string {
	var keys []string
	if key := c.keymap.key(cmdFull, inCard); key != "" && (c.end > 0 || len(c.body.hunks) > 0) {
		keys = append(keys, c.th.glyph.dot+key+" full screen")
	}
	if beside := c.besideKey(); beside != "" {
		keys = append(keys, c.th.glyph.dot+strings.TrimSuffix(beside, c.th.glyph.dot))
	}
	return keys
}

// moves names the keys that move over a diff.
func (c *card) moves() string {
	s := ""
	if len(c.body.hunks) > 1 {
		s += "[ ] hunk" + c.th.glyph.dot
	}
	if len(c.body.files) > 1 {
		s += "{ } file" + c.th.glyph.dot
	}
	return s
}
