package patch

import (
	"bytes"
	"fmt"
	"strings"
)

// DiffOptions say how to draw a difference.
type DiffOptions struct {
	// Old and New are the paths in the header; "" stands for no file.
	Old, New string
	// Context is the number of unchanged lines around a change; zero means 3.
	Context int
}

// A Difference is how one text becomes another.
type Difference struct {
	// Text is a unified diff, and "" when the texts are equal. Applied to the
	// old text it gives the new one.
	Text           string
	Added, Removed int // lines
}

// Diff compares a and b by lines that end in LF, as git does; a CR is a part
// of its line. Bytes are compared, so texts need not be UTF-8. It takes bounded
// time: of texts with more than some thousand differences, the difference is
// true but may not be the smallest.
func Diff(a, b []byte, o DiffOptions) Difference {
	if bytes.Equal(a, b) {
		return Difference{}
	}
	if o.Context == 0 {
		o.Context = 3
	}
	w := &writer{old: strings.SplitAfter(string(a), "\n"), new: strings.SplitAfter(string(b), "\n"), context: o.Context}
	w.old, w.new = dropEmptyEnd(w.old), dropEmptyEnd(w.new)
	fmt.Fprintf(&w.out, "--- %s\n+++ %s\n", side("a/", o.Old), side("b/", o.New))
	for _, e := range edits(w.old, w.new) {
		w.edit(e)
	}
	w.flush()
	return Difference{Text: w.out.String(), Added: w.added, Removed: w.removed}
}

// side returns a path as a header line shows it.
func side(prefix, path string) string {
	switch {
	case path == "":
		return "/dev/null"
	case strings.HasPrefix(path, "/"):
		return quote(path)
	}
	return quote(prefix + path)
}

func dropEmptyEnd(lines []string) []string {
	if n := len(lines) - 1; lines[n] == "" {
		return lines[:n]
	}
	return lines
}

// A writer draws edits as hunks.
type writer struct {
	out            strings.Builder
	old, new       []string
	context        int
	pending        []edit // the edits of the hunk that is open
	added, removed int
}

// edit takes the next edit. Edits share a hunk unless more than two contexts
// of unchanged lines lie between them.
func (w *writer) edit(e edit) {
	if n := len(w.pending); n > 0 {
		if last := w.pending[n-1]; e.old-(last.old+last.removed) > 2*w.context {
			w.flush()
		}
	}
	w.pending = append(w.pending, e)
	w.added += e.added
	w.removed += e.removed
}

func (w *writer) flush() {
	if len(w.pending) == 0 {
		return
	}
	first, last := w.pending[0], w.pending[len(w.pending)-1]
	start := max(0, first.old-w.context)
	end := min(len(w.old), last.old+last.removed+w.context)
	newStart := first.new - (first.old - start)
	newEnd := last.new + last.added + (end - (last.old + last.removed))
	fmt.Fprintf(&w.out, "@@ -%s +%s @@\n", lineRange(start, end), lineRange(newStart, newEnd))
	at := start
	for _, e := range w.pending {
		w.lines(' ', w.old[at:e.old])
		w.lines('-', w.old[e.old:e.old+e.removed])
		w.lines('+', w.new[e.new:e.new+e.added])
		at = e.old + e.removed
	}
	w.lines(' ', w.old[at:end])
	w.pending = w.pending[:0]
}

func (w *writer) lines(op byte, lines []string) {
	for _, l := range lines {
		w.out.WriteByte(op)
		w.out.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			w.out.WriteString("\n" + noNewline + "No newline at end of file\n")
		}
	}
}

// lineRange is a side of a hunk header (POSIX diff -u): the first line, counted
// from 1, and the number of lines unless it is one. An empty range names the
// line before it.
func lineRange(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}
