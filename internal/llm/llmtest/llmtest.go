// Package llmtest is the conformance suite that every wire format passes. A
// wire describes how its provider would stream an answer and how its requests
// read; the suite then asks for the behaviour that all of zuno relies on.
package llmtest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
)

// A Wire is what the suite must know about a wire format.
type Wire struct {
	New func(llm.Endpoint) llm.Model
	// Stream returns a as the events that the provider would send.
	Stream func(a Answer) []Event
	// Whole returns a as one JSON document.
	Whole func(a Answer) string
	// Completes reports whether an answer is complete once e has arrived.
	Completes func(e Event) bool
	// Skipped are events that mean nothing to zuno.
	Skipped []Event
	// Failure returns the body of an error answer with the given words.
	Failure func(message string) string
	// Overload is an error in the midst of a stream that may pass.
	Overload Event
	// Read returns the conversation within a request. It fails t on what the
	// provider would refuse.
	Read func(t *testing.T, body []byte) Conversation
	// Opaque reasoning state as it is found in messages; two that differ. Nil for
	// a format that has none.
	Opaque []string
	// SplitsArgs says that arguments arrive in pieces.
	SplitsArgs bool
	// ResultImages says that images stand within results instead of behind them.
	ResultImages bool
}

// An Answer is what a model says.
type Answer struct {
	Thought string
	Opaque  string // goes with Thought
	Text    []string
	Calls   []llm.Call
	Stop    llm.Stop
	Usage   llm.Usage
}

// An Event is a server-sent event.
type Event struct{ Name, Data string }

// A Conversation is a request in the words of the suite.
type Conversation struct {
	System string
	Tools  []string
	Turns  []Turn
}

// A Turn is a message of a request: role is user, assistant or tool.
type Turn struct {
	Role    string
	Texts   []string
	Calls   []llm.Call
	Results []Result
	Images  int
	Opaque  []string // reasoning state
}

// A Result is the result of a call.
type Result struct {
	For, Text string
	Images    int
}

// A Server is a model server that records what it is asked.
type Server struct {
	URL    string
	Client *http.Client
	mu     sync.Mutex // guards bodies
	bodies [][]byte
}

// Serve starts a server that answers with handle, and stops it with t.
func Serve(t testing.TB, handle http.HandlerFunc) *Server {
	s := &Server{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		s.mu.Lock()
		s.bodies = append(s.bodies, body)
		s.mu.Unlock()
		handle(w, r)
	}))
	t.Cleanup(srv.Close)
	s.URL, s.Client = srv.URL, srv.Client()
	return s
}

// Bodies returns the requests so far.
func (s *Server) Bodies() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([][]byte(nil), s.bodies...)
}

// Endpoint returns the endpoint of the server for a model that can do
// everything.
func (s *Server) Endpoint() llm.Endpoint {
	return llm.Endpoint{
		Provider: "test", Model: "model", BaseURL: s.URL, Key: "sk-secret-key", HTTP: s.Client,
		Info: llm.Info{Tools: true, Images: true, Reasoning: true},
	}
}

// sse writes events as a stream.
func sse(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		if e.Name != "" {
			b.WriteString("event: " + e.Name + "\n")
		}
		b.WriteString("data: " + e.Data + "\n\n")
	}
	return b.String()
}

// answer returns a handler that sends body as a stream.
func answer(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, body)
	}
}

// said is what a model was heard saying.
type said struct {
	llm.Message
	text, thought string
	err           error
}

func ask(ctx context.Context, m llm.Model, req llm.Request) said {
	var s said
	s.Message, s.err = m.Stream(ctx, req, func(d llm.Delta) {
		s.text += d.Text
		s.thought += d.Thought
	})
	return s
}

func hello() llm.Request {
	return llm.Request{System: "Be brief.", Messages: []*llm.Message{llm.UserText("hello")}}
}

// Headers returns the headers of a request with the given key and the extra
// header X-Extra: 1.
func Headers(t *testing.T, build func(llm.Endpoint) llm.Model, key string) http.Header {
	t.Helper()
	var got http.Header
	s := Serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		w.WriteHeader(http.StatusTeapot)
	})
	e := s.Endpoint()
	e.Key, e.Headers = key, map[string]string{"X-Extra": "1"}
	if got := ask(t.Context(), build(e), hello()); got.err == nil {
		t.Fatal("a teapot answered")
	}
	return got
}
