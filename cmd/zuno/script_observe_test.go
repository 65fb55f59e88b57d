//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdCollector takes spans on loopback and names its address in COLLECTOR. Each
// span becomes a line of spans.log: the name of its parent or -, its name, and
// its attributes by name; each request a line of collector.log. With -hang it
// never answers.
func cmdCollector(ts *testscript.TestScript, neg bool, args []string) {
	hang := slices.Equal(args, []string{"-hang"})
	if neg || len(args) > 0 && !hang {
		ts.Fatalf("usage: collector [-hang]")
	}
	c := &collector{names: map[string]string{}, spans: ts.MkAbs("spans.log"), log: ts.MkAbs("collector.log")}
	ts.Check(os.WriteFile(c.log, nil, 0o600))
	ts.Check(os.WriteFile(c.spans, nil, 0o600))
	over := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hang {
			<-over
			return
		}
		c.ServeHTTP(w, r)
	}))
	ts.Defer(func() { close(over); srv.Close() })
	ts.Setenv("COLLECTOR", srv.URL)
}

type collector struct {
	spans, log string
	mu         sync.Mutex // guards the files and what follows
	names      map[string]string
	list       []collected
}

type collected struct {
	TraceID    string `json:"traceId"`
	ID         string `json:"spanId"`
	Parent     string `json:"parentSpanId"`
	Name       string `json:"name"`
	Status     struct{ Code int }
	Attributes []struct {
		Key   string
		Value map[string]any
	}
}

func (c *collector) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	defer c.mu.Unlock()
	f, err := os.OpenFile(c.log, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		fmt.Fprintln(f, r.URL.Path, r.Header.Get("X-Team"), string(body))
		f.Close()
	}
	var doc struct {
		ResourceSpans []struct {
			ScopeSpans []struct{ Spans []collected }
		}
	}
	if json.Unmarshal(body, &doc) != nil {
		return
	}
	for _, rs := range doc.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			for _, s := range ss.Spans {
				c.names[s.ID] = s.Name
				c.list = append(c.list, s)
			}
		}
	}
	var b strings.Builder
	for _, s := range c.list {
		parent := "-"
		if s.Parent != "" {
			parent = c.names[s.Parent]
		}
		fmt.Fprintf(&b, "%s > %s:", parent, s.Name)
		for _, a := range s.Attributes {
			for _, v := range a.Value {
				fmt.Fprintf(&b, " %s=%v", a.Key, v)
			}
		}
		fmt.Fprintf(&b, " status=%d\n", s.Status.Code)
	}
	_ = os.WriteFile(c.spans, []byte(b.String()), 0o600)
}

// cmdLogs gathers the debug logs of the runs so far into debug.log, and takes
// them away: logs.
func cmdLogs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: logs")
	}
	dir := ts.Getenv("ZUNO_HOME") + "/state/log"
	entries, err := os.ReadDir(dir)
	ts.Check(err)
	var all []byte
	for _, e := range entries {
		text, err := os.ReadFile(dir + "/" + e.Name())
		ts.Check(err)
		for line := range strings.Lines(string(text)) {
			if !json.Valid([]byte(line)) {
				ts.Fatalf("a line is no JSON: %s", line)
			}
		}
		all = append(all, text...)
		ts.Check(os.Remove(dir + "/" + e.Name()))
	}
	ts.Check(os.WriteFile(ts.MkAbs("debug.log"), all, 0o600))
}
