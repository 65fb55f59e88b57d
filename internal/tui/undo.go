package tui

import "strings"

// An op is a kind of change; what is done twice in a row may count as one.
type op int

const (
	opOther op = iota // also a movement: what comes next stands for itself
	opInsert
	opErase
	opKill
	opYank
)

// A state is a buffer as it was.
type state struct {
	cells []cell
	at    int
}

// undos are the states that can be gone back and forth to.
type undos struct {
	back, forth []state
	group       group
}

// A group is whether changes are being made that are undone as one.
type group int

const (
	groupNone group = iota
	groupEmpty
	groupBegun // the state before the first of them is kept
)

// begin has all changes until finish be undone as one.
func (b *buffer) begin() { b.undos.group = groupEmpty }

func (b *buffer) finish() { b.undos.group, b.did = groupNone, opOther }

// maxUndos and maxUndoCells bound what is kept of one text.
const (
	maxUndos     = 200
	maxUndoCells = 1 << 20
)

// note keeps the state before a change. Letters typed in a row are one change,
// a word at a time, and so are characters erased in a row.
func (b *buffer) note(o op, cells []cell) {
	joins := o == b.did && (o == opErase || o == opInsert && len(cells) > 0 && !strings.ContainsAny(cells[len(cells)-1].text, " \t\n"))
	b.did = o
	if joins && len(b.undos.back) > 0 || b.undos.group == groupBegun {
		b.undos.forth = nil
		return
	}
	if b.undos.group == groupEmpty {
		b.undos.group = groupBegun
	}
	b.undos.back = append(b.undos.back, state{b.cells, b.at})
	b.undos.forth = nil
	n := 0
	for i := len(b.undos.back) - 1; i >= 0; i-- {
		if n += len(b.undos.back[i].cells); n > maxUndoCells || len(b.undos.back)-i > maxUndos {
			b.undos.back = append([]state(nil), b.undos.back[i+1:]...)
			return
		}
	}
}

// undo takes the last change back, and redo brings it back.
func (b *buffer) undo() { b.travel(&b.undos.back, &b.undos.forth) }

func (b *buffer) redo() { b.travel(&b.undos.forth, &b.undos.back) }

func (b *buffer) travel(from, to *[]state) {
	n := len(*from) - 1
	if n < 0 {
		return
	}
	if b.undos.group != groupNone {
		b.undos.group = groupEmpty // what comes next is undone to here
	}
	*to = append(*to, state{b.cells, b.at})
	b.cells, b.at = (*from)[n].cells, (*from)[n].at
	*from, b.did = (*from)[:n], opOther
}
