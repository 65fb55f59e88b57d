// Package pdf takes the text out of PDF documents. Documents come from anywhere
// and the format is large, so that a document is read by a process of its own
// (see [Serve]) which may take neither much time nor much memory, and whose end
// ends nothing but the reading. [Ask] is the half that talks to it.
package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
)

// MaxBytes is the size of the largest document that is read.
const MaxBytes = 64 << 20

// A Query says what is wanted of a document.
type Query struct {
	// Pages are counted from 1; none means all of them.
	Pages []int `json:"pages,omitempty"`
	// MaxChars bounds the text; zero asks for the number of pages only.
	MaxChars int `json:"max_chars,omitempty"`
}

// A Document is what was found.
type Document struct {
	Count int    `json:"count"` // pages there are
	Pages []Page `json:"pages,omitempty"`
	// More says that pages which were asked for are missing, because the text got
	// too long.
	More bool `json:"more,omitempty"`
}

// A Page is the text of one page.
type Page struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
	Cut    bool   `json:"cut,omitempty"`     // there is more of it
	Failed string `json:"problem,omitempty"` // why there is no text
}

// read parses a document in this process. What the parser panics with is an
// error; what it never ends with, or what takes all memory, is not caught here.
func read(data []byte, q Query) (d Document, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the document is damaged: %v", r)
		}
	}()
	r, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	switch {
	case errors.Is(err, pdf.ErrInvalidPassword):
		return d, errors.New("the document needs a password")
	case err != nil:
		return d, fmt.Errorf("the document is damaged: %w", err)
	}
	if d.Count = r.NumPage(); d.Count < 0 {
		d.Count = 0
	}
	if q.MaxChars <= 0 {
		return d, nil
	}
	wanted := q.Pages
	for n := 1; len(q.Pages) == 0 && n <= d.Count && n <= maxPages; n++ {
		wanted = append(wanted, n)
	}
	left := q.MaxChars
	for i, n := range wanted {
		if n < 1 || n > d.Count {
			return d, fmt.Errorf("there is no page %d: the document has %d", n, d.Count)
		}
		p := page(r, n)
		whole := len([]rune(p.Text))
		if whole > left && i > 0 {
			d.More = true
			return d, nil
		}
		if whole > left {
			p.Text, p.Cut = string([]rune(p.Text)[:left]), true
			whole = left
		}
		left -= whole
		d.Pages = append(d.Pages, p)
	}
	d.More = len(q.Pages) == 0 && len(wanted) < d.Count
	return d, nil
}

// maxPages bounds how many pages one query without a list looks at.
const maxPages = 2000

// page returns the text of one page. A page that cannot be read does not take
// the others with it.
func page(r *pdf.Reader, n int) (p Page) {
	p.Number = n
	defer func() {
		if e := recover(); e != nil {
			p.Text, p.Failed = "", fmt.Sprint(e)
		}
	}()
	content := r.Page(n)
	if content.V.IsNull() {
		p.Failed = "it is missing"
		return p
	}
	p.Text = layOut(content.Content().Text)
	return p
}

// layOut puts glyphs, in the order in which the document draws them, into
// lines: a step down or up begins one, and a gap is a space.
func layOut(glyphs []pdf.Text) string {
	var b strings.Builder
	glyphs = drawn(glyphs)
	for i, g := range glyphs {
		if i > 0 {
			b.WriteString(between(glyphs[i-1], g))
		}
		b.WriteString(strings.ToValidUTF8(g.S, "\ufffd"))
	}
	var lines []string
	blank := 0
	for line := range strings.Lines(b.String()) {
		line = strings.TrimRight(line, " \t\r\n")
		if blank++; line != "" {
			blank = 0
		}
		if blank < 2 {
			lines = append(lines, line)
		}
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// drawn leaves out the line ends that the parser puts behind every piece of
// text. Spelled in the encoding of the font they may look like any character,
// but have no width where others of the font have.
func drawn(glyphs []pdf.Text) []pdf.Text {
	wide := map[string]bool{}
	for _, g := range glyphs {
		wide[g.Font] = wide[g.Font] || g.W != 0
	}
	var list []pdf.Text
	for _, g := range glyphs {
		r, _ := utf8.DecodeRuneInString(g.S)
		if g.W == 0 && (r == '\n' || r == utf8.RuneError || wide[g.Font] && !unicode.Is(unicode.M, r)) {
			continue
		}
		list = append(list, g)
	}
	return list
}

// between is what separates two glyphs that follow each other.
func between(a, b pdf.Text) string {
	size := math.Max(math.Abs(a.FontSize), math.Abs(b.FontSize))
	if size == 0 {
		size = 1
	}
	switch down := math.Abs(a.Y - b.Y); {
	case down > 2.2*size:
		return "\n\n"
	case down > 0.5*size:
		return "\n"
	}
	if gap := b.X - (a.X + a.W); (gap > 0.15*size || gap < -2*size) && a.S != " " && b.S != " " {
		return " "
	}
	return ""
}
