package patch

import (
	"bytes"
	"strings"
)

// mark is the UTF-8 byte order mark.
const mark = "\ufeff"

// A line is one line of a text and the ending that follows it: "\n", "\r\n",
// "\r", or "" at the end of a text without a final newline. Joined, the lines
// of a text are the text, byte for byte.
type line struct{ text, end string }

// split cuts s into lines. A lone CR ends a line, as it does where the text is
// shown to a model; there is no empty line after a final newline.
func split(s string) []line {
	lines := make([]line, 0, strings.Count(s, "\n")+1)
	cr := strings.IndexByte(s, '\r') >= 0
	for s != "" {
		i := strings.IndexByte(s, '\n')
		if cr {
			i = strings.IndexAny(s, "\r\n")
		}
		if i < 0 {
			return append(lines, line{text: s})
		}
		n := 1
		if strings.HasPrefix(s[i:], "\r\n") {
			n = 2
		}
		lines = append(lines, line{s[:i], s[i : i+n]})
		s = s[i+n:]
	}
	return lines
}

func join(lines []line) string {
	n := 0
	for _, l := range lines {
		n += len(l.text) + len(l.end)
	}
	var b strings.Builder
	b.Grow(n)
	for _, l := range lines {
		b.WriteString(l.text)
		b.WriteString(l.end)
	}
	return b.String()
}

// cutMark returns s without its byte order mark, and the mark.
func cutMark(s string) (rest, bom string) {
	if rest, ok := strings.CutPrefix(s, mark); ok {
		return rest, mark
	}
	return s, ""
}

// normalize makes every line ending of s an LF.
func normalize(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// style returns the line ending to use near index i of lines: that of the
// nearest line before it, else of the nearest after it, else LF.
func style(lines []line, i int) string {
	for k := min(i, len(lines)-1); k >= 0; k-- {
		if lines[k].end != "" {
			return lines[k].end
		}
	}
	for k := max(i, 0); k < len(lines); k++ {
		if lines[k].end != "" {
			return lines[k].end
		}
	}
	return "\n"
}

// Traits are what a text looks like beyond its lines.
type Traits struct {
	BOM bool
	// Endings is LF, CRLF, CR, mixed, or "" where there is no line ending.
	Endings string
	// Final says that the last line is ended; true of an empty text.
	Final bool
}

// TraitsOf looks at b.
func TraitsOf(b []byte) Traits {
	t := Traits{BOM: bytes.HasPrefix(b, []byte(mark)), Final: true}
	if n := len(b); n > 0 {
		t.Final = b[n-1] == '\n' || b[n-1] == '\r'
	}
	crlf := bytes.Count(b, []byte("\r\n"))
	kinds := []struct {
		name string
		n    int
	}{
		{"CRLF", crlf},
		{"LF", bytes.Count(b, []byte("\n")) - crlf},
		{"CR", bytes.Count(b, []byte("\r")) - crlf},
	}
	for _, k := range kinds {
		switch {
		case k.n == 0:
		case t.Endings == "":
			t.Endings = k.name
		default:
			t.Endings = "mixed"
		}
	}
	return t
}
