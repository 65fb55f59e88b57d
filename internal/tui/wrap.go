package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
)

// A span is text of one style. It holds no escape sequences.
type span struct {
	text string
	st   style
}

// tabWidth is how many columns a tab takes: every row that is measured must
// take the same room wherever it begins.
const tabWidth = 4

func expandTabs(s string) string {
	if strings.IndexByte(s, '\t') < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\t", strings.Repeat(" ", tabWidth))
}

// width returns the columns that a styled or plain line takes.
func width(s string) int {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// clip cuts a styled or plain line to w columns, with an ellipsis.
func clip(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if len(s) <= w {
		return s
	}
	return ansi.Truncate(s, w, "…")
}

// clipMiddle cuts a plain line to w columns and keeps both ends, as paths and
// commands need.
func clipMiddle(s string, w int) string {
	total := width(s)
	if total <= w {
		return s
	}
	if w < 8 {
		return clip(s, w)
	}
	head := (w - 1) / 2
	return ansi.Truncate(s, head, "") + "…" + ansi.TruncateLeft(s, total-(w-1-head), "")
}

// clipLeft cuts a plain line to the last w columns, as what is being typed needs.
func clipLeft(s string, w int) string {
	total := width(s)
	if total <= w {
		return s
	}
	return "…" + ansi.TruncateLeft(s, total-w+1, "")
}

// asFits joins parts up to the first that does not fit into w columns: half a hint
// says nothing.
func asFits(w int, parts ...string) string {
	s := ""
	for _, p := range parts {
		if width(s)+width(p) > w {
			break
		}
		s += p
	}
	return s
}

// pad fills a plain or styled line up to w columns.
func pad(s string, w int) string {
	if n := w - width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// hard cuts a plain line into rows of at most w columns, losing nothing.
func hard(s string, w int) []string {
	var rows []string
	for {
		n := cut(s, w)
		rows = append(rows, s[:n])
		if s = s[n:]; s == "" {
			return rows
		}
	}
}

// cut returns how many bytes of s fit w columns, but at least one character.
func cut(s string, w int) int {
	used, at := 0, 0
	for at < len(s) {
		c, cw := ansi.FirstGraphemeCluster(s[at:], ansi.GraphemeWidth)
		if used+cw > w && at > 0 {
			break
		}
		used += cw
		at += len(c)
	}
	return at
}

// wrap lays spans out in rows of at most w columns, broken between words. Each
// row is complete in itself: it ends in the style it began with. The first row
// is begun with first, the others with rest; both are styled already.
func wrap(spans []span, w int, first, rest string) []string {
	return layout{w: max(w, 2), indent: first, rest: rest}.of(spans)
}

// wrapWhole is wrap for the scrollback: an address that is longer than a row is
// left to the terminal to break.
func wrapWhole(spans []span, w int, first, rest string) []string {
	return layout{w: max(w, 2), indent: first, rest: rest, whole: true}.of(spans)
}

// A wrapper is wrap or wrapWhole.
type wrapper func(spans []span, w int, first, rest string) []string

func (l layout) of(spans []span) []string {
	first, rest := l.indent, l.rest
	l.used = width(first)
	l.restW = width(rest)
	for i, s := range spans {
		l.span(s, i+1 == len(spans))
	}
	l.word()
	l.breakRow()
	return l.rows
}

// A layout is the state of wrap.
type layout struct {
	w, used, restW int
	indent, rest   string
	row            strings.Builder
	gap            []span // spaces, shown only when a word follows
	gapW           int
	frags          []span // the word being collected
	fragsW         int
	filled         bool // the row has a word
	whole          bool // addresses are not broken
	rows           []string
}

func (l *layout) span(s span, _ bool) {
	text := expandTabs(s.text)
	for text != "" {
		switch text[0] {
		case '\n':
			l.word()
			l.breakRow()
			text = text[1:]
			continue
		case ' ':
			n := len(text) - len(strings.TrimLeft(text, " "))
			l.word()
			l.gap = append(l.gap, span{text[:n], s.st})
			l.gapW += n
			text = text[n:]
			continue
		}
		seg, whole := segment(text)
		l.frags = append(l.frags, span{seg, s.st})
		l.fragsW += width(seg)
		if text = text[len(seg):]; text != "" && whole {
			l.word()
		}
	}
}

// segmentWindow is how far is looked for the end of a word, in bytes.
const segmentWindow = 1 << 10

// segment returns the text up to the next place where a row may be broken, and
// whether it may be broken there without a space.
func segment(s string) (seg string, whole bool) {
	ahead := s
	if len(ahead) > segmentWindow { // else a long word costs the square of its length
		n := segmentWindow
		for n > 1 && !utf8.RuneStart(s[n]) {
			n--
		}
		ahead = s[:n]
	}
	at := strings.IndexAny(ahead, " \n")
	if at < 0 {
		at = len(ahead)
	}
	if ascii(s[:at]) {
		return s[:at], false
	}
	seg, _, must, _ := uniseg.FirstLineSegmentInString(s[:at], -1)
	return seg, !must && len(seg) < at
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// word puts the collected word on the row, or on the next.
func (l *layout) word() {
	if len(l.frags) == 0 {
		return
	}
	if l.filled && l.used+l.gapW+l.fragsW > l.w {
		l.breakRow()
	}
	for _, g := range l.gap {
		l.put(g)
	}
	l.gap, l.gapW = l.gap[:0], 0
	address := l.whole && l.fragsW > l.w-l.used && isAddress(l.frags)
	for _, f := range l.frags {
		if address || l.used+width(f.text) <= l.w {
			l.put(f)
			continue
		}
		l.split(f)
	}
	l.frags, l.fragsW = l.frags[:0], 0
	l.filled = true
}

// isAddress reports whether a word holds what terminals open.
func isAddress(word []span) bool {
	for _, f := range word {
		if strings.Contains(f.text, "://") {
			return true
		}
	}
	return false
}

// split puts a word that is longer than a row.
func (l *layout) split(f span) {
	for f.text != "" {
		room := l.w - l.used
		if room < 1 {
			l.breakRow()
			room = max(1, l.w-l.used)
		}
		part := f.text[:cut(f.text, room)]
		if width(part) > room && l.filled {
			l.breakRow()
			continue
		}
		l.put(span{part, f.st})
		l.filled = true
		f.text = f.text[len(part):]
	}
}

func (l *layout) put(s span) {
	if l.row.Len() == 0 {
		l.row.WriteString(l.indent)
	}
	l.row.WriteString(s.st.render(s.text))
	l.used += width(s.text)
}

func (l *layout) breakRow() {
	if l.row.Len() == 0 {
		l.row.WriteString(strings.TrimRight(l.indent, " "))
	}
	l.rows = append(l.rows, l.row.String())
	l.row.Reset()
	l.indent, l.used, l.filled = l.rest, l.restW, false
	l.gap, l.gapW = l.gap[:0], 0
}

// wrapText is wrap for text of one style.
func wrapText(s string, st style, w int, first, rest string) []string {
	return wrap([]span{{s, st}}, w, first, rest)
}
