package tui

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/zuno-dev/zuno/internal/highlight"
)

// A markdown renders Markdown as rows for a terminal. Nothing is padded: rows
// end where their text ends, so that copying and re-wrapping work. The text
// must have been cleaned before.
type markdown struct {
	th     *theme
	parser parser.Parser
	words  *highlight.Highlighter
}

// proseWidth is the widest a paragraph is laid out: longer rows are hard to
// read. Tables and code take what the terminal has.
const proseWidth = 110

func newMarkdown(th *theme) *markdown {
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))
	return &markdown{th: th, parser: md.Parser(), words: highlight.New()}
}

// render returns the rows of src at width w.
func (m *markdown) render(src string, w int) []string { return m.lay(src, w, wrap) }

// printed is render for the scrollback, where an address is left whole: the
// terminal breaks it, and still knows what to open and to copy.
func (m *markdown) printed(src string, w int) []string { return m.lay(src, w, wrapWhole) }

func (m *markdown) lay(src string, w int, wrap wrapper) []string {
	if line, short := oneLine(src); short {
		return wrap([]span{{line, style{}}}, min(max(w, 4), proseWidth), "", "")
	}
	return m.parsed(src, w, wrap)
}

func (m *markdown) parsed(src string, w int, wrap wrapper) []string {
	b := []byte(src)
	p := page{m, b, max(w, 4), wrap}
	return p.children(m.parser.Parse(text.NewReader(b)), p.w, false)
}

// oneLine returns the text of src when it is a paragraph of one line in which
// nothing means anything to Markdown: most of what is said between calls. To
// parse it would take most of what a long session takes to be shown again.
func oneLine(src string) (line string, short bool) {
	line = strings.TrimRight(src, " \n")
	if first, _ := utf8.DecodeRuneInString(line); !unicode.IsLetter(first) || strings.ContainsAny(line, "\n\r\t\x00\\`*_~[]<>&") {
		return "", false
	}
	return line, true
}

// A page is one text being rendered.
type page struct {
	*markdown
	src  []byte
	w    int
	wrap wrapper
}

// children lays out the blocks below n, with a blank row between them.
func (p page) children(n ast.Node, w int, tight bool) []string {
	var rows []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r := p.block(c, w)
		if len(r) == 0 {
			continue
		}
		if len(rows) > 0 && !tight {
			rows = append(rows, "")
		}
		rows = append(rows, r...)
	}
	return rows
}

func (p page) block(n ast.Node, w int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return p.wrap(p.inline(n, p.th.heading), min(w, proseWidth), "", "")
	case *ast.Paragraph, *ast.TextBlock:
		return p.wrap(p.inline(n, style{}), min(w, proseWidth), "", "")
	case *ast.List:
		return p.list(n, w)
	case *ast.Blockquote:
		return prefixed(p.children(n, w-2, false), p.th.quote.render(p.th.glyph.bar)+" ", p.th.quote.render(p.th.glyph.bar)+" ")
	case *ast.FencedCodeBlock:
		return p.code(n, p.words.Fence(string(n.Language(p.src))))
	case *ast.CodeBlock:
		return p.code(n, nil)
	case *ast.HTMLBlock:
		return p.raw(n)
	case *ast.ThematicBreak:
		return []string{p.th.muted.render(strings.Repeat(p.th.glyph.rule, min(w, 24)))}
	case *extast.Table:
		return p.table(n, w)
	}
	return p.children(n, w, false)
}

// code lays out a block of code, whose words a Scanner tells apart.
func (p page) code(n ast.Node, words *highlight.Scanner) []string {
	rows := p.raw(n)
	for i, r := range rows {
		rows[i] = p.th.source(r, words.Line(r))
	}
	return rows
}

// raw returns the lines of a block as they are.
func (p page) raw(n ast.Node) []string {
	var rows []string
	lines := n.Lines()
	for i := range lines.Len() {
		l := lines.At(i)
		rows = append(rows, expandTabs(strings.TrimRight(string(l.Value(p.src)), "\n")))
	}
	return rows
}

func (p page) list(n *ast.List, w int) []string {
	var rows []string
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		mark := p.th.glyph.bullet + " "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + string(n.Marker) + " "
			number++
		}
		if len(rows) > 0 && !n.IsTight {
			rows = append(rows, "")
		}
		in := strings.Repeat(" ", width(mark))
		rows = append(rows, prefixed(p.children(c, max(4, w-len(in)), n.IsTight), p.th.accent.render(mark), in)...)
	}
	return rows
}

// prefixed puts first before the first row and rest before the others.
func prefixed(rows []string, first, rest string) []string {
	if len(rows) == 0 {
		return []string{strings.TrimRight(first, " ")}
	}
	out := make([]string, len(rows))
	for i, r := range rows {
		if i == 0 {
			out[i] = first + r
		} else {
			out[i] = strings.TrimRight(rest+r, " ")
		}
	}
	return out
}

// inline returns the spans below n, in style st where nothing else applies.
func (p page) inline(n ast.Node, st style) []span {
	var out []span
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		out = append(out, p.spans(c, st)...)
	}
	return out
}

func (p page) spans(n ast.Node, st style) []span {
	switch n := n.(type) {
	case *ast.Text:
		s := string(n.Segment.Value(p.src))
		if !n.IsRaw() {
			s = unescape(s)
		}
		switch {
		case n.HardLineBreak():
			s += "\n"
		case n.SoftLineBreak():
			s += " "
		}
		return []span{{s, st}}
	case *ast.String:
		return []span{{string(n.Value), st}}
	case *ast.CodeSpan:
		return p.inline(n, p.th.code)
	case *ast.Emphasis:
		if n.Level >= 2 {
			return p.inline(n, p.th.bold)
		}
		if p.withinWord(n) { // a product, more likely than a stress
			return append(append([]span{{"*", st}}, p.inline(n, st)...), span{"*", st})
		}
		return p.inline(n, p.th.italic)
	case *extast.Strikethrough:
		return p.inline(n, p.th.strike)
	case *extast.TaskCheckBox:
		if n.IsChecked {
			return []span{{"[x] ", p.th.ok}}
		}
		return []span{{"[ ] ", p.th.muted}}
	case *ast.Link:
		return p.link(n, string(n.Destination))
	case *ast.Image:
		return p.link(n, string(n.Destination))
	case *ast.AutoLink:
		return []span{{string(n.Label(p.src)), p.th.link}}
	case *ast.RawHTML:
		var b strings.Builder
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			b.Write(s.Value(p.src))
		}
		if isBreak(b.String()) {
			return []span{{"\n", st}}
		}
		return []span{{b.String(), st}}
	}
	return p.inline(n, st)
}

// isBreak reports the tag that models write where a line ends within a cell.
func isBreak(tag string) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(tag, "<"), ">"), "/")
	return strings.EqualFold(strings.TrimSpace(name), "br")
}

// withinWord reports whether a letter or a digit stands right before and right
// behind an emphasis of asterisks.
func (p page) withinWord(n *ast.Emphasis) bool {
	first, is := n.FirstChild().(*ast.Text)
	last, ends := n.LastChild().(*ast.Text)
	if !is || !ends || first.Segment.Start < 2 || last.Segment.Stop+1 >= len(p.src) {
		return false
	}
	before, _ := utf8.DecodeLastRune(p.src[:first.Segment.Start-1])
	after, _ := utf8.DecodeRune(p.src[last.Segment.Stop+1:])
	wordly := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return wordly(before) && wordly(after)
}

// link shows the address beside the text: where a link leads is never hidden.
func (p page) link(n ast.Node, to string) []span {
	spans := p.inline(n, p.th.link)
	var shown strings.Builder
	for _, s := range spans {
		shown.WriteString(s.text)
	}
	if to == "" || shown.String() == to || "mailto:"+shown.String() == to {
		return spans
	}
	return append(spans, span{" (" + to + ")", p.th.muted})
}

// unescape takes the backslashes of CommonMark's escapes away, and says what its
// entities stand for.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		case s[i] == '&':
			text, n := entity(s[i:])
			b.WriteString(text)
			i += n - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// maxEntity is more than the longest entity of HTML takes.
const maxEntity = 34

// entity returns what the entity that s begins with stands for, and its length;
// the character itself where it is none.
func entity(s string) (string, int) {
	end := strings.IndexByte(s[:min(len(s), maxEntity)], ';') + 1
	if end == 0 {
		return s[:1], 1
	}
	text := html.UnescapeString(s[:end])
	if text == s[:end] || strings.HasSuffix(text, ";") {
		return s[:1], 1
	}
	return plainLine(text), end
}
