// Package openai speaks OpenAI's Responses format, without state at the
// provider: every request carries the conversation, reasoning included in its
// encrypted form.
package openai

import (
	"context"
	"net/http"

	"github.com/zuno-dev/zuno/internal/llm"
)

// New returns the model at e. The base URL includes the version; without one
// it is https://api.openai.com/v1.
func New(e llm.Endpoint) llm.Model {
	return &model{e: e.Ready()}
}

type model struct {
	e      llm.Endpoint
	prefix llm.Prefix[[]byte]
}

// Stream implements [llm.Model].
func (m *model) Stream(ctx context.Context, req llm.Request, delta func(llm.Delta)) (llm.Message, error) {
	header := http.Header{}
	if m.e.Key != "" {
		header.Set("Authorization", "Bearer "+m.e.Key)
	}
	d := newDecoder(&m.e, delta)
	address := m.e.URL("https://api.openai.com/v1", "/responses")
	err := m.e.Stream(ctx, address, header, m.body(req), d.draft.Bounded(&m.e, d.event))
	return d.draft.Message(&m.e, req.Messages, err), err
}
