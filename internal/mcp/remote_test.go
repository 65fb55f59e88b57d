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
		"500": func(w http.ResponseWriter) { http.Error(w, "oops", http.StatusInternalServerError) }, "408": func(w http.ResponseWriter) { http.Error(w, "late", http.StatusRequestTimeout) },
		"409": func(w http.ResponseWriter) { http.Error(w, "it is there", http.StatusConflict) }, "499": func(w http.ResponseWriter) { http.Error(w, "you left", 499) },
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

// What a server refuses to take it has not carried out. One that has forgotten the
// session is connected to anew, by the next call and not by itself.
func TestWhatARemoteServerRefusesDidNotHappen(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		body, says string
		lost       bool
	}{
		"too often":         {429, "slow down", "429 Too Many Requests: slow down", false},
		"too large":         {413, "<html>no</html>", "413 Request Entity Too Large.", false},
		"a restart":         {404, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`, "404 Not Found: Session not found", true},
		"a sloppy restart":  {400, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}`, "No valid session ID provided", true},
		"too early":         {425, "", "425 Too Early.", false},
		"secrets in a page": {400, "\x1b[2Jno", `\x1b[2Jno`, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram()
			p.add("act", said)
			var calls, greetings atomic.Int32
			cl := client(t, p, at(remote(t, p, func(w http.ResponseWriter, r *http.Request) bool {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				if strings.Contains(string(body), `"initialize"`) {
					greetings.Add(1)
				}
				if !strings.Contains(string(body), "tools/call") || calls.Add(1) > 1 {
					return false
				}
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
				return true
			})))
			act := known(t, cl)[0]
			if o := run(t, act, `{}`); o.Kind != tools.Blocked || o.Block != tools.Unavailable || !strings.Contains(o.Text+".", c.says) {
				t.Errorf("%v: %s", o.Kind, o.Text)
			}
			if o := run(t, act, `{}`); o.Kind != tools.OK {
				t.Errorf("the next call: %v %s", o.Kind, o.Text)
			}
			if want := map[bool]int32{false: 1, true: 2}[c.lost]; greetings.Load() != want || calls.Load() != 2 {
				t.Errorf("%d connections and %d calls", greetings.Load(), calls.Load())
			}
		})
	}
}

func TestWhatCouldNotBeSentDidNotHappen(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	s := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return p.server }, &sdk.StreamableHTTPOptions{Stateless: true}))
	c := client(t, p, at(s.URL))
	act := known(t, c)[0]
	s.CloseClientConnections()
	s.Close()
	o := run(t, act, `{}`)
	for range 20 { // a request may still have been on a connection that was open
		if o.Kind != tools.Uncertain {
			break
		}
		o = run(t, act, `{}`)
	}
	if o.Kind != tools.Blocked || o.Block != tools.Unavailable || !strings.Contains(o.Text, "The call was not sent") {
		t.Errorf("%v: %s", o.Kind, o.Text)
	}
}

// An answer to the message is one, whatever status it comes with.
func TestAnErrorWithAStatusIsTheServersAnswer(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	c := client(t, p, at(remote(t, p, func(w http.ResponseWriter, r *http.Request) bool {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(body, &m) != nil || m.Method != "tools/call" {
			return false
		}
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"error":{"code":-32602,"message":"no such page"}}`)
		return true
	})))
	if o := run(t, known(t, c)[0], `{}`); o.Kind != tools.Error || !strings.Contains(o.Text, "no such page") {
		t.Errorf("%v: %s", o.Kind, o.Text)
	}
}

func TestTheOlderRemoteTransportIsUsed(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	h := sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return p.server }, nil)
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	c := client(t, p, func(conf *Config) {
		at(s.URL)(conf)
		conf.Servers[0].SSE = true
	})
	list := known(t, c)
	for range 2 {
		if o := run(t, list[0], `{}`); o.Kind != tools.OK || o.Text != "said" {
			t.Fatalf("%v: %s; %v", o.Kind, o.Text, c.Troubles())
		}
	}
}

// A server may name the address to send to: what is sent there goes along with
// the configured headers, so it has to be its own.
func TestAServerCannotHaveItsHeadersSentElsewhere(t *testing.T) {
	var leaked atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { leaked.Store(true) }))
	defer elsewhere.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "event: endpoint\ndata: "+elsewhere.URL+"/post\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	c := client(t, newProgram(), func(conf *Config) {
		at(s.URL)(conf)
		conf.Servers[0].SSE = true
	})
	if _, err := c.Connect(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "wants requests to be sent to") || leaked.Load() {
		t.Errorf("the error is %v, leaked %v", err, leaked.Load())
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
	if err := c.Close(); err != nil { // which would wait for ever, if it waited
		t.Errorf("closing: %v", err)
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
