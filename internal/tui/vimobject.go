package tui

// A viRange is cells[from:to]. Whole lines are without the newline behind them.
type viRange struct {
	from, to int
	lines    bool
}

// viObjectAt returns the text object of that name around at, such as iw or a(.
func viObjectAt(t viText, at int, name string, n int) (viRange, bool) {
	if len(t) == 0 || len(name) != 2 {
		return viRange{}, false
	}
	at = min(at, len(t)-1)
	around := name[0] == 'a'
	switch what := name[1:]; what {
	case "w", "W":
		return t.words(at, n, what == "W", around)
	case "p":
		return t.paragraphs(at, n, around)
	case `"`, "'", "`":
		return t.quoted(at, what, around)
	case "(", ")", "b":
		return t.bracketed(at, n, "(", ")", around)
	case "[", "]":
		return t.bracketed(at, n, "[", "]", around)
	case "{", "}", "B":
		return t.bracketed(at, n, "{", "}", around)
	case "<", ">":
		return t.bracketed(at, n, "<", ">", around)
	}
	return viRange{}, false
}

// run returns the word or the blanks of its line that i is in.
func (t viText) run(i int, big bool) (from, to int) {
	same := func(i int) bool {
		if t.blank(i) || t.blank(i+1) {
			return t.blank(i) && t.blank(i+1) && !t.newline(i) && !t.newline(i+1)
		}
		return t.joined(i, big)
	}
	for from = i; from > 0 && same(from-1); from-- {
	}
	for to = i + 1; to < len(t) && same(to-1); to++ {
	}
	return from, to
}

// words is iw and aw: with the blanks behind it, or else before it.
func (t viText) words(at, n int, big, around bool) (viRange, bool) {
	if t.newline(at) {
		return viRange{at, at, false}, t.emptyLine(at) && !around
	}
	from, to := t.run(at, big)
	onBlank, end := t.blank(at), t.end(at)
	more := func() bool {
		if to >= end {
			return false
		}
		_, to = t.run(to, big)
		return true
	}
	if !around {
		for ; n > 1 && more(); n-- {
		}
		return viRange{from, to, false}, true
	}
	blanks := onBlank // taken with the words
	for k := range n {
		if k > 0 && !more() || onBlank && !more() {
			break
		}
		if !onBlank && to < end && t.blank(to) {
			blanks = more()
		}
	}
	if !blanks {
		for s := t.start(at); from > s && t.blank(from-1); {
			from--
		}
	}
	return viRange{from, to, false}, true
}

// quoted is between quotes in the line: those around at, or else the next.
func (t viText) quoted(at int, quote string, around bool) (viRange, bool) {
	from, end := t.start(at), t.end(at)
	open := -1
	for i := from; i < end; i++ {
		switch {
		case t.is(i, `\`):
			i++
		case !t.is(i, quote):
		case open < 0:
			open = i
		case i < at:
			open = -1
		default:
			if !around {
				return viRange{open + 1, i, false}, true
			}
			r := viRange{open, i + 1, false}
			for r.to < end && t.blank(r.to) {
				r.to++
			}
			for r.to == i+1 && r.from > from && t.blank(r.from-1) {
				r.from--
			}
			return r, true
		}
	}
	return viRange{}, false
}

// bracketed is between the nth brackets around at. What stands in lines of its
// own between them is taken as lines.
func (t viText) bracketed(at, n int, open, shut string, around bool) (viRange, bool) {
	depth, i := n, at
	if t.is(i, shut) {
		i--
	}
	for ; i >= 0; i-- {
		if t.is(i, shut) {
			depth++
		} else if t.is(i, open) {
			if depth--; depth == 0 {
				break
			}
		}
	}
	if i < 0 {
		return viRange{}, false
	}
	end, ok := t.match(i, 1, open, shut)
	if !ok {
		return viRange{}, false
	}
	if around {
		return viRange{i, end + 1, false}, true
	}
	from, last := i+1, end
	for last > from && t.blank(last-1) && !t.newline(last-1) {
		last--
	}
	if from < end && t.newline(from) && last > from+1 && t.newline(last-1) {
		return viRange{from + 1, last - 1, true}, true
	}
	return viRange{from, end, false}, true
}

// paragraphs is ip and ap: with the empty lines behind it, or else before it.
func (t viText) paragraphs(at, n int, around bool) (viRange, bool) {
	bare := func(i int) bool {
		for s, e := t.start(i), t.end(i); s < e; s++ {
			if !t.blank(s) {
				return false
			}
		}
		return true
	}
	from := t.start(at)
	kind := bare(from)
	for from > 0 && bare(from-1) == kind {
		from = t.start(from - 1)
	}
	to := t.end(at)
	grow := func() bool { // by the lines of one kind
		if to == len(t) {
			return false
		}
		for k := bare(to + 1); to < len(t) && bare(to+1) == k; {
			to = t.end(to + 1)
		}
		return true
	}
	for to < len(t) && bare(to+1) == kind {
		to = t.end(to + 1)
	}
	if around {
		n *= 2
	}
	got := 1
	for ; got < n && grow(); got++ {
	}
	if around && got%2 == 1 && !kind {
		for from > 0 && bare(from-1) {
			from = t.start(from - 1)
		}
	}
	return viRange{from, to, true}, !around || got%2 == 0 || !kind
}
