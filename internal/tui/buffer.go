package tui

import (
	"strings"

	"github.com/rivo/uniseg"
)

// A cell is what the cursor moves over in one step: a grapheme cluster, a
// newline, or a whole paste that is shown as a token.
type cell struct {
	text  string // what it stands for
	token string // how it is shown, "" for its text
}

func (c cell) shown() string {
	if c.token != "" {
		return c.token
	}
	return c.text
}

// A buffer is text being edited.
type buffer struct {
	cells []cell
	at    int // the cursor: before cells[at]
	did   op  // what was done last
	ring  kills
	undos undos
	// mask stands for every character that is typed, "" shows them.
	mask string
}

func cellsOf(s string) []cell {
	var cells []cell
	state := -1
	var c string
	for s != "" {
		c, s, _, state = uniseg.FirstGraphemeClusterInString(s, state)
		cells = append(cells, cell{text: c})
	}
	return cells
}

// insert puts text in at the cursor. A combining character joins the character
// before it.
func (b *buffer) insert(s string) {
	from := b.at
	if b.mask != "" {
		cells := cellsOf(s)
		for i := range cells {
			cells[i].token = b.mask
		}
		b.replace(opInsert, from, from, cells)
		return
	}
	if from > 0 && b.cells[from-1].token == "" && b.cells[from-1].text != "\n" {
		from--
		s = b.cells[from].text + s
	}
	b.replace(opInsert, from, b.at, cellsOf(s))
}

// insertToken puts text in that is shown as a token.
func (b *buffer) insertToken(text, token string) {
	b.replace(opOther, b.at, b.at, []cell{{text, token}})
}

// expand shows the token beside the cursor as the text that it stands for, and
// reports whether there is one.
func (b *buffer) expand() bool {
	for _, i := range []int{b.at - 1, b.at} {
		if i >= 0 && i < len(b.cells) && b.cells[i].token != "" {
			b.replace(opOther, i, i+1, cellsOf(b.cells[i].text))
			return true
		}
	}
	return false
}

// replace puts cells in the place of cells[from:to] and the cursor behind them.
// Slices of cells are never written to, so that older states can be kept.
func (b *buffer) replace(o op, from, to int, cells []cell) {
	b.note(o, cells)
	rest := b.cells[to:]
	b.cells = append(append(append([]cell{}, b.cells[:from]...), cells...), rest...)
	b.at = from + len(cells)
}

// text returns what the buffer stands for, tokens written out.
func (b *buffer) text() string { return textOf(b.cells) }

func textOf(cells []cell) string {
	var s strings.Builder
	for _, c := range cells {
		s.WriteString(c.text)
	}
	return s.String()
}

// pasted reports whether the text begins with something that is shown as a
// token.
func (b *buffer) pasted() bool { return len(b.cells) > 0 && b.cells[0].token != "" }

func (b *buffer) empty() bool { return len(b.cells) == 0 }

func (b *buffer) set(s string) { b.setCells(cellsOf(s)) }

func (b *buffer) setCells(cells []cell) {
	b.note(opOther, nil)
	b.cells, b.at = cells, len(cells)
}

// clear empties the buffer for another text: what was cut stays, what could be
// undone does not.
func (b *buffer) clear() { b.cells, b.at, b.did, b.undos = nil, 0, opOther, undos{} }

// lineStart and lineEnd return the ends of the line the cursor is in.
func (b *buffer) lineStart() int {
	i := b.at
	for i > 0 && b.cells[i-1].text != "\n" {
		i--
	}
	return i
}

func (b *buffer) lineEnd() int {
	i := b.at
	for i < len(b.cells) && b.cells[i].text != "\n" {
		i++
	}
	return i
}

// wordLeft and wordRight return the ends of the word beside the cursor.
func (b *buffer) wordLeft() int {
	i := b.at
	for i > 0 && b.space(i-1) {
		i--
	}
	for i > 0 && !b.space(i-1) {
		i--
	}
	return i
}

func (b *buffer) wordRight() int {
	i := b.at
	for i < len(b.cells) && b.space(i) {
		i++
	}
	for i < len(b.cells) && !b.space(i) {
		i++
	}
	return i
}

func (b *buffer) space(i int) bool {
	return b.cells[i].token == "" && strings.TrimSpace(b.cells[i].text) == ""
}

func (b *buffer) erase(from, to int) {
	if from < to {
		b.replace(opErase, from, to, nil)
	}
}

// transpose swaps the characters beside the cursor, the last two at the end of
// a line, and goes on by one.
func (b *buffer) transpose() {
	i := b.at
	if i == b.lineEnd() {
		i--
	}
	if i <= b.lineStart() {
		return
	}
	b.replace(opOther, i-1, i+1, []cell{b.cells[i], b.cells[i-1]})
}

// A view of the buffer: rows of at most w columns and where the cursor is.
type bufferView struct {
	rows   []string
	cx, cy int
	starts []int // the cell each row begins with
}

// lay lays the buffer out.
func (b *buffer) lay(w int) bufferView {
	return b.layWith(w, func(_ int, s string) string { return s })
}

// layWith lays the buffer out with what each cell shows painted, which takes no
// more room. A newline shows nothing, or a blank where it is painted. Rows are
// broken behind blanks and wide characters, and within a word that is longer than
// a row; a blank that has no room any more hangs over.
func (b *buffer) layWith(w int, paint func(i int, s string) string) bufferView {
	w = max(w, 2)
	v := bufferView{starts: []int{0}}
	shown := make([]string, len(b.cells))
	used, last := 0, 0 // of the row, and where it can be broken
	next := func(i int) {
		v.starts = append(v.starts, i)
		used, last = 0, i
	}
	for i, c := range b.cells {
		shown[i] = c.look()
		cw := min(width(shown[i]), w)
		if used+cw > w && used > 0 && !b.space(i) {
			if start := v.starts[len(v.starts)-1]; last > start {
				next(last)
				for _, s := range shown[last:i] {
					used += min(width(s), w)
				}
			}
			if used+cw > w && used > 0 {
				next(i)
			}
		}
		if c.newline() {
			next(i + 1)
			continue
		}
		used = min(used+cw, w)
		if b.space(i) || cw == 2 {
			last = i + 1
		}
	}
	if used >= w {
		next(len(b.cells))
	}
	for y, start := range v.starts {
		end := len(b.cells)
		if y+1 < len(v.starts) {
			end = v.starts[y+1]
		}
		v.rows = append(v.rows, b.row(start, end, w, shown, paint, func(used int) { v.cx, v.cy = used, y }))
	}
	return v
}

// row draws the cells from one up to another, and says where the cursor is when
// it stands in them.
func (b *buffer) row(from, to, w int, shown []string, paint func(int, string) string, cursor func(used int)) string {
	var row strings.Builder
	used := 0
	for i := from; i < to; i++ {
		if i == b.at {
			cursor(used)
		}
		s := shown[i]
		if b.cells[i].newline() {
			if s := paint(i, " "); s != " " && used < w {
				row.WriteString(s)
			}
			continue
		}
		if cw := min(width(s), w); used+cw <= w {
			row.WriteString(paint(i, clip(s, w)))
			used += cw
		}
	}
	if b.at == len(b.cells) && to == b.at {
		cursor(used)
	}
	return row.String()
}

// newline reports a cell that ends a line.
func (c cell) newline() bool { return c.text == "\n" && c.token == "" }

// look is what a cell looks like, "" for the end of a line.
func (c cell) look() string {
	if c.newline() {
		return ""
	}
	return reveal(verbatim(expandTabs(c.shown())), false)
}

// vertical moves the cursor by rows as laid out at width w, and reports whether
// there was such a row.
func (b *buffer) vertical(by, w int) bool {
	v := b.lay(w)
	y := v.cy + by
	if y < 0 || y >= len(v.rows) {
		return false
	}
	end := len(b.cells)
	if y+1 < len(v.starts) {
		end = max(v.starts[y], v.starts[y+1]-1)
	}
	used := 0
	b.move(v.starts[y])
	for b.at < end {
		cw := width(b.cells[b.at].look())
		if used+cw > v.cx {
			break
		}
		used += cw
		b.at++
	}
	return true
}
