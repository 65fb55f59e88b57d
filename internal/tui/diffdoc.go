package tui

import (
	"strconv"

	"github.com/zuno-dev/zuno/internal/highlight"
	"github.com/zuno-dev/zuno/internal/patch"
)

// A diffDoc is a diff as it was read, whatever the width: which changed line
// stands against which, and what is known of its words. Nothing is worked out
// for a line before it is shown.
type diffDoc struct {
	lines  []diffLine
	pair   []int32 // the line that a changed line stands against, -1 for none
	hunkOf []int32 // the hunk of a line, -1 for none
	hunks  []diffHunk
	digits int // of the largest line number
	kinds  map[int32][]highlight.Run
	words  map[int32][]patch.Span
}

// A diffHunk is lines of one file.
type diffHunk struct {
	name     string
	from, to int  // lines
	wanted   bool // it was shown
	asked    bool // its words are being told apart, or were
}

// pairLimit bounds the lines that are compared word by word.
const pairLimit = 200

func newDiffDoc(lines []diffLine) *diffDoc {
	d := &diffDoc{
		lines: lines, pair: make([]int32, len(lines)), hunkOf: make([]int32, len(lines)),
		kinds: map[int32][]highlight.Run{}, words: map[int32][]patch.Span{},
	}
	most, name, in := 1, "", int32(-1)
	for i, l := range lines {
		most = max(most, l.number)
		d.pair[i] = -1
		switch l.kind {
		case 'f', 't':
			name, in = l.path, -1
		case '@':
			d.hunks = append(d.hunks, diffHunk{name: name, from: i + 1, to: i + 1})
			in = int32(len(d.hunks) - 1)
		case '+', '-', ' ':
			if in >= 0 {
				d.hunks[in].to = i + 1
			}
		}
		d.hunkOf[i] = in
	}
	d.digits = len(strconv.Itoa(most))
	for i := 0; i < len(lines); i++ {
		if lines[i].kind == '-' {
			removed := run(lines[i:], '-')
			added := run(lines[i+removed:], '+')
			for k := range min(removed, added) {
				d.pair[i+k], d.pair[i+removed+k] = int32(i+removed+k), int32(i+k)
			}
			i += removed + added - 1
		}
	}
	return d
}

func run(lines []diffLine, kind byte) int {
	n := 0
	for n < len(lines) && lines[n].kind == kind {
		n++
	}
	return n
}

// changes reports whether lines go and lines come: two columns show nothing of
// what is only new.
func (d *diffDoc) changes() bool {
	gone, come := false, false
	for i := range d.lines {
		gone, come = gone || d.lines[i].kind == '-', come || d.lines[i].kind == '+'
	}
	return gone && come
}

// text returns a line as it is shown.
func (d *diffDoc) text(i int32) string { return diffText(d.lines[i].text) }

// marked returns what differs between a line and the one that it stands
// against.
func (d *diffDoc) marked(i int32) []patch.Span {
	p := d.pair[i]
	if p < 0 {
		return nil
	}
	if s, known := d.words[i]; known {
		return s
	}
	old, now := min(i, p), max(i, p)
	var a, b []patch.Span
	if now-old <= pairLimit {
		a, b, _ = patch.Words(d.text(old), d.text(now))
	}
	d.words[old], d.words[now] = a, b
	return d.words[i]
}

// want notes that a line was shown.
func (d *diffDoc) want(i int32) {
	if h := d.hunkOf[i]; h >= 0 && !d.hunks[h].asked {
		d.hunks[h].wanted = true
	}
}

// A side is the lines of a hunk before or after the change.
type hunkSide struct {
	name  string
	lines []int32
	texts []string
}

// wanted returns the sides of the hunks that were shown and of whose words
// nothing is known yet.
func (d *diffDoc) wanted() []hunkSide {
	var sides []hunkSide
	for i := range d.hunks {
		h := &d.hunks[i]
		if !h.wanted || h.asked || h.name == "" {
			continue
		}
		h.asked = true
		for _, other := range []byte{'+', '-'} {
			side, size := hunkSide{name: h.name}, 0
			for n := h.from; n < h.to && size <= highlight.MaxBytes; n++ {
				if k := d.lines[n].kind; k != other && k != 'i' {
					text := d.text(int32(n))
					size += len(text) + 1
					side.lines, side.texts = append(side.lines, int32(n)), append(side.texts, text)
				}
			}
			if size <= highlight.MaxBytes {
				sides = append(sides, side)
			}
		}
	}
	return sides
}

// colour takes what was found out of one side.
func (d *diffDoc) colour(s hunkSide, found [][]highlight.Run) {
	for k, i := range s.lines {
		if k < len(found) {
			d.kinds[i] = found[k]
		}
	}
}
