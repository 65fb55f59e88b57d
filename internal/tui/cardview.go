package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
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
	if c.full {
		return c.fullView(w, h, armed, now)
	}
	inner := max(8, w-2)
	c.layOut(inner)
	answers := c.answers(inner, h)
	info := c.infoRows(inner)
	foot := []string{""} // it depends on what is in sight
	if c.note != "" && !armed {
		foot = wrapText(c.note, c.th.warn, inner, "", "")
	}
	title := c.head(inner)
	if h < len(title)+len(answers)+1+len(foot) {
		title, foot = title[:1], foot[:min(1, len(foot))]
	}
	if h < len(title)+len(answers)+2 {
		if foot = nil; c.note != "" {
			title = []string{c.th.warn.render(clipWords(c.note, inner))}
		}
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
	if foot != nil && (c.note == "" || armed) {
		foot[0] = c.foot(inner, armed, now)
	}
	if says := c.outOfSight(inner); says != "" && h-fixed < 2 && (foot != nil || c.note == "") {
		title = []string{clip(c.th.warn.render(says), inner)}
	}
	rows := stacked(spaced, title, body, info)
	at := len(rows)
	rows = append(append(rows, answers...), foot...)
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

// stacked puts parts one below the other, each with an empty row below it where
// there is room. Parts without a row are left out.
func stacked(spaced bool, parts ...[]string) []string {
	var rows []string
	for _, p := range parts {
		if rows = append(rows, p...); spaced && len(p) > 0 {
			rows = append(rows, "")
		}
	}
	return rows
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
	names := max(6, c.tableNames())
	for _, in := range c.info {
		names = max(names, len(in[0]))
	}
	for _, in := range c.info {
		name := pad(in[0], names)
		rows = append(rows, wrapText(in[1], style{}, w, c.th.muted.render(name)+" ", strings.Repeat(" ", names+1))...)
	}
	return rows
}

// mostNames bounds the column of names that the facts line up with.
const mostNames = 12

// tableNames is how wide the names of the card's table of facts are, zero without
// one: what is said below it lines up.
func (c *card) tableNames() int {
	n := 0
	for _, s := range c.sections {
		if s.Kind != tools.Table || s.Title != "" {
			continue
		}
		for line := range strings.SplitSeq(s.Body, "\n") {
			name, _, _ := strings.Cut(line, "\t")
			if n = max(n, width(plainLine(name))); n > mostNames {
				return 0
			}
		}
	}
	if n == 0 {
		return 0
	}
	return n + 1
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
	return append(rows, clip(c.th.warn.render(c.outOfSight(w)), w))
}

// outOfSight says in w columns how much of the body is not shown, "" for nothing.
func (c *card) outOfSight(w int) string {
	g := c.th.glyph
	var says []string
	w -= width(g.more) + 1
	if below := c.end - c.scroll; below > 0 {
		more := fmt.Sprintf("%d more", below)
		lines := more + " " + plural(below, "line")
		room := w
		if c.scroll > 0 {
			room -= width(g.dot + "999 above")
		}
		says = append(says, longest(room, lines+" ("+c.keysOf(cmdDown, cmdPageDown)+")", lines, more))
		w -= width(says[0]) + width(g.dot)
	}
	if above := c.scroll; above > 0 {
		says = append(says, longest(w, fmt.Sprintf("%d above (%s)", above, c.keysOf(cmdUp, cmdPageUp)), fmt.Sprintf("%d above", above)))
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

// keysOf names the keys of commands of a card.
func (c *card) keysOf(cmds ...command) string {
	var keys []string
	for _, do := range cmds {
		if k := c.keymap.hint(c.th, do, inCard); k != "" {
			keys = append(keys, k)
		}
	}
	return strings.Join(keys, ", ")
}

// foot says what can be done, in w columns: the most important first.
func (c *card) foot(w int, armed bool, now time.Time) string {
	g, esc, enter := c.th.glyph, c.keymap.esc(c.th), c.keymap.hint(c.th, cmdSubmit, inCard)
	verb := approval.Once
	if c.line != nil {
		verb = c.rows[c.choice].verb
	}
	switch {
	case armed && c.line != nil:
		return c.th.warn.render(esc + " again stops the turn")
	case armed:
		return c.th.warn.render(c.th.hints(w, esc+" again stops the turn", "n only says no to this"))
	case c.full:
		back := c.keymap.esc(c.th) + ": back to answer"
		if key := c.keymap.key(cmdFull, inCard); key != "" {
			back = key + " or " + back
		}
		return c.th.muted.render(c.th.hints(w, append([]string{back}, append(c.moves(), c.besideKey())...)...))
	case c.line != nil && verb == approval.Edit:
		return c.th.muted.render(c.th.hints(w, enter+" show what it is then", esc+" back"))
	case c.line != nil && verb == approval.AlwaysCommand:
		return c.th.muted.render(c.th.hints(w, enter+" run and remember it", esc+" back"))
	case c.line != nil && c.rows[c.choice].optional:
		return c.th.muted.render(c.th.hints(w, enter+" answer, even empty", esc+" back"))
	case c.line != nil:
		return c.th.muted.render(c.th.hints(w, enter+" answer", esc+" back"))
	case c.th.dumb && c.cancel == nil:
		return c.th.hints(w, "type a number or a letter, then "+enter, "Ctrl+C twice stops the turn")
	case c.th.dumb:
		return "type a number, then " + enter
	case c.early(now):
		return c.th.muted.render(longest(w, "keys typed before this appeared are not taken", "earlier keys are not taken", "wait a moment"))
	}
	choose := keyed(c.keymap.hint(c.th, cmdUp, inCard)+c.keymap.hint(c.th, cmdDown, inCard), "choose")
	answer, stop, policy := enter+" answer", c.keymap.escEsc(c.th)+" stop", keyed(c.keymap.hint(c.th, cmdPolicy, anywhere), "policy")
	if c.cancel != nil {
		stop, policy = esc+" close", ""
	}
	whole := strings.Join(slices.DeleteFunc(append([]string{choose, answer, policy, stop}, c.opens()...), func(s string) bool { return s == "" }), g.dot)
	switch {
	case width(whole) <= w:
		return c.th.muted.render(whole)
	case width(choose)+width(answer)+width(stop)+2*width(g.dot) <= w: // the policy has its key on the status line too
		return c.th.muted.render(c.th.hints(w, append([]string{choose, answer, stop}, c.opens()...)...))
	}
	return c.th.muted.render(c.th.hints(w, append([]string{answer, stop}, c.opens()...)...))
}

// opens names the keys that show more of what is long.
func (c *card) opens() []string {
	full := ""
	if c.end > 0 || len(c.body.hunks) > 0 {
		full = keyed(c.keymap.key(cmdFull, inCard), "full screen")
	}
	return []string{full, c.besideKey()}
}

// moves names the keys that move over a diff.
func (c *card) moves() []string {
	var list []string
	for _, m := range []struct {
		marks      int
		back, next command
		what       string
	}{{len(c.body.hunks), cmdPrevHunk, cmdNextHunk, "hunk"}, {len(c.body.files), cmdPrevFile, cmdNextFile, "file"}} {
		if m.marks > 1 {
			list = append(list, keyed(strings.TrimSpace(c.keymap.key(m.back, inCard)+" "+c.keymap.key(m.next, inCard)), m.what))
		}
	}
	return list
}
