package highlight

import (
	"strings"
	"unicode/utf8"
)

// A Scanner tells the words of source text apart that comes line by line and is
// shown at once: it carries what is open, a comment or a string, from one line
// to the next, and its cost is linear in the text. It knows less of a language
// than its grammar, which wants the whole text and takes a hundred times as long.
// A nil Scanner knows nothing, so that all is plain.
type Scanner struct {
	lang *language
	open int  // the mark that is open, counted from 1; 0 for none
	tag  bool // within a tag of markup
}

// Fence returns a Scanner for the language that the line behind a fence of
// Markdown names, nil when it names none that is known.
func (h *Highlighter) Fence(info string) *Scanner {
	if at := strings.IndexAny(info, " \t,:{[="); at >= 0 {
		info = info[:at]
	}
	name := strings.ToLower(info[strings.LastIndexByte(info, '.')+1:])
	if name == "" {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fences == nil {
		h.fences = map[string]*language{}
		for _, l := range languages() {
			for _, n := range strings.Fields(l.names) {
				h.fences[n] = l
			}
		}
	}
	l := h.fences[name]
	if l == nil {
		return nil
	}
	l.learn()
	return &Scanner{lang: l}
}

// Line returns the runs of the next line, which has no line end.
func (s *Scanner) Line(text string) []Run {
	if s == nil || s.lang == nil {
		return nil
	}
	l := line{Scanner: s, text: text}
	if s.lang.diff {
		l.changed()
		return l.runs
	}
	if s.open > 0 {
		l.close(0)
	}
	for l.at < len(text) {
		l.next()
	}
	if s.open > 0 && !s.lang.marks[s.open-1].spans {
		s.open = 0
	}
	return l.runs
}

// Peek is Line for a line that is not complete: the Scanner stays as it is.
func (s *Scanner) Peek(text string) []Run {
	if s == nil {
		return nil
	}
	again := *s
	return again.Line(text)
}

// A line is one line being read.
type line struct {
	*Scanner
	text string
	at   int
	runs []Run
}

// take has the text up to the byte end be of a kind.
func (l *line) take(end int, k Kind) {
	if n := len(l.runs); n > 0 && l.runs[n-1].Kind == k {
		l.runs[n-1].End = end
	} else if end > l.at {
		l.runs = append(l.runs, Run{end, k})
	}
	l.at = end
}

// next takes what begins here.
func (l *line) next() {
	c := l.text[l.at]
	switch {
	case c == ' ':
		l.take(l.at+1, Plain)
	case l.lang.markup && !l.tag && c != '<':
		l.take(l.until("<"), Plain)
	case l.mark():
	case l.lang.markup && c == '<':
		l.beginTag()
	case l.tag && c == '>':
		l.tag = false
		l.take(l.at+1, Plain)
	case digit(c), c == '.' && l.at+1 < len(l.text) && digit(l.text[l.at+1]):
		l.take(l.number(), Number)
	case letter(c):
		l.word()
	default:
		l.take(l.at+1, Plain)
	}
}

// until returns where one of stops comes next, else the end.
func (l *line) until(stops string) int {
	if n := strings.IndexAny(l.text[l.at:], stops); n >= 0 {
		return l.at + n
	}
	return len(l.text)
}

// mark takes a comment or a string that begins here, and reports whether one
// does.
func (l *line) mark() bool {
	for i := range l.lang.marks {
		m := &l.lang.marks[i]
		if !strings.HasPrefix(l.text[l.at:], m.from) {
			continue
		}
		switch {
		case m.apart && l.at > 0 && l.text[l.at-1] != ' ':
			continue // the # of a#b
		case m.first && strings.TrimLeft(l.text[:l.at], " ") != "":
			continue
		case m.short && !l.closesSoon(m):
			continue
		case m.to == "":
			l.take(len(l.text), m.kind)
			return true
		}
		l.open = i + 1
		l.close(len(m.from))
		return true
	}
	return false
}

// shortMark is how far the end of a short string can be, in bytes: '\U0001F600'.
const shortMark = 12

// closesSoon tells a character from the beginning of a lifetime or an accent.
func (l *line) closesSoon(m *mark) bool {
	rest := l.text[l.at+len(m.from):]
	if rest == "" {
		return false
	}
	_, n := utf8.DecodeRuneInString(rest)
	if rest[0] == '\\' {
		return strings.Contains(rest[min(2, len(rest)):min(len(rest), shortMark)], m.to)
	}
	return strings.HasPrefix(rest[n:], m.to)
}

// close takes the open mark up to its end, which is looked for skip bytes from
// here on. What is not closed goes on to the end of the line.
func (l *line) close(skip int) {
	m := &l.lang.marks[l.open-1]
	from := l.at + skip
	for i := from; i < len(l.text); i++ {
		if l.text[i] == '\\' && !m.raw {
			i++
			continue
		}
		if !strings.HasPrefix(l.text[i:], m.to) {
			continue
		}
		end, kind := i+len(m.to), m.kind
		if kind == String && l.named(end) {
			kind = Type
		}
		l.open = 0
		l.take(end, kind)
		return
	}
	l.take(len(l.text), m.kind)
}

// named reports whether what ends here is the name of a value.
func (l *line) named(end int) bool {
	if l.lang.key == "" {
		return false
	}
	rest := strings.TrimLeft(l.text[end:], " ")
	return strings.HasPrefix(rest, l.lang.key)
}

// word takes a word.
func (l *line) word() {
	end := l.at + 1
	for end < len(l.text) && (letter(l.text[end]) || digit(l.text[end]) || l.text[end] == '-' && l.lang.dashes) {
		end++
	}
	w := l.text[l.at:end]
	if l.lang.anyCase {
		w = strings.ToLower(w)
	}
	kind, known := l.lang.learnt[w]
	switch {
	case known:
	case l.lang.key != "" && strings.TrimLeft(l.text[:l.at], " -") == "" && l.named(end):
		kind = Type
	case end < len(l.text) && l.text[end] == '(' && !l.tag:
		kind = Function
	case l.lang.capitals && w[0] >= 'A' && w[0] <= 'Z' && strings.ToUpper(w) != w:
		kind = Type
	}
	l.take(end, kind)
}

// beginTag takes the beginning of a tag of markup, with its name.
func (l *line) beginTag() {
	end := l.at + 1
	for end < len(l.text) && strings.IndexByte("/?!", l.text[end]) >= 0 {
		end++
	}
	l.take(end, Plain)
	for end < len(l.text) && (letter(l.text[end]) || digit(l.text[end]) || strings.IndexByte("-:.", l.text[end]) >= 0) {
		end++
	}
	if l.tag = end > l.at; l.tag {
		l.take(end, Type)
	}
}

// number returns where a number ends.
func (l *line) number() int {
	i := l.at
	hex := strings.HasPrefix(l.text[i:], "0x") || strings.HasPrefix(l.text[i:], "0X")
	for i < len(l.text) {
		c := l.text[i]
		sign := (c == '+' || c == '-') && i > l.at && (l.text[i-1]|0x20) == 'e' && !hex
		dot := c == '.' && !strings.HasPrefix(l.text[i:], "..")
		if !digit(c) && !letter(c) && !dot && !sign || c == '$' {
			break
		}
		i++
	}
	return i
}

// changed takes a line of a diff, which its first character tells of.
func (l *line) changed() {
	if l.text == "" {
		return
	}
	kind := map[byte]Kind{'+': Added, '-': Removed, '@': Type}[l.text[0]]
	l.take(len(l.text), kind)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// letter reports whether a word can begin with c; what is not ASCII is of words.
func letter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c >= utf8.RuneSelf
}
