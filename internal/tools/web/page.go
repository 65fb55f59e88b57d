package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxPage bounds in bytes how much of a page is converted: it is work for the
// processor, which an interrupt cannot stop in the middle.
const maxPage = 2 << 20

// A reading is what is left of a page for a reader.
type reading struct {
	title, text string
	cut         bool // the page was longer than what is converted
}

// read converts a page to Markdown or text. It returns as soon as ctx ends: what
// is left behind then works on a bounded input and ends by itself.
func read(ctx context.Context, source string, at *url.URL, markdown bool) (reading, error) {
	type result struct {
		reading
		err error
	}
	done := make(chan result, 1)
	go func() {
		r, err := convert(source, at, markdown)
		done <- result{r, err}
	}()
	select {
	case r := <-done:
		return r.reading, r.err
	case <-ctx.Done():
		return reading{}, ctx.Err()
	}
}

func convert(source string, at *url.URL, markdown bool) (r reading, err error) {
	defer func() {
		if p := recover(); p != nil { // the parsers are not ours, and the pages are anybody's
			err = fmt.Errorf("convert the page: %v", p)
		}
	}()
	if len(source) > maxPage {
		source, r.cut = source[:maxPage], true
	}
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		r.text = words(source)
		return r, nil
	}
	r.title = titleOf(doc)
	main := mainOf(doc, at)
	if !markdown {
		r.text = textOf(main)
		return r, nil
	}
	c := converter.NewConverter(
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()),
		converter.WithEscapeMode(converter.EscapeModeDisabled), // a model needs no backslashes, and to set them takes the square of the length
	)
	out, err := c.ConvertNode(main)
	if err != nil {
		return r, fmt.Errorf("convert the page to Markdown: %w", err)
	}
	r.text = string(bytes.TrimSpace(out))
	return r, nil
}

// words is text without its tags: of a page that is nested too deeply to be
// parsed, and of what services write with a little HTML in it.
func words(source string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(source))
	skip := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.TrimSpace(b.String())
		case html.TextToken:
			if skip == "" {
				b.Write(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			t := z.Token()
			switch {
			case t.Data == skip:
				skip = ""
			case t.Type == html.StartTagToken && skip == "" && (t.DataAtom == atom.Script || t.DataAtom == atom.Style):
				skip = t.Data
			case slices.Contains(blockTags[:], t.DataAtom) || t.DataAtom == atom.Br:
				b.WriteByte('\n')
			}
		}
	}
}

// errEmpty is the error of a page that says nothing without its scripts.
var errEmpty = errors.New("the page has no text of its own: its scripts make it in a browser")
