package patch

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// mismatch explains why a hunk matches nowhere.
func (m *matcher) mismatch(h Hunk, old []Line, from, start int) error {
	want := make([]string, len(old))
	for i, l := range old {
		want[i] = l.Text
	}
	anywhere := func(int) bool { return true }
	if found := m.find(0, want, start, -1, anywhere); h.EOF && len(found) > 0 {
		return fmt.Errorf("it fits at %s, but not at the end of the file, as %q asks", numbers(found), endOfFile)
	}
	if found := m.find(0, want, 0, -1, anywhere); len(found) > 0 {
		after := "its @@ line"
		if found[0] < from {
			after = "the change before it: put the changes in file order"
		}
		return fmt.Errorf("it fits at %s, but that is before %s", numbers(found), after)
	}
	if m.isNumbered(want) {
		return ErrNumbered
	}
	return fmt.Errorf("no place has %s%s", sample(want), m.nearest(want))
}

// ErrNumbered refuses lines that were copied with what is shown in front of them.
var ErrNumbered = errors.New(`its lines begin with the numbers that they are shown with ("12: "), which are no part of the file: leave the numbers out`)

// isNumbered reports whether want is lines of the text with their numbers in front,
// as they are shown.
func (m *matcher) isNumbered(want []string) bool {
	for _, w := range want {
		number, text, ok := strings.Cut(w, ":")
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if !ok || err != nil || n < 1 || n > len(m.lines) {
			return false
		}
		at := m.lines[n-1].text
		if text = strings.TrimPrefix(text, " "); text != Seen(at) && strings.TrimSpace(text) != strings.TrimSpace(Seen(at)) {
			return false
		}
	}
	return len(want) > 0
}

// Pasted reports whether text, which is to replace old, has the numbers in front of
// its lines that lines are shown with, where old has the lines without.
func Pasted(old []byte, text string) bool {
	m := newMatcher(split(strings.TrimPrefix(string(old), mark)))
	numbered, known := 0, 0
	for i, l := range split(text) {
		number, _, ok := strings.Cut(l.text, ":")
		if n, err := strconv.Atoi(number); !ok || err != nil || n != i+1 {
			return false
		}
		numbered++
		if m.isNumbered([]string{l.text}) {
			known++
		}
	}
	return known > 0 && known*2 >= min(numbered, len(m.lines))
}

// sample quotes the first lines of what was looked for.
func sample(want []string) string {
	s := fmt.Sprintf("the line %q", clip(want[0]))
	if len(want) > 1 {
		s = fmt.Sprintf("these %d lines, the first being %q", len(want), clip(want[0]))
	}
	return s
}

// nearest names the part of the text that resembles want most, with numbers,
// so that the author of a failed patch can see what is there instead.
func (m *matcher) nearest(want []string) string {
	if len(m.lines) == 0 {
		return "; the file is empty"
	}
	at := m.align(want)
	if at < 0 {
		if at = m.similar(want); at < 0 {
			return ""
		}
	}
	var b strings.Builder
	b.WriteString("\nthe nearest lines are:")
	tolerant := m.tries[len(m.tries)-1].key
	shown := 0
	for i := max(at, 0); i < len(m.lines) && i < at+len(want) && shown < 2*listed; i++ {
		fmt.Fprintf(&b, "\n%d: %s", i+1, clip(m.lines[i].text))
		if tolerant(m.lines[i].text) != tolerant(want[i-at]) {
			fmt.Fprintf(&b, "    (not %q)", clip(want[i-at]))
		}
		shown++
	}
	return b.String()
}

// align returns where most lines of want stand at their relative places, -1
// when no line of it is there at all. Lines that want repeats a lot are no
// evidence.
func (m *matcher) align(want []string) int {
	last := len(m.tries) - 1
	at := map[string][]int{}
	for j, w := range want {
		if k := m.tries[last].key(w); k != "" {
			at[k] = append(at[k], j)
		}
	}
	score := map[int]int{}
	best := -1
	for i, k := range m.keysOf(last) {
		places := at[k]
		if len(places) > 8 {
			continue
		}
		for _, j := range places {
			start := i - j
			score[start]++
			if start >= 0 && (best < 0 || score[start] > score[best]) {
				best = start
			}
		}
	}
	return best
}

// similar returns the index from which the longest line of want has its most
// similar line at its relative place; -1 when nothing resembles it.
func (m *matcher) similar(want []string) int {
	longest := 0
	for j, w := range want {
		if len(w) > len(want[longest]) {
			longest = j
		}
	}
	target := pairs(want[longest])
	best, bestAt := 0.3, -1
	for i, l := range m.lines[:min(len(m.lines), 20000)] {
		if s := dice(target, pairs(l.text)); s > best && i >= longest {
			best, bestAt = s, i-longest
		}
	}
	return bestAt
}

// pairs counts the pairs of neighbouring bytes in the first 200 bytes of s.
func pairs(s string) map[[2]byte]int {
	s = strings.TrimSpace(s[:min(len(s), 200)])
	n := make(map[[2]byte]int, len(s))
	for i := 1; i < len(s); i++ {
		n[[2]byte{s[i-1], s[i]}]++
	}
	return n
}

// dice is the similarity of two bags of pairs, 0 to 1 (L. R. Dice, 1945).
func dice(a, b map[[2]byte]int) float64 {
	shared, total := 0, 0
	for k, n := range a {
		total += n
		shared += min(n, b[k])
	}
	for _, n := range b {
		total += n
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(shared) / float64(total)
}
