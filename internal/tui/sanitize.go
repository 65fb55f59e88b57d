package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/tools"
)

// plain makes text of a model or a tool safe to show: complete escape sequences
// are removed, and whatever else could drive a terminal becomes visible.
func plain(s string) string { return tools.Clean(strip(s, nil)) }

// plainLine is plain for a place that has one line.
func plainLine(s string) string { return tools.CleanLine(strip(s, nil)) }

// verbatim makes text safe without removing anything: for what a person is
// asked to approve, where a hidden byte would be a lie.
func verbatim(s string) string { return tools.Clean(s) }

// verbatimLine is verbatim for a place that has one line.
func verbatimLine(s string) string { return tools.CleanLine(s) }

// maxEscape bounds an escape sequence: one that is longer is text.
const maxEscape = 4096

// strip removes the complete escape sequences of ECMA-48 from s. An incomplete
// one at the end goes to carry, when there is one, so that a sequence split
// over two pieces of a stream is recognised.
func strip(s string, carry *string) string {
	if !mayEscape(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if !introduces(s[i:]) {
			i++
			continue
		}
		n, open := escapeLen(s[i:])
		switch {
		case open && carry != nil:
			b.WriteString(s[:i])
			*carry = s[i:]
			return b.String()
		case n == 0:
			i++
			continue
		}
		b.WriteString(s[:i])
		s, i = s[i+n:], 0
	}
	b.WriteString(s)
	return b.String()
}

func mayEscape(s string) bool {
	return strings.IndexByte(s, 0x1b) >= 0 || strings.IndexByte(s, 0xc2) >= 0
}

// introduces reports whether s begins with ESC or a C1 control in UTF-8.
func introduces(s string) bool {
	return s[0] == 0x1b || s[0] == 0xc2 && (len(s) == 1 || s[1] >= 0x80 && s[1] <= 0x9f)
}

// escapeLen returns the length of the escape sequence that s begins with, and
// zero when it is none; open says that it would need more bytes to tell.
func escapeLen(s string) (n int, open bool) {
	if len(s) < 2 {
		return 0, true
	}
	kind := s[1]
	if s[0] == 0xc2 {
		kind = s[1] - 0x40 // U+009B is the one-character form of ESC [
	}
	switch kind {
	case '[':
		return controlLen(s)
	case ']', 'P', 'X', '^', '_':
		return stringLen(s)
	}
	if s[0] == 0xc2 {
		return 0, false
	}
	for i := 1; i < len(s) && i < 8; i++ {
		switch c := s[i]; {
		case c >= 0x20 && c <= 0x2f:
		case c >= 0x30 && c <= 0x7e:
			return i + 1, false
		default:
			return 0, false
		}
	}
	return 0, len(s) < 8
}

// controlLen measures a control sequence: parameters, then one final byte.
func controlLen(s string) (int, bool) {
	for i := 2; i < len(s) && i < 128; i++ {
		switch c := s[i]; {
		case c >= 0x40 && c <= 0x7e:
			return i + 1, false
		case c < 0x20 || c > 0x3f:
			return 0, false
		}
	}
	return 0, len(s) < 128
}

// stringLen measures a control string up to BEL, ESC \ or U+009C. It never
// spans lines: else an unclosed one could hide the text behind it.
func stringLen(s string) (int, bool) {
	for i := 2; i < len(s) && i < maxEscape; i++ {
		switch {
		case s[i] == 0x07:
			return i + 1, false
		case s[i] == '\n':
			return 0, false
		case s[i] == 0x1b:
			if i+1 == len(s) {
				return 0, true
			}
			if s[i+1] != '\\' {
				return 0, false
			}
			return i + 2, false
		case s[i] == 0xc2 && i+1 < len(s) && s[i+1] == 0x9c:
			return i + 2, false
		}
	}
	return 0, len(s) < maxEscape
}

// A cleaner is plain for text that comes in pieces.
type cleaner struct{ carry string }

// write returns what of the text so far can be shown.
func (c *cleaner) write(s string) string {
	s = c.carry + s
	c.carry = ""
	s = strip(s, &c.carry)
	if c.carry == "" {
		n := incomplete(s)
		c.carry, s = s[len(s)-n:], s[:len(s)-n]
	}
	return tools.Clean(s)
}

// flush returns what was held back.
func (c *cleaner) flush() string {
	s := c.carry
	c.carry = ""
	return tools.Clean(s)
}

// incomplete returns how many bytes at the end of s may be the beginning of a
// character or of CR LF.
func incomplete(s string) int {
	if strings.HasSuffix(s, "\r") {
		return 1
	}
	for n := 1; n <= 3 && n <= len(s); n++ {
		if c := s[len(s)-n]; utf8.RuneStart(c) {
			if c >= 0x80 && !utf8.FullRuneInString(s[len(s)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// outputLines returns the last n lines of a command's output, as a terminal
// would leave them: of a line that was written over, the last text.
func outputLines(s string, n int) (lines []string, more int) {
	s = strings.TrimRight(s, "\r\n")
	if s == "" {
		return nil, 0
	}
	all := strings.Count(s, "\n") + 1
	if all > n {
		more = all - n
		for range n {
			s, lines = cutLast(s, lines)
		}
		reverse(lines)
	} else {
		lines = strings.Split(s, "\n")
	}
	for i, l := range lines {
		l = strings.TrimRight(l, "\r")
		if at := strings.LastIndexByte(l, '\r'); at >= 0 {
			l = l[at+1:]
		}
		lines[i] = plainLine(expandTabs(l))
	}
	return lines, more
}

func cutLast(s string, lines []string) (string, []string) {
	at := strings.LastIndexByte(s, '\n')
	return s[:max(at, 0)], append(lines, s[at+1:])
}

func reverse(s []string) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}
