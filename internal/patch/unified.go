package patch

import (
	"strconv"
	"strings"
)

// noNewline begins the line by which a unified diff says that the line before
// it has no line ending. The words after it are translated by some tools.
const noNewline = `\ `

// unified reads a unified diff, with or without git's extended headers. Counts
// in hunk headers are not trusted: models get them wrong. They only decide
// where the text itself is ambiguous.
func (p *parser) unified() ([]Section, error) {
	start := p.next
	var sections []Section
	for p.next < len(p.lines) {
		l := p.lines[p.next]
		if !strings.HasPrefix(l, "diff --git ") && !p.atFile() {
			p.next++ // prose, or a header that says nothing about content
			continue
		}
		s, err := p.file()
		if err != nil {
			p.wrong = append(p.wrong, err)
			p.skipTo(func() bool { return strings.HasPrefix(p.lines[p.next], "diff --git ") || p.atFile() })
			continue
		}
		sections = append(sections, s)
	}
	if len(sections) == 0 && len(p.wrong) == 0 {
		return nil, p.fail(start, "%q starts neither a patch (%q) nor a unified diff (--- a/path, +++ b/path, @@)", clip(p.lines[start]), beginPatch)
	}
	return sections, p.problems()
}

// atFile reports whether the file header of a diff starts here.
func (p *parser) atFile() bool {
	return strings.HasPrefix(p.peek(0), "--- ") && strings.HasPrefix(p.peek(1), "+++ ")
}

func (p *parser) file() (Section, error) {
	at := p.next
	from, to, err := p.gitHeader()
	if err != nil {
		return Section{}, err
	}
	if !p.atFile() {
		if from != "" && to != "" {
			return Section{Path: from, MoveTo: to}, nil
		}
		if s, is := emptyFile(p.lines[at:p.next]); is {
			return s, nil
		}
		return Section{}, p.fail(at, "the diff of a file needs --- and +++ lines with its path")
	}
	s, err := p.names(from, to)
	if err != nil {
		return s, err
	}
	return s, p.hunks(&s, at)
}

// gitHeader reads git's extended header, where there is one: the two names of
// a rename, and a refusal of what a text patch cannot do.
func (p *parser) gitHeader() (from, to string, err error) {
	const git = "diff --git "
	if !strings.HasPrefix(p.lines[p.next], git) {
		return "", "", nil
	}
	for p.next++; p.next < len(p.lines) && !p.atFile() && !strings.HasPrefix(p.lines[p.next], git); p.next++ {
		l := p.lines[p.next]
		starts := func(s string) bool { return strings.HasPrefix(l, s) }
		switch {
		case starts("rename from "):
			from = unquote(l[len("rename from "):])
		case starts("rename to "):
			to = unquote(l[len("rename to "):])
		case starts("copy from "), starts("GIT binary patch"), starts("Binary files "):
			return "", "", p.fail(p.next, "%q is not supported: only text can be added, changed, moved or deleted", clip(l))
		case starts("old mode "), starts("new mode "), starts("new file mode ") && !starts("new file mode 100644"):
			return "", "", p.fail(p.next, "%q: a patch does not set permissions; leave the mode out and run chmod", clip(l))
		}
	}
	return from, to, nil
}

// emptyFile reads the extended header of a file without lines that comes or goes: it
// has no --- and +++.
func emptyFile(header []string) (Section, bool) {
	names, _ := strings.CutPrefix(header[0], "diff --git ")
	half := len(names) / 2
	if len(names) < 6 || names[half] != ' ' {
		return Section{}, false
	}
	old, isOld := strings.CutPrefix(unquote(names[:half]), "a/")
	name, isNew := strings.CutPrefix(unquote(names[half+1:]), "b/")
	if !isOld || !isNew || old != name || name == "" {
		return Section{}, false
	}
	for _, l := range header[1:] {
		switch {
		case strings.HasPrefix(l, "new file mode "):
			return Section{Op: Add, Path: name}, true
		case strings.HasPrefix(l, "deleted file mode "):
			return Section{Op: Delete, Path: name}, true
		}
	}
	return Section{}, false
}

// names reads the --- and +++ lines. The prefixes a/ and b/ go only together,
// so that a folder of that name is not mistaken for one.
func (p *parser) names(from, to string) (Section, error) {
	old, next := fileName(p.lines[p.next][4:]), fileName(p.lines[p.next+1][4:])
	at := p.next
	p.next += 2
	const none = "/dev/null"
	o, okOld := strings.CutPrefix(old, "a/")
	n, okNew := strings.CutPrefix(next, "b/")
	if (okOld || old == none) && (okNew || next == none) {
		old, next = o, n
	}
	if from != "" && to != "" {
		old, next = from, to
	}
	switch {
	case old == "" || next == "" || old == none && next == none:
		return Section{}, p.fail(at, "the path is missing")
	case old == none:
		return Section{Op: Add, Path: next}, nil
	case next == none:
		return Section{Op: Delete, Path: old}, nil
	case old != next:
		return Section{Path: old, MoveTo: next}, nil
	}
	return Section{Path: old}, nil
}

// fileName returns the path of a header line: what stands before a tab, which
// begins a time, unquoted as git quotes it.
func fileName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	return unquote(strings.TrimSpace(s))
}

func unquote(s string) string {
	if strings.HasPrefix(s, `"`) {
		if u, err := strconv.Unquote(s); err == nil {
			return u
		}
	}
	return s
}

// quote is the inverse of unquote, for names that would break a header line.
func quote(s string) string {
	if s != strings.TrimSpace(s) {
		return strconv.Quote(s)
	}
	for _, r := range s {
		if r < ' ' || r == '"' || r == '\\' || r == 0x7f {
			return strconv.Quote(s)
		}
	}
	return s
}

func (p *parser) hunks(s *Section, at int) error {
	for p.next < len(p.lines) && strings.HasPrefix(p.lines[p.next], "@@") {
		h, err := p.numbered()
		if err != nil {
			return err
		}
		s.Hunks = append(s.Hunks, h)
	}
	if len(s.Hunks) == 0 && s.MoveTo == "" && s.Op == Update {
		return p.fail(at, "the diff of %s has no change: start one with @@", s.Path)
	}
	settleEnds(s.Hunks)
	if s.Op != Add {
		return nil
	}
	var b strings.Builder
	for _, h := range s.Hunks {
		for _, l := range h.Lines {
			if l.Op != '+' {
				return p.fail(at, "%s is new (/dev/null), but the diff keeps or removes lines of it", s.Path)
			}
			b.WriteString(l.Text)
			switch l.End {
			case NoEnd:
			case "":
				b.WriteByte('\n')
			default:
				b.WriteString(l.End)
			}
		}
	}
	s.Content, s.Hunks = b.String(), nil
	return nil
}

// numbered reads one hunk of a unified diff.
func (p *parser) numbered() (Hunk, error) {
	at := p.next
	h := Hunk{Numbered: true}
	old, next, ok := hunkHeader(p.lines[at])
	if ok {
		h.At = old.start
	}
	p.next++
	for ; p.next < len(p.lines); p.next++ {
		l := p.lines[p.next]
		done := ok && old.count <= 0 && next.count <= 0
		switch {
		case strings.HasPrefix(l, "@@"), strings.HasPrefix(l, "diff --git "), p.fileFollows(old.count, next.count), done && l == "-- ":
			return h, p.complete(h, at)
		case strings.HasPrefix(l, noNewline) && len(h.Lines) > 0:
			h.Lines[len(h.Lines)-1].End = NoEnd
		case l == "" && (done || p.next == len(p.lines)-1):
		case l == "": // a blank kept line whose space was stripped on the way
			l = " "
			fallthrough
		case l[0] == ' ' || l[0] == '-' || l[0] == '+':
			h.Lines = append(h.Lines, Line{Op: l[0], Text: l[1:]})
			if l[0] != '+' {
				old.count--
			}
			if l[0] != '-' {
				next.count--
			}
		default:
			return h, p.fail(p.next, "each line of a change starts with a space, + or -, not %q", clip(l))
		}
	}
	return h, p.complete(h, at)
}

// fileFollows tells the header of the next file from a removed line "-- …" and
// an added one "++ …": a header is followed by a hunk, and such a pair only
// where the hunk ends with it, which its counts say.
func (p *parser) fileFollows(old, next int) bool {
	if !p.atFile() {
		return false
	}
	return strings.HasPrefix(p.peek(2), "@@") && (old != 1 || next != 1)
}

// settleEnds makes line endings explicit where the patch is: a CR inside of it
// means that every ending in it is meant as it stands, and a missing final
// newline that the other lines have theirs.
func settleEnds(hunks []Hunk) {
	literal := false
	for _, h := range hunks {
		for _, l := range h.Lines {
			literal = literal || strings.Contains(l.Text, "\r")
		}
	}
	for i, h := range hunks {
		explicit := literal
		for _, l := range h.Lines {
			explicit = explicit || l.End == NoEnd
		}
		if !explicit {
			continue
		}
		var lines []Line
		for _, l := range h.Lines {
			lines = append(lines, l.settle()...)
		}
		hunks[i].Lines = lines
	}
}

// settle cuts l where a CR ends a line, and gives each part its ending.
func (l Line) settle() []Line {
	text := l.Text
	if l.End != NoEnd {
		text += "\n"
	}
	parts := split(text)
	if len(parts) == 0 { // an empty line without an ending: nothing is there
		return []Line{{l.Op, "", NoEnd}}
	}
	lines := make([]Line, len(parts))
	for i, part := range parts {
		end := part.end
		if end == "" {
			end = NoEnd
		}
		lines[i] = Line{l.Op, part.text, end}
	}
	return lines
}
