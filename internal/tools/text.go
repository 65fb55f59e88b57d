package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A TextLimit bounds what the model sees of one result.
type TextLimit struct {
	MaxBytes int
	MaxLines int
}

// DefaultTextLimit returns 50 KiB and 2,000 lines.
func DefaultTextLimit() TextLimit { return TextLimit{MaxBytes: 51200, MaxLines: 2000} }

// Bound returns text within l: unchanged when it fits, else its head and tail
// around a marker that names what was left out, and true. The marker comes on
// top of the limit. A cut never splits a character; more, when not "", tells
// how to read the rest without running the call again.
func (l TextLimit) Bound(text, more string) (string, bool) {
	lines := strings.Count(text, "\n") + 1
	if len(text) <= l.MaxBytes && lines <= l.MaxLines {
		return text, false
	}
	head := headOf(text, l.MaxBytes/2, l.MaxLines/2)
	tail := tailOf(text[len(head):], l.MaxBytes-l.MaxBytes/2, l.MaxLines-l.MaxLines/2)
	cut := text[len(head) : len(text)-len(tail)]
	marker := fmt.Sprintf("[… %d bytes, %d lines cut of %d bytes, %d lines", len(cut), strings.Count(cut, "\n"), len(text), lines)
	if more != "" {
		marker += "; " + more
	}
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	return head + marker + "]\n" + tail, true
}

func headOf(s string, bytes, lines int) string {
	s = s[:cutBefore(s, bytes)]
	n := 0
	for i := range len(s) {
		if s[i] == '\n' {
			if n++; n == lines {
				return s[:i+1]
			}
		}
	}
	return s
}

func tailOf(s string, bytes, lines int) string {
	if len(s) > bytes {
		i := len(s) - bytes
		for i < len(s) && !utf8.RuneStart(s[i]) {
			i++
		}
		s = s[i:]
	}
	n := 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '\n' && i != len(s)-1 {
			if n++; n == lines {
				return s[i+1:]
			}
		}
	}
	return s
}

// cutBefore returns the largest index not over i at which a character begins.
func cutBefore(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// Clip returns at most n bytes of s, cut at a character with an ellipsis.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:cutBefore(s, max(0, n-len("…")))] + "…"
}

// Clean makes s safe to show and to store as text: invalid UTF-8 and control
// characters other than newline and tab become visible escapes, so that nothing
// a model, a tool or a file name contains can drive a terminal. CR LF becomes
// LF. Bidirectional overrides and Unicode tag characters are escaped as well.
func Clean(s string) string {
	if !needsCleaning(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case hostile(r):
			if r < 0x80 {
				fmt.Fprintf(&b, `\x%02x`, r)
			} else {
				fmt.Fprintf(&b, `\u{%x}`, r)
			}
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// CleanLine is Clean for a place that has one line: newlines and tabs are
// escaped too.
func CleanLine(s string) string {
	if s = Clean(s); strings.ContainsAny(s, "\n\t") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\n", `\n`), "\t", `\t`)
	}
	return s
}

func needsCleaning(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x80 {
			for _, r := range s[i:] {
				if r == utf8.RuneError || hostile(r) {
					return true
				}
			}
			return false
		} else if c < 0x20 && c != '\n' && c != '\t' || c == 0x7f {
			return true
		}
	}
	return false
}

// hostile reports the characters that can drive a terminal or hide text: C0
// and C1 controls (ECMA-48), bidirectional overrides and isolates (UAX #9),
// line and paragraph separators, the byte order mark and tag characters.
func hostile(r rune) bool {
	switch {
	case r < 0x20 && r != '\n' && r != '\t', r >= 0x7f && r <= 0x9f:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
		return true
	case r == 0x2028, r == 0x2029, r == 0xfeff, r == 0x200b, r == 0x2060:
		return true
	case r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}
