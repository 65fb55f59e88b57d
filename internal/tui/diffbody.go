package tui

import (
	"fmt"
	"sort"
	"strings"
)

// gutterGap separates the two columns.
const gutterGap = 3

// A diffBody is a diff laid out at a width. How many rows a line takes is
// counted, and the rows themselves are made when they are shown: a diff of any
// length opens at once.
type diffBody struct {
	th     *theme
	doc    *diffDoc
	w      int
	split  bool
	items  []diffItem
	starts []int32 // first row of each item, and at the end how many rows there are
	cuts   map[int32][]int
	styled map[int32][]stretch
}

// A diffItem is what stands side by side: the same line, two lines that stand
// against each other, or one. -1 is no line.
type diffItem struct{ left, right int32 }

// drawnLines bounds the lines that are kept drawn.
const drawnLines = 500

func newDiffBody(th *theme, doc *diffDoc, w int, split bool) *diffBody {
	b := &diffBody{th: th, doc: doc, w: max(4, w), split: split, cuts: map[int32][]int{}, styled: map[int32][]stretch{}}
	b.lay()
	at := int32(0)
	b.starts = make([]int32, 0, len(b.items)+1)
	for _, it := range b.items {
		b.starts = append(b.starts, at)
		at += b.count(it)
	}
	b.starts = append(b.starts, at)
	return b
}

// lay decides what stands beside what.
func (b *diffBody) lay() {
	lines := b.doc.lines
	hunks := 0
	for i := 0; i < len(lines); i++ {
		n := int32(i)
		switch l := lines[i]; {
		case l.kind == 't':
			hunks = 0
		case l.kind == 'f':
			hunks = 0
			b.items = append(b.items, diffItem{n, -1})
		case l.kind == '@':
			if hunks++; hunks > 1 || l.number > 1 {
				b.items = append(b.items, diffItem{n, -1})
			}
		case b.split && l.kind == '-':
			removed := run(lines[i:], '-')
			added := run(lines[i+removed:], '+')
			for k := range max(removed, added) {
				it := diffItem{-1, -1}
				if k < removed {
					it.left = int32(i + k)
				}
				if k < added {
					it.right = int32(i + removed + k)
				}
				b.items = append(b.items, it)
			}
			i += removed + added - 1
		case b.split && l.kind == '+':
			b.items = append(b.items, diffItem{-1, n})
		case b.split && l.kind == ' ':
			b.items = append(b.items, diffItem{n, n})
		default:
			b.items = append(b.items, diffItem{n, -1})
		}
	}
}

// beside reports whether an item has two columns.
func (b *diffBody) beside(it diffItem) bool {
	if !b.split {
		return false
	}
	return b.doc.lines[max(it.left, it.right)].ofFile()
}

// column is how wide one of two columns is.
func (b *diffBody) column() int { return (b.w - gutterGap) / 2 }

// room is how many columns the text of a line has in w.
func (b *diffBody) room(w int) int { return max(1, w-b.doc.digits-3) }

func (b *diffBody) count(it diffItem) int32 {
	if !b.beside(it) {
		return b.rowsOf(it.left, b.w)
	}
	return max(b.rowsOf(it.left, b.column()), b.rowsOf(it.right, b.column()))
}

// rowsOf returns how many rows a line takes.
func (b *diffBody) rowsOf(i int32, w int) int32 {
	if i < 0 {
		return 1
	}
	l := b.doc.lines[i]
	room := b.room(w)
	if !l.ofFile() {
		return int32(len(b.head(i)))
	}
	if n, ok := plainColumns(l.text); ok {
		return int32(max(1, (n+room-1)/room))
	}
	return int32(len(cutAll(b.doc.text(i), room)))
}

// plainColumns returns how many columns a line of a file takes that is nothing
// but printable ASCII and tabs; false when it is something else.
func plainColumns(s string) (n int, ok bool) {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\t':
			n += tabWidth
		case c < 0x20 || c > 0x7e:
			return 0, false
		default:
			n++
		}
	}
	return n, true
}

// cutAll returns where each row of a text ends.
func cutAll(text string, room int) []int {
	if printable(text) {
		ends := make([]int, 0, len(text)/room+1)
		for at := room; at < len(text); at += room {
			ends = append(ends, at)
		}
		return append(ends, len(text))
	}
	var ends []int
	for at := 0; ; {
		at += cut(text[at:], room)
		ends = append(ends, at)
		if at >= len(text) {
			return ends
		}
	}
}

// head renders what is not a line of a file.
func (b *diffBody) head(i int32) []string {
	l := b.doc.lines[i]
	text := revealedLine(l.text)
	switch l.kind {
	case 'f':
		return hardRows(b.th.strong, text, b.w, "", "")
	case '@':
		return []string{b.th.muted.render(clip(strings.Repeat(" ", b.doc.digits)+" "+b.th.glyph.more+" "+text, b.w))}
	}
	return hardRows(b.th.muted, text, b.w, "", "")
}

func (b *diffBody) height() int { return int(b.starts[len(b.items)]) }

// item returns the item that a row belongs to.
func (b *diffBody) item(n int) int {
	return sort.Search(len(b.items), func(i int) bool { return int(b.starts[i+1]) > n })
}

// row draws one row.
func (b *diffBody) row(n int) string {
	i := b.item(n)
	it, k := b.items[i], n-int(b.starts[i])
	switch {
	case b.beside(it):
		w := b.column()
		return pad(b.side(it.left, k, w), w) + b.th.muted.render(" "+b.th.glyph.bar+" ") + b.side(it.right, k, w)
	case b.doc.lines[it.left].ofFile():
		return b.side(it.left, k, b.w)
	}
	return b.head(it.left)[k]
}

// side draws row k of a line, in w columns; nothing when it has no such row.
func (b *diffBody) side(i int32, k, w int) string {
	if i < 0 {
		return ""
	}
	l, text := b.doc.lines[i], b.doc.text(i)
	ends := b.ends(i, text, b.room(w))
	if k >= len(ends) {
		return ""
	}
	b.doc.want(i)
	from := 0
	var row strings.Builder
	if k > 0 {
		from = ends[k-1]
		row.WriteString(strings.Repeat(" ", b.doc.digits+3))
	} else {
		row.WriteString(b.th.muted.render(fmt.Sprintf("%*d ", b.doc.digits, l.number)))
		row.WriteString(b.th.tint(l.kind, 0, false).render(string(l.kind)) + " ")
	}
	to := ends[k]
	for _, s := range b.stretches(i, len(text)) {
		if s.end <= from {
			continue
		}
		end := min(s.end, to)
		row.WriteString(s.st.render(text[from:end]))
		if from = end; from >= to {
			break
		}
	}
	return strings.TrimRight(row.String(), " ")
}

func (b *diffBody) ends(i int32, text string, room int) []int {
	if ends, ok := b.cuts[i]; ok {
		return ends
	}
	if len(b.cuts) > drawnLines {
		clear(b.cuts)
	}
	b.cuts[i] = cutAll(text, room)
	return b.cuts[i]
}

func (b *diffBody) stretches(i int32, size int) []stretch {
	if s, ok := b.styled[i]; ok {
		return s
	}
	if len(b.styled) > drawnLines {
		clear(b.styled)
	}
	b.styled[i] = b.doc.stretches(b.th, i, size)
	return b.styled[i]
}

// marks returns the rows at which the files and the hunks begin.
func (b *diffBody) marks() (files, hunks []int) {
	seen := int32(-1)
	for i, it := range b.items {
		n := max(it.left, it.right)
		if b.doc.lines[n].kind == 'f' {
			files = append(files, int(b.starts[i]))
		} else if h := b.doc.hunkOf[n]; h >= 0 && h != seen {
			seen = h
			hunks = append(hunks, int(b.starts[i]))
		}
	}
	return files, hunks
}
