package tui

import "time"

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

// without is z before the last n lines of the transcript were printed.
func (z resize) without(n int) resize {
	n = min(n, len(z.lines))
	for _, l := range z.lines[len(z.lines)-n:] {
		z.up -= rowsOf(l, z.w)
	}
	z.lines = z.lines[:len(z.lines)-n]
	return z
}

// repaint draws the frame anew after the terminal changed its size. Tmux lays
// out anew what stands on it, and moves the cursor along: there nothing but the
// frame is erased, and no line is printed again or can be lost. Elsewhere it is
// not known where the rows stand now: it goes up as many rows as ours can take,
// erases from there and fills the screen with the end of the transcript, so that
// no line can be lost.
func (p *painter) repaint(z resize, f frame) error {
	if p.dumb {
		return nil
	}
	p.begin()
	if z.reflows {
		p.move(1-p.shown.rowsThrough(z.w), 0)
		p.buf.WriteByte('\r')
		p.erase()
		p.draw(f)
		return p.end(f)
	}
	p.move(1-z.up-p.shown.rowsThrough(z.w), 0)
	p.buf.WriteByte('\r')
	p.erase()
	room := z.h - p.shown.cy - 1 - p.rowsBelow(z) // what is too much scrolls away
	for _, l := range fitting(z.lines, room, z.w) {
		p.buf.WriteString(l)
		p.buf.WriteString("\r\n")
	}
	p.draw(f)
	return p.end(f)
}

// rowsThrough returns how many rows the frame takes at width w down to the one
// the cursor is in, if the terminal wraps it. At any width it is at least as many
// as it was drawn in.
func (f frame) rowsThrough(w int) int {
	n := 1 + f.cx/max(1, w)
	for _, r := range f.rows[:min(f.cy, len(f.rows))] {
		n += rowsOf(r, w)
	}
	return n
}

// rowsBelow returns how many rows are below the cursor's after the terminal was
// resized, and at least none: what it counts too much would be lost. Nothing is
// known when the height went down.
func (p *painter) rowsBelow(z resize) int {
	if z.low < min(z.was, z.h) || z.h < z.was {
		return 0
	}
	return max(0, len(p.shown.rows)-p.shown.cy-1)
}

// tmuxLag is longer than tmux keeps a change of size back when there was another
// just before: it lays everything out at once and tells us 250 ms later. What is
// drawn meanwhile may be cut, and more than the frame may be erased.
const tmuxLag = 300 * time.Millisecond

// quiet is how long the size must stay the same before anything is drawn again.
func (s *screen) quiet() time.Duration {
	if inTmux(s.opts.Env) {
		return tmuxLag
	}
	return resizeQuiet
}
