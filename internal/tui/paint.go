package tui

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// A frame is what is drawn below the scrollback: rows that fit the terminal,
// and where the cursor stands in them. Without rows, nothing is shown.
type frame struct {
	rows   []string
	cx, cy int
	hidden bool // no cursor
	asks   asks
}

// An asks is what the person is asked: a question of a card, whose card is nil
// for none.
type asks struct {
	card     *card
	question int
}

// A painter turns lines for the scrollback and frames into bytes, in one write
// each. It never needs to know how many rows a printed line took: printed text
// flows over the old frame, and the new frame is drawn where the text ended.
// Frames are drawn with automatic wrapping off, so that a terminal that
// measures a character otherwise cannot shift the rows. Nothing above the
// frame is touched but on a resize, and the scrollback is never erased.
//
// Bubble Tea's own renderer is not used: it wakes up many times a second when
// nothing happens, a key waits for its tick, and it must guess how many rows a
// printed line takes.
type painter struct {
	out   io.Writer
	dumb  bool
	shown frame
	begun bool
	buf   bytes.Buffer
	// alt says that the alternate screen is in use, and altRows what it shows.
	alt     bool
	altRows []string
}

const (
	syncBegin = "\x1b[?2026h" // synchronized output: terminals without it ignore it
	syncEnd   = "\x1b[?2026l"
	wrapOff   = "\x1b[?7l"
	wrapOn    = "\x1b[?7h"
	hide      = "\x1b[?25l"
	show      = "\x1b[?25h"
	eraseRow  = "\x1b[2K"
	eraseDown = "\x1b[J"
	eraseTail = "\x1b[K"
)

// paint prints lines above the frame and draws f.
func (p *painter) paint(lines []string, f frame) error {
	if p.dumb {
		return p.plain(lines)
	}
	if len(lines) == 0 && p.begun && f.same(p.shown) {
		return nil
	}
	p.begin()
	if len(lines) > 0 {
		p.home()
		for _, l := range lines {
			p.buf.WriteString(l)
			p.buf.WriteString("\r\n")
		}
		p.draw(f)
	} else {
		p.update(f)
	}
	return p.end(f)
}

// clear takes the frame away and leaves the cursor where it began.
func (p *painter) clear() error {
	if err := p.leaveFull(); err != nil {
		return err
	}
	if p.dumb || !p.begun {
		return nil
	}
	p.begin()
	p.home()
	p.shown = frame{}
	p.buf.WriteString(wrapOn + show + syncEnd)
	return p.flush()
}

// anew forgets what is shown: somebody else has written to the terminal since,
// and the cursor is where they left it.
func (p *painter) anew() error {
	if p.dumb {
		return nil
	}
	p.shown = frame{}
	if p.alt {
		p.altRows = nil
		p.buf.WriteString("\x1b[?1049h")
		return p.flush()
	}
	p.buf.WriteByte('\r')
	p.erase()
	return p.flush()
}

// plain is all that a terminal without cursor movement gets.
func (p *painter) plain(lines []string) error {
	for _, l := range lines {
		p.buf.WriteString(l)
		p.buf.WriteString("\r\n")
	}
	return p.flush()
}

func (p *painter) begin() {
	p.begun = true
	p.buf.WriteString(syncBegin + hide)
}

func (p *painter) end(f frame) error {
	p.shown = f
	if !f.hidden && len(f.rows) > 0 {
		p.buf.WriteString(show)
	}
	p.buf.WriteString(syncEnd)
	return p.flush()
}

func (p *painter) flush() error {
	if p.buf.Len() == 0 {
		return nil
	}
	_, err := p.out.Write(p.buf.Bytes())
	p.buf.Reset()
	return err
}

// home moves to the frame's first row and erases the frame.
func (p *painter) home() {
	p.move(-p.shown.cy, 0)
	p.buf.WriteByte('\r')
	p.erase()
}

// erase clears the cursor's row and what is below, and leaves the cursor at the
// start of the row. It erases from the second column on: from the top left
// corner on makes some terminals, tmux among them, push what they erase into the
// scrollback. It moves to no other row, as there may be none.
func (p *painter) erase() {
	p.buf.WriteString(eraseRow + "\x1b[C" + eraseDown + "\r")
}

// draw writes all rows of f from the cursor on.
func (p *painter) draw(f frame) {
	p.buf.WriteString(wrapOff)
	for i, r := range f.rows {
		if i > 0 {
			p.buf.WriteString("\r\n")
		}
		p.buf.WriteString(r)
		p.buf.WriteString(eraseTail)
	}
	p.buf.WriteString(wrapOn)
	p.place(f, max(0, len(f.rows)-1))
}

// update writes the rows of f that differ from what is shown.
func (p *painter) update(f frame) {
	at := p.shown.cy
	p.buf.WriteString(wrapOff)
	for i, r := range f.rows {
		switch {
		case i >= len(p.shown.rows):
			if len(p.shown.rows) > 0 || i > 0 {
				p.move(i-1-at, 0)
				p.buf.WriteString("\r\n")
			}
		case r != p.shown.rows[i]:
			p.move(i-at, 0)
			p.buf.WriteByte('\r')
		default:
			continue
		}
		at = i
		p.buf.WriteString(r)
		p.buf.WriteString(eraseTail)
	}
	p.buf.WriteString(wrapOn)
	if n := len(f.rows); n < len(p.shown.rows) {
		p.move(n-at, 0)
		p.buf.WriteByte('\r')
		p.erase()
		at = n
	}
	p.place(f, at)
}

// place moves the cursor from row at to where f has it.
func (p *painter) place(f frame, at int) {
	p.move(f.cy-at, 0)
	p.buf.WriteByte('\r')
	p.move(0, f.cx)
}

// move moves the cursor by rows, down when positive, and columns to the right. It
// goes down by line feeds: at the end of a screen that has become lower they
// scroll, where a movement would stop short, and the next one up would go too far.
func (p *painter) move(rows, columns int) {
	for range rows {
		p.buf.WriteByte('\n')
	}
	for _, m := range []struct {
		n   int
		dir byte
	}{{-rows, 'A'}, {columns, 'C'}} {
		if m.n > 0 {
			p.buf.WriteString("\x1b[" + strconv.Itoa(m.n))
			p.buf.WriteByte(m.dir)
		}
	}
}

func (f frame) same(g frame) bool {
	if f.cx != g.cx || f.cy != g.cy || f.hidden != g.hidden || len(f.rows) != len(g.rows) {
		return false
	}
	for i := range f.rows {
		if f.rows[i] != g.rows[i] {
			return false
		}
	}
	return true
}

// fit cuts the frame to a terminal of w columns and h rows: from the top, as
// what is at the bottom is where the person types.
func (f frame) fit(w, h int) frame {
	w, h = max(1, w-1), max(1, h-2)
	if n := len(f.rows) - h; n > 0 {
		f.rows = f.rows[n:]
		f.cy = max(0, f.cy-n)
	}
	rows := make([]string, len(f.rows))
	for i, r := range f.rows {
		rows[i] = clip(strings.TrimRight(r, " "), w)
	}
	f.rows, f.cx = rows, min(f.cx, w-1)
	return f
}
