// Package google speaks the generateContent format of the Gemini API.
package google

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
)

// New returns the model at e. The base URL may or may not end with a version;
// without one it is https://generativelanguage.googleapis.com/v1beta.
func New(e llm.Endpoint) llm.Model {
	e.BaseURL = strings.TrimRight(e.BaseURL, "/")
	if e.BaseURL != "" && !regexp.MustCompile(`/v\d\w*$`).MatchString(e.BaseURL) {
		e.BaseURL += "/v1beta"
	}
	return &model{e: e.Ready()}
}

type model struct {
	e      llm.Endpoint
	prefix llm.Prefix[encoded]
}

// Stream implements [llm.Model].
func (m *model) Stream(ctx context.Context, req llm.Request, delta func(llm.Delta)) (llm.Message, error) {
	header := http.Header{}
	if m.e.Key != "" {
		header.Set("X-Goog-Api-Key", m.e.Key)
	}
	d := newDecoder(&m.e, delta)
	name := strings.TrimPrefix(m.e.Model, "models/")
	address := m.e.URL("https://generativelanguage.googleapis.com/v1beta", "/models/"+url.PathEscape(name)+":streamGenerateContent?alt=sse")
	err := m.e.Stream(ctx, address, header, m.body(req), d.draft.Bounded(&m.e, d.event))
	return d.draft.Message(&m.e, req.Messages, err), err
}
