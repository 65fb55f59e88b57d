package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/goleak"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A fake is a language server in this process. What it is told is kept.
type fake struct {
	answers map[string]string // by method; "" leaves the request without an answer
	heard   chan string
}

func (f *fake) handle(_ context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	params := ""
	if r.Params != nil {
		params = string(*r.Params)
	}
	select {
	case f.heard <- r.Method + " " + params:
	default:
	}
	if r.Notif {
		return nil, nil
	}
	a, ok := f.answers[r.Method]
	switch {
	case !ok:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound}
	case a == "":
		<-conn.DisconnectNotify()
		return nil, errors.New("too late")
	}
	return json.RawMessage(a), nil
}

// launch runs f behind pipes.
func (f *fake) launch(t testing.TB) func(Launch) (*Process, error) {
	return func(Launch) (*Process, error) {
		inR, inW, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		outR, outW, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		exited := make(chan struct{})
		conn := jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipes{inR, outW}, codec{}), jsonrpc2.AsyncHandler(jsonrpc2.HandlerWithError(f.handle)), jsonrpc2.SetLogger(quiet{}))
		go func() {
			<-conn.DisconnectNotify()
			close(exited)
		}()
		t.Cleanup(func() { _ = conn.Close() })
		return &Process{In: inW, Out: outR, Exited: exited, Status: func() string { return "exit status 0" }, Stop: func() error {
			_ = conn.Close()
			<-exited
			return nil
		}}, nil
	}
}

func client(t testing.TB, root string, f *fake) *Client {
	if f.heard == nil {
		f.heard = make(chan string, 100)
	}
	c := New(Config{
		Root: root, Servers: []Server{{Name: "go", Command: []string{"gopls"}, Extensions: []string{".go"}}}, Requests: 2, Launch: f.launch(t),
		Resolve: func(p string) (Place, error) { return Place{Name: p, Real: filepath.Join(root, p)}, nil },
	})
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func ask(t *testing.T, c *Client, ctx context.Context, a string) tools.Outcome {
	t.Helper()
	p, err := c.Tool().Propose(ctx, tools.Call{ID: "1", Tool: "lsp", Args: json.RawMessage(a)})
	if err != nil {
		return tools.OutcomeOf(err)
	}
	return p.Execute(ctx, tools.Decision{Allowed: true}, nil)
}

func put(t testing.TB, root, name, text string) string {
	path := filepath.Join(root, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func realTemp(t testing.TB) string {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestAnswersBecomePlaces(t *testing.T) {
	root := realTemp(t)
	uri := uriOf(put(t, root, "a.go", "package a\n\nfunc Ä() {}\n"))
	const at = `{"start":{"line":2,"character":5},"end":{"line":2,"character":6}}`
	c := client(t, root, &fake{answers: map[string]string{
		"initialize":                  `{}`,
		"textDocument/definition":     `[{"targetUri":"` + uri + `","targetSelectionRange":` + at + `}]`,
		"textDocument/references":     `[{"uri":"` + uri + `","range":` + at + `},{"uri":"file:///etc/hosts","range":` + at + `},{"uri":"jar:x\u001b","range":` + at + `}]`,
		"textDocument/hover":          `{"contents":{"kind":"plaintext","value":"func Ä()\u001b[31m\n"}}`,
		"textDocument/documentSymbol": `[{"name":"Ä","detail":"func()","kind":12,"selectionRange":` + at + `,"children":[{"name":"b","kind":99,"selectionRange":` + at + `}]}]`,
		"workspace/symbol":            `[{"name":"Ä","kind":12,"containerName":"a","location":{"uri":"` + uri + `","range":` + at + `}}]`,
	}})
	for a, want := range map[string]string{
		`{"action":"definition","filePath":"a.go","line":3,"symbol":"Ä"}`: "a.go:3:6: func Ä() {}",
		`{"action":"references","filePath":"a.go","line":3,"column":6}`:   "a.go:3:6: func Ä() {}\n/etc/hosts:3:6\njar:x\\x1b",
		`{"action":"hover","filePath":"a.go","line":3,"column":6}`:        `func Ä()\x1b[31m`,
		`{"action":"documentSymbol","filePath":"a.go"}`:                   "a.go:3:6: function Ä (func())\n  a.go:3:6: symbol b",
		`{"action":"workspaceSymbol","query":"x"}`:                        "a.go:3:6: function Ä (a)",
	} {
		if out := ask(t, c, t.Context(), a); out.Kind != tools.OK || out.Text != want {
			t.Errorf("%s: %v %q, want %q", a, out.Kind, out.Text, want)
		}
	}
}

func TestTheServerIsToldWhatChanged(t *testing.T) {
	root := realTemp(t)
	put(t, root, "a.go", "package a\n")
	gone := put(t, root, "gone.go", "package a\n")
	f := &fake{answers: map[string]string{"initialize": `{}`, "textDocument/documentSymbol": `null`}}
	c := client(t, root, f)
	const symbols = `{"action":"documentSymbol","filePath":"a.go"}`
	if out := ask(t, c, t.Context(), symbols); out.Text != "nothing found" {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	put(t, root, "a.go", "package a // longer\n")
	put(t, root, "new.go", "package a\n")
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	ask(t, c, t.Context(), symbols)
	var all []string
	for len(f.heard) > 0 {
		all = append(all, <-f.heard)
	}
	told := strings.Join(all, "\n")
	uri := "file://" + root + "/"
	for _, want := range []string{
		"textDocument/didOpen", `"type":1,"uri":"` + uri + `new.go"`, `"type":2,"uri":"` + uri + `a.go"`, `"type":3,"uri":"` + uri + `gone.go"`, `"text":"package a // longer\n"`,
	} {
		if !strings.Contains(told, want) {
			t.Errorf("it was not told %s in\n%s", want, told)
		}
	}
}

func TestAServerThatDoesNotAnswerIsGivenUp(t *testing.T) {
	root := realTemp(t)
	put(t, root, "a.go", "package a\n")
	c := client(t, root, &fake{answers: map[string]string{"initialize": ""}})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if out := ask(t, c, ctx, `{"action":"documentSymbol","filePath":"a.go"}`); out.Kind != tools.Error || !strings.Contains(out.Text, "did not answer in time") {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if out := ask(t, c, ctx, `{"action":"documentSymbol","filePath":"a.go"}`); out.Kind != tools.Cancelled {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
}

func TestWhatCannotBeAskedIsRefused(t *testing.T) {
	c := client(t, realTemp(t), &fake{})
	for a, want := range map[string]string{
		`{"action":"hover","filePath":"a.go"}`:                                  "needs line",
		`{"action":"hover","filePath":"a.go","line":1}`:                         "column or symbol",
		`{"action":"hover","filePath":"a.go","line":1,"column":1,"symbol":"x"}`: "column or symbol",
		`{"action":"diagnostics"}`:                                              "filePath",
		`{"action":"workspaceSymbol"}`:                                          "query",
		`{"action":"rename","filePath":"a.go"}`:                                 "one of",
		`{"action":"diagnostics","filePath":"a.rs"}`:                            "no language server",
	} {
		if out := ask(t, c, t.Context(), a); out.Kind != tools.Blocked || !strings.Contains(out.Text, want) {
			t.Errorf("%s: %v %q", a, out.Kind, out.Text)
		}
	}
}

func TestEveryLanguageIsAskedForANameOfTheWorkspace(t *testing.T) {
	root := realTemp(t)
	uri := uriOf(put(t, root, "a.go", "package a\n"))
	found := &fake{answers: map[string]string{
		"initialize":       `{}`,
		"workspace/symbol": `[{"name":"A","kind":12,"location":{"uri":"` + uri + `","range":{"start":{"line":0,"character":0}}}}]`,
	}}
	unable := &fake{answers: map[string]string{"initialize": `{}`}}
	c := client(t, root, found)
	c.conf.Servers = append(c.conf.Servers, Server{Name: "c", Command: []string{"clangd"}, Extensions: []string{".c"}})
	c.conf.Launch = func(l Launch) (*Process, error) {
		if l.Argv[0] == "clangd" {
			return unable.launch(t)(l)
		}
		return found.launch(t)(l)
	}
	const query = `{"action":"workspaceSymbol","query":"a"}`
	want := "[go]\na.go:1:1: function A\n\n[c]\nask the language server c: it cannot do that"
	if out := ask(t, c, t.Context(), query); out.Kind != tools.OK || out.Text != want {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	if out := ask(t, c, t.Context(), `{"action":"workspaceSymbol","query":"a","filePath":"x.c"}`); out.Kind != tools.Error {
		t.Errorf("of one language: %v %q", out.Kind, out.Text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out := ask(t, c, ctx, query); out.Kind != tools.Cancelled {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
}

func TestPositionsAreCountedInUTF16(t *testing.T) {
	for _, c := range []struct {
		a    args
		want int
	}{{args{Line: 2, Column: 3}, 3}, {args{Line: 2, Symbol: "x"}, 3}, {args{Line: 2, Column: 4}, 4}, {args{Line: 1, Column: 1}, 0}} {
		if got, err := locate("a\n😀bx\r\n", c.a); err != nil || got.Character != c.want || got.Line != c.a.Line-1 {
			t.Errorf("%+v: %+v, %v", c.a, got, err)
		}
	}
	for _, a := range []args{{Line: 9, Column: 1}, {Line: 1, Column: 3}, {Line: 1, Symbol: "z"}} {
		if _, err := locate("a\nb", a); err == nil {
			t.Errorf("%+v has a place", a)
		}
	}
}

func TestItKeepsThePromises(t *testing.T) {
	toolstest.Run(t, toolstest.Case{
		Args:  `{"action":"hover","filePath":"a.go","line":1,"column":1}`,
		Setup: func(root string) { put(t, root, "a.go", "package a\n") },
		New: func(root string) tools.Tool {
			return client(t, root, &fake{answers: map[string]string{"initialize": `{}`, "textDocument/hover": `{"contents":["a",{"value":"b"}]}`}}).Tool()
		},
	})
}

func FuzzCodec(f *testing.F) {
	for _, s := range []string{"Content-Length: 2\r\n\r\n{}", "Content-Length: 99999999999\r\n\r\n", "content-length:2\n\n{}", "\n\n", strings.Repeat("x", 9000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var v any
		if err := (codec{}).ReadObject(bufio.NewReader(strings.NewReader(s)), &v); err == nil && !strings.Contains(strings.ToLower(s), "content-length") {
			t.Errorf("%q is a message", s)
		}
	})
}
