package patch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A pass is one way to compare lines: two are alike when their keys are equal.
type pass struct {
	name string // how a result calls it; "" for the exact pass
	key  func(string) string
}

// The passes in the order they are tried. A later one is more tolerant.
func passes() []pass {
	return []pass{
		{"", func(s string) string { return s }},
		{"trailing space", func(s string) string { return strings.TrimRight(s, " \t") }},
		{"typographic quotes, dashes and spaces", func(s string) string { return strings.TrimRight(fold(s), " \t") }},
		{indentation, func(s string) string { return strings.TrimSpace(fold(s)) }},
	}
}

const indentation = "indentation"

// fold spells typographic characters the way keyboards do. Bytes that are not
// UTF-8 become U+FFFD, as they do on their way to a model.
func fold(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '‘' || r == '’' || r == '‚' || r == '‛':
			return '\''
		case r == '“' || r == '”' || r == '„' || r == '‟':
			return '"'
		case r >= '‐' && r <= '―', r == '−':
			return '-'
		case unicode.Is(unicode.Zs, r): // NBSP and its kin
			return ' '
		}
		return r
	}, s)
}
