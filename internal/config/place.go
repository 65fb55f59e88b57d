package config

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Place is where something stands in a file. Lines and columns count from 1,
// columns in bytes.
type Place struct {
	File         string
	Line, Column int
}

// String returns file:line:column.
func (p Place) String() string {
	return fmt.Sprintf("%s:%d:%d", visible(p.File), p.Line, p.Column)
}

// A Notice is something that the files say and that is not in force.
type Notice struct {
	Place Place
	Key   string // dotted path
	Text  string
}

// String returns the notice as one line.
func (n Notice) String() string { return n.Place.String() + ": " + n.Text }

// A Problem is one mistake in a file.
type Problem struct {
	Place Place
	Text  string
}

// String returns the problem as one line.
func (p Problem) String() string { return p.Place.String() + ": " + p.Text }

// An Error is a file that cannot be used. It has at least one problem, in the
// order in which they stand in the file.
type Error struct {
	Problems []Problem
}

// Error returns the first problem as one line and says how many more there are.
func (e *Error) Error() string {
	s := e.Problems[0].String()
	if n := len(e.Problems) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// A source is a file's text with its line starts, so that many offsets can be
// placed cheaply.
type source struct {
	path   string
	text   []byte
	starts []int
}

func newSource(path string, text []byte) *source {
	s := &source{path: path, text: text, starts: []int{0}}
	for i, c := range text {
		if c == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	return s
}

func (s *source) place(offset int) Place {
	line := sort.SearchInts(s.starts, offset+1)
	return Place{s.path, line, offset - s.starts[line-1] + 1}
}

// clip bounds what a message quotes from a file.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	i := most
	for !utf8.RuneStart(s[i]) {
		i--
	}
	return s[:i] + "…"
}

// visible escapes what would break a line, drive a terminal or hide.
func visible(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || !strconv.IsPrint(r) {
			q := strconv.Quote(s[i : i+n])
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
