package patch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A matcher looks for the places of hunks in the lines of one text.
type matcher struct {
	lines []line
	tries []pass
	keys  [][]string // of lines, per pass, made when first needed
	where []map[string][]int
}

func newMatcher(lines []line) *matcher {
	tries := passes()
	return &matcher{lines, tries, make([][]string, len(tries)), make([]map[string][]int, len(tries))}
}

// whereOf returns the indexes of the lines with each key of a pass.
func (m *matcher) whereOf(p int) map[string][]int {
	if m.where[p] == nil {
		keys := m.keysOf(p)
		m.where[p] = make(map[string][]int, len(keys))
		for i, k := range keys {
			m.where[p][k] = append(m.where[p][k], i)
		}
	}
	return m.where[p]
}

// rarest returns the index of the line of want that is in the text least often,
// and where it is.
func (m *matcher) rarest(p int, want []string) (int, []int) {
	where := m.whereOf(p)
	best := 0
	for i, w := range want {
		if len(where[w]) < len(where[want[best]]) {
			best = i
		}
	}
	return best, where[want[best]]
}

func (m *matcher) keysOf(p int) []string {
	if m.keys[p] == nil {
		m.keys[p] = make([]string, len(m.lines))
		for i, l := range m.lines {
			m.keys[p][i] = m.tries[p].key(l.text)
		}
	}
	return m.keys[p]
}

// A place is where a hunk goes.
type place struct {
	at      int // index of the first line it replaces, or before which it inserts
	pass    int
	literal bool   // the line endings that the patch is explicit about match too
	end     string // the line ending that prevails there, "" when there is none
}

// listed bounds how many candidates an error names.
const listed = 5

// find returns where want begins in the lines from index from on: the claimed
// place alone if it is one, else the first few.
func (m *matcher) find(p int, want []string, from, claim int, fits func(at int) bool) []int {
	keys := m.keysOf(p)
	if claim >= from && claim+len(want) <= len(keys) && slices.Equal(keys[claim:claim+len(want)], want) && fits(claim) {
		return []int{claim}
	}
	offset, places := m.rarest(p, want)
	if len(places)*len(want) <= len(keys) {
		var found []int
		for _, i := range places {
			at := i - offset
			if at >= from && at+len(want) <= len(keys) && slices.Equal(keys[at:at+len(want)], want) && fits(at) {
				if found = append(found, at); len(found) > listed {
					break
				}
			}
		}
		return found
	}
	// Knuth, Morris and Pratt: a text of equal lines must not cost lines × hunk.
	back := make([]int, len(want))
	for i, k := 1, 0; i < len(want); i++ {
		for k > 0 && want[i] != want[k] {
			k = back[k-1]
		}
		if want[i] == want[k] {
			k++
		}
		back[i] = k
	}
	var found []int
	for i, k := from, 0; i < len(keys) && len(found) <= listed; i++ {
		for k > 0 && keys[i] != want[k] {
			k = back[k-1]
		}
		if keys[i] == want[k] {
			k++
		}
		if k == len(want) {
			if at := i + 1 - k; fits(at) {
				found = append(found, at)
			}
			k = back[k-1]
		}
	}
	return found
}

// place finds where h goes, at or after line index from. Exact places count
// first; a tolerant pass only where nothing matched before it. Of several
// places only the claimed one is taken, or the first one after an anchor that
// is itself unique.
func (m *matcher) place(h Hunk, from int) (place, error) {
	anchored, unique, err := m.anchors(h.Anchors, from)
	if err != nil {
		return place{}, err
	}
	old := h.old()
	if len(old) == 0 {
		return m.insertion(h, anchored, unique)
	}
	start := max(from, anchored)
	for p, try := range m.tries {
		want := make([]string, len(old))
		for i, l := range old {
			want[i] = try.key(l.Text)
		}
		atEnd := func(at int) bool { return !h.EOF || at+len(old) == len(m.lines) }
		if p == 0 {
			same := func(at int) bool { return atEnd(at) && m.sameEnds(old, at) }
			if at, err := choose(h, m.find(p, want, start, h.At-1, same), unique); err == nil && at >= 0 {
				return place{at: at, literal: true}, nil
			}
		}
		at, err := choose(h, m.find(p, want, start, h.At-1, atEnd), unique && p == 0)
		if err != nil || at >= 0 {
			return place{at: at, pass: p}, err
		}
	}
	return place{}, m.mismatch(h, old, from, start)
}

// sameEnds reports whether the endings that old is explicit about are there.
func (m *matcher) sameEnds(old []Line, at int) bool {
	for i, l := range old {
		if end := m.lines[at+i].end; l.End != "" && l.End != end && (l.End != NoEnd || end != "") {
			return false
		}
	}
	return true
}

// choose picks one of the places found, -1 when there is none.
func choose(h Hunk, found []int, afterAnchor bool) (int, error) {
	switch {
	case len(found) == 0:
		return -1, nil
	case len(found) == 1 || afterAnchor && len(h.Anchors) > 0:
		return found[0], nil
	}
	return -1, fmt.Errorf("it fits in several places, %s: add lines around it, or an @@ line that names the function or class, so that one is left", numbers(found))
}

// anchors returns the index of the last anchor, found one after the other from
// index from on, and whether the first one can mean only one line.
func (m *matcher) anchors(anchors []string, from int) (at int, unique bool, err error) {
	at, unique = from-1, true
	for i, a := range anchors {
		found := m.anchor(a, at+1)
		if len(found) == 0 {
			return 0, false, fmt.Errorf("no line from line %d on is %q, which its @@ line names%s", at+2, clip(a), m.nearest([]string{a}))
		}
		at = found[0]
		unique = unique && (i > 0 || len(found) == 1)
	}
	return at, unique, nil
}

func (m *matcher) anchor(a string, from int) []int {
	for p, try := range m.tries {
		if found := m.find(p, []string{try.key(a)}, from, -1, func(int) bool { return true }); len(found) > 0 {
			return found
		}
	}
	return nil
}

// insertion places a hunk that only adds lines: after its anchor, else at the
// end of the text.
func (m *matcher) insertion(h Hunk, anchored int, unique bool) (place, error) {
	n := len(m.lines)
	switch {
	case len(h.Anchors) > 0 && !unique:
		return place{}, fmt.Errorf("there are several lines %q, which its @@ line names: give lines around the place", clip(h.Anchors[0]))
	case len(h.Anchors) > 0 && !h.EOF:
		return place{at: anchored + 1}, nil
	case h.Numbered && n > 0:
		return place{}, errors.New("it only adds lines, and line numbers alone do not say where: give at least one line of context")
	}
	return place{at: n, literal: n == 0}, nil
}

// numbers names lines by their indexes.
func numbers(found []int) string {
	var names []string
	for _, at := range slices.Compact(found) {
		if len(names) == listed {
			names = append(names, "…")
			break
		}
		names = append(names, fmt.Sprint(at+1))
	}
	if len(names) == 1 {
		return "line " + names[0]
	}
	return "lines " + strings.Join(names, ", ")
}
