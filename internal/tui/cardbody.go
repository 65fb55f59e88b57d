package tui

import (
	"sort"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A slab is rows of a card's body; a row is drawn when it is shown.
type slab interface {
	height() int
	row(i int) string
}

// textRows is a slab that is drawn already.
type textRows []string

func (t textRows) height() int      { return len(t) }
func (t textRows) row(i int) string { return t[i] }

// A body is slabs one below the other.
type body struct {
	slabs        []slab
	starts       []int // first row of each
	total        int
	files, hunks []int // rows at which they begin
}

func (b *body) add(x slab) {
	if x.height() == 0 {
		return
	}
	b.slabs, b.starts = append(b.slabs, x), append(b.starts, b.total)
	b.total += x.height()
}

// rows draws the rows from one up to another.
func (b *body) rows(from, to int) []string {
	rows := make([]string, 0, to-from)
	for n := from; n < to; n++ {
		i := sort.Search(len(b.starts), func(i int) bool { return b.starts[i] > n }) - 1
		rows = append(rows, b.slabs[i].row(n-b.starts[i]))
	}
	return rows
}

// makeBody lays out the sections, in full.
func (c *card) makeBody(w int) body {
	var b body
	c.must, c.seen = 0, 0
	for i, s := range c.sections {
		if i > 0 {
			b.add(textRows{""})
		}
		top := b.total
		if s.Title != "" {
			b.add(textRows(titleRows(c.th.strong, revealedLine(s.Title), w)))
		}
		if s.Kind == tools.Diff {
			c.addDiff(&b, i, top, w)
			continue
		}
		b.add(textRows(c.section(s, w)))
		if s.Kind == tools.Command || s.Kind == tools.Address || s.Kind == exact {
			c.must = b.total
		}
	}
	if c.manual {
		c.must = b.total
	}
	return b
}

// addDiff adds the diff of section i, whose title is at row top.
func (c *card) addDiff(b *body, i, top, w int) {
	for len(c.docs) <= i {
		c.docs = append(c.docs, nil)
	}
	s := c.sections[i]
	if c.docs[i] == nil {
		lines := parseDiff(s.Body)
		if s.Title != "" && lines[0].kind == 'f' && strings.Contains(s.Title, lines[0].path) {
			lines[0].kind = 't' // the title has said it
		}
		c.docs[i] = newDiffDoc(lines)
	}
	d := newDiffBody(c.th, c.docs[i], w, c.layout.split(w, c.docs[i]))
	at := b.total
	files, hunks := d.marks()
	if at > top {
		b.files = append(b.files, top)
	}
	for _, n := range files {
		b.files = append(b.files, at+n)
	}
	for _, n := range hunks {
		b.hunks = append(b.hunks, at+n)
	}
	b.add(d)
}

// section lays out what is not a diff.
func (c *card) section(s tools.Section, w int) []string {
	switch s.Kind {
	case tools.Command:
		return commandRows(c.th, s.Body, w)
	case tools.Table:
		return tabbed(s.Body).plainRows(c.th, w)
	case tools.Address:
		return addressRows(c.th, s.Body, w)
	case exact:
		return exactRows(s.Body, w)
	}
	return wrapText(strings.TrimRight(verbatim(s.Body), "\n"), style{}, w, "", "")
}

// commandRows shows a command as it is, cut where a row ends and nowhere else.
func commandRows(th *theme, body string, w int) []string {
	var rows []string
	for i, l := range strings.Split(strings.TrimRight(revealed(body), "\n"), "\n") {
		first := "  "
		if i == 0 {
			first = th.operator.render("$") + " "
		}
		rows = append(rows, hardRows(style{}, expandTabs(l), w, first, "  ")...)
	}
	return rows
}

// addressRows shows an address to its last character, with the host in it
// standing out.
func addressRows(th *theme, body string, w int) []string {
	text := revealedLine(body)
	before, host, after := text, "", ""
	if i := strings.Index(text, "://"); i >= 0 {
		rest := text[i+3:]
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		before, host, after = text[:i+3], rest[:end], rest[end:]
	}
	return hardSpans([]span{{before, th.muted}, {host, th.strong}, {after, th.muted}}, w, "  ", "  ", 2)
}

// exactRows shows a text as it is, to its last blank line.
func exactRows(body string, w int) []string {
	var rows []string
	for _, l := range strings.Split(strings.TrimSuffix(revealed(body), "\n"), "\n") {
		rows = append(rows, hardRows(style{}, expandTabs(l), w, "  ", "  ")...)
	}
	return rows
}

func hardRows(st style, s string, w int, first, rest string) []string {
	return hardSpans([]span{{s, st}}, w, first, rest, width(first))
}

// titleRows cuts a title into rows of w columns, behind a space where there is one
// in the second half of the row, and loses nothing of it.
func titleRows(st style, s string, w int) []string {
	var rows []string
	for {
		n := cut(s, w)
		if at := strings.LastIndexByte(s[:n], ' ') + 1; n < len(s) && 2*at >= n {
			n = at
		}
		rows = append(rows, st.render(s[:n]))
		if s = s[n:]; s == "" {
			return rows
		}
	}
}

// wanted returns what was shown of diffs and is not coloured yet.
func (c *card) wanted() []colouring {
	var all []colouring
	for _, d := range c.docs {
		if d != nil {
			for _, side := range d.wanted() {
				all = append(all, colouring{doc: d, side: side})
			}
		}
	}
	return all
}

// recoloured has the diffs drawn anew.
func (c *card) recoloured() {
	for _, x := range c.body.slabs {
		if d, ok := x.(*diffBody); ok {
			clear(d.styled)
		}
	}
}
