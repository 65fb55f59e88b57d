package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	mimes "mime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// The bounds of one result. The loop bounds the text once more for the model.
const (
	maxText   = 1 << 20 // bytes
	maxItems  = 1000
	maxImage  = 3 << 20 // bytes of one picture
	maxImages = 4
)

// render makes an outcome of a result: texts one after the other, pictures as
// pictures, and a note in the place of what is neither. Nothing is fetched.
func render(r *sdk.CallToolResult) tools.Outcome {
	var o tools.Outcome
	b := &clipped{}
	for i, c := range r.Content {
		if i == maxItems {
			b.note("[%d more items are left out]", len(r.Content)-i)
			break
		}
		content(b, &o, c)
	}
	if r.StructuredContent != nil && !tells(b.b.String(), r.StructuredContent) {
		if v, err := json.MarshalIndent(r.StructuredContent, "", " "); err == nil {
			b.add(string(v))
		}
	}
	o.Text, o.Truncated = b.String(), b.cut
	o.Kind = tools.OK
	if r.IsError {
		o.Kind = tools.Error
		if strings.TrimSpace(o.Text) == "" {
			o.Text = "the server says that the call failed, and not why"
		}
	}
	return o
}

// maxLeaves is how many values of a structured result are looked for in its text.
const maxLeaves = 500

// tells reports whether text holds every value of a structured result. A server is
// to say in its text what it says in that, and many do: then once is enough. Others
// only say how much there is of it.
func tells(text string, structured any) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	left := maxLeaves
	var in func(v any) bool
	in = func(v any) bool {
		switch v := v.(type) {
		case map[string]any:
			for _, x := range v {
				if !in(x) {
					return false
				}
			}
			return true
		case []any:
			return !slices.ContainsFunc(v, func(x any) bool { return !in(x) })
		case nil:
			return true
		}
		left--
		b, err := json.Marshal(v)
		written := strings.Trim(string(b), `"`)
		said, is := v.(string)
		return left >= 0 && err == nil && (strings.Contains(text, written) || is && strings.Contains(text, said))
	}
	return in(structured)
}

func content(b *clipped, o *tools.Outcome, c sdk.Content) {
	switch c := c.(type) {
	case *sdk.TextContent:
		b.add(c.Text)
	case *sdk.ImageContent:
		image(b, o, c.MIMEType, c.Data)
	case *sdk.AudioContent:
		b.note("[sound, %s, %d bytes: left out]", c.MIMEType, len(c.Data))
	case *sdk.ResourceLink:
		b.note("[a link to %s%s: not fetched]", c.URI, about(c))
	case *sdk.EmbeddedResource:
		if c.Resource != nil {
			resource(b, o, c.Resource)
		}
	default:
		b.note("[content of a kind that is not known here: left out]")
	}
}

// about is what a server says of what a link leads to.
func about(l *sdk.ResourceLink) string {
	words := []string{cmp.Or(l.Title, l.Name)}
	if l.Description != "" {
		words = append(words, l.Description)
	}
	if l.MIMEType != "" {
		words = append(words, l.MIMEType)
	}
	if l.Size != nil {
		words = append(words, fmt.Sprintf("%d bytes", *l.Size))
	}
	return " (" + strings.Join(words, ", ") + ")"
}

func resource(b *clipped, o *tools.Outcome, r *sdk.ResourceContents) {
	switch {
	case r.Text != "" || len(r.Blob) == 0:
		b.note("[%s]", cmp.Or(r.URI, "a resource without a name"))
		b.add(r.Text)
	case strings.HasPrefix(r.MIMEType, "image/"):
		image(b, o, r.MIMEType, r.Blob)
	case textual(r.MIMEType) && utf8.Valid(r.Blob) && !bytes.ContainsRune(r.Blob, 0):
		b.note("[%s]", r.URI)
		b.add(string(r.Blob))
	default:
		b.note("[%s, %s, %d bytes: left out]", r.URI, r.MIMEType, len(r.Blob))
	}
}

// textual reports whether what is of a type is text, even if a server sends it
// as bytes.
func textual(mime string) bool {
	kind, _, err := mimes.ParseMediaType(mime)
	return err == nil && (strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") ||
		slices.Contains([]string{"application/json", "application/xml", "application/yaml", "application/toml", "application/javascript"}, kind))
}

func image(b *clipped, o *tools.Outcome, mime string, data []byte) {
	kind, fault := tools.PictureType(data), ""
	if kind != "" {
		fault = tools.PictureFault(data)
	}
	switch {
	case fault != "":
		b.note("[a picture, %s, %d bytes: left out: %s]", kind, len(data), fault)
	case kind == "", len(data) > maxImage, len(o.Images) >= maxImages:
		b.note("[a picture, %s, %d bytes: left out]", mime, len(data))
	default:
		o.Images = append(o.Images, tools.Image{MIME: kind, Data: data})
		b.note("[a picture, %s]", kind)
	}
}

// clipped is text up to a bound. What comes after it is counted.
type clipped struct {
	b    strings.Builder
	most int // bytes, 0 for maxText
	left int
	cut  bool
}

func (c *clipped) add(text string) {
	if c.cut {
		c.left += len(text)
		return
	}
	if c.b.Len() > 0 {
		c.b.WriteByte('\n')
	}
	if room := cmp.Or(c.most, maxText) - c.b.Len(); len(text) > room {
		c.cut, c.left = true, len(text)-max(0, room)
		text = tools.Clip(text, max(0, room))
	}
	c.b.WriteString(text)
}

func (c *clipped) note(format string, args ...any) {
	c.add(tools.CleanLine(tools.Clip(fmt.Sprintf(format, args...), 500)))
}

func (c *clipped) String() string {
	if c.left > 0 {
		return fmt.Sprintf("%s\n[%d more bytes are left out]", c.b.String(), c.left)
	}
	return c.b.String()
}

// routes bring what a server says of a running call to that call.
type routes struct {
	mu      sync.Mutex // guards what follows, and is held while a report is made
	last    int
	reports map[string]*route
}

// A route is a call to the server of a link, and whom to tell of it.
type route struct {
	link   *link
	report func(tools.Progress)
	told   time.Time // when it was told last
	ended  bool      // and that it was the end
}

// often is how long a call is not told of more progress: a server may send it a
// thousand times a second.
const often = 100 * time.Millisecond

// open returns the token of a call, and what to call at its end: no report comes
// after that.
func (r *routes) open(l *link, report func(tools.Progress)) (token string, stop func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	token = fmt.Sprintf("zuno-%d", r.last)
	if r.reports == nil {
		r.reports = map[string]*route{}
	}
	r.reports[token] = &route{link: l, report: report}
	return token, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.reports, token)
	}
}

func (r *routes) tell(p *sdk.ProgressNotificationParams) {
	token, _ := p.ProgressToken.(string)
	r.mu.Lock()
	defer r.mu.Unlock()
	to, is := r.reports[token]
	end := p.Total > 0 && p.Progress >= p.Total
	if !is || time.Since(to.told) < often && (!end || to.ended) {
		return
	}
	to.told, to.ended = time.Now(), end
	text := fmt.Sprintf("%g", p.Progress)
	if p.Total > 0 {
		text = fmt.Sprintf("%g of %g", p.Progress, p.Total)
	}
	if p.Message != "" {
		text += " " + p.Message
	}
	to.report(tools.Progress{Text: tools.CleanLine(tools.Clip(text, 200))})
}

// tellAll tells every call to the server of l.
func (r *routes) tellAll(l *link, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, to := range r.reports {
		if to.link == l {
			to.report(tools.Progress{Text: text})
		}
	}
}
