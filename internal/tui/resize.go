package tui

// A resize is what the painter needs to know of a new size.
type resize struct {
	w, h  int
	was   int      // the height before
	low   int      // the lowest height in between
	up    int      // rows that the transcript takes at this width, all told
	lines []string // the end of the transcript, as much as a screen holds
	// reflows says that the terminal is known to do what tmux does with what
	// stands on it.
	reflows bool
}

// repaint draws everything of ours anew after the terminal changed its size.
// Where the rows stand now is not known: it goes up as many rows as ours can
// take, erases from there and prints the end of the transcript again. Where the
// terminal is known, only what was still on the screen is printed, and no line
// appears twice; elsewhere the screen is filled, so that none can be lost.
func (p *painter) repaint(z resize, f frame) error {
	if p.dumb {
		return nil
	}
	p.begin()
	through := p.rowsThrough(z.w)
	p.move(-(z.up + through - 1), 0)
	p.buf.WriteByte('\r')
	p.erase(2)
	if !z.reflows {
		through = p.shown.cy + 1
	}
	room := z.h - through - p.rowsBelow(z) // what is too much scrolls away
	printed := 0
	for _, l := range fitting(z.lines, room, z.w) {
		p.buf.WriteString(l)
		p.buf.WriteString("\r\n")
		printed += rowsOf(l, z.w)
	}
	p.slack = max(0, z.h-max(room, printed)-len(f.rows))
	p.draw(f)
	return p.end(f)
}

// rowsThrough returns how many rows the frame takes at width w down to the one
// the cursor is in, if the terminal wraps it.
func (p *painter) rowsThrough(w int) int {
	n := 1 + p.shown.cx/max(1, w)
	for _, r := range p.shown.rows[:min(p.shown.cy, len(p.shown.rows))] {
		n += rowsOf(r, w)
	}
	return n
}

// rowsBelow returns how many rows are below the cursor's after the terminal was
// resized, and at least none: what it counts too much would be lost. Tmux, of a
// lower screen, first takes away rows below the cursor, from the bottom, and
// then wraps what is left; a higher one it fills from its history. Nothing is
// known when the height went down and up again, and elsewhere when it went down.
func (p *painter) rowsBelow(z resize) int {
	if z.low < min(z.was, z.h) || !z.reflows && z.h < z.was {
		return 0
	}
	var below []string
	if p.shown.cy+1 < len(p.shown.rows) {
		below = p.shown.rows[p.shown.cy+1:]
	}
	if !z.reflows {
		return len(below)
	}
	left := max(0, len(below)+p.slack-max(0, z.was-z.h))
	n := 0
	if p.shown.cy < len(p.shown.rows) {
		n = rowsOf(p.shown.rows[p.shown.cy], z.w) - 1 - p.shown.cx/max(1, z.w)
	}
	for i := range left {
		if i < len(below) {
			n += rowsOf(below[i], z.w)
		} else {
			n++
		}
	}
	return max(0, n)
}

// begins tells the painter where the first frame was drawn: with so many rows
// from its first one on to the end of the screen.
func (p *painter) begins(free int) { p.slack += max(0, free-p.debt) }
