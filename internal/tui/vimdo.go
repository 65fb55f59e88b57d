package tui

import (
	"strings"
	"unicode"
)

// viShift is how many columns > and < move a line by.
const viShift = 4

// operate carries out an operator, and reports whether it had anything to do.
func (v *vim) operate(b *buffer, c viCommand) bool {
	r, ok := v.scope(b, c)
	v.remember(c)
	if !ok || c.op != "c" && (b.empty() || r.from == r.to && !r.lines) {
		return false
	}
	v.apply(b, c, r)
	return true
}

// scope returns what an operator is for.
func (v *vim) scope(b *buffer, c viCommand) (viRange, bool) {
	t := viText(b.cells)
	n := max(1, c.n)
	switch {
	case c.key == "sel" && c.lines:
		to, _ := t.down(b.at, c.span-1)
		return viRange{t.start(b.at), t.end(to), true}, true
	case c.key == "sel":
		return viRange{b.at, min(len(t), b.at+c.span), false}, true
	case c.key == "line":
		to, ok := t.down(b.at, n-1)
		return viRange{t.start(b.at), t.end(to), true}, n == 1 || ok
	case len(c.key) == 2 && strings.ContainsAny(c.key[:1], "ia"):
		return viObjectAt(t, b.at, c.key, n)
	}
	to := viMotion(t, b.at, c, v.find)
	if to.no {
		return viRange{}, false
	}
	r := viRange{min(b.at, to.to), max(b.at, to.to), to.line}
	switch {
	case to.line:
		r.from, r.to = t.start(r.from), t.end(r.to)
	case to.over:
		r.to = min(len(t), r.to+1)
	case r.to > t.end(r.from) && r.to == t.start(r.to):
		// What ends before a line leaves the newline, and takes lines whole when
		// it began with one.
		r.to--
		r.lines = r.from <= t.first(r.from) && c.op != "c"
		if r.lines {
			r.from = t.start(r.from)
		}
	}
	return r, true
}

// apply does what the operator says with cells[r.from:r.to].
func (v *vim) apply(b *buffer, c viCommand, r viRange) {
	part := b.cells[r.from:r.to]
	switch c.op {
	case "y":
		v.keep(part, r.lines)
		if !r.lines || r.from < viText(b.cells).start(b.at) {
			b.move(r.from)
		}
	case "d", "c":
		v.keep(part, r.lines)
		v.remove(b, r, c.op == "c")
	case "p":
		cut, lines := v.cut, v.lines
		v.keep(part, r.lines)
		if lines {
			cut = append([]cell{{text: "\n"}}, cut...)
		}
		cells := repeated(cut, max(1, c.n))
		switch {
		case lines && r.lines:
			cells = cells[1:]
		case lines:
			cells = append(cells, cell{text: "\n"})
		}
		b.replace(opOther, r.from, r.to, cells)
		switch {
		case lines && r.lines:
			b.move(viText(b.cells).first(r.from))
		case lines:
			b.move(viText(b.cells).first(r.from + 1))
		default:
			b.move(max(r.from, b.at-1))
		}
	case ">", "<":
		by := 1 // a count is one of lines, but where they are selected
		if c.key == "sel" {
			by = max(1, c.n)
		}
		shift(b, r, c.op == ">", by)
	case "J":
		b.move(r.from)
		join(b, viText(part).newlines(0, len(part))+1)
	default:
		b.replace(opOther, r.from, r.to, changed(part, c))
		b.move(r.from)
	}
}

func (v *vim) keep(part []cell, lines bool) {
	if len(part) > 0 || lines {
		v.cut, v.lines = append([]cell(nil), part...), lines
	}
}

// remove takes a range out, and for c begins to insert there.
func (v *vim) remove(b *buffer, r viRange, change bool) {
	from, to := r.from, r.to
	if r.lines && !change {
		if to < len(b.cells) {
			to++
		} else if from > 0 {
			from--
		}
	}
	if from < to {
		b.replace(opOther, from, to, nil)
	}
	b.move(from)
	if r.lines && !change {
		b.move(viText(b.cells).first(from))
	}
	if change {
		v.insertMode(b, 1)
	}
}

// changed returns cells in another case, or each as another character. Pastes
// and newlines stay.
func changed(part []cell, c viCommand) []cell {
	turn := map[string]func(rune) rune{"gu": unicode.ToLower, "gU": unicode.ToUpper, "g~": swapCase}[c.op]
	with, _ := viCharacter(c.arg)
	out := append([]cell(nil), part...)
	for i, old := range out {
		switch {
		case old.token != "" || old.text == "\n":
		case turn != nil:
			out[i].text = strings.Map(turn, old.text)
		case c.op == "r":
			out[i] = with[0]
		}
	}
	return out
}

func swapCase(r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}

// shift moves the lines of a range by columns. Empty lines have none.
func shift(b *buffer, r viRange, right bool, n int) {
	t := viText(b.cells)
	var out []cell
	from, end := t.start(r.from), t.end(r.to)
	if !r.lines {
		end = t.end(max(r.from, r.to-1))
	}
	for i := from; ; {
		e := t.end(i)
		switch {
		case right && e > i:
			out = append(out, cellsOf(strings.Repeat(" ", viShift*min(n, 20)))...)
		case !right:
			for room := viShift * n; i < e && room > 0 && t.blank(i); i++ {
				if room--; t.is(i, "\t") {
					room -= viShift - 1
				}
			}
		}
		out = append(out, t[i:e]...)
		if e >= end {
			break
		}
		out = append(out, t[e])
		i = e + 1
	}
	b.replace(opOther, from, end, out)
	b.move(viText(b.cells).first(from))
}

// join makes one line of n, with a blank where they met.
func join(b *buffer, n int) bool {
	t := viText(b.cells)
	at := b.at
	out := append([]cell(nil), t[t.start(at):t.end(at)]...)
	from, end := t.start(at), t.end(at)
	for n = max(1, n-1); n > 0 && end < len(t); n-- {
		i := end + 1
		end = t.end(i)
		for i < end && t.blank(i) {
			i++
		}
		at = from + len(out)
		if k := len(out); k > 0 && !viText(out).blank(k-1) && i < end && !t.is(i, ")") {
			out = append(out, cell{text: " "})
		}
		out = append(out, t[i:end]...)
	}
	if end == t.end(b.at) {
		return false
	}
	b.replace(opOther, from, end, out)
	b.move(at)
	return true
}
