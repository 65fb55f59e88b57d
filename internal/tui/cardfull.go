package tui

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

// fullView draws what the card is about on all of the h rows, and nothing to
// answer with: that needs the card.
func (c *card) fullView(w, h int, armed bool, now time.Time) drawn {
	inner := max(8, w-2)
	c.layOut(inner)
	head := clip(c.head(inner)[0], inner)
	foot := c.foot(inner, armed, now)
	if c.note != "" && !armed {
		foot = c.th.warn.render(clipWords(c.note, inner))
	}
	rows := append([]string{head}, c.window(max(1, h-2), inner, true)...)
	for len(rows) < h-1 {
		rows = append(rows, "")
	}
	if h > 2 {
		rows = append(rows, foot)
	}
	d := drawn{}
	for _, r := range rows {
		d.rows = append(d.rows, strings.TrimRight(c.bar()+" "+r, " "))
	}
	return d
}

// reads moves the view over what the card shows, and reports whether cmd did.
func (c *card) reads(cmd command) bool {
	switch cmd {
	case cmdFull:
		c.full, c.held = !c.full, heldKey{}
	case cmdNextHunk:
		c.jump(c.body.hunks, 1, "hunk")
		return true
	case cmdPrevHunk:
		c.jump(c.body.hunks, -1, "hunk")
		return true
	case cmdNextFile:
		c.jump(c.body.files, 1, "file")
		return true
	case cmdPrevFile:
		c.jump(c.body.files, -1, "file")
		return true
	case cmdBeside:
		c.beside()
		return true
	case cmdTop:
		c.scroll = 0
	case cmdBottom:
		c.scroll = c.end
	case cmdPageUp:
		c.scroll = max(0, c.scroll-max(1, c.page-1))
	case cmdPageDown:
		c.scroll = min(c.end, c.scroll+max(1, c.page-1))
	default:
		return false
	}
	c.note = ""
	return true
}

// jump scrolls to the next mark, or the one before, and says which it is.
func (c *card) jump(marks []int, by int, what string) {
	if len(marks) == 0 {
		c.note = "there is no diff on this card"
		return
	}
	i := sort.SearchInts(marks, c.scroll+1) // the first behind the top row
	if by < 0 {
		i = sort.SearchInts(marks, c.scroll) - 1
	}
	if i < 0 || i >= len(marks) {
		c.note = fmt.Sprintf("no more %ss this way", what)
		return
	}
	c.scroll = min(c.end, marks[i])
	c.note = fmt.Sprintf("%s %d of %d", what, i+1, len(marks))
}
