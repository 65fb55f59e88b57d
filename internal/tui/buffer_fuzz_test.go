package tui

import (
	"strings"
	"testing"
)

// FuzzBuffer edits at random and compares with the plainest model there is: the
// text before the cursor and the text behind it.
func FuzzBuffer(f *testing.F) {
	f.Add([]byte("abc\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89"), "e\u0301 日本\n👨‍👩‍👧x")
	f.Add([]byte{0, 130, 1, 131, 2, 132, 141, 141, 142}, "one two\nthree")
	f.Fuzz(func(t *testing.T, ops []byte, text string) {
		text = normalise(text)
		if len(ops) > 200 || len(text) > 200 {
			return
		}
		pieces := strings.SplitAfter(text, " ")
		var b buffer
		left, right := "", ""
		split := func(op string) {
			t.Helper()
			l, r := textOf(b.cells[:b.at]), textOf(b.cells[b.at:])
			if l+r != left+right {
				t.Fatalf("%s changes the text %q into %q", op, left+right, l+r)
			}
			left, right = l, r
		}
		for i, op := range ops {
			was := left + right
			switch op % 16 {
			case 0, 1, 2:
				s := pieces[i%len(pieces)]
				b.insert(s)
				left += s
			case 3:
				edit(&b, cmdLeft)
			case 4:
				edit(&b, cmdRight)
			case 5:
				edit(&b, cmdWordLeft)
			case 6:
				edit(&b, cmdWordRight)
			case 7:
				edit(&b, cmdStart)
				if at := strings.LastIndexByte(left, '\n') + 1; textOf(b.cells[:b.at]) != left[:at] {
					t.Fatalf("the line starts at %q, not %q", textOf(b.cells[:b.at]), left[:at])
				}
			case 8:
				edit(&b, cmdEnd)
			case 9:
				edit(&b, cmdKillLeft)
				left = left[:strings.LastIndexByte(left, '\n')+1]
			case 10:
				edit(&b, cmdKillRight)
				switch at := strings.IndexByte(right, '\n'); {
				case at == 0:
					right = right[1:]
				case at > 0:
					right = right[at:]
				default:
					right = ""
				}
			case 11:
				n := len(b.cells)
				edit(&b, cmdErase)
				l, r := textOf(b.cells[:b.at]), textOf(b.cells[b.at:])
				if !strings.HasPrefix(left, l) || r != right || n > 0 && left != "" && len(b.cells) != n-1 {
					t.Fatalf("backspace makes %q|%q of %q|%q", l, r, left, right)
				}
				left = l
			case 12:
				cut := textOf(lastKill(&b))
				edit(&b, cmdYank)
				left += cut
			case 13:
				edit(&b, cmdTranspose)
				left, right = textOf(b.cells[:b.at]), textOf(b.cells[b.at:])
				if len(left+right) != len(was) {
					t.Fatalf("swapping makes %q of %q", left+right, was)
				}
			case 14:
				edit(&b, cmdUndo)
				edit(&b, cmdRedo)
				left, right = textOf(b.cells[:b.at]), textOf(b.cells[b.at:])
				if left+right != was {
					t.Fatalf("undone and redone, %q is %q", was, left+right)
				}
			case 15:
				b.vertical(1-2*(i%2), 10)
			}
			split("an operation")
			if b.at < 0 || b.at > len(b.cells) {
				t.Fatalf("the cursor is at %d of %d", b.at, len(b.cells))
			}
		}
		end := b.text()
		for range maxUndos + 1 {
			b.undo()
		}
		if b.text() != "" {
			t.Fatalf("all undone, %q is left", b.text())
		}
		for range maxUndos + 1 {
			b.redo()
		}
		if b.text() != end {
			t.Fatalf("all redone, it is %q and was %q", b.text(), end)
		}
	})
}

func lastKill(b *buffer) []cell {
	if n := len(b.ring.texts); n > 0 {
		return b.ring.texts[n-1]
	}
	return nil
}
