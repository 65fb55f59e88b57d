package mcp

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

// older serves the older of the two remote transports by hand: answers come on the
// stream of a GET, and a POST is answered with a status alone, which status decides.
func older(t *testing.T, answer func(method string) string, status func(method string) int) string {
	t.Helper()
	said := make(chan string, 16)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "event: endpoint\ndata: /post\n\n")
			for {
				w.(http.Flusher).Flush()
				select {
				case m := <-said:
					fmt.Fprintf(w, "event: message\ndata: %s\n\n", m)
				case <-r.Context().Done():
					return
				}
			}
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &m); err != nil {
			t.Error(err)
		}
		code := status(m.Method)
		w.WriteHeader(code)
		if code == http.StatusAccepted && len(m.ID) > 0 {
			said <- `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + answer(m.Method) + `}`
		}
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

func usual(list string) func(string) string {
	return func(method string) string {
		switch method {
		case "initialize":
			return `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`
		case "tools/list":
			return list
		}
		return `{"content":[{"type":"text","text":"said"}]}`
	}
}

// What a status says of a message is the same over both transports.
func TestAStatusOfTheOlderTransport(t *testing.T) {
	for code, want := range map[int]string{202: "ok", 400: "blocked", 404: "blocked", 425: "blocked", 429: "blocked", 408: "uncertain", 409: "uncertain", 503: "uncertain"} {
		c := client(t, newProgram(), func(conf *Config) {
			at(older(t, usual(`{"tools":[{"name":"act","inputSchema":{"type":"object"}}]}`), func(method string) int {
				if method == "tools/call" {
					return code
				}
				return http.StatusAccepted
			}))(conf)
			conf.Servers[0].SSE = true
		})
		list := known(t, c)
		if len(list) != 1 {
			t.Fatalf("%d: %d tools; %v", code, len(list), c.Troubles())
		}
		if o := run(t, list[0], `{}`); o.Kind.String() != want {
			t.Errorf("%d: %v, want %s: %s", code, o.Kind, want, o.Text)
		}
	}
}

const tasked = `{"tools":[{"name":"long","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},{"name":"act","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]}`

// A tool that can be called as a task only is not offered, however the server is
// reached, and it is said why.
func TestToolsForTasksAloneAreLeftOut(t *testing.T) {
	newer := func(event bool) func(*Config) {
		p := newProgram()
		p.add("act", said)
		return at(remote(t, p, func(w http.ResponseWriter, r *http.Request) bool {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if json.Unmarshal(body, &m) != nil || m.Method != "tools/list" {
				return false
			}
			answer := `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + tasked + `}`
			if event {
				w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
				answer = "event: message\r\nid: 1\r\ndata:" + answer + "\r\n\r\n"
			} else {
				w.Header().Set("Content-Type", "application/json")
			}
			io.WriteString(w, answer)
			return true
		}))
	}
	for name, change := range map[string]func(*Config){
		"an answer": newer(false), "an event": newer(true),
		"the older transport": func(conf *Config) {
			at(older(t, usual(tasked), func(string) int { return http.StatusAccepted }))(conf)
			conf.Servers[0].SSE = true
		},
	} {
		c := client(t, newProgram(), change)
		if list := known(t, c); names(list) != "mcp_x_act" {
			t.Errorf("%s: %s; %v", name, names(list), c.Troubles())
			continue
		}
		if _, left := c.Status(); len(left) != 1 || !strings.Contains(left[0], "the tool long is left out: it can be called as a task only") {
			t.Errorf("%s: left out: %q", name, left)
		}
		if o := run(t, c.Tools(t.Context())[0], `{}`); o.Kind != tools.OK {
			t.Errorf("%s: %v %s", name, o.Kind, o.Text)
		}
	}
}

// A server that does not take our version of the protocol is greeted in one that it
// names.
func TestAServerThatRefusesTheVersionIsGreetedInItsOwn(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	c := client(t, p, at(remote(t, p, func(w http.ResponseWriter, r *http.Request) bool {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		if !strings.Contains(string(body), `"initialize"`) || strings.Contains(string(body), "2025-06-18") {
			return false
		}
		http.Error(w, "Bad Request: Unsupported protocol version (supported versions: 2024-11-05, 2025-06-18, 2025-03-26)", http.StatusBadRequest)
		return true
	})))
	if list := known(t, c); names(list) != "mcp_x_act" {
		t.Errorf("%s; %v", names(list), c.Troubles())
	}
}
