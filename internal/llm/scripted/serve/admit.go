package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// admit checks a request and takes its answer from the script.
func (s *Server) admit(f face, r *http.Request, body []byte) (*message, *refusal) {
	if bad := s.authorize(f, r); bad != nil {
		return nil, bad
	}
	q, err := s.read(f, r, body)
	if err != nil {
		return nil, &refusal{status: http.StatusBadRequest, message: err.Error(), violation: true}
	}
	want := s.scenario.Model
	if q.Classifies() {
		want = s.scenario.Classifier.Model
	}
	if want != "" && q.model != want {
		return nil, &refusal{status: http.StatusNotFound, cause: "model", message: fmt.Sprintf("the model %q does not exist", q.model)}
	}
	a, err := s.player.Next(q.Query)
	if err != nil {
		return nil, &refusal{status: http.StatusBadRequest, message: err.Error(), violation: true}
	}
	m := &message{Answer: &a, ask: q}
	if a.Fault != nil && f.name() != "chat" {
		for _, name := range a.Fault.Quirks {
			if slices.Contains(scripted.ChatQuirks(), name) {
				return nil, &refusal{status: http.StatusBadRequest, message: "the script asks for " + name + ", which only chat completions can do", violation: true}
			}
		}
	}
	return m, nil
}

func (s *Server) authorize(f face, r *http.Request) *refusal {
	key, err := f.key(r)
	bad := &refusal{status: http.StatusUnauthorized, cause: "key"}
	switch want := s.scenario.Key; {
	case err != nil && want == "":
		bad.message, bad.violation = err.Error(), true
	case want != "" && key != want:
		bad.message = "the API key is not valid"
	default:
		return nil
	}
	return bad
}

// read decodes and checks a body.
func (s *Server) read(f face, r *http.Request, body []byte) (ask, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lax && bytes.Contains(body, []byte(`"tools"`)) {
		q := ask{model: or(s.scenario.Model, "scripted"), usage: true, encrypted: true}
		q.Tools, q.Blind = true, true
		return q, nil
	}
	c := &check{served: &s.served}
	root := c.decode(r, body)
	if c.err == nil {
		f.check(c, r, root)
	}
	c.q.News = strings.Join(c.news, "\n")
	return c.q, c.err
}
