package tui

import (
	"fmt"
	"slices"
	"strings"
)

// A popup is the list above the composer while what is typed can be completed.
// Nothing is chosen until the person chooses it: Enter means what it always
// does until then.
type popup struct {
	kind   popupKind
	query  string // what it was made for
	from   int    // the cell that what is completed begins with
	items  []popItem
	more   int  // found besides
	choice int  // index in items, -1 for none
	busy   bool // it is still being looked for
}

type popupKind int

const (
	popCommand popupKind = iota
	popFile
	popArgument
)

// A popItem is one row.
type popItem struct {
	label, detail string
	why           string // why it cannot be used now; "" when it can
	put           string // what it is completed to
}

// maxPopup is how many rows are shown at most.
const maxPopup = 8

// repopup follows what was typed.
func (s *screen) repopup() {
	c := &s.composer
	kind, query, from, is := popFor(&c.buf)
	if !is || c.search != nil || c.back > 0 || s.th.dumb {
		s.popup, c.dismissed = nil, false
		return
	}
	if c.dismissed || s.popup != nil && s.popup.kind == kind && s.popup.query == query && s.popup.from == from {
		return
	}
	p := &popup{kind: kind, query: query, from: from, choice: -1}
	switch kind {
	case popCommand:
		p.items = s.commandItems(query)
	case popArgument:
		p.items = s.argumentItems(c.buf.text(), query)
	case popFile:
		if old := s.popup; old != nil && old.kind == popFile {
			p.items, p.more, p.choice = old.items, old.more, -1 // until the new ones are there
		}
		s.popup = p
		s.lookForFiles(query)
		return
	}
	if s.popup = p; len(p.items) == 0 {
		s.popup = nil
	}
}

// popFor says what the text before the cursor could be completed to.
func popFor(b *buffer) (kind popupKind, query string, from int, is bool) {
	from = b.at
	for from > 0 && b.cells[from-1].token == "" && (!b.space(from-1) || from > 1 && b.cells[from-2].text == `\`) {
		from--
	}
	word := textOf(b.cells[from:b.at])
	switch {
	case len(word) > 0 && word[0] == '/' && from == 0 && b.at == len(b.cells):
		return popCommand, word[1:], from, true
	case len(word) > 0 && word[0] == '@' && !isOperator(b.text()):
		return popFile, word[1:], from, true
	case from > 0 && b.at == len(b.cells) && strings.HasPrefix(b.text(), "/"):
		return popArgument, word, from, true
	}
	return 0, "", 0, false
}

// popMove chooses the next or the last row, and reports whether there is a
// popup.
func (s *screen) popMove(by int) bool {
	p := s.popup
	if p == nil || len(p.items) == 0 {
		return false
	}
	n := len(p.items)
	if p.choice < 0 && by < 0 {
		p.choice = n
	}
	p.choice = (p.choice + by + n) % n
	return true
}

// keep keeps what the person chose of an older list: the next Enter is for it.
func (p *popup) keep(put string) {
	p.choice = -1
	if put == "" {
		return
	}
	p.choice = slices.IndexFunc(p.items, func(it popItem) bool { return it.put == put })
	if p.choice < 0 {
		p.items = slices.Insert(p.items, 0, popItem{label: verbatimLine(strings.TrimSpace(put[1:])), put: put})
		p.choice = 0
	}
}

// popTake completes to the chosen row, with any set to the first where none is,
// and reports whether it did.
func (s *screen) popTake(any bool) bool {
	p := s.popup
	if p == nil || len(p.items) == 0 || p.choice < 0 && !any {
		return false
	}
	it := p.items[max(0, p.choice)]
	if it.why != "" {
		s.hint = it.why
		return true
	}
	b := &s.composer.buf
	b.replace(opOther, p.from, b.at, cellsOf(it.put))
	s.popup = nil
	s.repopup()
	return true
}

// popAway takes the popup away until something else is typed, and reports
// whether there was one.
func (s *screen) popAway() bool {
	if s.popup == nil {
		return false
	}
	s.popup, s.composer.dismissed = nil, true
	return true
}

// popEnter is what Enter does to a popup: it completes only what was chosen, or
// what can be nothing else. It reports whether it did.
func (s *screen) popEnter() bool {
	p := s.popup
	if p == nil || s.composer.burst.fast > 0 {
		return false
	}
	if p.choice >= 0 {
		return s.popTake(false)
	}
	if p.kind != popCommand {
		return false
	}
	full, only := complete("/"+p.query, s.commands())
	if !only || s.known(p.query) {
		return false
	}
	s.composer.buf.set(full)
	s.popup = nil
	s.repopup()
	return true
}

// popRows draws the popup in at most n rows.
func (s *screen) popRows(w, n int) []string {
	p := s.popup
	if p == nil || s.card() != nil {
		return nil
	}
	if len(p.items) == 0 {
		text := "no file is called like that"
		if p.busy {
			text = "looking" + s.th.glyph.more
		}
		return []string{s.th.muted.render(clip("  "+text, w))}
	}
	n = max(1, min(maxPopup, n))
	total := len(p.items) + p.more
	if total > n && n > 1 {
		n-- // for the last row
	}
	from := min(max(0, p.choice-n+1), max(0, len(p.items)-n))
	items := p.items[from:min(len(p.items), from+n)]
	most := 0
	for _, it := range items {
		most = max(most, width(it.label))
	}
	var rows []string
	for i, it := range items {
		rows = append(rows, clip(s.popRow(it, from+i == p.choice, min(most, w*2/3)), w))
	}
	if rest := total - len(items); rest > 0 {
		rows = append(rows, s.th.muted.render(clip(fmt.Sprintf("  %s %d more", s.th.glyph.more, rest), w)))
	}
	return rows
}

func (s *screen) popRow(it popItem, chosen bool, most int) string {
	mark, st := "  ", s.th.accent
	if chosen {
		mark, st = s.th.accent.render(s.th.glyph.user)+" ", s.th.strong
	}
	label := clipMiddle(it.label, max(4, most))
	detail := it.detail
	if it.why != "" {
		st, detail = s.th.muted, it.why
	}
	if detail == "" {
		return mark + st.render(label)
	}
	return mark + st.render(pad(label, most)) + "  " + s.th.muted.render(detail)
}
