package tui

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A diffView renders a diff at a width.
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
	digits := 1
	for _, l := range lines {
		digits = max(digits, len(strconv.Itoa(l.number)))
	}
	hunks := 0
	for i := 0; i < len(lines); i++ {
		switch l := lines[i]; l.kind {
		case 'f':
			hunks = 0
			rows = append(rows, v.th.strong.render(clip(verbatimLine(l.text), v.w)))
		case '@':
			if hunks++; hunks > 1 || l.number > 1 {
				rows = append(rows, v.th.muted.render(clip(strings.Repeat(" ", digits)+" "+v.th.glyph.more+" "+verbatimLine(l.text), v.w)))
			}
		case 'i':
			rows = append(rows, v.th.muted.render(clip(verbatimLine(l.text), v.w)))
		case '-':
			n := v.changed(lines[i:], digits, &rows)
			i += n - 1
		default:
			rows = append(rows, v.line(l, digits, []span{{diffText(l.text), v.plain(l.kind)}})...)
		}
	}
	return rows, more
}

// pairLimit bounds the lines that are compared word by word.
const pairLimit = 60

// changed renders removed lines and the added ones behind them, with the words
// that differ marked, and returns how many lines these were.
func (v diffView) changed(lines []diffLine, digits int, rows *[]string) int {
	removed := run(lines, '-')
	added := run(lines[removed:], '+')
	spans := make([][]span, removed+added)
	for i := range spans {
		spans[i] = []span{{diffText(lines[i].text), v.plain(lines[i].kind)}}
	}
	if removed == added && removed <= pairLimit {
		for i := range removed {
			a, b, ok := v.words(diffText(lines[i].text), diffText(lines[removed+i].text))
			if ok {
				spans[i], spans[removed+i] = a, b
			}
		}
	}
	for i := range spans {
		*rows = append(*rows, v.line(lines[i], digits, spans[i])...)
	}
	return removed + added
}

func run(lines []diffLine, kind byte) int {
	n := 0
	for n < len(lines) && lines[n].kind == kind {
		n++
	}
	return n
}

func (v diffView) plain(kind byte) style {
	switch kind {
	case '+':
		return v.th.add
	case '-':
		return v.th.del
	}
	return style{}
}

// diffText makes a line of a file safe and gives its tabs their width.
func diffText(s string) string { return verbatimLine(expandTabs(s)) }

// line renders one line with its number and sign, cut into as many rows as it
// needs: nothing of what is to be approved is left out.
func (v diffView) line(l diffLine, digits int, spans []span) []string {
	gutter := fmt.Sprintf("%*d ", digits, l.number)
	first := v.th.muted.render(gutter) + v.plain(l.kind).render(string(l.kind)) + " "
	rest := strings.Repeat(" ", digits+3)
	return hardSpans(spans, max(4, v.w), first, rest, digits+3)
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

// words marks what differs between two lines: what is left when the words that
// begin and end both are taken away. It refuses when little would be left in
// common, where marks are noise.
func (v diffView) words(a, b string) (old, new []span, ok bool) {
	x, y := tokens(a), tokens(b)
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	same := len(strings.TrimSpace(strings.Join(x[:head], ""))) + len(strings.TrimSpace(strings.Join(x[len(x)-tail:], "")))
	if 2*same < max(len(strings.TrimSpace(a)), len(strings.TrimSpace(b))) {
		return nil, nil, false
	}
	mark := func(t []string, plain, word style) []span {
		return []span{
			{strings.Join(t[:head], ""), plain},
			{strings.Join(t[head:len(t)-tail], ""), word},
			{strings.Join(t[len(t)-tail:], ""), plain},
		}
	}
	return mark(x, v.th.del, v.th.delWord), mark(y, v.th.add, v.th.addWord), true
}

// tokens cuts a line into words, runs of white space and single other
// characters.
func tokens(s string) []string {
	var out []string
	kind := func(r rune) int {
		switch {
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 0
	}
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		k := kind(r)
		for k != 0 && n < len(s) {
			next, m := utf8.DecodeRuneInString(s[n:])
			if kind(next) != k {
				break
			}
			n += m
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}
