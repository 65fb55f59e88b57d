package patch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Span is a stretch of a line, from a byte up to another.
type Span struct{ From, To int }

// wordsLimit bounds the lines that are compared word by word, in bytes.
const wordsLimit = 2000

// Words returns what differs between two versions of a line, word by word. It
// returns false when they have too little in common for marks to help, or are
// too long.
func Words(a, b string) (inA, inB []Span, ok bool) {
	if len(a) > wordsLimit || len(b) > wordsLimit {
		return nil, nil, false
	}
	x, y := tokens(a), tokens(b)
	i, atA, atB, same := 0, 0, 0, 0
	skip := func(to int) { // what both have
		for ; i < to; i++ {
			same += len(strings.TrimSpace(x[i]))
			atA, atB = atA+len(x[i]), atB+len(x[i])
		}
	}
	for _, e := range edits(x, y) {
		skip(e.old)
		if n := len(strings.Join(x[e.old:e.old+e.removed], "")); n > 0 {
			inA = stretch(inA, a, atA, atA+n)
			atA += n
		}
		if n := len(strings.Join(y[e.new:e.new+e.added], "")); n > 0 {
			inB = stretch(inB, b, atB, atB+n)
			atB += n
		}
		i = e.old + e.removed
	}
	skip(len(x))
	if 2*same < max(len(strings.TrimSpace(a)), len(strings.TrimSpace(b))) {
		return nil, nil, false
	}
	return inA, inB, true
}

// stretch adds a stretch of line, joined with the one before it when only white
// space is between them.
func stretch(list []Span, line string, from, to int) []Span {
	if n := len(list); n > 0 && strings.TrimSpace(line[list[n-1].To:from]) == "" {
		list[n-1].To = to
		return list
	}
	return append(list, Span{from, to})
}

// tokens cuts a line into words, runs of white space and single other
// characters.
func tokens(s string) []string {
	var out []string
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		k := classOf(r)
		for k != 0 && n < len(s) {
			next, m := utf8.DecodeRuneInString(s[n:])
			if classOf(next) != k {
				break
			}
			n += m
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func classOf(r rune) int {
	switch {
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return 1
	case unicode.IsSpace(r):
		return 2
	}
	return 0
}
