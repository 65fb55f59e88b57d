// Package serve is a model server for tests: it plays a scripted scenario in
// the wire formats of Anthropic (Messages), OpenAI (Responses and Chat
// Completions) and Google (Gemini), and refuses every request that the real
// provider would refuse.
//
// A request that breaks a rule gets HTTP 400 in the provider's error format and
// is kept as a violation, as are a request that does not meet the expectations
// of its step and one that comes when the script is over. A wrong key and a
// wrong model are answered as the provider does and are no violations, since a
// scenario that names them is about them.
//
// Thinking is always sent where a step has it, whether or not the request asks
// for any; the encrypted form of OpenAI's only when the request includes it.
package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// A Request is a model request as it came in.
type Request struct {
	// Wire is messages, responses, chat or gemini.
	Wire string
	// Path is the URL's, without the query.
	Path string
	// Body is nil when [Server.KeepBodies] let it go.
	Body json.RawMessage
	// Header has the API key replaced.
	Header http.Header
}

// A Server plays one scenario to whoever asks. It is safe for concurrent use;
// a request takes the next step when it has been found valid.
type Server struct {
	scenario *scripted.Scenario
	player   *scripted.Player

	mu         sync.Mutex // guards what follows
	requests   []Request
	violations []string
	served     ledger
	lax        bool
	keep       int
	report     func(string)
}

// New returns a server at the first step of s, which must not change.
func New(s *scripted.Scenario) *Server {
	return &Server{scenario: s, player: scripted.NewPlayer(s), served: newLedger(), keep: -1}
}

// Lax makes the server take every request that offers tools as it is, without
// validation and expectations: their cost, which grows with the conversation,
// would show in a benchmark. Call it before serving.
func (s *Server) Lax() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lax = true
}

// KeepBodies makes the server keep the bodies of the newest n requests only. A
// long conversation costs the square of its length otherwise.
func (s *Server) KeepBodies(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep = n
}

// OnViolation makes the server call report, under a lock, with each violation
// as it happens. Call it before serving.
func (s *Server) OnViolation(report func(text string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report = report
}

// Violations returns what was wrong with the requests so far, in order. Each
// begins with the number of the request, counted from 1, and its wire.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// Requests returns the model requests so far, the classifier's among them.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Classified returns how many requests were the command classifier's.
func (s *Server) Classified() int { return s.player.Classified() }

// Done reports whether all steps were used.
func (s *Server) Done() bool { return s.player.Done() }

// ServeHTTP answers a model request or a listing of models.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		s.list(w, r)
		return
	}
	f := route(r.URL.Path)
	if f == nil || r.Method != http.MethodPost {
		s.violate(fmt.Sprintf("%s %s: no such endpoint", r.Method, r.URL.Path))
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	n := s.record(f, r, body)
	m, bad := s.admit(f, r, body)
	if bad != nil {
		if bad.violation {
			s.violate(fmt.Sprintf("request %d (%s): %s", n, f.name(), bad.message))
		}
		bad.write(w, f)
		return
	}
	s.answer(w, r, f, m)
}

// route returns the wire that serves a path; nil for none.
func route(path string) face {
	switch {
	case path == "/v1/messages":
		return messages{}
	case path == "/v1/responses":
		return responses{}
	case strings.HasSuffix(path, "/chat/completions"):
		return chat{}
	case strings.HasPrefix(path, "/v1beta/models/") && strings.HasSuffix(path, ":streamGenerateContent"):
		return gemini{}
	}
	return nil
}

func (s *Server) record(f face, r *http.Request, body []byte) int {
	h := r.Header.Clone()
	for _, k := range []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key"} {
		if h.Get(k) != "" {
			h.Set(k, "redacted")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{f.name(), r.URL.Path, body, h})
	if old := len(s.requests) - 1 - s.keep; s.keep >= 0 && old >= 0 {
		s.requests[old].Body = nil
	}
	return len(s.requests)
}

func (s *Server) violate(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.violations = append(s.violations, text)
	if s.report != nil {
		s.report(text)
	}
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, f face, m *message) {
	w.Header().Set("request-id", fmt.Sprintf("req_%d", m.Number))
	if bad := faultOf(m.Fault); bad != nil {
		bad.write(w, f)
		return
	}
	s.mu.Lock()
	f.remember(&s.served, m)
	s.mu.Unlock()
	if m.Fault.Has("json_body") {
		writeJSON(w, http.StatusOK, f.whole(m))
		return
	}
	o := newOut(w, r, f, m)
	f.stream(o, m)
}
