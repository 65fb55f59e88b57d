// Package page holds create_web_app, which writes one HTML page that needs
// nothing else, and has the person asked whether to open it. The page goes
// through the engine that writes all files; no browser is started but by the
// person's answer on a card.
package page

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/tools"
)

// The bounds of a call: characters of a title, bytes of a page, and pixels.
const (
	maxTitle   = 120
	maxPage    = 1 << 20
	minSide    = 200
	maxSide    = 2000
	wideEnough = 800
	highEnough = 600
)

// Config is what the tool needs.
type Config struct {
	// Put proposes to write a file, and returns its absolute path.
	Put func(path, content string) (p *tools.Proposal, real string, err error)
	// Browser returns the program that opens a page and its arguments before the
	// address, or an error that says why there is none. Nil means that nobody is
	// here who could agree to open one.
	Browser func() ([]string, error)
	// Open starts that program, and leaves it running.
	Open func(ctx context.Context, argv []string) error
}

type createArgs struct {
	HTML   string `json:"html" doc:"The whole page, with its styles, its scripts and its pictures (as data: addresses) in it"`
	Title  string `json:"title" doc:"What it is called, at most 120 characters; the file is named after it"`
	Mode   string `json:"mode" enum:"static,interactive" doc:"static: no scripts; interactive: scripts in the page run when it is opened"`
	Width  *int   `json:"width,omitempty" doc:"pixels that it is laid out for, 200 to 2000; 800 when left out"`
	Height *int   `json:"height,omitempty" doc:"the same, downwards; 600 when left out"`
}

// Name is what the tool is called.
const Name = "create_web_app"

const doc = `Write one HTML page that stands alone, such as a chart, a report, a diagram or a small program, as a file in the workspace that is named after the title.

Everything is in the page: what would be loaded from elsewhere is refused, and a policy in the page has browsers load nothing. The user is offered to open it; it is never opened by itself. A page of that name that exists must have been read before, and is replaced as a whole.`

// New returns the tool.
func New(c Config) tools.Tool {
	spec := tools.Spec{
		Name: Name, Description: doc,
		Effect: tools.SideEffecting, Replay: tools.Never, Concurrency: tools.Exclusive, Risk: tools.Low,
	}
	return tools.New(spec, func(_ context.Context, spec tools.Spec, a createArgs) (*tools.Proposal, error) {
		w, err := a.webApp()
		if err != nil {
			return nil, err
		}
		p, path, err := c.Put(w.file, w.text)
		if err != nil {
			return nil, err
		}
		if p.Spec = spec; replaces(p) {
			p.Spec.Risk = tools.High // as for any file that is replaced
		}
		p.Preview = append(p.Preview, w.facts())
		p.Edit = &tools.Edit{Arg: "html", What: "the page " + w.file, Name: w.file}
		write := p.Do
		p.Do = func(ctx context.Context, choice string, report func(tools.Progress)) tools.Outcome {
			o := write(ctx, choice, report)
			if o.Kind == tools.OK {
				c.told(&o, p, w, path)
			}
			return o
		}
		return p, nil
	})
}

// replaces reports whether p writes over what is there.
func replaces(p *tools.Proposal) bool {
	for _, t := range p.Touches {
		if t.Before.Kind == tools.Regular {
			return true
		}
	}
	return false
}

// A webApp is a page that was worked out.
type webApp struct {
	title, file   string
	interactive   bool
	width, height int
	text          string
	names         []string // addresses that its scripts name
}

// webApp checks the arguments and makes the page.
func (a createArgs) webApp() (webApp, error) {
	w := webApp{title: strings.TrimSpace(a.Title), interactive: a.Mode == "interactive", width: wideEnough, height: highEnough}
	for _, side := range []struct {
		name  string
		given *int
		to    *int
	}{{"width", a.Width, &w.width}, {"height", a.Height, &w.height}} {
		if side.given == nil {
			continue
		}
		if *side.to = *side.given; *side.to < minSide || *side.to > maxSide {
			return w, tools.Refuse(tools.InvalidArguments, "%s must be %d to %d, not %d", side.name, minSide, maxSide, *side.to)
		}
	}
	n := utf8.RuneCountInString(w.title)
	w.file = fileName(w.title)
	switch {
	case n == 0 || n > maxTitle || strings.ContainsFunc(w.title, unicode.IsControl):
		return w, tools.Refuse(tools.InvalidArguments, "title must be one line of 1 to %d characters", maxTitle)
	case w.file == "":
		return w, tools.Refuse(tools.InvalidArguments, "title has no letter or digit that a file could be named by")
	case strings.TrimSpace(a.HTML) == "":
		return w, tools.Refuse(tools.InvalidArguments, "html is blank: give the whole page")
	case len(a.HTML) > maxPage:
		return w, tools.Refuse(tools.InvalidArguments, "html has %d bytes, at most %d are allowed", len(a.HTML), maxPage)
	case strings.ContainsRune(a.HTML, 0):
		return w, tools.Refuse(tools.InvalidArguments, "html has a NUL byte in it")
	}
	found := inspect(a.HTML, w.interactive)
	if len(found.problems) > 0 {
		return w, tools.Refuse(tools.InvalidArguments, "%s", found.refusal())
	}
	w.names = found.addresses
	w.text = complete(strings.TrimPrefix(a.HTML, "\ufeff"), w)
	return w, nil
}

// maxName bounds the name of a file, in characters without its ending.
const maxName = 60

// fileName is the name of the file of a page: the letters and digits of its
// title, in small letters, with one hyphen for whatever stands between them.
// It is "" for a title that has neither.
func fileName(title string) string {
	var b strings.Builder
	n := 0
	gap := false
	for _, r := range strings.ToLower(title) {
		switch {
		case n == maxName:
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && n > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			n, gap = n+1, false
		default:
			gap = true
		}
	}
	if n == 0 {
		return ""
	}
	return b.String() + ".html"
}

// facts is what a person should know of the page beside its text.
func (w webApp) facts() tools.Section {
	rows := []string{
		"title\t" + tools.CleanLine(w.title),
		fmt.Sprintf("laid out for\t%d × %d", w.width, w.height),
		"scripts\tnone, and its policy lets none run",
		"loads\tnothing: everything is in the page",
	}
	if w.interactive {
		rows[2] = "scripts\trun when it is opened"
	}
	for _, a := range w.names {
		rows = append(rows, "a script names\t"+tools.CleanLine(tools.Clip(a, 120))+"; its policy lets it load nothing from there")
	}
	return tools.Section{Kind: tools.Table, Body: strings.Join(rows, "\n")}
}
