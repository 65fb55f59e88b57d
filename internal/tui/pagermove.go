package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// scroll moves by n rows, up when negative.
func (p *pager) scroll(n int) {
	p.note = ""
	for ; n < 0 && (p.at > 0 || p.row > 0); n++ {
		if p.follow = false; p.row > 0 {
			p.row--
			continue
		}
		p.at--
		p.row = len(p.rowsOf(p.at)) - 1
	}
	for ; n > 0 && p.at < len(p.log.list); n-- {
		if p.row++; p.row >= len(p.rowsOf(p.at)) {
			p.at, p.row = p.at+1, 0
		}
	}
	p.settle()
	p.choose()
}

// settle keeps the top where a whole screen is below it.
func (p *pager) settle() {
	if len(p.log.list) == 0 {
		p.at, p.row = 0, 0
		return
	}
	if p.at < len(p.log.list) {
		p.row = min(p.row, len(p.rowsOf(p.at))-1)
	}
	left := -p.row
	for i := p.at; i < len(p.log.list) && left < p.room(); i++ {
		left += len(p.rowsOf(i))
	}
	if left < p.room() {
		p.bottom()
	}
}

// bottom shows the last rows.
func (p *pager) bottom() {
	room := p.room()
	p.at, p.row = len(p.log.list), 0
	for p.at > 0 && room > 0 {
		p.at--
		n := len(p.rowsOf(p.at))
		p.row = max(0, n-room)
		room -= n
	}
}

// end goes to the end and stays there.
func (p *pager) end() {
	p.bottom()
	p.follow, p.hit = true, -1
	p.chosen = max(0, len(p.log.list)-1)
}

// start goes to the beginning.
func (p *pager) start() {
	p.at, p.row, p.chosen, p.hit, p.follow = 0, 0, 0, -1, false
	p.settle()
}

// choose keeps the marked entry in sight.
func (p *pager) choose() {
	room, first := p.room()+p.row, -1
	for i := p.at; i < len(p.log.list) && room > 0; i++ {
		if i == p.chosen {
			return
		}
		if first < 0 && (i > p.at || p.row == 0) {
			first = i
		}
		room -= len(p.rowsOf(i))
	}
	p.hit = -1
	if p.chosen = first; first < 0 {
		p.chosen = min(p.at, max(0, len(p.log.list)-1))
	}
}

// jump goes to the next entry in a direction for which is says so; none is what
// to say when there is none.
func (p *pager) jump(dir int, is func(*entry) bool, none string) {
	p.note = ""
	for i := p.chosen + dir; i >= 0 && i < len(p.log.list); i += dir {
		if is(p.log.list[i]) {
			p.show(i, 0)
			return
		}
	}
	p.note = none
}

// show brings a row of an entry into sight.
func (p *pager) show(i, row int) {
	p.follow, p.hit = false, -1
	p.at, p.row, p.chosen = i, min(row, len(p.rowsOf(i))-1), i
	if p.row > 0 { // some rows of what is before it
		p.row = max(0, p.row-p.room()/3)
	}
	p.settle()
}

// uncertain goes to the next call whose outcome is not known, from the end
// again to the beginning.
func (p *pager) uncertain() {
	n := len(p.log.list)
	for k := 1; k <= n; k++ {
		if i := (p.chosen + k) % n; isUncertain(p.log.list[i]) {
			p.show(i, 0)
			if p.note = ""; i <= p.chosen-k {
				p.note = "from the beginning"
			}
			return
		}
	}
	p.note = "no call is uncertain"
}

// search goes to the next place in a direction where the query is shown.
func (p *pager) search(dir int) {
	if p.note = ""; p.query == "" {
		p.note = "nothing was searched for"
		return
	}
	n := len(p.log.list)
	for k := range n + 1 {
		i := ((p.chosen+dir*k)%n + n) % n
		if !p.holds(i) {
			continue
		}
		rows := p.rowsOf(i)
		from, to := 0, len(rows)
		if k == 0 { // what is behind the row that was found last
			if from = p.hit + 1; dir < 0 {
				from, to = 0, p.hit
			}
		}
		if at := p.rowWith(rows, from, to, dir); at >= 0 {
			if i == p.chosen && at == p.hit {
				p.note = "found nowhere else"
			}
			p.show(i, at)
			p.hit = at
			return
		}
	}
	p.note = "not found: " + p.query
}

func (p *pager) rowWith(rows []string, from, to, dir int) int {
	found := -1
	for i := max(0, from); i < min(to, len(rows)); i++ {
		if at, _ := index(ansi.Strip(rows[i]), p.query); at >= 0 {
			if found = i; dir > 0 {
				return found
			}
		}
	}
	return found
}

// holds reports whether an entry can have the query in it, before it is laid
// out. Words may be far apart in the text and near on the screen, so that only
// the first of them is looked for.
func (p *pager) holds(i int) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(p.query), " ")
	e := p.log.list[i]
	texts := []string{p.log.text(i)}
	if e.kind == entryCall {
		r := receipt{th: p.th, w: p.w, rec: e.rec}
		for _, s := range r.head() {
			texts = append(texts, s.text)
		}
		texts = append(texts, e.rec.Outcome.Text, e.rec.Decision.Reason)
		for _, c := range e.rec.Outcome.Changes {
			texts = append(texts, c.Path, c.From)
		}
		for _, s := range append(e.rec.Outcome.Show[:len(e.rec.Outcome.Show):len(e.rec.Outcome.Show)], e.preview...) {
			texts = append(texts, s.Title, s.Body)
		}
	}
	for _, t := range texts {
		if strings.Contains(strings.ToLower(t), word) {
			return true
		}
	}
	return false
}
