package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	neturl "net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/reach"
)

// protocol is the version that servers are greeted in. A server may answer with
// an older one.
const protocol = "2025-11-25"

// dial connects to the server and asks for what it offers. Of a server that
// fails, nothing is left. One that refuses the version of the protocol instead of
// naming another, as it should, is greeted once more in one that it speaks.
func (l *link) dial(ctx context.Context) (*conn, *Listing, error) {
	c, offers, err := l.greet(ctx, protocol)
	if v := speaks(err); v != "" {
		return l.greet(ctx, v)
	}
	return c, offers, err
}

// speaks returns the newest version of the protocol that err names as one that a
// server would take, "" for none.
func speaks(err error) string {
	var v *versionError
	if !errors.As(err, &v) {
		return ""
	}
	for _, known := range sdk.SupportedProtocolVersions() { // the newest first
		if known < protocol && strings.Contains(v.said, known) {
			return known
		}
	}
	return ""
}

// A versionError is the error of a greeting that a server refused over the version
// of the protocol, and all that it said.
type versionError struct {
	error
	said string
}

func versionRefused(err error) (said string, is bool) {
	said = err.Error()
	var e *jsonrpc.Error
	if errors.As(err, &e) {
		said += string(e.Data)
	}
	return said, strings.Contains(strings.ToLower(said), "protocol version")
}

// greet connects in a version of the protocol.
func (l *link) greet(ctx context.Context, version string) (*conn, *Listing, error) {
	c := &conn{stderr: &tail{clean: l.client.conf.Clean}}
	if err := ctx.Err(); err != nil {
		return nil, nil, context.Cause(ctx)
	}
	transport, err := l.transport(c)
	if err != nil {
		return nil, nil, err
	}
	fail := func(err error) (*conn, *Listing, error) {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		status := ""
		switch {
		case c.session != nil:
			status = c.end()
		case c.pipe != nil:
			// A program that ended by itself says how; one that is ended here need not.
			select {
			case <-c.pipe.proc.Exited:
				if status = c.pipe.proc.Status(); status == endedHere {
					status = ""
				}
			case <-time.After(100 * time.Millisecond):
			}
			_ = c.pipe.Close()
		case c.lines != nil:
			c.lines.hangUp()
		}
		if said, is := versionRefused(err); is {
			return nil, nil, &versionError{c.explain(err, status), said}
		}
		return nil, nil, c.explain(err, status)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "zuno", Version: l.client.conf.Version}, l.options())
	client.AddReceivingMiddleware(l.receiving)
	session, release, err := connectWithin(ctx, client, transport, version)
	if err != nil {
		return fail(err)
	}
	c.session, c.release, c.since = session, release, time.Now()
	offers, err := list(ctx, session)
	if err != nil {
		return fail(err)
	}
	return c, offers, nil
}

// endedHere is the status of a program that was told to end, as the library does
// with one that it does not get on with.
const endedHere = "signal: terminated"

// connectWithin is client.Connect that returns when ctx ends. The session outlives
// ctx, also over the transport that lasts as long as the context that it was made
// with: that ends with release, which is to be called at the session's end.
func connectWithin(ctx context.Context, client *sdk.Client, t sdk.Transport, version string) (session *sdk.ClientSession, release func(), err error) {
	type result struct {
		s   *sdk.ClientSession
		err error
	}
	made, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan result, 1)
	go func() {
		s, err := client.Connect(made, t, &sdk.ClientSessionOptions{ProtocolVersion: version})
		done <- result{s, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			cancel()
		}
		return r.s, cancel, r.err
	case <-ctx.Done():
	}
	cancel()
	if p, local := t.(*pipe); local {
		_ = p.Close() // so that it returns
	}
	r := <-done
	if r.err == nil {
		_ = r.s.Close()
	}
	return nil, cancel, context.Cause(ctx)
}

func (l *link) options() *sdk.ClientOptions {
	o := &sdk.ClientOptions{
		Capabilities:                &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{URL: &sdk.URLElicitationCapabilities{}}},
		ElicitationHandler:          l.elicit,
		ElicitationCompleteHandler:  func(_ context.Context, r *sdk.ElicitationCompleteNotificationRequest) { l.visited(r.Params) },
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { l.client.routes.tell(r.Params) },
	}
	if l.server.URL != "" { // of a local one the pipe tells, in order
		o.ToolListChangedHandler = func(context.Context, *sdk.ToolListChangedRequest) { l.change() }
		o.PromptListChangedHandler = func(context.Context, *sdk.PromptListChangedRequest) { l.change() }
		o.ResourceListChangedHandler = func(context.Context, *sdk.ResourceListChangedRequest) { l.change() }
	}
	if l.client.conf.Ask != nil {
		o.Capabilities.Elicitation.Form = &sdk.FormElicitationCapabilities{}
	}
	return o
}

// transport prepares the way to the server; for a local one that starts its
// program.
func (l *link) transport(c *conn) (sdk.Transport, error) {
	conf, s := &l.client.conf, l.server
	if s.URL != "" {
		url, err := expand(s.URL, conf.Lookup)
		if err != nil {
			return nil, err
		}
		headers, err := expandAll(s.Headers, conf.Lookup)
		if err != nil {
			return nil, fmt.Errorf("the header %w", err)
		}
		c.lines = &lines{open: map[net.Conn]struct{}{}}
		to, err := neturl.Parse(url)
		if err != nil {
			return nil, fmt.Errorf("the address: %w", err)
		}
		client := &http.Client{Transport: sender{to, headers, c.lines.transport()}, CheckRedirect: sameHost}
		if s.SSE {
			return &sdk.SSEClientTransport{Endpoint: url, HTTPClient: client, MaxEventSize: maxLine}, nil
		}
		t := &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: client, MaxRetries: 2, MaxEventSize: maxLine}
		if _, err := s.LoginAddress(conf.Lookup); err == nil && conf.Logins != nil {
			t.OAuthHandler = &bearer{l, url}
		}
		return t, nil
	}
	launch := Launch{Dir: s.Dir, Env: conf.Env, Stderr: l.hearing(c.stderr)}
	for i, w := range s.Command {
		as := expand
		if i == 0 {
			as = expandPath
		}
		x, err := as(w, conf.Lookup)
		if err != nil {
			return nil, err
		}
		launch.Argv = append(launch.Argv, x)
	}
	own, err := expandAll(s.Env, conf.Lookup)
	if err != nil {
		return nil, fmt.Errorf("the environment variable %w", err)
	}
	launch.Env = with(conf.Env, own)
	if launch.Dir, err = expandPath(s.Dir, conf.Lookup); err != nil {
		return nil, err
	}
	l.note("program starts", launch.Argv[0], 0)
	p, err := conf.Launch(launch)
	if err != nil {
		if len(s.Command) == 1 && strings.ContainsAny(s.Command[0], " \t") {
			err = fmt.Errorf("%w (command is the program alone: its arguments belong into args)", err)
		}
		return nil, err
	}
	c.pipe = newPipe(p, l.change)
	c.pipe.clean = l.client.conf.Clean
	return c.pipe, nil
}

// with returns env with the variables of own over it.
func with(env []string, own map[string]string) []string {
	all := make([]string, 0, len(env)+len(own))
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		if _, replaced := own[name]; !replaced {
			all = append(all, e)
		}
	}
	for k, v := range own {
		all = append(all, k+"="+v)
	}
	return all
}

// lines are the network connections to one server, so that all of them can be
// hung up on when the server does not answer a farewell.
type lines struct {
	mu   sync.Mutex
	open map[net.Conn]struct{}
	down bool
}

func (l *lines) transport() *http.Transport {
	t := &http.Transport{ForceAttemptHTTP2: true, MaxIdleConns: 8, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: wait}
	reach.Through(t)
	t.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		var d net.Dialer
		c, err := d.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.down {
			return nil, errors.Join(errors.New("the connection has ended"), c.Close())
		}
		l.open[c] = struct{}{}
		return line{c, l}, nil
	}
	return t
}

// hangUp ends them all, and keeps new ones from being made.
func (l *lines) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = true
	for c := range l.open {
		c.Close()
	}
}

// A line is one of lines.
type line struct {
	net.Conn
	of *lines
}

func (l line) Close() error {
	l.of.mu.Lock()
	delete(l.of.open, l.Conn)
	l.of.mu.Unlock()
	return l.Conn.Close()
}

// sameHost keeps the headers, which may be secrets, from going elsewhere.
func sameHost(r *http.Request, via []*http.Request) error {
	if r.URL.Host != via[0].URL.Host || r.URL.Scheme != via[0].URL.Scheme || len(via) > 5 {
		return errors.New("it redirects to " + r.URL.Scheme + "://" + r.URL.Host + ": name that address in the configuration")
	}
	return nil
}

// plainError is err on one line, without what every error of the library begins
// with.
func plainError(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", ": ")
	for _, noise := range []string{`calling "initialize": `, `calling "tools/list": `, `calling "tools/call": `, `sending "initialize": `, `sending "tools/list": `, `sending "tools/call": `, "rejected by transport: ", "connection closed: "} {
		text = strings.ReplaceAll(text, noise, "")
	}
	if before, is := strings.CutSuffix(text, "EOF"); is && errors.Is(err, io.EOF) {
		text = before + errEnded.Error()
	}
	return text
}
