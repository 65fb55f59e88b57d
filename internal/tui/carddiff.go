package tui

import "fmt"

// A diffLayout is how the person wants diffs laid out.
type diffLayout int

const (
	byWidth   diffLayout = iota // nobody said
	oneColumn                   // what goes above what comes
	twoColumns
)

// How wide a card has to be, in columns, for a diff that is side by side
// without being asked for, and at all: terminals of 140 and of 80 leave that
// much to it.
const (
	sideBySide  = 137
	leastBeside = 77
)

// split reports whether a diff stands side by side on a card of w columns. What
// is only new, or only goes, never does.
func (l diffLayout) split(w int, d *diffDoc) bool {
	if w < leastBeside || !d.changes() {
		return false
	}
	return l == twoColumns || l == byWidth && w >= sideBySide
}

// besides returns a diff of the card that could stand side by side, nil when
// there is none.
func (c *card) besides() *diffDoc {
	for _, d := range c.docs {
		if d != nil && d.changes() {
			return d
		}
	}
	return nil
}

// beside lays the diffs out the other way, or says why it cannot.
func (c *card) beside() {
	d := c.besides()
	switch {
	case len(c.body.hunks) == 0:
		c.note = "there is no diff on this card"
		return
	case d == nil:
		c.note = "nothing of this diff has anything to stand beside"
		return
	case c.bodyW < leastBeside:
		c.note = fmt.Sprintf("side by side needs a terminal of %d columns", leastBeside+3)
		return
	}
	if c.layout.split(c.bodyW, d) {
		*c.layout = oneColumn
	} else {
		*c.layout = twoColumns
	}
	c.note = ""
}

// besideKey names the key that lays diffs out the other way, "" where it would
// do nothing.
func (c *card) besideKey() string {
	d, key := c.besides(), c.keymap.key(cmdBeside, inCard)
	switch {
	case d == nil || key == "" || c.bodyW < leastBeside:
		return ""
	case c.layout.split(c.bodyW, d):
		return key + " unified"
	}
	return key + " split"
}

// A sighted is a line of a diff that stands at the top of what is in sight.
type sighted struct {
	doc  *diffDoc
	line int32
}

// lineInSight returns the line of a diff at the top of what is in sight, the
// zero value when there is another text, or nothing was scrolled.
func (c *card) lineInSight() sighted {
	for i, x := range c.body.slabs {
		d, ok := x.(*diffBody)
		if n := c.scroll - c.body.starts[i]; ok && c.scroll > 0 && n >= 0 && n < d.height() {
			it := d.items[d.item(n)]
			if it.left < 0 {
				return sighted{d.doc, it.right}
			}
			return sighted{d.doc, it.left}
		}
	}
	return sighted{}
}

// bringInSight scrolls to a line.
func (c *card) bringInSight(at sighted) {
	for i, x := range c.body.slabs {
		d, ok := x.(*diffBody)
		if !ok || d.doc != at.doc {
			continue
		}
		for k, it := range d.items {
			if it.left == at.line || it.right == at.line {
				c.scroll = c.body.starts[i] + int(d.starts[k])
				return
			}
		}
	}
}
