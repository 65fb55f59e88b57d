package tui

import (
	"strings"

	"github.com/zuno-dev/zuno/internal/highlight"
)

// A stream renders Markdown that arrives in pieces. Complete blocks are
// rendered once and never touched again; only the tail is rendered anew, and
// the tail is bounded, so that the cost is linear in the text.
type stream struct {
	md    *markdown
	clean cleaner

	text    string // not committed: whole lines up to scanned, then the rest
	scanned int    // text before it was looked at
	safe    int    // text before it may be committed
	fence   string // the fence that is open, "" outside of one
	indent  int    // its indentation
	words   *highlight.Scanner
	nested  bool // what follows may belong to a list that was cut at a fence
	any     bool // a block was committed before
	blank   bool // the last line looked at was blank
}

// maxTail bounds what is not committed, in bytes.
const maxTail = 8 << 10

// write takes a piece and returns the rows that are final.
func (s *stream) write(piece string, w int) []string {
	s.text += expandTabs(s.clean.write(piece)) // which indent as blanks do
	return s.commit(w)
}

// flush returns the rows of what is left and begins anew.
func (s *stream) flush(w int) []string {
	s.text += s.clean.flush()
	rows := s.commit(w)
	rest := s.text
	if s.fence != "" {
		if rest != "" {
			rows = append(rows, s.codeLine(rest, s.words.Line)...)
		}
		rows = append(rows, s.md.th.muted.render(s.fence))
	} else {
		rows = append(rows, s.block(rest, w)...)
	}
	*s = stream{md: s.md}
	return rows
}

// tail returns at most n rows of what is not final yet.
func (s *stream) tail(w, n int) []string {
	if n <= 0 || strings.TrimSpace(s.text) == "" {
		return nil
	}
	var rows []string
	if s.fence != "" {
		rows = s.codeLine(s.text, s.words.Peek)
	} else {
		rows = s.lay(s.text, w, s.md.render)
	}
	return last(rows, n)
}

// begun reports whether rows of the text were committed.
func (s *stream) begun() bool { return s.any || s.fence != "" }

// joined reports whether the tail goes on where the committed rows end, without
// a blank row between.
func (s *stream) joined() bool { return s.fence != "" }

func last(rows []string, n int) []string {
	if len(rows) > n {
		return rows[len(rows)-n:]
	}
	return rows
}

// commit looks at the new whole lines and renders what they complete.
func (s *stream) commit(w int) []string {
	var rows []string
	for {
		end := strings.IndexByte(s.text[s.scanned:], '\n')
		if end < 0 {
			break
		}
		rows = append(rows, s.line(s.scanned, s.scanned+end+1, w)...)
	}
	if rest := s.text[s.scanned:]; s.fence == "" && s.blank && rest != "" && rest[0] != ' ' {
		s.safe = s.scanned // the line that has begun continues nothing
	}
	if s.safe > 0 {
		rows = append(rows, s.take(s.safe, w)...)
	}
	if len(s.text) > maxTail && s.fence == "" {
		rows = append(rows, s.overflow(w)...)
	}
	return rows
}

// line looks at the line text[from:to].
func (s *stream) line(from, to, w int) []string {
	l := s.text[from : to-1]
	trimmed := strings.TrimLeft(l, " ")
	in := len(l) - len(trimmed)
	mark := fenceOf(trimmed)
	switch {
	case s.fence != "" && closes(trimmed, s.fence):
		mark := s.fence
		s.fence = ""
		s.drop(to)
		return []string{s.md.th.muted.render(mark)}
	case s.fence != "":
		rows := s.codeLine(l, s.words.Line)
		s.drop(to)
		return rows
	case mark != "" && (in < 4 || !s.blank):
		rows := s.take(from, w)
		rows = append(rows, s.gap()...)
		s.fence, s.indent = mark, in
		s.nested = in > 0
		info := strings.TrimSpace(strings.TrimLeft(trimmed, mark[:1]))
		s.words = s.md.words.Fence(info)
		rows = append(rows, s.md.th.muted.render(clip(mark+info, w)))
		s.drop(len(l) + 1)
		return rows
	}
	blank := strings.TrimSpace(l) == ""
	var rows []string
	if s.nested && !blank && in < indentOf(s.text) && from > 0 {
		rows = s.take(from, w) // it goes on further out
		from, to = 0, to-from
	}
	s.scanned = to
	if s.blank && !blank && in < 2 || isHeading(l) {
		// What is before a line that follows a blank one, and does not continue
		// a list, is complete; so is all before a heading.
		s.safe = from
	}
	s.blank = blank
	return rows
}

// take commits the first n bytes of the text.
func (s *stream) take(n, w int) []string {
	rows := s.block(s.text[:n], w)
	s.drop(n)
	return rows
}

func (s *stream) drop(n int) {
	s.text = s.text[n:]
	s.scanned = max(0, s.scanned-n)
	s.safe = 0
}

// overflow commits what is there of a block that is longer than the tail may
// be: up to its last line, or its last word.
func (s *stream) overflow(w int) []string {
	at := strings.LastIndexByte(s.text, '\n') + 1
	if at == 0 {
		at = strings.LastIndexByte(s.text, ' ') + 1
	}
	if at == 0 {
		at = len(s.text)
	}
	return s.take(at, w)
}

func (s *stream) block(text string, w int) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	s.nested = s.nested && indentOf(text) > 0
	return append(s.gap(), s.lay(text, w, s.md.printed)...)
}

// lay lays a block out. What goes on in a list that was cut at a fence keeps the
// indentation it has there: by itself it would be code.
func (s *stream) lay(text string, w int, render func(string, int) []string) []string {
	in := indentOf(text)
	if !s.nested || in == 0 {
		return render(text, w)
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = l[min(in, len(l)-len(strings.TrimLeft(l, " "))):]
	}
	margin := strings.Repeat(" ", in)
	return prefixed(render(strings.Join(lines, "\n"), max(4, w-in)), margin, margin)
}

// indentOf is how many blanks the first line of a text begins with.
func indentOf(text string) int {
	line := strings.TrimLeft(text, "\n")
	return len(line) - len(strings.TrimLeft(line, " "))
}

// gap is the blank row before every block but the first.
func (s *stream) gap() []string {
	if !s.any {
		s.any = true
		return nil
	}
	return []string{""}
}

// codeLine is text of a fence as it is: no padding and no line breaks of ours,
// so that it can be copied. Tell tells its words apart.
func (s *stream) codeLine(text string, tell func(string) []highlight.Run) []string {
	if text == "" {
		return []string{""}
	}
	n := 0
	for n < s.indent && n < len(text) && text[n] == ' ' {
		n++
	}
	text = expandTabs(text[n:])
	return []string{s.md.th.source(text, tell(text))}
}

// fenceOf returns the mark of a line that opens a fenced block, else "".
func fenceOf(l string) string {
	for _, c := range []string{"`", "~"} {
		n := len(l) - len(strings.TrimLeft(l, c))
		if n >= 3 && (c == "~" || !strings.Contains(l[n:], "`")) {
			return l[:n]
		}
	}
	return ""
}

// closes reports whether l closes the fence.
func closes(l, fence string) bool {
	l = strings.TrimRight(l, " \t")
	return len(l) >= len(fence) && strings.Trim(l, fence[:1]) == ""
}

func isHeading(l string) bool {
	n := len(l) - len(strings.TrimLeft(l, "#"))
	return n > 0 && n <= 6 && (len(l) == n || l[n] == ' ')
}
