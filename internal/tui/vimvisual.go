package tui

import "strings"

// sign is how the mode is shown, "" where none of the letters says it.
func (v *vim) sign() string {
	if v.visual == 0 {
		return ""
	}
	return string(rune(v.visual))
}

// selected returns what is selected, and whether anything is.
func (v *vim) selected(b *buffer) (r viRange, is bool) {
	if v.visual == 0 || len(b.cells) == 0 {
		return r, false
	}
	t := viText(b.cells)
	a := min(v.anchor, len(t))
	r = viRange{min(a, b.at), min(len(t), max(a, b.at)+1), false}
	if v.visual == 'V' {
		r = viRange{t.start(min(a, b.at)), t.end(max(a, b.at)), true}
	}
	return r, true
}

// choose carries out a command of visual mode.
func (v *vim) choose(b *buffer, c viCommand) {
	t := viText(b.cells)
	switch {
	case c.op == "" && (c.key == "v" || c.key == "V"):
		if v.visual == c.key[0] {
			v.visual = 0
			b.move(t.rest(b.at))
			return
		}
		v.visual = c.key[0]
	case c.key == "o":
		at := b.at
		b.move(v.anchor)
		v.anchor = at
	case len(c.key) == 2 && strings.ContainsAny(c.key[:1], "ia"):
		if r, ok := viObjectAt(t, b.at, c.key, max(1, c.n)); ok {
			v.anchor = r.from
			b.move(max(r.from, r.to-1))
			if r.lines {
				v.visual = 'V'
			}
		}
	case c.op != "", oneOfKeys(viSelected, c.key), c.key == "r":
		v.onSelection(b, c)
	default:
		v.travel(b, c)
	}
}

// onSelection gives an operator what is selected. What . does again is as many
// characters or lines.
func (v *vim) onSelection(b *buffer, c viCommand) {
	r, is := v.selected(b)
	whole := map[string]string{"X": "d", "D": "d", "Y": "y", "S": "c", "R": "c", "C": "c"}
	op := map[string]string{"x": "d", "s": "c", "~": "g~", "u": "gu", "U": "gU", "P": "p"}
	do := viCommand{n: c.n, op: c.op, key: "sel", arg: c.arg}
	switch {
	case c.op != "":
	case whole[c.key] != "":
		do.op, r.lines = whole[c.key], true
	case op[c.key] != "":
		do.op = op[c.key]
	default:
		do.op = c.key
	}
	v.visual = 0
	if _, ok := viCharacter(c.arg); !is || do.op == "r" && !ok {
		return
	}
	do.span, do.lines = r.to-r.from, r.lines
	if a := min(v.anchor, len(b.cells)); r.lines {
		do.span = viText(b.cells).newlines(min(a, b.at), max(a, b.at)) + 1
	}
	b.move(r.from)
	v.do(b, do)
}
