// Package patch is text surgery without a file system: it parses patches,
// applies them to texts and draws the difference of two texts. Everything a
// patch does not mention survives byte for byte: line endings of every kind,
// the byte order mark, a missing final newline, bytes that are not UTF-8.
//
// Start at [Parse] and [Apply] for a patch, [Replace] and [Adopt] for the
// smaller edits, [Diff] for the picture of any of them.
package patch

import (
	"errors"
	"fmt"
	"strings"
)

// An Op says what a Section does to its file.
type Op int

// The operations.
const (
	Update Op = iota
	Add
	Delete
)

// A Section is what a patch does to one file.
type Section struct {
	Op   Op
	Path string // as written in the patch, without blanks around it
	// Exact is the path with the blanks that stand around it, "" when there are
	// none: names may have them.
	Exact string
	// MoveTo is the new path of an updated file, "" when it stays.
	MoveTo string
	// Content is the whole text of an added file.
	Content string
	// Hunks are the changes of an update, in file order. Those of a deletion,
	// when the patch has any, must leave nothing of the file.
	Hunks []Hunk
}

// A Hunk is one place of a file and what becomes of it.
type Hunk struct {
	// Anchors are whole lines to find, one after the other, before the place is
	// looked for.
	Anchors []string
	Lines   []Line
	// EOF says that the place is at the end of the file.
	EOF bool
	// At is the line number that the patch claims, counted from 1, and 0
	// without a claim. It only ever decides between places that match alike.
	At int
	// Numbered says that the hunk came with line numbers, as unified diffs do.
	Numbered bool
}

// A Line is one line of a hunk.
type Line struct {
	Op   byte // ' ' keep, '-' remove, '+' add
	Text string
	// End is the line ending where the patch is explicit about it: "\n",
	// "\r\n", "\r" or [NoEnd]. Where it is "" the file decides.
	End string
}

// NoEnd is the End of a line that says "\ No newline at end of file".
const NoEnd = "none"

// old returns the lines that the file must have at the place of h.
func (h Hunk) old() []Line {
	lines := make([]Line, 0, len(h.Lines))
	for _, l := range h.Lines {
		if l.Op != '+' {
			lines = append(lines, l)
		}
	}
	return lines
}

// Parse reads a patch: an envelope that starts with "*** Begin Patch", else a
// unified diff. A code fence around either is tolerated, and
// the words of a shell that would hand it to apply_patch. Errors say which line
// of the patch is wrong and what belongs there, for every mistake; the sections
// that are right come with them.
func Parse(text string) ([]Section, error) {
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	lines := strings.Split(text, "\n")
	p := &parser{lines: lines}
	p.trim()
	p.unfence()
	p.unwrap()
	if p.next >= len(p.lines) {
		return nil, errors.New(`the patch is empty: it starts with "*** Begin Patch"`)
	}
	first := p.lines[p.next]
	if strings.HasSuffix(first, "\r") { // the patch itself has CRLF endings: they say nothing of the file
		for i, l := range p.lines {
			p.lines[i] = strings.TrimSuffix(l, "\r")
		}
	}
	if strings.TrimSpace(first) == beginPatch {
		return p.envelope()
	}
	return p.unified()
}

// A parser walks over the lines of a patch.
type parser struct {
	lines []string
	next  int
	wrong []error
}

// problems joins the mistakes that were found.
func (p *parser) problems() error { return errors.Join(p.wrong...) }

func (p *parser) fail(at int, format string, a ...any) error {
	return fmt.Errorf("line %d of the patch: %s", at+1, fmt.Sprintf(format, a...))
}

func (p *parser) peek(ahead int) string {
	if i := p.next + ahead; i < len(p.lines) {
		return p.lines[i]
	}
	return ""
}

// trim drops blank lines around the patch. Numbers of lines stay true: the
// ones before are skipped, not removed.
func (p *parser) trim() {
	for p.next < len(p.lines) && strings.TrimSpace(p.lines[p.next]) == "" {
		p.next++
	}
	for n := len(p.lines) - 1; n >= p.next && strings.TrimSuffix(p.lines[n], "\r") == ""; n-- { // " " keeps a blank line
		p.lines = p.lines[:n]
	}
}

// unwrap drops the shell's words around a patch that is given as a command.
func (p *parser) unwrap() {
	if p.next >= len(p.lines) {
		return
	}
	words := strings.Fields(p.lines[p.next])
	if len(words) < 2 || words[0] != "apply_patch" && words[0] != "applypatch" {
		return
	}
	tag, is := strings.CutPrefix(words[len(words)-1], "<<")
	tag = strings.Trim(strings.TrimPrefix(tag, "-"), `'"`)
	n := len(p.lines) - 1
	if !is || len(words) > 2 || tag == "" || n <= p.next || strings.TrimSpace(p.lines[n]) != tag {
		return
	}
	p.lines = p.lines[:n]
	p.next++
	p.trim()
}

func (p *parser) unfence() {
	if p.next >= len(p.lines) || !strings.HasPrefix(strings.TrimSpace(p.lines[p.next]), "```") {
		return
	}
	p.next++
	if n := len(p.lines) - 1; n >= p.next && strings.TrimSpace(p.lines[n]) == "```" {
		p.lines = p.lines[:n]
	}
	p.trim()
}
