package web

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blockTags begin and end a line.
var blockTags = [...]atom.Atom{
	atom.Address, atom.Article, atom.Blockquote, atom.Dd, atom.Details, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure,
	atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hr, atom.Li, atom.Main, atom.Ol, atom.P, atom.Pre,
	atom.Section, atom.Summary, atom.Table, atom.Tr, atom.Ul,
}

// apart are those with an empty line around them.
var apart = [...]atom.Atom{
	atom.Blockquote, atom.Dl, atom.Figure, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ol, atom.P, atom.Pre, atom.Table, atom.Ul,
}

// textOf returns the text below n as one would read it aloud: lines where
// blocks begin, cells between tabs, what is preformatted as it is.
func textOf(n *html.Node) string {
	w := &textWriter{}
	w.node(n, false)
	return strings.TrimSpace(w.b.String())
}

type textWriter struct {
	b      strings.Builder
	breaks int  // line breaks that stand at the end
	space  bool // a space is due before the next word
}

func (w *textWriter) node(n *html.Node, verbatim bool) {
	if n.Type == html.TextNode {
		w.text(n.Data, verbatim)
		return
	}
	lines := 0
	if slices.Contains(blockTags[:], n.DataAtom) {
		lines = 1
	}
	if slices.Contains(apart[:], n.DataAtom) {
		lines = 2
	}
	w.line(lines)
	switch n.DataAtom {
	case atom.Br:
		w.b.WriteByte('\n')
		w.breaks, w.space = w.breaks+1, false
	case atom.Li:
		w.put("- ")
	case atom.Td, atom.Th:
		if previousCell(n) {
			w.put("\t")
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c, verbatim || n.DataAtom == atom.Pre)
	}
	w.line(lines)
}

func previousCell(n *html.Node) bool {
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode {
			return true
		}
	}
	return false
}

func (w *textWriter) text(s string, verbatim bool) {
	if verbatim {
		if s != "" {
			w.put(s)
			w.breaks = len(s) - len(strings.TrimRight(s, "\n"))
		}
		return
	}
	for i, word := range strings.Fields(s) {
		if (w.space || i > 0 || strings.TrimLeft(s, " \t\r\n") != s) && w.breaks == 0 && !blankAtEnd(w.b.String()) {
			w.b.WriteByte(' ')
		}
		w.put(word)
	}
	w.space = strings.TrimRight(s, " \t\r\n") != s
}

func blankAtEnd(s string) bool { return s == "" || s[len(s)-1] == ' ' || s[len(s)-1] == '\t' }

func (w *textWriter) put(s string) {
	w.b.WriteString(s)
	w.breaks, w.space = 0, false
}

// line makes sure that n line breaks stand at the end.
func (w *textWriter) line(n int) {
	for ; n > 0 && w.b.Len() > 0 && w.breaks < n; w.breaks++ {
		w.b.WriteByte('\n')
	}
	if n > 0 {
		w.space = false
	}
}
