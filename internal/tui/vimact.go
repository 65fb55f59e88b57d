package tui

import (
	"unicode"
	"unicode/utf8"
)

// viActions are the commands of normal mode that are no movement. They report
// whether . does them again.
func viActions() map[string]func(*vim, *buffer, viCommand) bool {
	as := func(op, key string) func(*vim, *buffer, viCommand) bool {
		return func(v *vim, b *buffer, c viCommand) bool {
			return v.operate(b, viCommand{n: c.n, op: op, key: key}) && op != "y"
		}
	}
	insert := func(at func(t viText, i int) int) func(*vim, *buffer, viCommand) bool {
		return func(v *vim, b *buffer, c viCommand) bool {
			b.move(at(b.cells, b.at))
			v.insertMode(b, max(1, c.n))
			return true
		}
	}
	return map[string]func(*vim, *buffer, viCommand) bool{
		"i": insert(func(_ viText, i int) int { return i }),
		"a": insert(func(t viText, i int) int { return min(t.end(i), i+1) }),
		"I": insert(func(t viText, i int) int {
			if i = t.first(i); i < t.end(i) && t.blank(i) {
				return i + 1 // there are blanks only
			}
			return i
		}),
		"A": insert(viText.end),
		"o": func(v *vim, b *buffer, c viCommand) bool { return v.open(b, c, true) },
		"O": func(v *vim, b *buffer, c viCommand) bool { return v.open(b, c, false) },
		"x": as("d", "l"), "X": as("d", "h"), "D": as("d", "$"), "C": as("c", "$"),
		"s": as("c", "l"), "S": as("c", "line"), "Y": as("y", "line"),
		"J": func(_ *vim, b *buffer, c viCommand) bool { return join(b, c.n) },
		"p": func(v *vim, b *buffer, c viCommand) bool { return v.put(b, c, false) },
		"P": func(v *vim, b *buffer, c viCommand) bool { return v.put(b, c, true) },
		"r": replaceChars, "~": flipChars,
		"u": func(_ *vim, b *buffer, c viCommand) bool { return undoTimes(b.undo, c) },
		"U": func(_ *vim, b *buffer, c viCommand) bool { return undoTimes(b.redo, c) },
		"v": func(v *vim, b *buffer, _ viCommand) bool { v.visual, v.anchor = 'v', b.at; return false },
		"V": func(v *vim, b *buffer, _ viCommand) bool { v.visual, v.anchor = 'V', b.at; return false },
	}
}

func undoTimes(do func(), c viCommand) bool {
	for range min(maxUndos, max(1, c.n)) {
		do()
	}
	return false
}

// open is o and O.
func (v *vim) open(b *buffer, c viCommand, below bool) bool {
	at := b.lineStart()
	if below {
		at = b.lineEnd()
	}
	b.replace(opOther, at, at, []cell{{text: "\n"}})
	if !below {
		b.move(at)
	}
	v.insertMode(b, max(1, c.n))
	v.doing.line = true
	return true
}

// put is p and P.
func (v *vim) put(b *buffer, c viCommand, before bool) bool {
	t := viText(b.cells)
	if len(v.cut) == 0 && !v.lines {
		return false
	}
	if !v.lines {
		at := b.at
		if !before {
			at = min(t.end(at), at+1)
		}
		b.replace(opOther, at, at, repeated(v.cut, max(1, c.n)))
		b.move(b.at - 1)
		return true
	}
	lines := repeated(append(append([]cell(nil), v.cut...), cell{text: "\n"}), max(1, c.n))
	at := t.start(b.at)
	if !before {
		if at = t.end(b.at) + 1; at > len(t) {
			at--
			lines = append([]cell{{text: "\n"}}, lines[:len(lines)-1]...)
			b.replace(opOther, at, at, lines)
			b.move(viText(b.cells).first(at + 1))
			return true
		}
	}
	b.replace(opOther, at, at, lines)
	b.move(viText(b.cells).first(at))
	return true
}

// viCharacter returns the one character that a key puts in. A mark that would
// join the character before is none.
func viCharacter(arg string) ([]cell, bool) {
	cells := cellsOf(normalise(arg))
	r, _ := utf8.DecodeRuneInString(arg)
	return cells, len(cells) == 1 && !unicode.IsMark(r)
}

// replaceChars is r.
func replaceChars(_ *vim, b *buffer, c viCommand) bool {
	n := max(1, c.n)
	with, ok := viCharacter(c.arg)
	if !ok || b.at+n > b.lineEnd() {
		return false
	}
	if with[0].text == "\n" {
		b.replace(opOther, b.at, b.at+n, with)
		return true
	}
	b.replace(opOther, b.at, b.at+n, repeated(with, n))
	b.move(b.at - 1)
	return true
}

// flipChars is ~, which goes on by what it changed.
func flipChars(_ *vim, b *buffer, c viCommand) bool {
	to := min(b.lineEnd(), b.at+max(1, c.n))
	if to == b.at {
		return false
	}
	b.replace(opOther, b.at, to, changed(b.cells[b.at:to], viCommand{op: "g~"}))
	return true
}
