package patch

import "strings"

// A pass is one way to compare lines: two are alike when their keys are equal.
type pass struct {
	name  string // how a result calls it; "" for the exact pass
	key   func(string) string
	spell *spelling // what lines that are alike have in common; nil for the exact pass
	part  bool      // parts of lines are compared by it too
}

// The passes in the order they are tried. A later one is more tolerant.
func passes() []pass {
	trimmed := func(s string) string { return strings.TrimRight(s, blanks) }
	return []pass{
		{"", func(s string) string { return s }, nil, false},
		{"characters that are shown in another form", Seen, seen(), true},
		{"trailing space", func(s string) string { return trimmed(Seen(s)) }, seen(), false},
		{"typographic quotes, dashes and spaces, or accents", func(s string) string { return trimmed(fold(s)) }, typed(), true},
		{indentation, func(s string) string { return strings.TrimSpace(fold(s)) }, typed(), false},
	}
}

const indentation = "indentation"
