package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/sourcegraph/jsonrpc2"
)

type position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // from 0, in UTF-16 code units
}

type span struct{ Start, End position }

// A location is a Location or a LocationLink of the protocol.
type location struct {
	URI       string
	Range     span
	TargetURI string
	Selection span `json:"targetSelectionRange"`
}

type diagnostic struct {
	Range    span
	Severity int
	Code     any
	Source   string
	Message  string
}

// A symbol is a DocumentSymbol, a SymbolInformation or a WorkspaceSymbol.
type symbol struct {
	Name, Detail, ContainerName string
	Kind                        int
	Selection                   span `json:"selectionRange"`
	Location                    *location
	Children                    []symbol
}

// ask answers one call. The server is told what changed, then asked.
func (l *link) ask(ctx context.Context, place Place, a args) (text string, cut bool, err error) {
	conn, params, err := l.prepare(ctx, place, a)
	if err != nil {
		return "", false, err
	}
	r := renderer{root: l.client.conf.Root}
	call := func(method string, result any) error {
		err := conn.Call(ctx, method, params, result)
		var e *jsonrpc2.Error
		if errors.As(err, &e) && e.Code == jsonrpc2.CodeMethodNotFound {
			return errors.New("it cannot do that")
		}
		if p := l.running(); p != nil {
			return ended(p, err)
		}
		return err
	}
	switch a.Action {
	case "definition", "references":
		var raw json.RawMessage
		if err := call("textDocument/"+a.Action, &raw); err != nil {
			return "", false, err
		}
		list, err := locations(raw)
		if err != nil {
			return "", false, err
		}
		r.locations(list)
	case "hover":
		var h *struct{ Contents json.RawMessage }
		if err := call("textDocument/hover", &h); err != nil {
			return "", false, err
		}
		if h != nil {
			r.line(strings.TrimSpace(marked(h.Contents)))
		}
	case "documentSymbol":
		var list []symbol
		if err := call("textDocument/documentSymbol", &list); err != nil {
			return "", false, err
		}
		r.symbols(place.Real, list, 0)
	case "workspaceSymbol":
		var list []symbol
		if err := call("workspace/symbol", &list); err != nil {
			return "", false, err
		}
		r.symbols("", list, 0)
	case "diagnostics":
		list, ok := l.diagnostics(ctx, conn, uriOf(place.Real))
		if !ok {
			return "the server said nothing about this file in " + patience.String() + "; it may still be loading", false, ctx.Err()
		}
		r.diagnostics(place.Real, list)
	}
	text, cut = r.text("nothing found")
	return text, cut, nil
}

// prepare starts the server, tells it what changed and returns the parameters of
// the request.
func (l *link) prepare(ctx context.Context, place Place, a args) (*jsonrpc2.Conn, map[string]any, error) {
	if err := l.lock(ctx); err != nil {
		return nil, nil, err
	}
	defer l.unlock()
	if err := l.start(ctx); err != nil {
		return nil, nil, err
	}
	if err := l.refresh(ctx); err != nil {
		return nil, nil, err
	}
	if a.Action == "workspaceSymbol" {
		return l.conn, map[string]any{"query": a.Query}, nil
	}
	text, err := l.open(ctx, place.Real)
	if err != nil {
		return nil, nil, err
	}
	params := map[string]any{"textDocument": map[string]any{"uri": uriOf(place.Real)}}
	if a.Line > 0 {
		at, err := locate(text, a)
		if err != nil {
			return nil, nil, err
		}
		params["position"] = at
	}
	if a.Action == "references" {
		params["context"] = map[string]any{"includeDeclaration": true}
	}
	return l.conn, params, nil
}

// locate turns a line and a column, or a name on the line, into a position.
func locate(text string, a args) (position, error) {
	lines := strings.Split(text, "\n")
	if a.Line > len(lines) {
		return position{}, fmt.Errorf("the file has %d lines, there is no line %d", len(lines), a.Line)
	}
	line := strings.TrimSuffix(lines[a.Line-1], "\r")
	before := line
	if a.Symbol != "" {
		i := strings.Index(line, a.Symbol)
		if i < 0 {
			return position{}, fmt.Errorf("%q does not stand on line %d", a.Symbol, a.Line)
		}
		before = line[:i]
	} else if runes := []rune(line); a.Column > 0 {
		if a.Column > len(runes)+1 {
			return position{}, fmt.Errorf("line %d has %d characters, there is no column %d", a.Line, len(runes), a.Column)
		}
		before = string(runes[:a.Column-1])
	}
	return position{a.Line - 1, len(utf16.Encode([]rune(before)))}, nil
}

// How long diagnostics are waited for, and for how long nothing more has to come.
const (
	patience = 20 * time.Second
	settled  = 500 * time.Millisecond
)

// diagnostics returns the newest that the server said of a file, once it has
// said something and then nothing for a moment.
func (l *link) diagnostics(ctx context.Context, conn *jsonrpc2.Conn, uri string) ([]diagnostic, bool) {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		l.mu.Lock()
		list, ok := l.found[uri]
		news := l.news
		l.mu.Unlock()
		var quiet <-chan time.Time
		if ok {
			quiet = time.After(settled)
		}
		select {
		case <-news:
		case <-quiet:
			return list, true
		case <-conn.DisconnectNotify():
			return list, ok
		case <-deadline.C:
			return list, ok
		case <-ctx.Done():
			return nil, false
		}
	}
}

// locations reads one location, a list of them, or null.
func locations(raw json.RawMessage) ([]location, error) {
	var list []location
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] == '{' {
		raw = json.RawMessage("[" + string(raw) + "]")
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, errors.New("its answer has an unknown form")
	}
	for i, l := range list {
		if l.TargetURI != "" {
			list[i].URI, list[i].Range = l.TargetURI, l.Selection
		}
	}
	return list, nil
}

// marked is the text of a MarkupContent, a MarkedString or a list of those.
func marked(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var m struct{ Value string }
	if json.Unmarshal(raw, &m) == nil {
		return m.Value
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var parts []string
	for _, x := range list {
		if len(x) > 0 && x[0] != '[' {
			parts = append(parts, marked(x))
		}
	}
	return strings.Join(parts, "\n")
}
