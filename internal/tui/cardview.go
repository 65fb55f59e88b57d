package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
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
	inner := max(8, w-2)
	if c.bodyW != inner {
		c.bodyW, c.body = inner, c.makeBody(inner)
	}
	answers := c.answers(inner, h)
	info := c.infoRows(inner)
	foot := []string{clip(c.foot(armed, now), inner)}
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
		d.cursor = true
		d.cy = at + len(answers) - 1
		d.cx = min(width(answers[len(answers)-1])+2, w-1) - c.lineRest(inner)
	}
	bar := c.bar()
	for _, r := range rows {
		d.rows = append(d.rows, strings.TrimRight(bar+" "+r, " "))
	}
	return d
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

// makeBody lays out the sections, in full.
func (c *card) makeBody(w int) []string {
	var rows []string
	c.must, c.seen = 0, 0
	for i, s := range c.sections {
		if i > 0 {
			rows = append(rows, "")
		}
		if s.Title != "" {
			rows = append(rows, hardRows(c.th.strong, verbatimLine(s.Title), w, "", "")...)
		}
		rows = append(rows, c.section(s, w)...)
		if s.Kind == tools.Command || s.Kind == exact {
			c.must = len(rows)
		}
	}
	return rows
}

func (c *card) section(s tools.Section, w int) []string {
	switch s.Kind {
	case tools.Diff:
		rows, _ := diffView{c.th, w}.rows(parseDiff(s.Body), -1)
		return rows
	case tools.Command:
		return commandRows(c.th, s.Body, w)
	case tools.Table:
		return tabbed(s.Body).plainRows(c.th, w)
	case exact:
		return exactRows(s.Body, w)
	}
	return wrapText(strings.TrimRight(verbatim(s.Body), "\n"), style{}, w, "", "")
}

// commandRows shows a command as it is, cut where a row ends and nowhere else.
func commandRows(th *theme, body string, w int) []string {
	var rows []string
	for i, l := range strings.Split(strings.TrimRight(verbatim(body), "\n"), "\n") {
		first := "  "
		if i == 0 {
			first = th.operator.render("$") + " "
		}
		rows = append(rows, hardRows(style{}, expandTabs(l), w, first, "  ")...)
	}
	return rows
}

// exactRows shows a text as it is, to its last blank line.
func exactRows(body string, w int) []string {
	var rows []string
	for _, l := range strings.Split(strings.TrimSuffix(verbatim(body), "\n"), "\n") {
		rows = append(rows, hardRows(style{}, expandTabs(l), w, "  ", "  ")...)
	}
	return rows
}

func hardRows(st style, s string, w int, first, rest string) []string {
	return hardSpans([]span{{s, st}}, w, first, rest, width(first))
}

func (c *card) infoRows(w int) []string {
	var rows []string
	for _, in := range c.info {
		name := pad(in[0], 6)
		rows = append(rows, wrapText(in[1], style{}, w, c.th.muted.render(name)+" ", strings.Repeat(" ", 7))...)
	}
	return rows
}

// window returns the part of the body that is in sight, in at most n rows, the
// last of which says how much is not.
func (c *card) window(n, w int, withInfo bool) []string {
	body := c.body
	if withInfo && len(c.info) > 0 {
		body = append(append(append([]string{}, body...), ""), c.infoRows(w)...)
	}
	room := n
	if len(body) > n {
		room = max(1, n-1)
	}
	c.page, c.end = room, max(0, len(body)-room)
	c.scroll = min(c.scroll, c.end)
	if len(body) <= n {
		c.seen = len(body)
		return body
	}
	c.seen = max(c.seen, c.scroll+room)
	rows := append([]string{}, body[c.scroll:c.scroll+room]...)
	if n < 2 {
		return rows // the title says it
	}
	return append(rows, c.th.warn.render(c.outOfSight()))
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

// lineRest returns how many columns of the typed line are behind the cursor.
func (c *card) lineRest(w int) int {
	prompt := c.th.glyph.user + " " + c.rows[c.choice].asks + " "
	v := c.line.lay(max(4, w-width(prompt)-1))
	return width(v.rows[v.cy]) - v.cx
}

// foot says what can be done, or why the last key did nothing.
func (c *card) foot(armed bool, now time.Time) string {
	g := c.th.glyph
	switch {
	case armed:
		return c.th.warn.render("esc again stops the turn" + g.dot + "n only says no to this")
	case c.note != "":
		return c.th.warn.render(c.note)
	case c.line != nil:
		return c.th.muted.render(g.enter + " answer" + g.dot + "esc back")
	case now.Sub(c.appeared) < guard:
		return c.th.muted.render("keys typed before this appeared are not taken")
	case c.cancel != nil:
		return c.th.muted.render(g.up + g.down + " choose" + g.dot + g.enter + " answer" + g.dot + "esc close")
	}
	return c.th.muted.render(g.up + g.down + " choose" + g.dot + g.enter + " answer" + g.dot + g.shiftTab + " policy" + g.dot + "esc esc stop")
}
