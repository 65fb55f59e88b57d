package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// remote serves p over HTTP behind gate, which may answer by itself.
func remote(t *testing.T, p *program, gate func(w http.ResponseWriter, r *http.Request) bool) string {
	t.Helper()
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return p.server }, nil)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gate == nil || !gate(w, r) {
			h.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

func at(url string) func(*Config) {
	return func(c *Config) {
		c.Servers = []Server{{Name: "x", URL: url, Headers: map[string]string{"Authorization": "Bearer ${T}"}, Wait: 2 * time.Second}}
		c.Lookup = func(n string) (string, bool) { return "s3cret", n == "T" }
	}
}

func TestARemoteServerIsUsed(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	var bare atomic.Int32
	url := remote(t, p, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			bare.Add(1)
		}
		return false
	})
	c := client(t, p, at(url))
	list := known(t, c)
	if names(list) != "mcp_x_act" {
		t.Fatalf("tools: %s; %v", names(list), c.Troubles())
	}
	if o := run(t, list[0], `{}`); o.Kind != tools.OK || o.Text != "said" {
		t.Errorf("%v: %s", o.Kind, o.Text)
	}
	p.add("more", said)
	for range 500 { // until the server has said so
		if list = c.Tools(context.Background()); len(list) == 2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if names(list) != "mcp_x_act mcp_x_more" || bare.Load() > 0 {
		t.Errorf("tools: %s, %d requests without the header", names(list), bare.Load())
	}
}

// An answer that the server did not give is not known to be one.
func TestALostAnswerOfARemoteServerIsUncertain(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"500": func(w http.ResponseWriter) { http.Error(w, "oops", http.StatusInternalServerError) }, "429": func(w http.ResponseWriter) { http.Error(w, "slow down", http.StatusTooManyRequests) },
		"dropped": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"no JSON": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, "<html>")
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram()
			p.add("act", said)
			c := client(t, p, at(remote(t, p, func(w http.ResponseWriter, r *http.Request) bool {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				if strings.Contains(string(body), "tools/call") {
					answer(w)
					return true
				}
				return false
			})))
			o := run(t, known(t, c)[0], `{}`)
			if o.Kind != tools.Uncertain || !o.Started || strings.Contains(o.Text, "s3cret") {
				t.Errorf("%v: %s", o.Kind, o.Text)
			}
		})
	}
}

func TestARemoteServerThatSaysNothingHoldsNobodyUp(t *testing.T) {
	hold := make(chan struct{})
	p := newProgram()
	c := client(t, p, func(conf *Config) {
		at(remote(t, p, func(_ http.ResponseWriter, r *http.Request) bool {
			select {
			case <-hold:
			case <-r.Context().Done():
			}
			return true
		}))(conf)
		conf.Servers[0].Wait = 50 * time.Millisecond
	})
	t.Cleanup(func() { close(hold) })
	if _, err := c.Connect(context.Background(), "x"); err == nil || !strings.Contains(err.Error(), "not ready after 50ms") {
		t.Errorf("the error is %v", err)
	}
	began := time.Now()
	if err := c.Close(); err != nil || time.Since(began) > 10*time.Second {
		t.Errorf("closing: %v after %s", err, time.Since(began))
	}
}

func TestHeadersDoNotFollowARedirectElsewhere(t *testing.T) {
	var leaked atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { leaked.Store(r.Header.Get("Authorization") != "") }))
	defer elsewhere.Close()
	p := newProgram()
	c := client(t, p, at(remote(t, p, func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		return true
	})))
	if _, err := c.Connect(context.Background(), "x"); err == nil || !strings.Contains(err.Error(), "it redirects to") || leaked.Load() {
		t.Errorf("the error is %v, leaked %v", err, leaked.Load())
	}
}

// C117: what the server takes away or changes while a card is open is not called.
func TestAToolThatIsTakenAwayIsUnavailable(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	p.add("stay", said)
	c := client(t, p, nil)
	act := known(t, c)[0]
	pr, err := act.Propose(context.Background(), tools.Call{ID: "c", Tool: "mcp_x_act", Args: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	p.server.RemoveTools("act")
	var list []tools.Tool
	for range 500 {
		if list = c.Tools(context.Background()); len(list) == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if names(list) != "mcp_x_stay" {
		t.Errorf("tools: %s", names(list))
	}
	o := pr.Execute(context.Background(), tools.Decision{Allowed: true, By: tools.ByPerson, At: time.Now()}, nil)
	if o.Kind != tools.Blocked || o.Block != tools.Unavailable {
		t.Errorf("%v %v: %s", o.Kind, o.Block, o.Text)
	}
}

// A cancelled call returns at once, and the session goes on.
func TestACancelledCallReturns(t *testing.T) {
	p := newProgram()
	began := make(chan struct{})
	p.server.AddTool(&sdk.Tool{Name: "slow", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1, Total: 4, Message: "a\x1b[2J"})
		close(began)
		<-ctx.Done()
		return nil, errors.New("stopped")
	})
	p.add("act", said)
	list := known(t, client(t, p, nil))
	var slow, act tools.Tool = list[1], list[0]
	if slow.Spec().Name != "mcp_x_slow" {
		slow, act = act, slow
	}
	pr, err := slow.Propose(context.Background(), tools.Call{ID: "c", Tool: "mcp_x_slow", Args: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	reports := make(chan tools.Progress, 8)
	go func() {
		<-began
		if got := <-reports; got.Text != `1 of 4 a\x1b[2J` {
			t.Errorf("progress %q", got.Text)
		}
		cancel()
	}()
	o := pr.Execute(ctx, tools.Decision{Allowed: true, By: tools.ByPerson, At: time.Now()}, func(x tools.Progress) { reports <- x })
	if o.Kind != tools.Error || !o.Started { // which the loop takes for what it is
		t.Errorf("%v: %s", o.Kind, o.Text)
	}
	if o := run(t, act, `{}`); o.Kind != tools.OK {
		t.Errorf("the next call: %v %s", o.Kind, o.Text)
	}
}
