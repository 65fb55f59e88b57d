package tui

import "strings"

// A vim is the state of the commands of vi. The zero value is off.
type vim struct {
	on     bool
	insert bool
	visual byte     // v or V while a selection is made, else 0
	anchor int      // where the selection began
	keys   []string // of a command that is not whole
	find   viFind
	cut    []cell // by d, c, x and y
	lines  bool   // the cut is of whole lines

	last  viCommand // what . does again
	typed []cell    // what was put in by it
	doing *viInsert // the command that inserting goes on for; nil for none
}

// A viInsert is a command that is being typed for.
type viInsert struct {
	n    int  // how many times what is typed counts
	line bool // each time in a line of its own
	was  []cell
	from int
}

// fresh is how a new draft begins.
func (v *vim) fresh() { v.insert, v.visual, v.keys, v.doing = true, 0, nil, nil }

// leave ends inserting, a selection or a command that is not whole, and reports
// whether there was any of them.
func (v *vim) leave(b *buffer) bool {
	switch {
	case !v.on:
		return false
	case v.insert:
		v.inserted(b)
		v.insert = false
		if b.at > b.lineStart() {
			b.move(b.at - 1)
		}
	case len(v.keys) > 0:
		v.keys = nil
	case v.visual != 0:
		v.visual = 0
		b.move(viText(b.cells).rest(b.at))
	default:
		return false
	}
	return true
}

// inserted ends a command that one typed for: what was typed is put in as often
// as its count says, and can be put in again.
func (v *vim) inserted(b *buffer) {
	d := v.doing
	if v.doing = nil; d == nil {
		return
	}
	v.typed = putIn(d.was, b.cells, d.from)
	again := v.typed
	if d.line {
		again = append([]cell{{text: "\n"}}, v.typed...)
	}
	if more := repeated(again, d.n-1); len(more) > 0 {
		b.replace(opOther, b.at, b.at, more)
	}
	b.finish()
}

// putIn returns what came into cells that were was, at from or around it.
func putIn(was, now []cell, from int) []cell {
	head := 0
	for head < min(from, len(now)) && was[head] == now[head] {
		head++
	}
	tail := 0
	for tail < min(len(was)-head, len(now)-head) && was[len(was)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	return now[head : len(now)-tail]
}

// maxViPut is how many bytes a count can put in.
const maxViPut = 64 << 10

// repeated returns cells n times, as far as there is room.
func repeated(cells []cell, n int) []cell {
	size := 1
	for _, c := range cells {
		size += len(c.text)
	}
	var all []cell
	for range min(n, max(1, maxViPut/size)) {
		all = append(all, cells...)
	}
	return all
}

// key takes a key in normal or visual mode, and reports whether it was one of
// vi's. It is up or down besides when the cursor is to go to another row. Keys
// of a burst are text.
func (v *vim) key(name, text string, cmd command, b *buffer, fast bool) (used bool, by int) {
	if !v.on || v.insert {
		return false, 0
	}
	switch {
	case text != "" && (fast || b.empty() && strings.ContainsAny(text[:1], "/!@")):
		v.fresh()
		return false, 0
	case name == "ctrl+r" && !b.empty():
		v.keys = nil
		b.redo()
	case name == "enter" && len(v.keys) > 0 && v.keys[len(v.keys)-1] == "r":
		by = v.take(b, "\n")
	case name == "enter" && len(v.keys) > 0:
		v.keys = nil // half a command sends nothing
	case (cmd == cmdErase || cmd == cmdEraseRight) && len(v.keys) > 0:
		v.keys = nil
	case cmd == cmdErase:
		by = v.take(b, "h")
	case cmd == cmdEraseRight:
		by = v.take(b, "x")
	case text == "" || cmd != cmdNone && (cmd != cmdHelp || b.empty()):
		v.keys = nil
		return false, 0
	default:
		by = v.take(b, text)
	}
	v.settle(b)
	return true, by
}

// settle keeps the cursor on a character in normal mode.
func (v *vim) settle(b *buffer) {
	if v.on && !v.insert && v.visual == 0 {
		b.at = viText(b.cells).rest(b.at)
	}
}

// take takes a key as the next of a command, and carries the command out when
// it is whole.
func (v *vim) take(b *buffer, key string) (by int) {
	v.keys = append(v.keys, key)
	c, state := parseVi(v.keys, v.visual != 0)
	if state == viMore {
		return 0
	}
	v.keys = nil
	switch {
	case state == viBad:
	case c.op == "" && oneOfKeys("j k gj gk", c.key):
		if by = max(1, c.n); strings.HasSuffix(c.key, "k") {
			by = -by
		}
	case v.visual != 0:
		v.choose(b, c)
	case c.key == ".":
		v.again(b, c.n)
	default:
		v.do(b, c)
	}
	return by
}

// do carries out a command. One that changes the text is undone as one, with
// what is typed for it, and is what . does again.
func (v *vim) do(b *buffer, c viCommand) {
	b.at = min(b.at, len(b.cells))
	b.begin()
	changed := false
	switch act, is := viActions()[c.key]; {
	case c.op != "":
		changed = v.operate(b, c) && c.op != "y"
	case is:
		changed = act(v, b, c)
	default:
		v.travel(b, c)
	}
	if changed {
		v.last, v.typed = c, nil
	}
	if !v.insert {
		b.finish()
	}
}

// travel moves the cursor.
func (v *vim) travel(b *buffer, c viCommand) {
	to := viMotion(b.cells, b.at, c, v.find)
	v.remember(c)
	if !to.no {
		b.move(to.to)
	}
}

// remember keeps what ; and , look for.
func (v *vim) remember(c viCommand) {
	if c.arg != "" && oneOfKeys(viFinds, c.key) {
		v.find = viFind{c.key, c.arg}
	}
}

// again does the last change again, with another count when there is one.
func (v *vim) again(b *buffer, n int) {
	c, typed := v.last, v.typed
	if n > 0 {
		c.n = n
	}
	if c.key == "" {
		return
	}
	if v.do(b, c); v.insert {
		b.replace(opOther, b.at, b.at, typed)
		v.leave(b)
	}
}

// insertMode begins to insert for a command.
func (v *vim) insertMode(b *buffer, n int) {
	v.insert, v.doing = true, &viInsert{n: n, was: b.cells, from: b.at}
}
