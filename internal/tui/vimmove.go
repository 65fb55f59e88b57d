package tui

// A viReach is where a movement leads and what an operator takes with it.
type viReach struct {
	to   int
	over bool // with the character there
	line bool // whole lines
	no   bool // there is nothing there
}

// A viFind is the last search for a character in its line.
type viFind struct{ key, arg string }

// viMotion returns where a movement leads from at; for an operator some lead
// elsewhere. last is what ; and , repeat.
func viMotion(t viText, at int, c viCommand, last viFind) viReach {
	n := max(1, c.n)
	switch c.key {
	case "h":
		return viReach{to: max(t.start(at), at-n), no: at == t.start(at) && c.op == ""}
	case "l":
		return viReach{to: min(t.end(at), at+n)}
	case "0":
		return viReach{to: t.start(at)}
	case "^":
		return viReach{to: t.first(at)}
	case "$", "g_", "_":
		return t.inLine(at, n-1, c.key)
	case "j", "gj", "k", "gk":
		by := n
		if c.key[len(c.key)-1] == 'k' {
			by = -n
		}
		return t.column(at, by)
	case "gg", "G":
		to := len(t)
		if c.n > 0 || c.key == "gg" {
			to, _ = t.down(0, n-1)
		}
		return viReach{to: t.first(to), line: true}
	case "w", "W":
		return t.forward(at, n, c)
	case "b", "B":
		return viReach{to: times(n, at, func(i int) int { return t.back(i, c.key == "B") }), no: at == 0}
	case "e", "E":
		return viReach{to: times(n, at, func(i int) int { return t.wordEnd(i, c.key == "E") }), over: true, no: at >= len(t)}
	case "ge", "gE":
		return viReach{to: times(n, at, func(i int) int { return t.lastEnd(i, c.key == "gE") }), over: true, no: at == 0}
	case "{":
		return viReach{to: times(n, at, t.paragraphBefore), no: at == 0}
	case "}":
		return viReach{to: times(n, at, t.paragraphAfter), no: at == len(t)}
	case "%":
		to, ok := t.partner(at)
		return viReach{to: to, over: true, no: !ok}
	case "f", "F", "t", "T":
		return t.find(at, n, viFind{c.key, c.arg}, false)
	case ";":
		return t.find(at, n, last, true)
	case ",":
		return t.find(at, n, viFind{viOpposite(last.key), last.arg}, true)
	}
	return viReach{no: true}
}

// times repeats a step until it leads nowhere.
func times(n, at int, step func(int) int) int {
	for ; n > 0; n-- {
		to := step(at)
		if to == at {
			break
		}
		at = to
	}
	return at
}

// inLine is $, g_ and _, with lines below counted.
func (t viText) inLine(at, below int, key string) viReach {
	line, ok := t.down(at, below)
	switch {
	case below > 0 && !ok:
		return viReach{no: true}
	case key == "_":
		return viReach{to: t.first(line), line: true}
	case key == "$":
		return viReach{to: t.end(line)}
	}
	to := t.end(line)
	for to > line && t.blank(to-1) {
		to--
	}
	return viReach{to: max(line, to-1), over: to > line}
}

// column is the same column some lines below, as it is seen.
func (t viText) column(at, by int) viReach {
	col := 0
	for i := t.start(at); i < at; i++ {
		col += width(t[i].shown())
	}
	to, ok := t.down(at, by)
	for used, e := 0, t.end(to); to < e; to++ {
		if used += width(t[to].shown()); used > col {
			break
		}
	}
	return viReach{to: to, line: true, no: !ok}
}

// forward is w and W. As vi has it, cw ends where the word does, and dw does
// not take the end of the line.
func (t viText) forward(at, n int, c viCommand) viReach {
	big := c.key == "W"
	if at >= len(t) {
		return viReach{to: at, no: c.op != "c"}
	}
	if c.op == "c" && !t.blank(at) {
		to := at
		for to+1 < len(t) && t.joined(to, big) {
			to++
		}
		return viReach{to: times(n-1, to, func(i int) int { return t.wordEnd(i, big) }), over: true}
	}
	to := times(n-1, at, func(i int) int { return t.next(i, big) })
	last := to
	to = t.next(to, big)
	if e := t.end(last); c.op != "" && to > e && e > last {
		to = e
	}
	return viReach{to: to}
}

func (t viText) next(i int, big bool) int {
	from := i
	if i < len(t) && !t.blank(i) {
		for i+1 < len(t) && t.joined(i, big) {
			i++
		}
		i++
	}
	for i < len(t) && t.blank(i) && (i == from || !t.emptyLine(i)) {
		i++
	}
	return i
}

func (t viText) back(i int, big bool) int {
	for i--; i >= 0 && t.blank(i); i-- {
		if t.emptyLine(i) {
			return i
		}
	}
	for i > 0 && t.joined(i-1, big) {
		i--
	}
	return max(0, i)
}

func (t viText) wordEnd(i int, big bool) int {
	from := i
	for i++; i < len(t) && t.blank(i); i++ {
	}
	if i >= len(t) {
		return from
	}
	for i+1 < len(t) && t.joined(i, big) {
		i++
	}
	return i
}

func (t viText) lastEnd(i int, big bool) int {
	i = min(i, len(t)-1)
	for i > 0 && t.joined(i-1, big) {
		i--
	}
	for i--; i > 0 && t.blank(i) && !t.emptyLine(i); i-- {
	}
	return max(0, i)
}

// paragraphAfter and paragraphBefore lead to the next empty line behind text.
func (t viText) paragraphAfter(i int) int {
	i = t.start(i)
	for seen := false; ; {
		empty := t.emptyLine(i)
		if empty && seen {
			return i
		}
		seen = seen || !empty
		e := t.end(i)
		if e == len(t) {
			return e
		}
		i = e + 1
	}
}

func (t viText) paragraphBefore(i int) int {
	i = t.start(i)
	for seen := false; ; {
		empty := t.emptyLine(i)
		if empty && seen || i == 0 {
			return i
		}
		seen = seen || !empty
		i = t.start(i - 1)
	}
}

func viOpposite(key string) string {
	return map[string]string{"f": "F", "F": "f", "t": "T", "T": "t"}[key]
}

// find looks for a character in the line. One that stops before it goes on from
// there when it is repeated.
func (t viText) find(at, n int, f viFind, again bool) viReach {
	by, till := 1, f.key == "t" || f.key == "T"
	if f.key == "F" || f.key == "T" {
		by = -1
	}
	from, to := t.start(at), t.end(at)
	i := at
	if again && till && n == 1 && t.is(at+by, f.arg) {
		i += by
	}
	for i += by; f.key != "" && i >= from && i < to; i += by {
		if !t.is(i, f.arg) {
			continue
		}
		if n--; n == 0 {
			if till {
				i -= by
			}
			return viReach{to: i, over: by > 0}
		}
	}
	return viReach{no: true}
}

// partner is where the bracket ends or begins that is at i or behind it in the
// line.
func (t viText) partner(i int) (int, bool) {
	const open, shut = "([{", ")]}"
	for e := t.end(i); i < e; i++ {
		for k := range len(open) {
			switch {
			case t.is(i, open[k:k+1]):
				return t.match(i, 1, open[k:k+1], shut[k:k+1])
			case t.is(i, shut[k:k+1]):
				return t.match(i, -1, shut[k:k+1], open[k:k+1])
			}
		}
	}
	return 0, false
}

// match finds what closes the bracket at i, going by by.
func (t viText) match(i, by int, same, other string) (int, bool) {
	depth := 0
	for ; i >= 0 && i < len(t); i += by {
		switch {
		case t.is(i, same):
			depth++
		case t.is(i, other):
			if depth--; depth == 0 {
				return i, true
			}
		}
	}
	return 0, false
}
