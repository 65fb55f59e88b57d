package tui

// edit carries out an editing command on b, and reports whether it was one.
func edit(b *buffer, c command) bool {
	do, is := edits()[c]
	if !is {
		return false
	}
	do(b)
	return true
}

// edits is what the editing commands do.
func edits() map[command]func(*buffer) {
	return map[command]func(*buffer){
		cmdStart:          func(b *buffer) { b.move(b.lineStart()) },
		cmdEnd:            func(b *buffer) { b.move(b.lineEnd()) },
		cmdLeft:           func(b *buffer) { b.move(b.at - 1) },
		cmdRight:          func(b *buffer) { b.move(b.at + 1) },
		cmdWordLeft:       func(b *buffer) { b.move(b.wordLeft()) },
		cmdWordRight:      func(b *buffer) { b.move(b.wordRight()) },
		cmdErase:          func(b *buffer) { b.erase(b.at-min(1, b.at), b.at) },
		cmdEraseRight:     func(b *buffer) { b.erase(b.at, min(len(b.cells), b.at+1)) },
		cmdEraseWord:      func(b *buffer) { b.kill(b.wordLeft(), b.at) },
		cmdEraseWordRight: func(b *buffer) { b.kill(b.at, b.wordRight()) },
		cmdKillLeft:       func(b *buffer) { b.kill(b.lineStart(), b.at) },
		cmdKillRight:      (*buffer).killRight,
		cmdYank:           (*buffer).yank,
		cmdYankPop:        (*buffer).yankPop,
		cmdTranspose:      (*buffer).transpose,
		cmdUndo:           (*buffer).undo,
		cmdRedo:           (*buffer).redo,
	}
}

// move puts the cursor before cells[i], as far as there is such a place.
func (b *buffer) move(i int) { b.at, b.did = min(max(0, i), len(b.cells)), opOther }

// killRight cuts to the end of the line, and at the end the newline.
func (b *buffer) killRight() {
	end := b.lineEnd()
	if end == b.at {
		end = min(len(b.cells), b.at+1)
	}
	b.kill(b.at, end)
}
