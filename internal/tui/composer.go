package tui

import (
	"cmp"
	"strings"
	"time"
)

// A composer is the line where the person types: a buffer with pastes, a
// history and a prompt that shows when the text is a command for the shell.
type composer struct {
	th      *theme
	w       int
	buf     buffer
	burst   burst
	history history  // of this folder
	session history  // of this session only
	back    int      // how far back in the history, zero for the draft
	draft   string   // kept while the history is shown
	search  *search  // nil when nothing is looked for
	stash   [][]cell // drafts put aside, the newest last
	vim     vim
	// pastes and pictures count the tokens of this draft.
	pastes, pictures int
	dismissed        bool // the popup of what is being typed
}

// isOperator reports whether s runs at once: an exclamation mark and a blank
// before anything else.
func isOperator(s string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(s, " \t\n"), "!")
	return ok && rest != "" && (rest[0] == ' ' || rest[0] == '\t')
}

// operatorCommand returns the command of such a line.
func operatorCommand(s string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "!"))
}

// typed puts typed text in.
func (c *composer) typed(text string) {
	c.buf.insert(normalise(text))
	c.back = 0
}

// paste puts pasted text in: as it is, or as a token when it is long.
func (c *composer) paste(text string) {
	text = normalise(text)
	if text == "" {
		return
	}
	c.back = 0
	if token := pasteToken(c.pastes+1, text); token != "" {
		c.pastes++
		c.buf.insertToken(text, token)
		return
	}
	c.buf.insert(text)
}

// take empties the composer and returns what it held.
// What begins with a blank is, as in a shell, not to be kept beyond this run.
func (c *composer) take() (text string, keep bool) {
	all := c.buf.text()
	text = strings.TrimSpace(all)
	c.buf.clear()
	c.back, c.pastes, c.pictures, c.dismissed = 0, 0, 0, false
	c.vim.fresh()
	c.sent(text)
	return text, text != "" && all[0] != ' '
}

// sent keeps a text of this session's.
func (c *composer) sent(text string) {
	c.history.add(text)
	c.session.add(text)
}

// putAside puts the draft aside, and bring brings the newest one back into an
// empty composer.
func (c *composer) putAside() {
	c.stash = append(c.stash, c.buf.cells)
	c.buf.clear()
	c.vim.doing, c.vim.visual = nil, 0
	c.back = 0
}

func (c *composer) bring() {
	if n := len(c.stash) - 1; n >= 0 {
		c.buf.setCells(c.stash[n])
		c.stash = c.stash[:n]
	}
}

// older and newer walk through the history, from an empty draft.
func (c *composer) older() {
	if c.back == len(c.history.list) {
		return
	}
	if c.back == 0 {
		c.draft = c.buf.text()
	}
	c.back++
	c.buf.set(c.history.back(c.back))
}

func (c *composer) newer() {
	switch c.back {
	case 0:
		return
	case 1:
		c.back = 0
		c.buf.set(c.draft)
		return
	}
	c.back--
	c.buf.set(c.history.back(c.back))
}

// up moves the cursor up, and into the history where there is no row above and
// nothing typed would be lost.
func (c *composer) up() {
	if !c.buf.vertical(-1, c.inner()) && (c.buf.empty() || c.back > 0) {
		c.older()
	}
}

func (c *composer) down() {
	if !c.buf.vertical(1, c.inner()) && c.back > 0 {
		c.newer()
	}
}

func (c *composer) inner() int { return max(2, c.w-2) }

// vi gives a key to the commands of vi, and reports whether it was one.
func (c *composer) vi(name, text string, cmd command) bool {
	was := c.buf.cells
	used, by := c.vim.key(name, text, cmd, &c.buf, c.burst.fast > 0)
	if !sameCells(was, c.buf.cells) {
		c.back = 0
	}
	for ; by != 0 && c.viRow(by); by -= cmp.Compare(by, 0) {
	}
	return used
}

// viRow moves the cursor to the row below, or above with a negative number, and
// from the last or first into the history as up and down do.
func (c *composer) viRow(by int) bool {
	at, back := c.buf.at, c.back
	switch {
	case c.vim.visual != 0:
		c.buf.vertical(cmp.Compare(by, 0), c.inner())
	case by < 0:
		c.up()
	default:
		c.down()
	}
	c.vim.settle(&c.buf)
	return c.buf.at != at || c.back != back
}

func sameCells(a, b []cell) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// selected returns how the cells look that are selected.
func (c *composer) selected() func(int, string) string {
	r, is := c.vim.selected(&c.buf)
	return func(i int, s string) string {
		if is && i >= r.from && (i < r.to || r.lines && i == r.to) {
			return c.th.found.render(s)
		}
		return s
	}
}

// enter handles the Enter key: true when the text is to be submitted. A
// backslash before the cursor asks for a newline instead.
func (c *composer) enter(now time.Time) bool {
	if c.buf.at > 0 && c.buf.cells[c.buf.at-1].text == `\` {
		c.buf.erase(c.buf.at-1, c.buf.at)
		c.buf.insert("\n")
		return false
	}
	if c.burst.fast > 0 {
		c.burst.hold(now)
		return false
	}
	return true
}

// rows draws the composer in at most n rows; cx and cy are the cursor's place.
func (c *composer) rows(n int, placeholder string) (rows []string, cx, cy int) {
	st := c.th.user
	if isOperator(c.buf.text()) {
		st = c.th.operator // its first character is the mark
	}
	mark := st.render(c.th.glyph.user) + " "
	if c.vim.on && !c.vim.insert {
		mark = st.render(cmp.Or(c.vim.sign(), c.th.glyph.bullet)) + " "
	}
	if c.buf.empty() {
		return []string{mark + c.th.muted.render(placeholder)}, 2, 0
	}
	v := c.buf.layWith(c.inner(), c.selected())
	from := 0
	if len(v.rows) > n {
		from = min(max(0, v.cy-n+1), len(v.rows)-n)
	}
	to := min(len(v.rows), from+n)
	for i, r := range v.rows[from:to] {
		if i == 0 {
			rows = append(rows, mark+r)
		} else {
			rows = append(rows, "  "+r)
		}
	}
	return rows, v.cx + 2, v.cy - from
}
