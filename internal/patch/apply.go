package patch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Applied is the result of applying hunks to a text.
type Applied struct {
	Text []byte
	// Notes say of each hunk that did not match exactly what was overlooked.
	Notes []string
}

// Apply changes old as hunks say. Every hunk must match in one place, after
// the hunk before it; see [Hunk] for what may decide between several. Added
// lines end like the lines that they replace, else as prevails among the lines
// that their hunk matched, else like the line before. Lines that are kept are
// kept byte for byte, and so are the byte order mark and the state of the final
// newline. An error names every hunk that does not fit, and
// the candidates.
func Apply(old []byte, hunks []Hunk) (Applied, error) {
	text, bom := string(old), ""
	if !mentionMark(hunks) {
		text, bom = cutMark(text)
	}
	a := &applier{matcher: newMatcher(split(text)), hunks: hunks}
	var wrong []error
	for n, h := range hunks {
		err := a.hunk(n, h)
		switch {
		case err == nil:
		case len(hunks) > 1:
			wrong = append(wrong, fmt.Errorf("change %d of %d: %w", n+1, len(hunks), err))
		default:
			return Applied{}, fmt.Errorf("the change does not apply: %w", err)
		}
	}
	if len(wrong) > 0 {
		return Applied{}, errors.Join(wrong...)
	}
	a.keep(len(a.lines))
	a.finish()
	return Applied{Text: []byte(bom + join(a.out)), Notes: a.notes}, nil
}

// mentionMark reports whether the patch shows the byte order mark, as the
// diff of another program does. A model never sees it.
func mentionMark(hunks []Hunk) bool {
	for _, h := range hunks {
		for _, l := range h.Lines {
			if strings.HasPrefix(l.Text, mark) {
				return true
			}
		}
	}
	return false
}

type applier struct {
	*matcher
	hunks []Hunk
	pos   int // the lines before it are in out, or gone
	out   []line
	added bool // the last line of out was added, with an ending that the file decides
	notes []string
}

// keep copies the lines up to index end.
func (a *applier) keep(end int) {
	if end > a.pos {
		a.out = append(a.out, a.lines[a.pos:end]...)
		a.pos, a.added = end, false
	}
}

func (a *applier) hunk(n int, h Hunk) error {
	where, err := a.place(h, a.pos)
	if err != nil {
		return err
	}
	if name := a.tries[where.pass].name; name != "" {
		of := ""
		if len(a.hunks) > 1 {
			of = fmt.Sprintf("change %d ", n+1)
		}
		a.notes = append(a.notes, fmt.Sprintf("%smatched at line %d, not minding %s", of, where.at+1, name))
	}
	if a.tries[where.pass].name == indentation {
		if h.Lines, err = a.indented(h.Lines, where.at); err != nil {
			return err
		}
	}
	a.keep(where.at)
	where.end = prevailing(a.lines[where.at : where.at+len(h.old())])
	for i := 0; i < len(h.Lines); {
		if h.Lines[i].Op == ' ' {
			a.keep(a.pos + 1)
			i++
			continue
		}
		end := i
		for end < len(h.Lines) && h.Lines[end].Op != ' ' {
			end++
		}
		if err := a.replace(slices.Clone(h.Lines[i:end]), where); err != nil {
			return err
		}
		i = end
	}
	return nil
}

// prevailing returns the most common line ending, the first of several, and
// "" when there is none.
func prevailing(lines []line) string {
	count := map[string]int{}
	best := ""
	for _, l := range lines {
		if l.end != "" {
			count[l.end]++
		}
	}
	for _, l := range lines {
		if count[l.end] > count[best] {
			best = l.end
		}
	}
	return best
}

// replace carries out a run of removed and added lines.
func (a *applier) replace(run []Line, where place) error {
	removed := 0
	for _, l := range run {
		if l.Op == '-' {
			removed++
		}
	}
	gone := a.lines[a.pos : a.pos+removed]
	a.pos += removed
	a.added = a.added && removed == 0
	if spell := a.tries[where.pass].spell; spell != nil {
		if err := mendRun(run, gone, spell); err != nil {
			return err
		}
	}
	n := 0
	for _, l := range run {
		if l.Op == '-' {
			continue
		}
		if removed > 0 {
			if end := gone[min(n, removed-1)].end; end != "" {
				where.end = end
			}
		}
		n++
		a.out = append(a.out, line{l.Text, a.ending(l, where)})
		a.added = l.End == ""
	}
	return nil
}

// ending returns the line ending of an added line.
func (a *applier) ending(l Line, where place) string {
	switch {
	case l.End == NoEnd:
		return ""
	case l.End != "" && where.literal:
		return l.End
	case where.end != "":
		return where.end
	}
	return style(a.lines, a.pos-1)
}

// mendRun gives the added lines of run what they keep of the lines that go, as it is
// in the text.
func mendRun(run []Line, gone []line, spell *spelling) error {
	var was, have, next []string
	for _, l := range run {
		if l.Op == '-' {
			was = append(was, l.Text)
		} else {
			next = append(next, l.Text)
		}
	}
	for _, l := range gone {
		have = append(have, l.text)
	}
	mended, ok := mend(was, have, next, spell)
	if !ok {
		return standIn(next[0])
	}
	for i := range run {
		if run[i].Op == '+' {
			run[i].Text, mended = mended[0], mended[1:]
		}
	}
	return nil
}

// finish puts the end of the text right: a line without an ending that is no
// longer the last one gets one, and a new last line stays without when the
// old one was.
func (a *applier) finish() {
	for i := range a.out {
		if a.out[i].end == "" && i < len(a.out)-1 {
			a.out[i].end = style(a.lines, len(a.lines)-1)
		}
	}
	if n := len(a.lines); n > 0 && a.lines[n-1].end == "" && a.added && len(a.out) > 0 {
		a.out[len(a.out)-1].end = ""
	}
}
