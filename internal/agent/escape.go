package agent

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tags are the names, or the first words of the names, of the tags that zuno
// wraps data in, and of those that a model might take for a change of speaker.
// Text from a file must not be able to open or close one.
var tags = [...]string{
	"project_instructions", "environment", "recovery_notice", "operator", "command", "user", "notice",
	"tool", "mcp", "result", "attached", "skill", "skills", "hook", "memory", "work_state", "system", "assistant", "developer", "zuno",
}

// escape makes s safe to stand within tags: a < that begins one of zuno's tags,
// in any case, is written as \u003c, and what is hidden is written visibly.
func escape(s string) string { return escapeTags(reveal(s)) }

// escapeLine is escape for a value that has one line.
func escapeLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(escape(s))
}

// escapeAttribute is escapeLine for a value between double quotes.
func escapeAttribute(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`, `"`, `\u0022`, "<", `\u003c`, ">", `\u003e`).Replace(reveal(s))
}

func escapeTags(s string) string {
	var b strings.Builder
	last := 0
	for i, r := range s {
		if (r == '<' || r == '＜' || r == '﹤') && tagFollows(s[i+utf8.RuneLen(r):]) {
			b.WriteString(s[last:i])
			b.WriteString(`\u003c`)
			last = i + utf8.RuneLen(r)
		}
	}
	return b.String() + s[last:]
}

// tagFollows reports whether s, which comes after a <, begins with a tag's
// name, alone or as the first of several words, with or without a slash and
// white space before it.
func tagFollows(s string) bool {
	s = strings.TrimLeft(s, " \t\n/")
	s = strings.ToLower(s[:min(len(s), 32)])
	for _, t := range tags {
		rest, ok := strings.CutPrefix(s, t)
		if next, _ := utf8.DecodeRuneInString(rest); ok && !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			return true
		}
	}
	return false
}

// reveal writes what a reader would not see as visible escapes: controls other
// than newline and tab, format characters (bidirectional overrides, zero width
// spaces, tag characters), fillers and runs of variation selectors. CR LF
// becomes LF. Joiners and single selectors that are part of an emoji or of a
// script that needs them stay.
func reveal(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var before rune // the character before, 0 when that was hidden
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
			r = 0
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
		case hidden(r, before):
			fmt.Fprintf(&b, `\u{%x}`, r)
			r = 0
		default:
			b.WriteRune(r)
		}
		before = r
		i += n
	}
	return b.String()
}

func hidden(r, before rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case joins(r):
		return before < 0x80 || joins(before)
	case selects(r):
		keycap := r == 0xfe0f && strings.ContainsRune("0123456789#*", before)
		return before < 0x80 && !keycap || joins(before) || selects(before)
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co):
		return true
	case r >= 0xe0000 && r <= 0xe0fff: // tags and supplementary variation selectors
		return true
	}
	return r == 0x034f || r == 0x115f || r == 0x1160 || r == 0x17b4 || r == 0x17b5 || r == 0x3164 || r == 0xffa0
}

// joins reports the zero width joiner and non-joiner.
func joins(r rune) bool { return r == 0x200c || r == 0x200d }

// selects reports the variation selectors that emoji use.
func selects(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f }
