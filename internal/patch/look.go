package patch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A unit is a piece of a line, and how it is written by somebody who has only
// seen the line shown, or who spells it the way keyboards do.
type unit struct{ raw, seen string }

// A spelling is a way to write a line. It cuts one into units, and it is known of each
// what it stands for in the text: that is how a line that was matched by its spelling
// keeps what it is.
type spelling struct {
	units func(line string) []unit
	write func(line string) string // the units as they are spelt
}

// seen is the spelling of what is shown, and typed that of keyboards.
func seen() *spelling  { return &spelling{seenUnits, Seen} }
func typed() *spelling { return &spelling{typedUnits, fold} }

// Seen returns s as it is shown to a model: bytes that are not UTF-8 as U+FFFD, and
// characters that drive a terminal or hide text as the escapes that stand for them,
// such as \x0c for a form feed.
func Seen(s string) string {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || escaped(r) {
			return spelled(seenUnits(s))
		}
		i += n
	}
	return s
}

// isPlain reports whether s is shown as it is: printable ASCII and tabs.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && c != '\t' && c != '\n' || c == 0x7f {
			return false
		}
	}
	return true
}

func spelled(units []unit) string {
	var b strings.Builder
	for _, u := range units {
		b.WriteString(u.seen)
	}
	return b.String()
}

func seenUnits(s string) []unit {
	units := make([]unit, 0, len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		u := unit{s[i : i+n], s[i : i+n]}
		switch {
		case r == utf8.RuneError && n == 1:
			u.seen = string(utf8.RuneError)
		case escaped(r):
			u.seen = escape(r)
		}
		units = append(units, u)
		i += n
	}
	return units
}

func escape(r rune) string {
	hex := strconv.FormatInt(int64(r), 16)
	switch {
	case r >= utf8.RuneSelf:
		return `\u{` + hex + `}`
	case len(hex) == 1:
		return `\x0` + hex
	}
	return `\x` + hex
}

// escaped reports the characters that are never shown as they are. They are those of
// Clean in package tools, whose test compares the two.
func escaped(r rune) bool {
	switch {
	case r < ' ' && r != '\n' && r != '\t', r >= 0x7f && r <= 0x9f:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
		return true
	case r == 0x2028, r == 0x2029, r == 0xfeff, r == 0x200b, r == 0x2060:
		return true
	}
	return r >= 0xe0000 && r <= 0xe007f
}

// fold spells a line the way keyboards do: quotes, dashes, spaces and dots that are
// typographic as plain ones, an accent as a part of its letter, and what has no width
// as nothing. The rest is as shown.
func fold(s string) string {
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		if r == utf8.RuneError && n == 1 || escaped(r) || r >= utf8.RuneSelf && isTypographic(r) {
			return spelled(typedUnits(s))
		}
		i += n
	}
	return s
}

// isTypographic reports the characters beyond ASCII that keyboards spell otherwise.
func isTypographic(r rune) bool {
	return r >= '\u2010' && r <= '\u2027' || r == '−' || r == 0xad || unicode.In(r, unicode.Zs, unicode.Mn)
}

func typedUnits(s string) []unit {
	units := make([]unit, 0, len(s))
	first := "" // what has no width and nothing before it
	for _, u := range seenUnits(s) {
		r, n := utf8.DecodeRuneInString(u.raw)
		switch {
		case r == utf8.RuneError && n == 1:
		case r == '‘' || r == '’' || r == '‚' || r == '‛':
			u.seen = "'"
		case r == '“' || r == '”' || r == '„' || r == '‟':
			u.seen = `"`
		case r >= '‐' && r <= '―', r == '−':
			u.seen = "-"
		case r == '…':
			u.seen = "..."
		case unicode.Is(unicode.Zs, r): // NBSP and its kin
			u.seen = " "
		case r == 0x200b, r == 0x2060, r == 0xfeff, r == 0xad, unicode.Is(unicode.Mn, r):
			k := len(units) - 1
			switch mark := unicode.Is(unicode.Mn, r); {
			case k >= 0 && mark:
				units[k].raw, units[k].seen = units[k].raw+u.raw, norm.NFC.String(units[k].seen+u.raw)
				continue
			case k >= 0:
				units[k].raw += u.raw
				continue
			case !mark:
				first += u.raw
				continue
			}
		}
		u.raw, first = first+u.raw, ""
		units = append(units, u)
	}
	if first != "" {
		units = append(units, unit{first, ""})
	}
	return units
}

// maxMend bounds the length of what is mended, in bytes.
const maxMend = 64 << 10

// mend returns next, which is to replace have and was written as a replacement of
// was, with the pieces of have that next keeps of was as they are in have. Have and
// was have the same lines in the spelling spell, but for white space around them. It
// is false when next holds what stands for something in have, and nobody knows for
// which.
func mend(was, have, next []string, spell *spelling) ([]string, bool) {
	from, to := bodies(have), bodies(next)
	if len(next) == 0 || slices.Equal(was, have) {
		return next, true
	}
	if len(from)+len(to) > maxMend {
		return next, !hides(from, to)
	}
	old, new := newScript(from, spell), newScript(to, spell)
	if old.text() != newScript(bodies(was), spell).text() {
		return next, !hides(from, to)
	}
	merged := old.into(new)
	if !utf8.ValidString(from) && (!old.keepsAll(new) || strings.Count(merged, "\ufffd") > strings.Count(from, "\ufffd")) {
		return next, false
	}
	lines := strings.Split(merged, "\n")
	for i := range lines { // what is around them is next's own
		body := strings.Trim(next[i], blanks)
		at := strings.Index(next[i], body)
		lines[i] = next[i][:at] + lines[i] + next[i][at+len(body):]
	}
	return lines, true
}

const blanks = " \t"

// bodies are lines without the white space around them, one after the other.
func bodies(lines []string) string {
	trimmed := make([]string, len(lines))
	for i, l := range lines {
		trimmed[i] = strings.Trim(l, blanks)
	}
	return strings.Join(trimmed, "\n")
}

// hides reports whether to has what stands for something in from that is not shown
// as it is.
func hides(from, to string) bool {
	return !isPlain(from) && slices.ContainsFunc(seenUnits(from), func(u unit) bool { return u.raw != u.seen && strings.Contains(to, u.seen) })
}

// A script is a text character by character as it is spelt, with the unit that each
// belongs to.
type script struct {
	units []unit
	runes []string
	of    []int // by index of runes
}

func newScript(s string, spell *spelling) *script {
	t := &script{units: spell.units(s)}
	for i, u := range t.units {
		for _, r := range u.seen {
			t.runes, t.of = append(t.runes, string(r)), append(t.of, i)
		}
	}
	return t
}

func (t *script) text() string { return strings.Join(t.runes, "") }

// into returns the text of new, with every unit that t has too as it is in t.
func (t *script) into(new *script) string {
	var b strings.Builder
	// put writes the runes from i to end of s, whole units as they are.
	put := func(s *script, i, end int) {
		for i < end {
			k := i
			for k < end && s.of[k] == s.of[i] {
				k++
			}
			first := i == 0 || s.of[i-1] != s.of[i]
			last := k == len(s.of) || s.of[k] != s.of[i]
			if first && last {
				b.WriteString(s.units[s.of[i]].raw)
			} else {
				b.WriteString(strings.Join(s.runes[i:k], ""))
			}
			i = k
		}
	}
	i := 0
	for _, e := range edits(t.runes, new.runes) {
		put(t, i, e.old)
		put(new, e.new, e.new+e.added)
		i = e.old + e.removed
	}
	put(t, i, len(t.runes))
	return b.String()
}

// keepsAll reports whether new has as many characters for bytes that are not UTF-8
// as t has such bytes, or none: else nobody knows which of them stay.
func (t *script) keepsAll(new *script) bool {
	count := func(s *script) (n int) {
		for _, r := range s.runes {
			if r == "\ufffd" {
				n++
			}
		}
		return n
	}
	bad := 0
	for _, u := range t.units {
		if !utf8.ValidString(u.raw) {
			bad++
		}
	}
	n := count(new)
	return n == 0 || n == count(t) && bad > 0
}

// standIn refuses text that mend cannot tell the meaning of.
func standIn(text string) error {
	return fmt.Errorf("%q would replace what is not shown as it is, such as bytes that are not UTF-8, by the characters that stand for it: change such a line with a command", clip(text))
}
