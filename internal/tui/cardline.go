package tui

import "github.com/zuno-dev/zuno/internal/approval"

// lineRows draws the line being typed, with what belongs to it above, in at
// most about half of h rows, and where the cursor stands in them.
func (c *card) lineRows(w, h int) (rows []string, cx, cy int) {
	mark := c.th.accent.render(c.th.glyph.user) + " "
	r := c.rows[c.choice]
	if r.verb != approval.Edit && (r.verb != approval.AlwaysCommand || c.keys == nil) {
		prompt := mark + r.asks + " "
		if v := c.line.lay(max(4, w-width(prompt)-1)); len(v.rows) == 1 || h < 8 {
			return []string{prompt + v.rows[v.cy]}, width(prompt) + v.cx, 0
		}
		rows = []string{c.th.muted.render(r.asks)}
	}
	if r.verb == approval.AlwaysCommand && h >= 12 {
		rows = c.keys.rows(c, w)
	}
	v := c.line.lay(max(4, w-3))
	from, to := 0, len(v.rows)
	if most := max(1, h/3); to > most {
		from = min(max(0, v.cy-most/2), to-most)
		to = from + most
	}
	cy = len(rows) + v.cy - from
	for i := from; i < to; i++ {
		first := "  "
		if i == 0 {
			first = mark
		}
		rows = append(rows, first+v.rows[i])
	}
	return rows, 2 + v.cx, cy
}
