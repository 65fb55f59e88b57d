package tui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// revealed is verbatim for what runs as it stands: what terminals show as nothing
// is visible, and so is a blank that is none to a shell.
func revealed(s string) string { return reveal(verbatim(s), true) }

// revealedLine is revealed for a place that has one line.
func revealedLine(s string) string { return reveal(verbatimLine(s), true) }

// reveal writes characters out that a terminal shows as nothing, and with blanks
// set those as well that look like a blank. What languages and signs need where
// it stands is left as it is: joiners within words and emoji, selectors behind
// the sign that they select a form of.
func reveal(s string, blanks bool) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return s
	}
	var b strings.Builder
	before := rune(-1)
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if unseen(r) && !needed(before, r, next) || blanks && r != ' ' && unicode.Is(unicode.Zs, r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// unseen reports characters that show nothing, apart from those that are never
// let through: see tools.Clean.
func unseen(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return false
	case unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Join_Control, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return true
	}
	return unicode.Is(unicode.Cf, r) || r == 0x2800 // the empty pattern of Braille
}

// needed reports whether a character that shows nothing means something between
// its neighbours.
func needed(before, r, next rune) bool {
	switch {
	case unicode.Is(unicode.Join_Control, r):
		return (joins(before) || before == 0xfe0f) && joins(next)
	case unicode.Is(unicode.Variation_Selector, r):
		return sign(before) || unicode.In(before, unicode.Han, unicode.Mongolian) && !unseen(before) || next == 0x20e3 // a key: 1, a selector and its frame
	}
	return false
}

// joins reports what stands beside a joiner: emoji, and letters whose shape it
// changes.
func joins(r rune) bool {
	return sign(r) || unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer,
		unicode.Myanmar, unicode.Tibetan)
}

// sign reports emoji, and what may be shown as one.
func sign(r rune) bool { return r >= utf8.RuneSelf && unicode.IsSymbol(r) }
