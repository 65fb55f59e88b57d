package tui

import "slices"

// kills is what was cut, the newest last, and where the yank is that can be
// changed for an older one.
type kills struct {
	texts [][]cell
	shown int // index in texts of what was put in last
	n     int // how many cells that are, before the cursor
}

// maxKills is how many cuts are kept.
const maxKills = 20

// kill removes cells[from:to] and keeps them. What is cut in a row is kept
// together.
func (b *buffer) kill(from, to int) {
	if from >= to {
		return
	}
	cut := slices.Clone(b.cells[from:to])
	if n := len(b.ring.texts) - 1; b.did == opKill && n >= 0 {
		if to == b.at {
			cut = append(cut, b.ring.texts[n]...)
		} else {
			cut = append(slices.Clone(b.ring.texts[n]), cut...)
		}
		b.ring.texts = b.ring.texts[:n]
	}
	b.ring.texts = append(b.ring.texts, cut)
	if n := len(b.ring.texts) - maxKills; n > 0 {
		b.ring.texts = slices.Clone(b.ring.texts[n:])
	}
	b.replace(opKill, from, to, nil)
}

// yank puts the newest cut in.
func (b *buffer) yank() { b.put(b.at, len(b.ring.texts)-1) }

// yankPop puts the next older cut in the place of the one that was just put in.
func (b *buffer) yankPop() {
	if b.did != opYank || b.ring.n > b.at {
		return
	}
	n := len(b.ring.texts)
	b.put(b.at-b.ring.n, (b.ring.shown+n-1)%n)
}

func (b *buffer) put(from, i int) {
	if i < 0 {
		return
	}
	b.ring.shown, b.ring.n = i, len(b.ring.texts[i])
	b.replace(opYank, from, b.at, b.ring.texts[i])
}
