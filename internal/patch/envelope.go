package patch

import (
	"errors"
	"strings"
)

// The markers of the envelope, the format that models are trained on:
//
//	*** Begin Patch
//	*** Update File: path        *** Add File: path      *** Delete File: path
//	*** Move to: path            +line
//	@@ anchor
//	 kept, -removed, +added
//	*** End of File
//	*** End Patch
const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	addFile    = "*** Add File:"
	deleteFile = "*** Delete File:"
	updateFile = "*** Update File:"
	moveTo     = "*** Move to:"
	endOfFile  = "*** End of File"
)

func (p *parser) envelope() ([]Section, error) {
	for strings.TrimSpace(p.lines[len(p.lines)-1]) == "" {
		p.lines = p.lines[:len(p.lines)-1]
	}
	p.next++
	last := len(p.lines) - 1
	if strings.TrimSpace(p.lines[last]) != endPatch {
		return nil, p.fail(last, "the patch must end with %q and nothing after it", endPatch)
	}
	p.lines = p.lines[:last]
	var sections []Section
	for {
		p.skipBlank()
		if p.next >= len(p.lines) {
			break
		}
		s, err := p.section()
		if err != nil {
			p.wrong = append(p.wrong, err)
			p.skipTo(p.atSection)
			continue
		}
		sections = append(sections, s)
	}
	if len(sections) == 0 && len(p.wrong) == 0 {
		return nil, p.fail(last, "the patch changes nothing: put a section such as %q between the markers", updateFile+" path")
	}
	return sections, p.problems()
}

// atSection reports whether the current line begins a section.
func (p *parser) atSection() bool {
	l := strings.TrimSpace(p.lines[p.next])
	return strings.HasPrefix(l, addFile) || strings.HasPrefix(l, deleteFile) || strings.HasPrefix(l, updateFile)
}

// skipTo goes on after a mistake, for more of them to be found at once.
func (p *parser) skipTo(goal func() bool) {
	for p.next < len(p.lines) && !goal() {
		p.next++
	}
}

func (p *parser) skipBlank() {
	for p.next < len(p.lines) && strings.TrimSpace(p.lines[p.next]) == "" {
		p.next++
	}
}

// section reads one section. Its header may be padded: no hunk is open here
// that a leading space could belong to.
func (p *parser) section() (Section, error) {
	at, line := p.next, p.lines[p.next]
	header := strings.TrimSpace(line)
	p.next++
	for _, kind := range []struct {
		op     Op
		prefix string
		body   func(*Section) error
	}{{Add, addFile, p.addBody}, {Delete, deleteFile, p.deleteBody}, {Update, updateFile, p.updateBody}} {
		path, ok := strings.CutPrefix(header, kind.prefix)
		if !ok {
			continue
		}
		s := Section{Op: kind.op, Path: strings.TrimSpace(path)}
		if _, exact, _ := strings.Cut(line, kind.prefix); strings.TrimPrefix(exact, " ") != s.Path {
			s.Exact = strings.TrimPrefix(exact, " ")
		}
		if s.Path == "" {
			return s, p.fail(at, "the path is missing after %q", kind.prefix)
		}
		return s, kind.body(&s)
	}
	if header == beginPatch || header == endPatch {
		return Section{}, p.fail(at, "another patch begins here: put all sections into one, between one %q and one %q", beginPatch, endPatch)
	}
	return Section{}, p.fail(at, "%q is no section header: write %q, %q or %q and a path", clip(header), addFile, updateFile, deleteFile)
}

// atHeader reports whether the current line is a marker. Inside a hunk a
// padded marker is a kept line.
func (p *parser) atHeader() bool { return strings.HasPrefix(p.lines[p.next], "***") }

func (p *parser) addBody(s *Section) error {
	var b strings.Builder
	for ; p.next < len(p.lines); p.next++ {
		l := p.lines[p.next]
		switch {
		case strings.HasPrefix(l, "+"):
			b.WriteString(l[1:])
			b.WriteByte('\n')
		case strings.HasPrefix(l, noNewline):
			unended := strings.TrimSuffix(b.String(), "\n")
			b.Reset()
			b.WriteString(unended)
		case strings.HasPrefix(strings.TrimSpace(l), "***"), p.blankBeforeHeader():
			s.Content = b.String()
			return nil
		default:
			return p.fail(p.next, "each line of an added file starts with +, not %q", clip(l))
		}
	}
	s.Content = b.String()
	return nil
}

func (p *parser) deleteBody(*Section) error {
	p.skipBlank()
	if p.next < len(p.lines) && !strings.HasPrefix(strings.TrimSpace(p.lines[p.next]), "***") {
		return p.fail(p.next, "a deleted file has no body, but here is %q", clip(p.lines[p.next]))
	}
	return nil
}

// blankBeforeHeader reports whether the current line is blank and only blank
// lines follow up to the next marker: then it separates sections.
func (p *parser) blankBeforeHeader() bool {
	for _, l := range p.lines[p.next:] {
		if l = strings.TrimSpace(l); l != "" {
			return p.lines[p.next] == "" && strings.HasPrefix(l, "***")
		}
	}
	return p.lines[p.next] == ""
}

func (p *parser) updateBody(s *Section) error {
	at := p.next - 1
	var mistakes []error
	if p.next < len(p.lines) {
		if to, ok := strings.CutPrefix(strings.TrimSpace(p.lines[p.next]), moveTo); ok {
			if s.MoveTo = strings.TrimSpace(to); s.MoveTo == "" {
				return p.fail(p.next, "the path is missing after %q", moveTo)
			}
			p.next++
		}
	}
	for p.next < len(p.lines) && !p.atHeader() && !p.blankBeforeHeader() {
		if !strings.HasPrefix(p.lines[p.next], "@@") {
			if len(s.Hunks) == 0 && strings.HasPrefix(strings.TrimSpace(p.lines[p.next]), "***") {
				break
			}
			return p.fail(p.next, "a change starts with @@, not %q", clip(p.lines[p.next]))
		}
		h, err := p.hunk()
		if err != nil {
			mistakes = append(mistakes, err)
			p.skipTo(func() bool { return p.atSection() || strings.HasPrefix(p.lines[p.next], "@@") })
			continue
		}
		s.Hunks = append(s.Hunks, h)
	}
	if len(mistakes) > 0 {
		return errors.Join(mistakes...)
	}
	if len(s.Hunks) == 0 && s.MoveTo == "" {
		return p.fail(at, "the update of %s has no change: start one with @@", s.Path)
	}
	settleEnds(s.Hunks)
	return nil
}

func (p *parser) hunk() (Hunk, error) {
	var h Hunk
	at := p.next
	for p.next < len(p.lines) && strings.HasPrefix(p.lines[p.next], "@@") {
		p.anchor(&h)
		p.next++
	}
	for ; p.next < len(p.lines); p.next++ {
		l := p.lines[p.next]
		switch {
		case strings.TrimRight(l, " \t") == endOfFile:
			h.EOF = true
			p.next++
			return h, p.complete(h, at)
		case strings.HasPrefix(l, "@@"), p.atHeader(), p.blankBeforeHeader():
			return h, p.complete(h, at)
		case strings.HasPrefix(l, noNewline) && len(h.Lines) > 0:
			h.Lines[len(h.Lines)-1].End = NoEnd
		case l == "":
			return h, p.fail(p.next, "an empty line inside a change: start it with a space to keep a blank line, with + or - to change one")
		case l[0] == ' ' || l[0] == '-' || l[0] == '+':
			h.Lines = append(h.Lines, Line{Op: l[0], Text: l[1:]})
		default:
			return h, p.fail(p.next, "each line of a change starts with a space, + or -, not %q", clip(l))
		}
	}
	return h, p.complete(h, at)
}

// anchor reads an @@ line. Line numbers of a unified diff, which models mix
// in, count as a claim and not as an anchor.
func (p *parser) anchor(h *Hunk) {
	l := p.lines[p.next]
	if old, _, ok := hunkHeader(l); ok {
		h.At, h.Numbered = old.start, true
		return
	}
	text := strings.TrimPrefix(l[2:], " ")
	text = strings.TrimSuffix(strings.TrimRight(text, " \t"), " @@")
	if text != "" && text != "@@" {
		h.Anchors = append(h.Anchors, text)
	}
}

func (p *parser) complete(h Hunk, at int) error {
	for _, l := range h.Lines {
		if l.Op != ' ' {
			return nil
		}
	}
	return p.fail(at, "the change at %q adds and removes nothing", clip(p.lines[at]))
}
