package tui

import (
	"unicode"
	"unicode/utf8"
)

// viText is what vi's movements and objects look at. Positions are indexes of
// cells, and one behind the last.
type viText []cell

// A viClass is a kind of characters that make a word together.
type viClass int

const (
	viBlank viClass = iota // newlines too
	viMark                 // punctuation
	viLetter
	viHan
	viHiragana
	viKatakana
	viHangul
	viSymbol // emoji
	viToken  // a paste, which is a word of its own
)

func (t viText) class(i int) viClass {
	c := t[i]
	if c.token != "" {
		return viToken
	}
	r, _ := utf8.DecodeRuneInString(c.text)
	switch {
	case unicode.IsSpace(r):
		return viBlank
	case unicode.Is(unicode.Han, r):
		return viHan
	case unicode.Is(unicode.Hiragana, r):
		return viHiragana
	case unicode.Is(unicode.Katakana, r):
		return viKatakana
	case unicode.Is(unicode.Hangul, r):
		return viHangul
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return viLetter
	case unicode.Is(unicode.So, r):
		return viSymbol
	}
	return viMark
}

func (t viText) blank(i int) bool { return t.class(i) == viBlank }

// joined reports whether cells i and i+1 are in one word.
func (t viText) joined(i int, big bool) bool {
	a, b := t.class(i), t.class(i+1)
	if a == viBlank || b == viBlank {
		return false
	}
	return big || a == b && a != viToken
}

func (t viText) newline(i int) bool { return t[i].token == "" && t[i].text == "\n" }

// is reports whether the cell is that character, and no paste.
func (t viText) is(i int, s string) bool {
	return i >= 0 && i < len(t) && t[i].token == "" && t[i].text == s
}

// newlines counts those in cells[from:to].
func (t viText) newlines(from, to int) (n int) {
	for i := from; i < to; i++ {
		if t.newline(i) {
			n++
		}
	}
	return n
}

// start and end are the ends of the line that i is in.
func (t viText) start(i int) int {
	for i > 0 && !t.newline(i-1) {
		i--
	}
	return i
}

func (t viText) end(i int) int {
	for i < len(t) && !t.newline(i) {
		i++
	}
	return i
}

// emptyLine reports whether i is an empty line.
func (t viText) emptyLine(i int) bool {
	return (i == 0 || t.newline(i-1)) && (i == len(t) || t.newline(i))
}

// first is the first character of the line that is no blank, or the last of the
// line.
func (t viText) first(i int) int {
	from, to := t.start(i), t.end(i)
	for j := from; j < to; j++ {
		if !t.blank(j) {
			return j
		}
	}
	return max(from, to-1)
}

// down is a place in the line that many lines below, as far as there is one; up
// with a negative number. There is none when it moves nowhere.
func (t viText) down(i, n int) (line int, ok bool) {
	for ; n > 0; n-- {
		e := t.end(i)
		if e == len(t) {
			return t.start(i), ok
		}
		i, ok = e+1, true
	}
	for ; n < 0; n++ {
		s := t.start(i)
		if s == 0 {
			return 0, ok
		}
		i, ok = t.start(s-1), true
	}
	return t.start(i), ok
}

// rest is the nearest place to i where the cursor of normal mode may be: on a
// character, or in an empty line.
func (t viText) rest(i int) int {
	i = min(max(0, i), len(t))
	if i == t.end(i) && i > t.start(i) {
		return i - 1
	}
	return i
}
