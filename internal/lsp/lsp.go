// Package lsp is the tool lsp: it asks the language servers that are configured
// where things are defined and used, and what is wrong. A server is started when
// it is first needed, among the processes of the session, and only asked.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Server is one that is configured.
type Server struct {
	Name    string
	Command []string // the program and its arguments
	// Extensions are those of the files that it knows, such as ".go".
	Extensions []string
	// Options are its initializationOptions as JSON; nil for none.
	Options json.RawMessage
}

// A Launch is a program to be started.
type Launch struct {
	Argv []string
	Dir  string
}

// A Process is one that was started. Out is closed here.
type Process struct {
	In, Out *os.File
	Exited  <-chan struct{}
	Stop    func() error
	Status  func() string
}

// A Place is a file that a path means. Manual, when not "", says why only a
// person may allow to read it.
type Place struct{ Name, Real, Manual string }

// Config is what the tool needs.
type Config struct {
	Root    string // the real, absolute path of the workspace
	Servers []Server
	Resolve func(path string) (Place, error)
	Launch  func(Launch) (*Process, error)
	// Requests bounds how many requests run at once.
	Requests int
}

// A Client keeps the servers of a session. Close ends them.
type Client struct {
	conf  Config
	slots chan struct{}

	mu    sync.Mutex // guards links
	links map[string]*link
}

// New returns a client that has started nothing.
func New(c Config) *Client {
	return &Client{conf: c, slots: make(chan struct{}, max(1, c.Requests)), links: map[string]*link{}}
}

// Close ends what was started.
func (c *Client) Close() error {
	c.mu.Lock()
	links := c.links
	c.links = map[string]*link{}
	c.mu.Unlock()
	var errs error
	for _, l := range links {
		errs = errors.Join(errs, l.close())
	}
	return errs
}

type args struct {
	Action   string `json:"action" doc:"definition, references and hover: of what stands at line and column, or of symbol on that line. documentSymbol: what a file defines. workspaceSymbol: what the workspace defines that matches query. diagnostics: what is wrong in a file" enum:"definition,references,hover,documentSymbol,workspaceSymbol,diagnostics"`
	FilePath string `json:"filePath,omitempty" doc:"The file, absolute or relative to the workspace; for workspaceSymbol any file of the language that is meant; without one every language is asked"`
	Line     int    `json:"line,omitempty" doc:"Line, counted from 1"`
	Column   int    `json:"column,omitempty" doc:"Character of the line, counted from 1"`
	Symbol   string `json:"symbol,omitempty" doc:"In place of column: a name that stands on the line"`
	Query    string `json:"query,omitempty" doc:"Name, or a part of one, for workspaceSymbol"`
}

// Tool returns the tool.
func (c *Client) Tool() tools.Tool {
	spec := tools.Spec{
		Name:        "lsp",
		Description: "Ask a language server about code: definitions, references, types and documentation, symbols, diagnostics. Places come as path:line:column. Nothing is changed. Which languages there are is the user's configuration.",
		Effect:      tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk, Timeout: time.Minute,
	}
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a args) (*tools.Proposal, error) { return c.propose(a) })
}

func invalid(format string, a ...any) error {
	return tools.Refuse(tools.InvalidArguments, "invalid arguments: "+format, a...)
}

func (c *Client) propose(a args) (*tools.Proposal, error) {
	if a.Action == "workspaceSymbol" && strings.TrimSpace(a.Query) == "" {
		return nil, invalid("workspaceSymbol needs a query")
	}
	if a.Action != "workspaceSymbol" && a.FilePath == "" {
		return nil, invalid("%s needs filePath", a.Action)
	}
	if slices.Contains([]string{"definition", "references", "hover"}, a.Action) && (a.Line < 1 || a.Column < 1 && a.Symbol == "" || a.Column > 0 && a.Symbol != "") {
		return nil, invalid("%s needs line, and column or symbol", a.Action)
	}
	servers, err := c.servers(a.FilePath)
	if err != nil {
		return nil, err
	}
	p := &tools.Proposal{Summary: tools.CleanLine(tools.Clip(strings.TrimSpace(a.Action+" "+a.Query), 120))}
	var place Place
	if a.FilePath != "" {
		if place, err = c.conf.Resolve(a.FilePath); err != nil {
			return nil, err
		}
		p.Subjects, p.Manual = []string{place.Name}, place.Manual
		p.Summary += " " + tools.CleanLine(place.Name)
		if a.Line > 0 {
			p.Summary += fmt.Sprintf(":%d", a.Line)
		}
	}
	p.Do = func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
		return c.all(ctx, servers, place, a)
	}
	return p, nil
}

// servers returns the one that knows a file; without a file, all.
func (c *Client) servers(path string) ([]Server, error) {
	if len(c.conf.Servers) == 0 {
		return nil, tools.Refuse(tools.Unavailable, "no language server is configured: the user adds one under lsp in zuno.json")
	}
	if path == "" {
		return c.conf.Servers, nil
	}
	for _, s := range c.conf.Servers {
		if slices.Contains(s.Extensions, filepath.Ext(path)) {
			return []Server{s}, nil
		}
	}
	return nil, tools.Refuse(tools.Unavailable, "no language server is configured for %s", tools.CleanLine(filepath.Base(path)))
}

// all asks every one of servers at once. What one of several found stands below
// its name, and so does what kept it from answering: the others' answers count.
func (c *Client) all(ctx context.Context, servers []Server, place Place, a args) tools.Outcome {
	if len(servers) == 1 {
		return c.do(ctx, servers[0], place, a)
	}
	outs := make([]tools.Outcome, len(servers))
	var asked sync.WaitGroup
	for i, s := range servers {
		asked.Go(func() { outs[i] = c.do(ctx, s, place, a) })
	}
	asked.Wait()
	whole := outs[0]
	texts := make([]string, len(outs))
	for i, o := range outs {
		texts[i] = "[" + tools.CleanLine(servers[i].Name) + "]\n" + o.Text
		whole.Truncated = whole.Truncated || o.Truncated
		if o.Kind == tools.Cancelled || o.Kind == tools.OK && whole.Kind != tools.Cancelled {
			whole.Kind, whole.Started = o.Kind, o.Started
		}
	}
	whole.Text = strings.Join(texts, "\n\n")
	return whole
}

func (c *Client) do(ctx context.Context, server Server, place Place, a args) tools.Outcome {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return stopped(ctx, server)
	}
	l := c.link(server)
	text, cut, err := l.ask(ctx, place, a)
	switch {
	case ctx.Err() != nil:
		return stopped(ctx, server)
	case err != nil:
		return tools.Outcome{Kind: tools.Error, Text: fmt.Sprintf("ask the language server %s: %s", server.Name, tools.Clip(err.Error(), 1000))}
	}
	return tools.Outcome{Kind: tools.OK, Text: text, Truncated: cut}
}

func stopped(ctx context.Context, s Server) tools.Outcome {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return tools.Outcome{Kind: tools.Error, Text: "the language server " + s.Name + " did not answer in time; a large workspace may still be loading"}
	}
	return tools.Outcome{Kind: tools.Cancelled, Text: "stopped while the language server " + s.Name + " was asked"}
}

func (c *Client) link(s Server) *link {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, ok := c.links[s.Name]
	if !ok {
		l = &link{client: c, server: s, turn: make(chan struct{}, 1)}
		c.links[s.Name] = l
	}
	return l
}
