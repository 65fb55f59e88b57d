package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What is left out of a page. It is what no reader reads, what stands around
// the content of every page of a site, and what is hidden: text that only a
// machine sees is not for the machine either.
var (
	skippedTags = [...]atom.Atom{
		atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Svg, atom.Canvas, atom.Object, atom.Embed,
		atom.Nav, atom.Footer, atom.Aside, atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Dialog, atom.Link, atom.Meta,
	}
	skippedRoles = [...]string{
		"navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar",
	}
)

// minMain is how many characters of text make an element the main one.
const minMain = 200

// mainOf returns the part of doc that is worth reading, with links made whole:
// the main element, or the only article, or all that is not around them.
func mainOf(doc *html.Node, at *url.URL) *html.Node {
	if b := find(doc, func(n *html.Node) bool { return n.DataAtom == atom.Base && attr(n, "href") != "" }); b != nil {
		if u, err := at.Parse(attr(b, "href")); err == nil {
			at = u
		}
	}
	body := find(doc, is(atom.Body))
	if body == nil {
		body = doc
	}
	prune(body, at, false, 0)
	main := find(body, func(n *html.Node) bool { return n.DataAtom == atom.Main || attr(n, "role") == "main" })
	if main == nil {
		if a := find(body, is(atom.Article)); a != nil && next(a, body, is(atom.Article)) == nil {
			main = a
		}
	}
	if main != nil && longer(main, minMain) {
		return main
	}
	return body
}

// maxDepth is how deep quotes, lists and tables may stand in each other. In
// Markdown every line repeats what is around it, so that a small page could
// become a huge one.
const maxDepth = 12

// prune removes what is left out below n and makes links whole. Inside says that
// n is in the main part, whose headers belong to it; depth is of the kind that
// is bounded.
func prune(n *html.Node, at *url.URL, inside bool, depth int) {
	if slices.Contains([]atom.Atom{atom.Blockquote, atom.Ul, atom.Ol, atom.Table}, n.DataAtom) {
		if depth++; depth > maxDepth {
			n.DataAtom, n.Data = atom.Div, "div"
		}
	}
	if n.DataAtom == atom.Table && tooWide(n) {
		flatten(n)
	}
	inside = inside || n.DataAtom == atom.Main || n.DataAtom == atom.Article || attr(n, "role") == "main"
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.CommentNode || c.Type == html.ElementNode && (skipped(c) || c.DataAtom == atom.Header && !inside) {
			n.RemoveChild(c)
		} else {
			if !resolve(c, at) && c.DataAtom == atom.Img {
				n.RemoveChild(c)
			} else {
				prune(c, at, inside, depth)
			}
		}
		c = next
	}
}

// maxCells and maxSpan bound the tables that become tables of Markdown, in
// which every row has as many cells as the longest.
const maxCells, maxSpan = 50_000, 50

// tooWide reports whether a table would have more than maxCells cells, and takes
// away spans over maxSpan.
func tooWide(table *html.Node) bool {
	rows, columns := 0, 0
	each(table, func(n *html.Node) {
		switch n.DataAtom {
		case atom.Tr:
			rows++
			cells := 0
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				cells += span(c, "colspan")
			}
			columns = max(columns, cells)
		case atom.Td, atom.Th:
			rows += span(n, "rowspan") - 1
		}
	})
	return rows*columns > maxCells
}

func span(n *html.Node, name string) int {
	for i, a := range n.Attr {
		if a.Key != name {
			continue
		}
		if v, err := strconv.Atoi(strings.TrimSpace(a.Val)); err == nil && v >= 1 && v <= maxSpan {
			return v
		}
		n.Attr = slices.Delete(n.Attr, i, i+1)
		return 1
	}
	return 1
}

// flatten makes lines of the rows of a table.
func flatten(table *html.Node) {
	each(table, func(n *html.Node) {
		switch n.DataAtom {
		case atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Caption, atom.Colgroup, atom.Col:
			n.DataAtom, n.Data = atom.Div, "div"
		case atom.Td, atom.Th:
			n.DataAtom, n.Data = atom.Span, "span"
			n.AppendChild(&html.Node{Type: html.TextNode, Data: " "})
		}
	})
}

// each calls f for n and every node below it.
func each(n *html.Node, f func(*html.Node)) {
	f(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		each(c, f)
	}
}

func skipped(n *html.Node) bool {
	if slices.Contains(skippedTags[:], n.DataAtom) || slices.Contains(skippedRoles[:], attr(n, "role")) {
		return true
	}
	style := strings.ToLower(strings.Join(strings.Fields(attr(n, "style")), ""))
	return has(n, "hidden") || attr(n, "aria-hidden") == "true" && n.FirstChild != nil && !longer(n, minMain) ||
		strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// resolve makes the addresses of n whole and drops those that lead nowhere. It
// reports whether the one of n is of use.
func resolve(n *html.Node, at *url.URL) bool {
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key != "href" && a.Key != "src" {
			continue
		}
		u, err := at.Parse(strings.TrimSpace(a.Val))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
			a.Val = ""
			return false
		}
		if a.Val = u.String(); a.Key == "href" && strings.HasPrefix(a.Val, at.String()+"#") {
			a.Val = a.Val[len(at.String()):] // within the page
		}
	}
	return true
}

func titleOf(doc *html.Node) string {
	t := find(doc, is(atom.Title))
	if t == nil || t.FirstChild == nil {
		return ""
	}
	return strings.Join(strings.Fields(t.FirstChild.Data), " ")
}

func is(a atom.Atom) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.DataAtom == a }
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// find returns the first element at or below n that fits, or nil.
func find(n *html.Node, fits func(*html.Node) bool) *html.Node {
	if n.Type == html.ElementNode && fits(n) {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if f := find(c, fits); f != nil {
			return f
		}
	}
	return nil
}

// next returns another element below root than n that fits, or nil.
func next(n, root *html.Node, fits func(*html.Node) bool) *html.Node {
	return find(root, func(m *html.Node) bool { return m != n && fits(m) })
}

// longer reports whether n has more than least characters of text.
func longer(n *html.Node, least int) bool {
	return count(n, least) > least
}

// count adds up the text below n, and stops when it is more than most.
func count(n *html.Node, most int) int {
	sum := 0
	if n.Type == html.TextNode {
		sum = len(strings.TrimSpace(n.Data))
	}
	for c := n.FirstChild; c != nil && sum <= most; c = c.NextSibling {
		sum += count(c, most-sum)
	}
	return sum
}
