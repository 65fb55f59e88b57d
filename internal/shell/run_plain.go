package shell

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// plain turns what a program wrote for a terminal into text: valid UTF-8
// without control characters other than newline and tab. Escape sequences
// (ECMA-48, 7-bit and 8-bit) are dropped, a line that was overwritten keeps its
// last value, a backspace takes a character back, and what is not text becomes
// a visible escape such as \xff or \0.
func plain(raw []byte) string {
	if isPlain(raw) {
		return string(raw)
	}
	p := printer{out: make([]byte, 0, len(raw))}
	for i := 0; i < len(raw); {
		i += p.step(raw[i:])
	}
	return string(p.out)
}

func isPlain(raw []byte) bool {
	for _, c := range raw {
		if c < 0x20 && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// A printer is a terminal that has one dimension.
type printer struct {
	out      []byte
	line     int  // where the line begins in out
	returned bool // a carriage return: what comes next begins the line again
}

// step takes one character or sequence and returns its length.
func (p *printer) step(raw []byte) int {
	c := raw[0]
	switch {
	case c == '\n':
		p.out = append(p.out, c)
		p.line, p.returned = len(p.out), false
	case c == '\r':
		p.returned = true
	case c == '\b':
		if !p.returned && len(p.out) > p.line {
			_, n := utf8.DecodeLastRune(p.out)
			p.out = p.out[:len(p.out)-n]
		}
	case c == 0x1b:
		return p.escape(raw)
	case c == 0x07, c == 0x0e, c == 0x0f, c == 0x7f: // bell, character sets, padding
	case c == '\t' || c >= 0x20 && c < 0x7f:
		p.print(c)
	case c == 0:
		p.print('\\', '0')
	case c < 0x20:
		p.print(fmt.Appendf(nil, `\x%02x`, c)...)
	default:
		return p.wide(raw)
	}
	return 1
}

// wide takes a character outside ASCII, or a byte that is none.
func (p *printer) wide(raw []byte) int {
	r, n := utf8.DecodeRune(raw)
	control := r
	if r == utf8.RuneError && n == 1 {
		control = rune(raw[0])
	}
	if control >= 0x80 && control <= 0x9f {
		if skip, ok := p.sequence(byte(control-0x40), raw[n:], n == 1); ok {
			return n + skip
		}
	}
	if r == utf8.RuneError && n == 1 || r <= 0x9f {
		p.print(fmt.Appendf(nil, `\x%02x`, control)...)
		return n
	}
	p.print(raw[:n]...)
	return n
}

func (p *printer) print(b ...byte) {
	if p.returned {
		p.out, p.returned = p.out[:p.line], false
	}
	p.out = append(p.out, b...)
}

// escape takes what ESC begins. A sequence that is not complete loses only its
// beginning, so that nothing is hidden behind it.
func (p *printer) escape(raw []byte) int {
	if len(raw) < 2 {
		return 1
	}
	if n, ok := p.sequence(raw[1], raw[2:], false); ok {
		return 2 + n
	}
	i := 1
	for i < len(raw) && raw[i] >= 0x20 && raw[i] <= 0x2f {
		i++
	}
	if i < len(raw) && raw[i] >= 0x30 && raw[i] <= 0x7e {
		return i + 1
	}
	return 1
}

// sequence takes the rest of a control sequence or string and returns its
// length. kind is the character that follows ESC; eight says that it came as
// one byte, so that the terminator may.
func (p *printer) sequence(kind byte, rest []byte, eight bool) (int, bool) {
	switch kind {
	case '[': // CSI
		return p.control(rest)
	case ']', 'P', 'X', '^', '_': // OSC, DCS, SOS, PM, APC
		return stringEnd(rest, kind == ']', eight)
	}
	return 0, false
}

func (p *printer) control(rest []byte) (int, bool) {
	i := 0
	for i < len(rest) && rest[i] >= 0x30 && rest[i] <= 0x3f {
		i++
	}
	params := string(rest[:i])
	for i < len(rest) && rest[i] >= 0x20 && rest[i] <= 0x2f {
		i++
	}
	if i >= len(rest) || rest[i] < 0x40 || rest[i] > 0x7e {
		return 0, false
	}
	switch {
	case rest[i] == 'K' && params == "2": // the line is erased
		p.out = p.out[:p.line]
	case rest[i] == 'G' && (params == "" || params == "1"): // back to its beginning
		p.returned = true
	}
	return i + 1, true
}

// stringEnd finds what ends a control string: ST, or BEL as xterm allows.
func stringEnd(rest []byte, bell, eight bool) (int, bool) {
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == 0x07 && bell, c == 0x9c && eight:
			return i + 1, true
		case c == 0x1b && i+1 < len(rest) && rest[i+1] == '\\':
			return i + 2, true
		case c == 0x1b:
			return i, i > 0 // another sequence cuts it off
		case c == 0xc2 && i+1 < len(rest) && rest[i+1] == 0x9c:
			return i + 2, true
		}
	}
	return 0, false
}

// isBinary reports that more than three in ten bytes of what was written are
// not text. Little output is always shown.
func isBinary(raw []byte) bool {
	if len(raw) < 64 {
		return false
	}
	odd := 0
	for i := 0; i < len(raw); {
		c := raw[i]
		if c < utf8.RuneSelf {
			if c < 0x20 && !bytes.ContainsRune([]byte("\n\t\r\b\a\f\x1b"), rune(c)) {
				odd++
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n == 1 {
			odd++
		}
		i += n
	}
	return odd*10 > len(raw)*3
}

// clipLine returns at most n bytes of s, cut at a character.
func clipLine(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
