package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A pager shows the whole session on the alternate screen. An entry is laid
// out when it comes into sight, so that its cost is that of a screen however
// long the session is.
type pager struct {
	th  *theme
	md  *markdown
	log *entries
	// keys are what the last row names.
	keys keymap

	w, h   int
	at     int  // the entry at the top
	row    int  // its row that is the first one shown
	chosen int  // the entry that is marked
	follow bool // it stays at the end, whatever comes
	brief  bool // calls are one row

	query string  // in small letters
	hit   int     // row of the chosen entry that was found last, -1 for none
	line  *buffer // the search that is being typed; nil when none is
	note  string

	laid  map[int][]string
	grown int // the version of the log at which its last entry was laid out
}

// keepLaid is how many entries stay laid out.
const keepLaid = 128

func newPager(th *theme, log *entries, keys keymap, w, h int) *pager {
	p := &pager{th: th, keys: keys, md: newMarkdown(th), log: log, w: w, h: h, laid: map[int][]string{}}
	p.end()
	return p
}

// resize takes another size; what was at the top stays there.
func (p *pager) resize(w, h int) {
	if w != p.w {
		p.again()
	}
	p.w, p.h = w, h
	p.settle()
}

// again forgets how entries were laid out.
func (p *pager) again() { p.laid = map[int][]string{} }

// rowsOf returns the rows of entry i, with a blank one before it where it does
// not go on from the one before.
func (p *pager) rowsOf(i int) []string {
	last := i == len(p.log.list)-1
	if rows, ok := p.laid[i]; ok && (!last || p.grown == p.log.version) {
		return rows
	}
	if len(p.laid) >= keepLaid {
		p.again()
	}
	e := p.log.list[i]
	rows := entryView{p.th, p.md, max(4, p.w-3), p.brief}.rows(e, p.log.text(i))
	if i > 0 && !e.more && !(p.brief && e.kind == entryCall && p.log.list[i-1].kind == entryCall) {
		rows = append([]string{""}, rows...)
	}
	if len(rows) == 0 {
		rows = []string{""}
	}
	if last {
		p.grown = p.log.version
	}
	p.laid[i] = rows
	return rows
}

// room is how many rows show entries.
func (p *pager) room() int { return max(1, p.h-1) }

// view returns the rows of the screen.
func (p *pager) view(waits string) []string {
	if p.follow {
		p.end()
	}
	p.settle()
	var rows []string
	for i, from := p.at, p.row; i < len(p.log.list) && len(rows) < p.room(); i, from = i+1, 0 {
		all := p.rowsOf(i)
		first := 0
		if len(all) > 1 && all[0] == "" {
			first = 1
		}
		for n := from; n < len(all) && len(rows) < p.room(); n++ {
			mark := "  "
			if i == p.chosen && (n == first || n == from && from > first) {
				mark = p.th.accent.render(pad(p.th.glyph.user, 1)) + " "
			}
			rows = append(rows, clip(strings.TrimRight(mark+p.marked(all[n]), " "), max(1, p.w-1)))
		}
	}
	for len(rows) < p.room() {
		rows = append(rows, "")
	}
	if p.h < 2 {
		return rows
	}
	return append(rows, clip(p.bar(waits), max(1, p.w-1)))
}

// marked is a row with what was searched for reversed.
func (p *pager) marked(row string) string {
	if p.query == "" {
		return row
	}
	text := ansi.Strip(row)
	at, n := index(text, p.query)
	if at < 0 {
		return row
	}
	var b strings.Builder
	for at >= 0 {
		b.WriteString(text[:at] + p.th.found.render(text[at:at+n]))
		text = text[at+n:]
		at, n = index(text, p.query)
	}
	return b.String() + text
}

// bar is the last row: where this is, and what the keys do.
func (p *pager) bar(waits string) string {
	if p.line != nil {
		v := p.line.lay(max(4, p.w-3))
		return p.th.accent.render("/") + v.rows[v.cy]
	}
	calls, call := 0, 0
	for i, e := range p.log.list {
		if isCall(e) {
			if calls++; i <= p.chosen {
				call = calls
			}
		}
	}
	parts := []string{fmt.Sprintf("%d/%d", min(p.chosen+1, len(p.log.list)), len(p.log.list))}
	if calls > 0 {
		parts = append(parts, fmt.Sprintf("call %d/%d", call, calls))
	}
	keys := func(what string, cmds ...command) string {
		var names []string
		for _, do := range cmds {
			if k := p.keys.hint(p.th, do, inPager); k != "" {
				names = append(names, k)
			}
		}
		return keyed(strings.Join(names, " "), what)
	}
	parts = append(parts, keys("back", cmdLeave), keys("search", cmdFind, cmdNextFound, cmdPrevFound), keys("call", cmdNextCall, cmdPrevCall),
		keys("uncertain", cmdNextUncertain), keys("copy", cmdCopy), keys("fold", cmdResult), keys("ends", cmdFirst, cmdLast))
	w := p.w - 1
	if p.note != "" {
		parts = slices.Insert(parts, 1, clipWords(plainLine(p.note), max(1, w-width(parts[0])-width(p.th.glyph.dot))))
	}
	if waits == "" {
		return p.th.muted.render(p.th.hints(w, parts...))
	}
	back := keys("goes back to it", cmdLeave)
	waits = longest(w, waits+": "+back, waits, keys("back", cmdLeave))
	bar := p.th.hints(w-width(waits)-width(p.th.glyph.dot), parts...)
	if bar != "" {
		bar = p.th.glyph.dot + bar
	}
	return p.th.warn.render(waits) + p.th.muted.render(bar)
}

// index finds query in text whatever its case, and returns where it begins and
// how many bytes it takes there; -1 when it is not in it.
func index(text, query string) (at, n int) {
	lower := strings.ToLower(text)
	if at = strings.Index(lower, query); at < 0 {
		return -1, 0
	}
	if len(lower) == len(text) {
		return at, len(query)
	}
	// Another case of some letter takes another number of bytes: count letters.
	before, hit := len([]rune(lower[:at])), len([]rune(query))
	runes := []rune(text)
	if before+hit > len(runes) {
		return -1, 0
	}
	return len(string(runes[:before])), len(string(runes[before : before+hit]))
}
