package patch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Replacement is the result of replacing a passage of a text.
type Replacement struct {
	Text  []byte
	Count int   // of places
	Lines []int // their line numbers, counted from 1
	// Notes say what was overlooked where the text did not match exactly.
	Notes []string
}

// Replace puts next where was stands in old: in the only place, or in every
// place when all is set. Both are taken literally. Line endings are compared
// as the text is shown, LF for all kinds, and those of next follow the place
// they come to. Where nothing matches and all is not set, whole lines may match
// in one place like those of a patch, see [Apply], and a part of a line by what is
// shown of it or by how keyboards spell it. No place, or several without all, is an
// error that names lines.
func Replace(old []byte, was, next string, all bool) (Replacement, error) {
	switch {
	case was == "":
		return Replacement{}, errors.New("the text to replace is empty")
	case was == next:
		return Replacement{}, errors.New("the text to replace and its replacement are the same")
	}
	body, bom := cutMark(string(old))
	if bom != "" {
		was, next = strings.TrimPrefix(was, mark), strings.TrimPrefix(next, mark)
	}
	v := newView(body)
	adopt := v.endings // the text has endings for next to follow
	if strings.Contains(was, "\r") && strings.Contains(body, was) {
		v, adopt = literalView(body), false
	} else if was = normalize(was); adopt {
		next = normalize(next)
	}
	at := v.find(was, all)
	var notes []string
	if unended, ok := strings.CutSuffix(was, "\n"); ok && len(at) == 0 && unended != "" && strings.HasSuffix(v.shown, unended) {
		was, next = unended, strings.TrimSuffix(next, "\n")
		at = []int{len(v.shown) - len(was)}
		notes = []string{"the file has no newline at its end, and gets none"}
		if was == next {
			return Replacement{}, errors.New("the file has no newline at its end, and an edit gives it none: the text to replace and its replacement are the same but for that")
		}
	}
	switch {
	case len(at) == 0:
		if r, ok := tolerant(old, was, next); ok && !all {
			return r, nil
		}
		if r, ok, err := v.inPart(was, next, adopt); ok && !all || err != nil {
			r.Text = append([]byte(bom), r.Text...)
			return r, err
		}
		m := newMatcher(split(body))
		lines := strings.Split(strings.TrimSuffix(was, "\n"), "\n")
		if m.isNumbered(lines) {
			return Replacement{}, ErrNumbered
		}
		return Replacement{}, fmt.Errorf("no place has %s%s", sample(lines), m.nearest(lines))
	case len(at) > 1 && !all:
		return Replacement{}, fmt.Errorf("it is there %d times, at %s: add text around it so that one place is left, or replace all", len(at), numbers(v.linesAt(at)))
	}
	r := Replacement{Count: len(at), Notes: notes}
	for _, i := range v.linesAt(at) {
		r.Lines = append(r.Lines, i+1)
	}
	r.Text = []byte(bom + v.replace(at, len(was), next, adopt))
	return r, nil
}

// tolerant replaces whole lines that match in one place but for trailing space,
// typographic characters or indentation.
func tolerant(old []byte, was, next string) (Replacement, bool) {
	was, whole := strings.CutSuffix(was, "\n")
	next, ended := strings.CutSuffix(next, "\n")
	if whole != ended && next != "" || strings.TrimSpace(was) == "" {
		return Replacement{}, false
	}
	before, after := strings.Split(was, "\n"), strings.Split(next, "\n")
	if whole && next == "" && !ended {
		after = nil // the lines go
	}
	var h Hunk
	add := func(op byte, lines []string) {
		for _, l := range lines {
			h.Lines = append(h.Lines, Line{Op: op, Text: l})
		}
	}
	i := 0
	for _, e := range edits(before, after) {
		add(' ', before[i:e.old])
		add('-', before[e.old:e.old+e.removed])
		add('+', after[e.new:e.new+e.added])
		i = e.old + e.removed
	}
	add(' ', before[i:])
	got, err := Apply(old, []Hunk{h})
	if err != nil || len(got.Notes) == 0 || string(got.Text) == string(old) {
		return Replacement{}, false
	}
	return Replacement{Text: got.Text, Count: 1, Notes: got.Notes}, true
}

// A view is a text as it is shown, with LF endings, and the way back.
type view struct {
	raw     string
	shown   string
	lines   []line
	rawAt   []int // where each line starts in raw
	shownAt []int // and in shown
	endings bool  // some ending is not LF
}

func newView(raw string) *view {
	v := &view{raw: raw, shown: raw}
	if v.endings = strings.Contains(raw, "\r"); v.endings {
		v.shown = normalize(raw)
	}
	v.lines = split(raw)
	v.index()
	return v
}

// literalView shows a text as it is.
func literalView(raw string) *view {
	v := &view{raw: raw, shown: raw}
	for _, s := range strings.SplitAfter(raw, "\n") {
		text, ok := strings.CutSuffix(s, "\n")
		l := line{text: text}
		if ok {
			l.end = "\n"
		}
		v.lines = append(v.lines, l)
	}
	v.index()
	return v
}

func (v *view) index() {
	raw, shown := 0, 0
	for _, l := range v.lines {
		v.rawAt, v.shownAt = append(v.rawAt, raw), append(v.shownAt, shown)
		raw += len(l.text) + len(l.end)
		shown += len(l.text) + min(1, len(l.end))
	}
}

// find returns where was is shown. Places to replace do not overlap; places
// that only count as ambiguous may.
func (v *view) find(was string, apart bool) []int {
	var at []int
	step := 1
	if apart {
		step = len(was)
	}
	for i := 0; ; {
		k := strings.Index(v.shown[i:], was)
		if k < 0 {
			return at
		}
		at = append(at, i+k)
		i += k + step
	}
}

// lineOf returns the index of the line that the shown offset is in.
func (v *view) lineOf(shown int) int {
	lo, hi := 0, len(v.shownAt)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; v.shownAt[mid] <= shown {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func (v *view) linesAt(at []int) []int {
	lines := make([]int, len(at))
	for i, a := range at {
		lines[i] = v.lineOf(a)
	}
	return lines
}

// rawOf returns the offset in raw of an offset in shown. What follows a line's
// ending is the next line's.
func (v *view) rawOf(shown int) int {
	if len(v.lines) == 0 {
		return 0
	}
	i := v.lineOf(shown)
	l, off := v.lines[i], shown-v.shownAt[i]
	if off > len(l.text) {
		return v.rawAt[i] + len(l.text) + len(l.end)
	}
	return v.rawAt[i] + off
}

// ended returns next with the endings of the lines that it replaces, was, which
// begins in the line with index at. What stays ends as it did, what is new like its
// neighbours.
func (v *view) ended(was, next string, at int) string {
	own := style(v.lines, at)
	before, after := strings.Split(was, "\n"), strings.Split(next, "\n")
	ends := make([]string, len(before)-1)
	uniform := true
	for i := range ends {
		ends[i] = v.lines[at+i].end
		uniform = uniform && ends[i] == own
	}
	if uniform {
		return strings.ReplaceAll(next, "\n", own)
	}
	var b strings.Builder
	j := 0
	write := func(i int) { // line j of after, ended like line i of before
		b.WriteString(after[j])
		if j < len(after)-1 {
			b.WriteString(ends[max(0, min(i, len(ends)-1))])
		}
		j++
	}
	i := 0
	for _, e := range append(edits(before, after), edit{old: len(before), new: len(after)}) {
		for ; j < e.new; i++ {
			write(i)
		}
		for k := range e.added {
			write(e.old + min(k, e.removed-1))
		}
		i = e.old + e.removed
	}
	return b.String()
}

// inPart replaces a part of the text that is in one place as it is shown, or as
// keyboards spell it. The error says that what stays of it cannot be told.
func (v *view) inPart(was, next string, adopt bool) (Replacement, bool, error) {
	for _, try := range passes() {
		if try.part {
			at, length := v.spelledAt(was, try.spell)
			if length == 0 {
				continue
			}
			have := v.shown[at : at+length]
			mended, ok := mend(strings.Split(was, "\n"), strings.Split(have, "\n"), strings.Split(next, "\n"), try.spell)
			if !ok {
				return Replacement{}, false, standIn(next)
			}
			line := v.lineOf(at)
			r := Replacement{Count: 1, Lines: []int{line + 1}, Text: []byte(v.replace([]int{at}, length, strings.Join(mended, "\n"), adopt))}
			r.Notes = []string{fmt.Sprintf("matched at line %d, not minding %s", line+1, try.name)}
			return r, true, nil
		}
	}
	return Replacement{}, false, nil
}

// maxTries bounds how many places are looked at that may lie within a character.
const maxTries = 20

// spelledAt returns where was is in the one place that is spelt like it, and how
// long it is there; zero when there is none, or several.
func (v *view) spelledAt(was string, spell *spelling) (at, length int) {
	want := spell.write(was)
	if want == was && isPlain(v.shown) {
		return 0, 0
	}
	// A part of the text may begin and end in any line: lines are spelt one by one. What
	// is very long is no text that anybody wrote.
	asItIs := func(l string) bool { return len(l) > maxMend || isPlain(l) }
	lines := strings.SplitAfter(v.shown, "\n")
	var text strings.Builder
	starts, raw := make([]int, len(lines)), make([]int, len(lines)) // of lines, in text and in v.shown
	offset := 0
	for i, l := range lines {
		starts[i], raw[i] = text.Len(), offset
		if offset += len(l); asItIs(l) {
			text.WriteString(l)
		} else {
			text.WriteString(spell.write(l))
		}
	}
	all := text.String()
	back := func(i int) (int, bool) { // from text to v.shown
		k, is := slices.BinarySearch(starts, i)
		if !is {
			k--
		}
		seen, real := starts[k], raw[k]
		if asItIs(lines[k]) {
			return real + i - seen, true
		}
		for _, u := range spell.units(lines[k]) {
			if seen >= i {
				break
			}
			seen, real = seen+len(u.seen), real+len(u.raw)
		}
		return real, seen == i
	}
	found := 0
	for i, tries := 0, 0; want != ""; tries++ {
		k := strings.Index(all[i:], want)
		if k < 0 {
			break
		}
		if tries == maxTries {
			return 0, 0
		}
		from, okFrom := back(i + k)
		to, okTo := back(i + k + len(want))
		if okFrom && okTo {
			if found++; found > 1 {
				return 0, 0
			}
			at, length = from, to-from
		}
		i += k + 1
	}
	return at, length
}

func (v *view) replace(at []int, length int, next string, adopt bool) string {
	var b strings.Builder
	done := 0
	for _, a := range at {
		b.WriteString(v.raw[done:v.rawOf(a)])
		text := next
		if adopt {
			text = v.ended(v.shown[a:a+length], next, v.lineOf(a))
		}
		b.WriteString(text)
		done = v.rawOf(a + length)
	}
	b.WriteString(v.raw[done:])
	return b.String()
}
