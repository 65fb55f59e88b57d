package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A desk is a person who answers cards as they were told to.
type desk struct {
	mu             sync.Mutex
	answers        []string // ID of a row, "" for none of them
	cards          []*tools.Proposal
	opened, copied []string
	fail           error
	said           []string
}

func (d *desk) conf(c *Config) {
	c.Ask = func(_ context.Context, p *tools.Proposal) (tools.Decision, error) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.cards = append(d.cards, p)
		a := d.answers[0]
		d.answers = d.answers[1:]
		if a != "" && !tools.Offered(p.Options, a) {
			return tools.Decision{}, fmt.Errorf("there is no row %q", a)
		}
		return tools.Decision{Allowed: a != "", Choice: a}, nil
	}
	c.Open = func(_ context.Context, address string) error { d.opened = append(d.opened, address); return d.fail }
	c.Copy = func(text string) error { d.copied = append(d.copied, text); return nil }
	c.Said = func(line string) { d.said = append(d.said, line) }
}

// asking is a server whose tool wants a page to be visited during the call, and
// whose other tool does not work before.
func asking(page string) *program {
	p := newProgram()
	p.server.AddTool(&sdk.Tool{Name: "during", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		got, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Mode: "url", Message: "Sign in\x1b[2J, please.", URL: page, ElicitationID: "e1"})
		if err != nil {
			return nil, err
		}
		if err := r.Session.NotifyElicitationComplete(ctx, &sdk.ElicitationCompleteParams{ElicitationID: "e1"}); err != nil {
			return nil, err
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: got.Action}}}, nil
	})
	p.server.AddTool(&sdk.Tool{Name: "first", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		data, err := json.Marshal(map[string]any{"elicitations": []any{map[string]any{"mode": "url", "message": "Connect.", "url": page, "elicitationId": "e2"}}})
		if err != nil {
			return nil, err
		}
		if err := r.Session.NotifyElicitationComplete(ctx, &sdk.ElicitationCompleteParams{ElicitationID: "e9"}); err != nil { // of no visit
			return nil, err
		}
		return nil, &jsonrpc.Error{Code: sdk.CodeURLElicitationRequired, Message: "connect first", Data: data}
	})
	return p
}

func TestAPageIsVisitedOnlyWhenThePersonChoosesTo(t *testing.T) {
	const page = "https://accounts.example.com:8443/go?state=abc&next=https://evil.example/#x"
	for _, c := range []struct {
		answers, want  string
		opened, copied int
	}{
		{"open", "accept", 1, 0},
		{"copy", "accept", 0, 1},
		{"no", "decline", 0, 0},
		{"", "decline", 0, 0},
	} {
		d := &desk{answers: []string{c.answers}}
		list := known(t, client(t, asking(page), d.conf))
		o := run(t, list[0], `{}`)
		if o.Kind != tools.OK || o.Text != c.want || len(d.opened) != c.opened || len(d.copied) != c.copied {
			t.Errorf("%q: %v %q, opened %v, copied %v", c.answers, o.Kind, o.Text, d.opened, d.copied)
		}
		card := d.cards[0]
		if s := card.Preview[1]; s.Kind != tools.Address || s.Body != page || s.Title != "the page, whose host is accounts.example.com:8443" || len(card.Options) != 3 {
			t.Errorf("the card: %+v", card)
		}
		if b := card.Preview[0].Body; b != `Sign in\x1b[2J, please.` {
			t.Errorf("the server says %q", b)
		}
	}
	d := &desk{answers: []string{"open", "copy"}, fail: errors.New("no \x1bbrowser")}
	list := known(t, client(t, asking(page), d.conf))
	if o := run(t, list[0], `{}`); o.Text != "accept" || len(d.cards) != 2 || len(d.cards[1].Options) != 2 || !strings.Contains(d.cards[1].Preview[2].Body, `no \x1bbrowser`) {
		t.Errorf("a browser that fails: %v %q, %d cards", o.Kind, o.Text, len(d.cards))
	}
}

func TestAnAddressThatHidesWhereItLeadsIsNotShown(t *testing.T) {
	for _, page := range []string{
		"javascript:alert(1)", "file:///etc/passwd", "https://google.com@evil.example/", "https:evil", "https://", "ftp://a.example/", "http://a.example/\x1b[2J", "https://a.example/ b",
		`https://a.example\@evil.example/`, "https://a.example/" + strings.Repeat("x", maxAddress), "https://a.example/\u202egnp.exe", "%",
	} {
		d := &desk{}
		list := known(t, client(t, asking(page), d.conf))
		for _, tool := range list {
			if o := run(t, tool, `{}`); o.Kind != tools.Error || len(d.cards) > 0 {
				t.Errorf("%q, %s: %v %q", page, tool.Spec().Name, o.Kind, o.Text)
			}
		}
	}
	u, err := pageAddress("https://аpple.com/")
	if err != nil || !strings.Contains(hostOf(u), "xn--") {
		t.Errorf("%v %v", u, err)
	}
}

func TestNobodyVisitsAPageUnattended(t *testing.T) {
	d := &desk{}
	list := known(t, client(t, asking("https://accounts.example/secret"), func(c *Config) { d.conf(c); c.Ask = nil }))
	if o := run(t, list[0], `{}`); o.Text != "decline" {
		t.Errorf("%v %q", o.Kind, o.Text)
	}
	o := run(t, list[1], `{}`)
	if o.Kind != tools.Error || !strings.Contains(o.Text, "did not carry it out") || !strings.Contains(o.Text, "Nobody is here") || strings.Contains(o.Text, "secret") {
		t.Errorf("%v %q", o.Kind, o.Text)
	}
	want := "MCP server x wants you to visit a page of accounts.example; nobody is here, so that was declined: use zuno in a terminal for it"
	if len(d.said) != 2 || d.said[0] != want || d.said[1] != want {
		t.Errorf("said %q", d.said)
	}
}

// A call that a server does not carry out before a page was visited is not sent
// again by zuno, whatever the server says.
func TestACallThatWantsAPageFirstIsNotRepeated(t *testing.T) {
	d := &desk{answers: []string{"no", "open", "open"}}
	p := asking("https://accounts.example/secret")
	calls := 0
	p.server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			if method == "tools/call" {
				calls++
			}
			return next(ctx, method, r)
		}
	})
	c := client(t, p, d.conf)
	first := known(t, c)[1]
	if o := run(t, first, `{}`); o.Kind != tools.Error || !strings.Contains(o.Text, "The user declined.") || calls != 1 || len(c.visits.open) != 0 {
		t.Errorf("%v %q after %d calls", o.Kind, o.Text, calls)
	}
	// The server says that the page is done while the call waits.
	pr, err := first.Propose(context.Background(), tools.Call{ID: "c", Tool: "mcp_x_first", Args: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	report := func(x tools.Progress) {
		if strings.HasPrefix(x.Text, "waiting for the server") {
			for s := range p.server.Sessions() {
				go func() {
					_ = s.NotifyElicitationComplete(context.Background(), &sdk.ElicitationCompleteParams{ElicitationID: "e2"})
				}()
			}
		}
	}
	o := pr.Execute(context.Background(), tools.Decision{Allowed: true, By: tools.ByPerson}, report)
	if o.Kind != tools.Error || !strings.Contains(o.Text, "this is done now: call again") || strings.Contains(o.Text, "secret") || calls != 2 {
		t.Errorf("%v %q after %d calls", o.Kind, o.Text, calls)
	}
	// The person stops the wait.
	ctx, cancel := context.WithCancel(context.Background())
	o = pr.Execute(ctx, tools.Decision{Allowed: true, By: tools.ByPerson}, func(x tools.Progress) {
		if strings.HasPrefix(x.Text, "waiting for the server") {
			cancel()
		}
	})
	if o.Kind != tools.Error || !strings.Contains(o.Text, "stopped the wait") || len(d.opened) != 2 || calls != 3 {
		t.Errorf("%v %q after %d calls", o.Kind, o.Text, calls)
	}
	cancel()
}
