package tui

import (
	"strconv"
	"strings"
)

// A diffLine is one line of a unified diff. Its kind is '+', '-' or ' ' for
// lines of a file, '@' for the head of a hunk, 'f' for a file's name, 't' for
// one that a title has said already, and 'i' for whatever else the diff says.
type diffLine struct {
	kind   byte
	number int // in the new file; of a removed line, in the old one
	text   string
	path   string // of a file's name: the path that its content is known by
}

// ofFile reports whether it is a line of a file.
func (l diffLine) ofFile() bool { return l.kind == '+' || l.kind == '-' || l.kind == ' ' }

// parseDiff reads a unified diff. Lines are counted, so that a removed line
// that begins with two dashes is not taken for a file's name.
func parseDiff(body string) []diffLine {
	d := diffParser{}
	for _, l := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		d.line(strings.TrimSuffix(l, "\r"))
	}
	return d.lines
}

type diffParser struct {
	lines            []diffLine
	old, new         int // numbers of the next lines
	oldLeft, newLeft int // lines left in the hunk
	from             string
}

func (d *diffParser) add(kind byte, number int, text string) {
	d.lines = append(d.lines, diffLine{kind: kind, number: number, text: text})
}

func (d *diffParser) line(l string) {
	if d.oldLeft <= 0 && d.newLeft <= 0 {
		d.head(l)
		return
	}
	kind, text := byte(' '), ""
	if l != "" {
		kind, text = l[0], l[1:]
	}
	switch kind {
	case '+':
		d.add('+', d.new, text)
		d.new, d.newLeft = d.new+1, d.newLeft-1
	case '-':
		d.add('-', d.old, text)
		d.old, d.oldLeft = d.old+1, d.oldLeft-1
	case '\\':
		d.add('i', 0, strings.TrimSpace(text))
	default:
		d.add(' ', d.new, text)
		d.old, d.oldLeft = d.old+1, d.oldLeft-1
		d.new, d.newLeft = d.new+1, d.newLeft-1
	}
}

func (d *diffParser) head(l string) {
	switch {
	case strings.HasPrefix(l, "--- "):
		d.from = diffPath(l[4:])
	case strings.HasPrefix(l, "+++ "):
		d.file(diffPath(l[4:]))
	case strings.HasPrefix(l, "@@ "):
		d.hunk(l)
	case strings.HasPrefix(l, "\\"):
		d.add('i', 0, strings.TrimSpace(l[1:]))
	case strings.HasPrefix(l, "diff --git "), strings.HasPrefix(l, "index "), l == "":
	default:
		d.add('i', 0, l)
	}
}

func (d *diffParser) file(to string) {
	defer func() {
		path := to
		if to == "/dev/null" {
			path = d.from
		}
		d.lines[len(d.lines)-1].path = path
	}()
	switch {
	case to == "/dev/null":
		d.add('f', 0, d.from+" (deleted)")
	case d.from == "/dev/null":
		d.add('f', 0, to+" (new)")
	case d.from != to && d.from != "":
		d.add('f', 0, d.from+" → "+to)
	default:
		d.add('f', 0, to)
	}
}

func diffPath(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if len(s) > 2 && (s[:2] == "a/" || s[:2] == "b/") {
		return s[2:]
	}
	return s
}

// hunk reads "@@ -1,2 +3,4 @@ where".
func (d *diffParser) hunk(l string) {
	ranges, where, _ := strings.Cut(l[3:], " @@")
	from, to, _ := strings.Cut(ranges, " ")
	d.old, d.oldLeft = diffRange(from, "-")
	d.new, d.newLeft = diffRange(to, "+")
	d.add('@', d.new, strings.TrimSpace(where))
}

func diffRange(s, sign string) (start, count int) {
	at, n, given := strings.Cut(strings.TrimPrefix(s, sign), ",")
	start, _ = strconv.Atoi(at)
	if !given {
		return start, 1
	}
	count, _ = strconv.Atoi(n)
	return start, count
}
