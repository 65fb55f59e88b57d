package tui

import "strconv"

// What begins and ends the use of the alternate screen. Terminals keep the
// protocol of the keys for each screen apart.
const (
	fullOn  = "\x1b[?1049h" + kittyOn + "\x1b[?25l"
	fullOff = "\x1b[<u\x1b[?1049l"
)

// full draws rows on the alternate screen, all of it; the inline screen below
// stays as it is until leaveFull.
func (p *painter) full(rows []string) error {
	if p.dumb {
		return nil
	}
	p.buf.WriteString(syncBegin)
	if !p.alt {
		p.buf.WriteString(fullOn)
		p.alt, p.altRows = true, nil
	}
	p.buf.WriteString(wrapOff)
	if len(rows) != len(p.altRows) {
		p.altRows = nil
	}
	for i, r := range rows {
		if p.altRows != nil && p.altRows[i] == r {
			continue
		}
		p.buf.WriteString("\x1b[" + strconv.Itoa(i+1) + ";1H" + r + eraseTail)
	}
	if p.altRows == nil && len(rows) > 0 {
		p.buf.WriteString("\x1b[" + strconv.Itoa(len(rows)) + ";1H")
	}
	p.altRows = rows
	p.buf.WriteString(wrapOn + syncEnd)
	return p.flush()
}

// leaveFull goes back to the inline screen, which is as it was.
func (p *painter) leaveFull() error {
	if !p.alt {
		return nil
	}
	p.alt, p.altRows = false, nil
	p.buf.WriteString(fullOff)
	if !p.shown.hidden {
		p.buf.WriteString(show)
	}
	return p.flush()
}

// raw writes a sequence that moves nothing, such as a title. Without
// cursor movement there is only the bell.
func (p *painter) raw(seq string) error {
	if p.dumb && seq != "\x07" {
		return nil
	}
	p.buf.WriteString(seq)
	return p.flush()
}
