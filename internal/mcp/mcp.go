// Package mcp offers the tools of MCP servers as tools. A server is connected to
// when one of its tools is used for the first time; what it offers is known
// before that from a cache. Nothing that a server says of itself is believed:
// its tools have effects, are high-risk and run alone until the person says
// otherwise of one definition of one tool, and what it says of them is shown as
// its words.
//
// One [Client] holds one link for each server. A link connects, lists what the
// server offers, starts it again after a pause when it has died, and ends it. A
// server that hangs, floods or lies keeps nobody else waiting.
package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Server is the definition of one server. Its texts may hold ${VAR} and
// ${VAR:-default}, which are replaced when it is connected to.
type Server struct {
	Name string
	// From says, for people, where it is defined.
	From string
	// Command is the program of a local server with its arguments, Env what it
	// gets beside the environment of every child, and Dir its working directory,
	// absolute.
	Command []string
	Env     map[string]string
	Dir     string
	// URL is the address of a remote server; Headers are sent with every request.
	// SSE says that it speaks the older of the two remote transports.
	URL     string
	Headers map[string]string
	SSE     bool
	// Wait is how long anybody waits for the server to be ready, 0 for 10 s; Limit
	// is how long one call may take, 0 for the default of tools.
	Wait, Limit time.Duration
	// Only names the tools on offer, nil for all of them; Except those that are
	// not. The names are the server's own.
	Only, Except []string
	// OAuth is how to log in to a remote server.
	OAuth OAuth
}

// A Launch is the program of a local server, ready to be started.
type Launch struct {
	Argv   []string
	Dir    string
	Env    []string
	Stderr io.Writer // is written to from one goroutine
}

// A Process is a started program. Stop ends it and all that it started, and
// waits; Exited is closed when that has happened, and Status says how.
type Process struct {
	In     io.WriteCloser
	Out    io.ReadCloser
	Exited <-chan struct{}
	Stop   func() error
	Status func() string
}

// Config is what a Client is made of.
type Config struct {
	Servers []Server
	// Version is zuno's, which servers are told.
	Version string
	// Launch starts the program of a local server.
	Launch func(Launch) (*Process, error)
	// Env is the environment of every child, and Lookup looks up the variable of a
	// ${VAR} in that of zuno itself.
	Env    []string
	Lookup func(name string) (string, bool)
	// Cache is the folder for what is known of servers; "" keeps nothing.
	Cache string
	// Connections is how many servers are connected to at the same time.
	Connections int
	// Escape makes a server's words safe to stand among those of zuno.
	Escape func(string) string
	// Ratified says what the person has ratified a tool as, by its key; nil means
	// that nothing is. It is called on the goroutine of the turn.
	Ratified func(key string) (Class, error)
	// Ask puts a server's question, as a proposal with rows, to the person; nil
	// where there is nobody: then servers are told that they cannot ask for values,
	// and the pages that they want visited are declined.
	Ask func(ctx context.Context, p *tools.Proposal) (tools.Decision, error)
	// Open opens an address in the person's browser, and Copy puts it where they
	// can paste it from; each is called after they chose it for that address, and
	// nil where it cannot be done.
	Open func(ctx context.Context, address string) error
	Copy func(text string) error
	// Said tells whoever reads the output, in one line, what a server wanted that
	// nobody was there for; nil tells nobody.
	Said func(line string)
	// Logins keep the logins to remote servers; nil where there are none, and then
	// servers are told nothing but their headers.
	Logins Logins
	// Clean takes secrets out of what is shown or kept of what a server or its
	// program said went wrong; nil takes none out.
	Clean func(string) string
	// Note is told what becomes of connections, and what the programs of local
	// servers write to their standard error. It is called from several goroutines.
	// Nil when nobody wants to know.
	Note func(Note)
}

// A Note is something that happened between zuno and a server.
type Note struct {
	Server string
	What   string // such as "connected"
	Text   string // an error, or a line of the server's; "" for none
	Took   time.Duration
}

// How long things may take.
const (
	wait       = 10 * time.Second // for a server to be ready
	patience   = 3 * time.Second  // for servers that are tried for the first time, before anybody needs them
	startLimit = 60 * time.Second // for a server to be ready at all
	refresh    = 2 * time.Second  // for a changed list, before a request to the model
)

// A Client holds the links to all servers. It may be used from any goroutine.
type Client struct {
	conf   Config
	links  []*link
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	slots  chan struct{} // holds a token for each connection being made
	work   sync.WaitGroup
	routes routes
	visits visits

	mu   sync.Mutex // guards made
	made surface
}

// New returns a Client that knows what the cache knows. It starts nothing.
func New(c Config) *Client {
	if c.Escape == nil {
		c.Escape = tools.Clean
	}
	if c.Lookup == nil {
		c.Lookup = func(string) (string, bool) { return "", false }
	}
	cl := &Client{conf: c, slots: make(chan struct{}, max(1, c.Connections))}
	cl.ctx, cl.cancel = context.WithCancel(context.Background())
	for _, s := range c.Servers {
		l := &link{client: cl, server: s, hash: s.hash(c.Lookup)}
		l.remember(c.Cache)
		cl.links = append(cl.links, l)
	}
	return cl
}

// Discover connects, in the background, to the servers of which nothing is
// known yet.
func (c *Client) Discover() {
	for _, l := range c.links {
		if l.listing() == nil {
			_, _ = l.begin() // why not is told to whoever uses it
		}
	}
}

// Await waits until what is being discovered is known, for a moment only, and no
// longer than ctx lasts: a server that hangs must not hold up what does not need
// it. One that is not ready by then is waited for in the background, now and at
// later starts.
func (c *Client) Await(ctx context.Context) {
	began := time.Now()
	for _, l := range c.links {
		a := l.attempting()
		if a == nil || l.late() {
			continue
		}
		limit := min(l.server.wait(), patience)
		timer := time.NewTimer(limit - time.Since(began))
		select {
		case <-a.done:
		case <-timer.C:
			l.tardy(fmt.Sprintf("it was not ready after %s", limit))
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// Connect connects to the server called name and returns what it offers.
func (c *Client) Connect(ctx context.Context, name string) (*Listing, error) {
	l := c.link(name)
	if l == nil {
		return nil, errors.New("there is no server of that name")
	}
	if _, err := l.connect(ctx); err != nil {
		return nil, err
	}
	return l.listing(), nil
}

func (c *Client) link(name string) *link {
	for _, l := range c.links {
		if l.server.Name == name {
			return l
		}
	}
	return nil
}

// Close ends every connection and every server that it started, all at once,
// and waits.
func (c *Client) Close() error {
	c.cancel()
	var all sync.WaitGroup
	errs := make([]error, len(c.links))
	for i, l := range c.links {
		all.Go(func() { errs[i] = l.close() })
	}
	all.Wait()
	c.work.Wait()
	return errors.Join(errs...)
}
