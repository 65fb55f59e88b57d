package tui

import (
	"strings"
)

// A diffView renders the whole of a diff at a width, one column.
type diffView struct {
	th *theme
	w  int
}

// rows renders at most limit lines of the diff, all when it is negative, and
// returns how many were left out.
func (v diffView) rows(lines []diffLine, limit int) (rows []string, more int) {
	if limit >= 0 && len(lines) > limit {
		more = len(lines) - limit
		lines = lines[:limit]
	}
	b := newDiffBody(v.th, newDiffDoc(lines), v.w, false)
	for i := range b.height() {
		rows = append(rows, b.row(i))
	}
	return rows, more
}

// diffText makes a line of a file safe and gives its tabs their width.
func diffText(s string) string {
	if printable(s) {
		return s
	}
	return reveal(verbatimLine(expandTabs(s)), false)
}

// printable reports whether s is nothing but printable ASCII: then a byte is a
// column, and nothing of it has to be made safe.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// hardSpans cuts spans into rows of w columns at any character; the first row
// begins with first, the others with rest, both in columns wide.
func hardSpans(spans []span, w int, first, rest string, in int) []string {
	var rows []string
	var row strings.Builder
	row.WriteString(first)
	used := in
	for _, s := range spans {
		for text := s.text; text != ""; {
			if used >= w && used > in {
				rows = append(rows, row.String())
				row.Reset()
				row.WriteString(rest)
				used = in
			}
			part := text[:cut(text, max(1, w-used))]
			if pw := width(part); used+pw > w && used > in {
				used = w
				continue
			}
			row.WriteString(s.st.render(part))
			used += width(part)
			text = text[len(part):]
		}
	}
	return append(rows, strings.TrimRight(row.String(), " "))
}
