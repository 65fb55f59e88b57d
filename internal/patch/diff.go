package patch

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// DiffOptions say how to draw a difference.
type DiffOptions struct {
	// Old and New are the paths in the header; "" stands for no file.
	Old, New string
	// Context is the number of unchanged lines around a change; zero means 3.
	Context int
	// Timeout bounds the search for a small difference; zero lets it take as
	// long as it needs. After it, what was not compared yet is drawn as
	// replaced: correct, but not small.
	Timeout time.Duration
}

// A Difference is how one text becomes another.
type Difference struct {
	// Text is a unified diff, and "" when the texts are equal. Applied to the
	// old text it gives the new one.
	Text           string
	Added, Removed int // lines
}

// Diff compares a and b by lines that end in LF, as git does; a CR is a part
// of its line. Bytes are compared, so texts need not be UTF-8.
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
	for _, e := range edits(w.old, w.new, o.Timeout) {
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

// An edit replaces the old lines from index old on by the new ones from index
// new on.
type edit struct{ old, removed, new, added int }

// edits returns what has to change, in order, never two edits side by side.
func edits(a, b []string, timeout time.Duration) []edit {
	ra, rb, ok := intern(a, b)
	if !ok {
		return []edit{{0, len(a), 0, len(b)}}
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = timeout
	var es []edit
	i, j := 0, 0
	open := false
	for _, d := range dmp.DiffMainRunes(ra, rb, false) {
		n := utf8.RuneCountInString(d.Text)
		if n == 0 {
			continue
		}
		if d.Type == diffmatchpatch.DiffEqual {
			i, j, open = i+n, j+n, false
			continue
		}
		if !open {
			es, open = append(es, edit{old: i, new: j}), true
		}
		e := &es[len(es)-1]
		if d.Type == diffmatchpatch.DiffDelete {
			e.removed, i = e.removed+n, i+n
		} else {
			e.added, j = e.added+n, j+n
		}
	}
	return es
}

// intern gives each distinct line a character, for the comparison by
// characters to work on lines. Surrogates are no characters in Go and are
// skipped. It reports false when there are more lines than characters.
func intern(a, b []string) (ra, rb []rune, ok bool) {
	ids := make(map[string]rune, len(a))
	next := rune(1)
	number := func(lines []string) []rune {
		rs := make([]rune, len(lines))
		for i, l := range lines {
			id, known := ids[l]
			if !known {
				id = next
				ids[l] = id
				if next++; next == 0xd800 {
					next = 0xe000
				}
			}
			rs[i] = id
		}
		return rs
	}
	ra, rb = number(a), number(b)
	return ra, rb, next <= utf8.MaxRune+1
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
