package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A program is a server within the test, in the place of a process.
type program struct {
	server *sdk.Server
	mu     sync.Mutex
	starts int
	procs  []*Process
	env    []string
	fail   error

	running sync.WaitGroup // calls
}

func newProgram() *program {
	return &program{server: sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)}
}

// add gives it a tool that touches a file of root, or says what it was given.
func (p *program) add(name string, do func(args json.RawMessage) (string, error)) {
	p.server.AddTool(&sdk.Tool{Name: name, Description: "Does " + name + ".", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		p.running.Add(1)
		defer p.running.Done()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := do(r.Params.Arguments)
		if err != nil {
			return nil, err
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil
	})
}

func (p *program) launch(l Launch) (*Process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.starts++
	p.env = l.Env
	if p.fail != nil {
		return nil, p.fail
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = p.server.Run(ctx, &sdk.IOTransport{Reader: inR, Writer: outW}) // ends with the test
		inR.Close()
		outW.Close()
	}()
	var once sync.Once
	proc := &Process{In: inW, Out: outR, Exited: exited, Status: func() string { return "ended" }, Stop: func() error {
		once.Do(func() { cancel(); inW.Close(); outR.Close() })
		<-exited
		return nil
	}}
	p.procs = append(p.procs, proc)
	return proc, nil
}

func (p *program) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.starts
}

// kill ends the latest process.
func (p *program) kill() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.procs[len(p.procs)-1].Stop()
}

// client returns a client of one server called x.
func client(t *testing.T, p *program, change func(*Config)) *Client {
	t.Helper()
	conf := Config{Servers: []Server{{Name: "x", Command: []string{"x"}, Dir: "/"}}, Launch: p.launch, Connections: 8, Cache: filepath.Join(t.TempDir(), "mcp")}
	if change != nil {
		change(&conf)
	}
	c := New(conf)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// known returns the tools, once the servers were heard.
func known(t *testing.T, c *Client) []tools.Tool {
	t.Helper()
	c.Discover()
	c.Await(context.Background())
	return c.Tools(context.Background())
}

func run(t *testing.T, tool tools.Tool, args string) tools.Outcome {
	t.Helper()
	p, err := tool.Propose(context.Background(), tools.Call{ID: "c", Tool: tool.Spec().Name, Args: json.RawMessage(args)})
	if err != nil {
		return tools.OutcomeOf(err)
	}
	return p.Execute(context.Background(), tools.Decision{Allowed: true, By: tools.ByPerson, At: time.Now()}, nil)
}

func touch(path string) func(json.RawMessage) (string, error) {
	return func(json.RawMessage) (string, error) { return "touched", os.WriteFile(path, []byte("x"), 0o600) }
}

func said(json.RawMessage) (string, error) { return "said", nil }

var errBroken = errors.New("it is broken")

func names(list []tools.Tool) string {
	var all []string
	for _, t := range list {
		all = append(all, t.Spec().Name)
	}
	return strings.Join(all, " ")
}
