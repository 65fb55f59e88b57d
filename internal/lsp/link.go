package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// A link is one server and what it was told.
type link struct {
	client *Client
	server Server
	// turn is held while the server is started or told about files.
	turn chan struct{}

	conn  *jsonrpc2.Conn       // nil when it does not run; guarded by turn, as what follows
	docs  map[string]*document // by real path
	files map[string]stamp

	mu    sync.Mutex // guards what follows
	proc  *Process   // nil when it does not run
	found map[string][]diagnostic
	news  chan struct{} // closed when found changes
}

// lock takes the turn, unless ctx ends first.
func (l *link) lock(ctx context.Context) error {
	select {
	case l.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *link) unlock() { <-l.turn }

// close ends the server also while somebody is talking to it and holds the
// turn.
func (l *link) close() error {
	var err error
	if p := l.running(); p != nil {
		err = p.Stop()
	}
	l.turn <- struct{}{}
	defer l.unlock()
	return errors.Join(err, l.end())
}

func (l *link) running() *Process {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.proc
}

// end stops the server, if it runs.
func (l *link) end() error {
	p := l.running()
	if p == nil {
		return nil
	}
	err := p.Stop()
	if l.conn != nil {
		_ = l.conn.Close() // closes the pipes; it may have ended by itself
		<-l.conn.DisconnectNotify()
	}
	l.mu.Lock()
	l.proc = nil
	l.mu.Unlock()
	l.conn = nil
	return err
}

// start starts the server where it does not run, and greets it.
func (l *link) start(ctx context.Context) error {
	if l.conn != nil {
		select {
		case <-l.conn.DisconnectNotify():
			if err := l.end(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	p, err := l.client.conf.Launch(Launch{Argv: l.server.Command, Dir: l.client.conf.Root})
	if err != nil {
		return fmt.Errorf("start %s: %w", l.server.Command[0], err)
	}
	l.docs, l.files = map[string]*document{}, nil
	l.mu.Lock()
	l.proc = p
	l.found, l.news = map[string][]diagnostic{}, make(chan struct{})
	l.mu.Unlock()
	// The connection lives longer than the call that began it.
	l.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipes{p.Out, p.In}, codec{}), jsonrpc2.HandlerWithError(l.handle), jsonrpc2.SetLogger(quiet{}))
	root := uriOf(l.client.conf.Root)
	hello := map[string]any{
		"processId": os.Getpid(), "rootUri": root, "workspaceFolders": []map[string]string{{"uri": root, "name": "workspace"}},
		"clientInfo": map[string]string{"name": "zuno"},
		"capabilities": map[string]any{
			"textDocument": map[string]any{
				"hover":              map[string]any{"contentFormat": []string{"plaintext", "markdown"}},
				"documentSymbol":     map[string]any{"hierarchicalDocumentSymbolSupport": true},
				"definition":         map[string]any{"linkSupport": true},
				"publishDiagnostics": map[string]any{"versionSupport": true},
			},
		},
	}
	if l.server.Options != nil {
		hello["initializationOptions"] = l.server.Options
	}
	if err := l.conn.Call(ctx, "initialize", hello, nil); err != nil {
		return errors.Join(fmt.Errorf("greet it: %w", ended(p, err)), l.end())
	}
	l.files = l.snapshot()
	return l.conn.Notify(ctx, "initialized", map[string]any{})
}

// ended says how the program ended, where err is that of a connection that has.
func ended(p *Process, err error) error {
	if !errors.Is(err, jsonrpc2.ErrClosed) {
		return err
	}
	select {
	case <-p.Exited:
		return errors.New("the program ended: " + p.Status())
	case <-time.After(time.Second):
		return errors.New("it closed the connection, or sent what is no message")
	}
}

// handle answers what the server asks. It gets nothing done: it was asked to
// look.
func (l *link) handle(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	switch r.Method {
	case "textDocument/publishDiagnostics":
		var p struct {
			URI         string
			Diagnostics []diagnostic
		}
		if r.Params != nil && json.Unmarshal(*r.Params, &p) == nil {
			l.mu.Lock()
			if len(l.found) < maxFiles || l.found[p.URI] != nil {
				l.found[p.URI] = append([]diagnostic{}, p.Diagnostics[:min(len(p.Diagnostics), maxRows)]...)
			}
			close(l.news)
			l.news = make(chan struct{})
			l.mu.Unlock()
		}
		return nil, nil
	case "workspace/applyEdit":
		return map[string]any{"applied": false, "failureReason": "zuno only reads"}, nil
	case "workspace/configuration":
		var p struct{ Items []json.RawMessage }
		if r.Params == nil || json.Unmarshal(*r.Params, &p) != nil || len(p.Items) > 1000 {
			return []any{}, nil
		}
		return make([]any, len(p.Items)), nil
	case "workspace/workspaceFolders", "client/registerCapability", "client/unregisterCapability", "window/workDoneProgress/create", "window/showMessageRequest":
		return nil, nil
	}
	if r.Notif {
		return nil, nil
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "not supported: " + r.Method}
}

// pipes are both directions as one.
type pipes struct {
	io.Reader
	in *os.File
}

func (p pipes) Write(b []byte) (int, error) { return p.in.Write(b) }

// Close ends both directions.
func (p pipes) Close() error {
	out, _ := p.Reader.(*os.File)
	return errors.Join(p.in.Close(), out.Close())
}

// quiet drops what the library would print.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// uriOf is the file: address of an absolute path. That of a drive begins with a
// slash too.
func uriOf(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// pathOf is the path of a file: address, "" for any other.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || !strings.HasPrefix(u.Path, "/") {
		return ""
	}
	if p := filepath.FromSlash(u.Path[1:]); filepath.VolumeName(p) != "" {
		return p
	}
	return u.Path
}
