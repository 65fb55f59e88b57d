package tui

import (
	"strings"
	"unicode"
)

// A vim is the state of the commands of vi: those that people's fingers know, no
// more. The zero value is off.
type vim struct {
	on     bool
	insert bool
	op     byte   // d, c or y that waits for a movement; 0 for none
	count  int    // typed so far, 0 for none
	times  int    // the count before the operator
	prefix byte   // g, f, t or r that waits for a character
	cut    []cell // by d, c, x and y
	lines  bool   // the cut is of whole lines
}

// leave ends inserting, and reports whether there was anything to end.
func (v *vim) leave(b *buffer) bool {
	switch {
	case !v.on:
		return false
	case v.insert:
		v.insert = false
		if b.at > b.lineStart() {
			b.move(b.at - 1)
		}
	case v.op != 0 || v.prefix != 0 || v.count != 0:
		v.op, v.prefix, v.count, v.times = 0, 0, 0, 0
	default:
		return false
	}
	return true
}

// key takes a key in normal mode, and reports whether it was one of vi's. Keys
// of a burst are text.
func (v *vim) key(text string, cmd command, b *buffer, fast bool) bool {
	if !v.on || v.insert || text == "" || cmd != cmdNone && (cmd != cmdHelp || b.empty()) {
		return false
	}
	if fast || b.empty() && strings.ContainsAny(text[:1], "/!@") {
		v.insert = true
		return false
	}
	r := []rune(text)[0]
	switch {
	case v.prefix != 0:
		v.second(b, r)
	case r >= '1' && r <= '9' || r == '0' && v.count > 0:
		v.count = min(v.count*10+int(r-'0'), 9999)
	case v.op != 0 && r == rune(v.op):
		v.wholeLines(b)
	case strings.ContainsRune("gftr", r):
		v.prefix = byte(r)
	default:
		if to, over, is := v.motion(b, r); is {
			v.travel(b, to, over)
			return true
		}
		v.command(b, r)
	}
	return true
}

// motion returns where a movement leads, and whether an operator takes the
// character there too.
func (v *vim) motion(b *buffer, r rune) (to int, over, is bool) {
	at := b.at
	defer func() { b.at = at }()
	step := func(f func() int) int {
		for range min(9999, max(1, v.count)*max(1, v.times)) {
			b.at = f()
		}
		return b.at
	}
	switch r {
	case 'h':
		return step(func() int { return max(b.lineStart(), b.at-1) }), false, true
	case 'l', ' ':
		return step(func() int { return min(b.lineEnd(), b.at+1) }), false, true
	case 'w':
		if v.op == 'c' {
			return step(b.wordRight), false, true
		}
		return step(func() int {
			i := b.at
			for i < len(b.cells) && !b.space(i) {
				i++
			}
			for i < len(b.cells) && b.space(i) {
				i++
			}
			return i
		}), false, true
	case 'b':
		return step(b.wordLeft), false, true
	case 'e':
		return step(func() int {
			b.at = min(len(b.cells), b.at+1)
			return max(0, b.wordRight()-1)
		}), true, true
	case '0':
		return b.lineStart(), false, true
	case '^':
		i := b.lineStart()
		for i < b.lineEnd() && b.space(i) {
			i++
		}
		return i, false, true
	case '$':
		return b.lineEnd(), false, true
	case 'G':
		return len(b.cells), false, true
	}
	return 0, false, false
}

// travel moves, or does what the operator says with what lies between.
func (v *vim) travel(b *buffer, to int, over bool) {
	op := v.op
	v.op, v.count, v.times = 0, 0, 0
	if op == 0 {
		b.move(to)
		return
	}
	from := min(b.at, to)
	end := max(b.at, to)
	if over {
		end = min(len(b.cells), end+1)
	}
	v.take(b, op, from, end, false)
}

// take is d, c or y over cells[from:to].
func (v *vim) take(b *buffer, op byte, from, to int, lines bool) {
	v.cut, v.lines = append([]cell(nil), b.cells[from:to]...), lines
	if op == 'y' {
		b.move(from)
		return
	}
	if from < to {
		b.replace(opOther, from, to, nil)
	}
	v.insert = op == 'c'
}

// wholeLines is dd, cc and yy.
func (v *vim) wholeLines(b *buffer) {
	op, from := v.op, b.lineStart()
	at := b.at
	for range max(1, v.count)*max(1, v.times) - 1 {
		b.at = min(len(b.cells), b.lineEnd()+1)
	}
	to := b.lineEnd()
	b.at = at
	v.op, v.count, v.times = 0, 0, 0
	if op != 'c' {
		if to < len(b.cells) {
			to++
		} else if op == 'd' && from > 0 {
			from--
		}
	}
	v.take(b, op, from, to, true)
	for n := len(v.cut); n > 0 && v.cut[n-1].text == "\n"; n = len(v.cut) {
		v.cut = v.cut[:n-1]
	}
}

// second is the character behind g, f, t or r.
func (v *vim) second(b *buffer, r rune) {
	prefix := v.prefix
	v.prefix = 0
	switch prefix {
	case 'g':
		if r == 'g' {
			v.travel(b, 0, false)
		}
	case 'r':
		if b.at < b.lineEnd() {
			b.replace(opOther, b.at, b.at+1, cellsOf(string(r)))
			b.move(b.at - 1)
		}
	default:
		for i := b.at + 1; i < b.lineEnd(); i++ {
			if b.cells[i].text == string(r) {
				if prefix == 't' {
					i--
				}
				v.travel(b, i, true)
				return
			}
		}
	}
	v.op, v.count, v.times = 0, 0, 0
}

// command is what is no movement.
func (v *vim) command(b *buffer, r rune) {
	n := max(1, v.count)
	v.count = 0
	if strings.ContainsRune("dcy", r) {
		v.op, v.times = byte(r), n
		return
	}
	v.op = 0
	switch r {
	case 'i', 'a', 'I', 'A':
		b.move(map[rune]int{'i': b.at, 'a': min(b.lineEnd(), b.at+1), 'I': b.lineStart(), 'A': b.lineEnd()}[r])
		v.insert = true
	case 'o', 'O':
		if r == 'o' {
			b.move(b.lineEnd())
			b.insert("\n")
		} else {
			b.move(b.lineStart())
			b.insert("\n")
			b.move(b.at - 1)
		}
		v.insert = true
	case 'x':
		v.take(b, 'd', b.at, min(b.lineEnd(), b.at+n), false)
	case 'D', 'C':
		v.take(b, byte(unicode.ToLower(r)), b.at, b.lineEnd(), false)
	case 'p', 'P':
		v.put(b, r == 'P')
	case 'u':
		b.undo()
	case 'U':
		b.redo()
	}
}

// put is p and P.
func (v *vim) put(b *buffer, before bool) {
	if v.lines {
		cells := append(append([]cell(nil), v.cut...), cell{text: "\n"})
		at := b.lineStart()
		if !before {
			if at = b.lineEnd() + 1; at > len(b.cells) {
				at, cells = len(b.cells), append([]cell{{text: "\n"}}, v.cut...)
			}
		}
		b.replace(opOther, at, at, cells)
		return
	}
	at := b.at
	if !before {
		at = min(b.lineEnd(), at+1)
	}
	b.replace(opOther, at, at, v.cut)
}
