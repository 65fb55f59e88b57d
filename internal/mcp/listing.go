package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// The bounds of what is taken from one server.
const (
	maxTools       = 200
	maxPages       = 50
	maxOthers      = 500      // resources, templates and prompts, each
	maxDescription = 4 << 10  // bytes
	maxCached      = 16 << 20 // bytes
)

// A Listing is what a server offers, as it says.
type Listing struct {
	Tools     []Def
	Resources []Resource
	Prompts   []Prompt
	// Instructions are the server's words on how to use it.
	Instructions string
	// Left says, a line each, which tools were left out, and why.
	Left []string
	At   time.Time // when the server said so
}

// A Def is the definition of one tool.
type Def struct {
	Name        string // the server's own
	Title       string
	Description string
	Schema      json.RawMessage
	// Hints are the server's claims about the tool, as words.
	Hints []string
}

// hash tells the definition from every other of the same name.
func (d Def) hash() string { return sum(d.Name, d.Title, d.Description, string(d.Schema), d.Hints) }

// A Resource is something that can be read from a server. Template says that
// the URI has {parts} to be filled in.
type Resource struct {
	URI, Name, Description, MIME string
	Template                     bool
}

// list asks the server of session for all that it offers. Only the tools have to
// be had.
func list(ctx context.Context, session *sdk.ClientSession) (*Listing, error) {
	init := session.InitializeResult()
	l := &Listing{At: time.Now(), Instructions: init.Instructions}
	caps := init.Capabilities
	if caps == nil {
		caps = &sdk.ServerCapabilities{}
	}
	if caps.Tools != nil {
		if err := l.tools(ctx, session); err != nil {
			return nil, err
		}
	}
	if caps.Resources != nil {
		l.resources(ctx, session)
	}
	if caps.Prompts != nil {
		l.prompts(ctx, session)
	}
	return l, nil
}

func (l *Listing) tools(ctx context.Context, session *sdk.ClientSession) error {
	seen, asked := map[string]bool{}, map[string]bool{}
	params := &sdk.ListToolsParams{}
	for range maxPages {
		page, err := session.ListTools(ctx, params)
		if err != nil {
			if said, is := answer(err); is && ctx.Err() == nil && len(asked) > 0 {
				l.Left = append(l.Left, "the rest of its list is left out: the server says "+tools.CleanLine(tools.Clip(said.Message, 200)))
				return nil
			}
			return fmt.Errorf("list its tools: %w", err)
		}
		for _, t := range page.Tools {
			switch {
			case t == nil:
			case strings.TrimSpace(t.Name) == "":
				l.Left = append(l.Left, "a tool without a name is left out")
			case seen[t.Name]:
				if !asked[page.NextCursor] { // else the whole page comes again
					l.Left = append(l.Left, fmt.Sprintf("the tool %s is listed twice; the first counts", short(t.Name)))
				}
			case len(l.Tools) >= maxTools:
				l.Left = append(l.Left, fmt.Sprintf("the tool %s is left out: a server may have %d", short(t.Name), maxTools))
			default:
				seen[t.Name] = true
				l.tool(t)
			}
		}
		if page.NextCursor == "" || asked[page.NextCursor] {
			return nil
		}
		asked[page.NextCursor] = true
		params.Cursor = page.NextCursor
	}
	l.Left = append(l.Left, fmt.Sprintf("its list has more than %d pages: the rest is left out", maxPages))
	return nil
}

func (l *Listing) tool(t *sdk.Tool) {
	schema, problem := repair(t.InputSchema)
	if t.Meta[onlyTask] == true {
		problem = "it can be called as a task only, which zuno does not do"
	}
	if problem != "" {
		l.Left = append(l.Left, fmt.Sprintf("the tool %s is left out: %s", short(t.Name), problem))
		return
	}
	d := Def{Name: t.Name, Title: t.Title, Description: tools.Clip(t.Description, maxDescription), Schema: schema}
	if a := t.Annotations; a != nil {
		if d.Title == "" {
			d.Title = a.Title
		}
		d.Hints = hints(a)
	}
	d.Title = tools.Clip(d.Title, 200)
	l.Tools = append(l.Tools, d)
}

func hints(a *sdk.ToolAnnotations) []string {
	var words []string
	for _, h := range []struct {
		yes  bool
		word string
	}{
		{a.ReadOnlyHint, "only reads"},
		{a.IdempotentHint, "can be repeated"},
		{a.DestructiveHint != nil && !*a.DestructiveHint, "destroys nothing"},
		{a.DestructiveHint != nil && *a.DestructiveHint, "may destroy"},
		{a.OpenWorldHint != nil && !*a.OpenWorldHint, "stays in its own world"},
		{a.OpenWorldHint != nil && *a.OpenWorldHint, "reaches the outside"},
	} {
		if h.yes {
			words = append(words, h.word)
		}
	}
	return words
}

// resources and prompts keep what they got when the server stops answering.
func (l *Listing) resources(ctx context.Context, session *sdk.ClientSession) {
	for r, err := range session.Resources(ctx, nil) {
		if err != nil || len(l.Resources) >= maxOthers {
			break
		}
		if r != nil {
			l.Resources = append(l.Resources, Resource{URI: r.URI, Name: r.Name, Description: tools.Clip(r.Description, 500), MIME: r.MIMEType})
		}
	}
	for r, err := range session.ResourceTemplates(ctx, nil) {
		if err != nil || len(l.Resources) >= 2*maxOthers {
			break
		}
		if r != nil {
			l.Resources = append(l.Resources, Resource{URI: r.URITemplate, Name: r.Name, Description: tools.Clip(r.Description, 500), MIME: r.MIMEType, Template: true})
		}
	}
}

func (l *Listing) prompts(ctx context.Context, session *sdk.ClientSession) {
	for p, err := range session.Prompts(ctx, nil) {
		if err != nil || len(l.Prompts) >= maxOthers {
			break
		}
		if p != nil {
			l.prompt(p)
		}
	}
}

// same reports whether o has the same tools, prompts and resources.
func (l *Listing) same(o *Listing) bool {
	return l != nil && slices.EqualFunc(l.Tools, o.Tools, func(a, b Def) bool { return a.hash() == b.hash() }) &&
		slices.EqualFunc(l.Prompts, o.Prompts, func(a, b Prompt) bool { return sum(a) == sum(b) }) && slices.Equal(l.Resources, o.Resources)
}

// find returns the tool of that name, or nil.
func (l *Listing) find(name string) *Def {
	if i := slices.IndexFunc(l.Tools, func(d Def) bool { return d.Name == name }); i >= 0 {
		return &l.Tools[i]
	}
	return nil
}

// A cached is the file that is kept of one definition of a server.
type cached struct {
	V       int      `json:"v"`
	Server  string   `json:"server"`
	Listing *Listing `json:"listing,omitempty"`
	// Late says that the server was not ready in time, and why.
	Late string `json:"late,omitempty"`
}

// cacheForm is the form of the file; what has another is as good as nothing.
const cacheForm = 2

func cacheFile(dir, hash string) string { return filepath.Join(dir, hash+".json") }

// readCache returns what is kept; what cannot be read is as good as nothing.
func readCache(dir, hash string) cached {
	var c cached
	if dir == "" {
		return c
	}
	info, err := os.Lstat(cacheFile(dir, hash))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxCached {
		return c
	}
	b, err := os.ReadFile(cacheFile(dir, hash))
	if err != nil || json.Unmarshal(b, &c) != nil || c.V != cacheForm {
		return cached{}
	}
	return c
}

// writeCache replaces what is kept, in one step.
func writeCache(dir, hash string, c cached) error {
	if dir == "" {
		return nil
	}
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*") // made with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), cacheFile(dir, hash))
	}
	if err != nil {
		if rerr := os.Remove(f.Name()); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}
	return err
}

// short is a name for a message.
func short(name string) string { return tools.CleanLine(tools.Clip(name, 80)) }
