package tui

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// A grid is a table: cells as spans, the first row being the header.
type grid [][][]span

// table lays a table of Markdown out within w columns.
func (p page) table(n *extast.Table, w int) []string {
	var g grid
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		st := style{}
		if _, head := r.(*extast.TableHeader); head {
			st = p.th.bold
		}
		g = append(g, p.cells(r, st))
	}
	return g.rows(p.th, w, n.Alignments)
}

func (p page) cells(r ast.Node, st style) [][]span {
	var cells [][]span
	for c := r.FirstChild(); c != nil; c = c.NextSibling() {
		cells = append(cells, p.inline(c, st))
	}
	return cells
}

// tabbed returns a grid of lines of tab-separated cells.
func tabbed(body string) grid {
	var g grid
	for _, l := range strings.Split(strings.TrimRight(body, "\n"), "\n") {
		var cells [][]span
		for _, c := range strings.Split(l, "\t") {
			cells = append(cells, []span{{verbatimLine(c), style{}}})
		}
		g = append(g, cells)
	}
	return g
}

const (
	cellGap = 2
	cellMin = 6 // a narrower column cannot be read
)

// rows lays the grid out: as columns where they fit, wrapped within their
// cells and aligned as to says, else each row as a list of its cells.
func (g grid) rows(th *theme, w int, to []extast.Alignment) []string {
	widths := g.fit(w)
	if widths == nil {
		return g.stacked(th, w)
	}
	var rows []string
	for i, r := range g {
		rows = append(rows, cellRows(r, widths, to)...)
		if i == 0 && len(g) > 1 {
			rows = append(rows, th.muted.render(ruler(th, widths)))
		}
	}
	return rows
}

// plainRows is rows for a grid without a header; without room for columns, its
// cells follow each other.
func (g grid) plainRows(th *theme, w int) []string {
	widths := g.fit(w)
	var rows []string
	for _, r := range g {
		if widths != nil {
			rows = append(rows, cellRows(r, widths, nil)...)
			continue
		}
		var spans []span
		for i, c := range r {
			if i > 0 {
				spans = append(spans, span{"  ", style{}})
			}
			spans = append(spans, c...)
		}
		rows = append(rows, wrap(spans, max(2, w), "", "  ")...)
	}
	return rows
}

// fit returns the columns' widths within w, nil when they cannot be.
func (g grid) fit(w int) []int {
	var widths []int
	for _, r := range g {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 1)
			}
			widths[i] = max(widths[i], spansWidth(c))
		}
	}
	room := w - cellGap*(len(widths)-1)
	for sum(widths) > room {
		widest := 0
		for i := range widths {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		if len(widths) == 0 || widths[widest] <= cellMin {
			return nil
		}
		next := cellMin
		for i, n := range widths {
			if i != widest && n < widths[widest] {
				next = max(next, n)
			}
		}
		// The widest gives up what is too much, down to the second widest.
		widths[widest] = max(next, widths[widest]-(sum(widths)-room))
		if widths[widest] == next && next > cellMin {
			widths[widest]--
		}
	}
	return widths
}

func sum(n []int) (s int) {
	for _, x := range n {
		s += x
	}
	return s
}

// spansWidth is what the widest line of a text takes.
func spansWidth(spans []span) (most int) {
	w := 0
	for _, s := range spans {
		for i, l := range strings.Split(s.text, "\n") {
			if i > 0 {
				w = 0
			}
			w += width(expandTabs(l))
			most = max(most, w)
		}
	}
	return most
}

// cellRows lays out one row of the grid.
func cellRows(cells [][]span, widths []int, to []extast.Alignment) []string {
	columns := make([][]string, len(cells))
	height := 1
	for i, c := range cells {
		columns[i] = wrap(c, widths[i], "", "")
		height = max(height, len(columns[i]))
	}
	rows := make([]string, height)
	for y := range rows {
		var b strings.Builder
		for i, c := range columns {
			cell := ""
			if y < len(c) {
				cell = c[y]
			}
			if i < len(to) {
				cell = strings.Repeat(" ", before(to[i], widths[i]-width(cell))) + cell
			}
			if i < len(columns)-1 {
				cell = pad(cell, widths[i]+cellGap)
			}
			b.WriteString(cell)
		}
		rows[y] = strings.TrimRight(b.String(), " ")
	}
	return rows
}

// before is how many of the columns that a cell leaves stand before it.
func before(to extast.Alignment, left int) int {
	switch to {
	case extast.AlignRight:
		return max(0, left)
	case extast.AlignCenter:
		return max(0, left/2)
	}
	return 0
}

func ruler(th *theme, widths []int) string {
	parts := make([]string, len(widths))
	for i, w := range widths {
		parts[i] = strings.Repeat(th.glyph.rule, w)
	}
	return strings.Join(parts, strings.Repeat(" ", cellGap))
}

// stacked lists each row's cells under the header's names.
func (g grid) stacked(th *theme, w int) []string {
	var rows []string
	for i, r := range g {
		if i == 0 && len(g) > 1 {
			continue
		}
		if len(rows) > 0 {
			rows = append(rows, "")
		}
		for j, c := range r {
			spans := c
			if i > 0 && j < len(g[0]) {
				spans = append(append([]span{}, g[0][j]...), span{": ", th.muted})
				spans = append(spans, c...)
			}
			rows = append(rows, wrap(spans, max(2, w), "", "  ")...)
		}
	}
	return rows
}
