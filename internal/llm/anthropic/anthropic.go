// Package anthropic speaks the Messages format of Anthropic's API and of the
// servers that imitate it.
package anthropic

import (
	"context"
	"net/http"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
)

// New returns the model at e. The base URL may or may not end with /v1;
// without one it is https://api.anthropic.com.
func New(e llm.Endpoint) llm.Model {
	e.BaseURL = strings.TrimSuffix(strings.TrimRight(e.BaseURL, "/"), "/v1")
	return &model{e: e.Ready(), mode: modeOf(e.Model)}
}

type model struct {
	e    llm.Endpoint
	mode mode
	// full holds messages with their thinking, bare those without, for requests
	// that switch thinking off: some models refuse blocks in these.
	full, bare llm.Prefix[encoded]
}

// Stream implements [llm.Model].
func (m *model) Stream(ctx context.Context, req llm.Request, delta func(llm.Delta)) (llm.Message, error) {
	header := http.Header{}
	header.Set("Anthropic-Version", "2023-06-01")
	if m.e.Key != "" {
		header.Set("X-Api-Key", m.e.Key)
	}
	d := newDecoder(&m.e, delta)
	address := m.e.URL("https://api.anthropic.com", "/v1/messages")
	err := m.e.Stream(ctx, address, header, m.body(req), d.draft.Bounded(&m.e, d.event))
	return d.draft.Message(&m.e, req.Messages, err), err
}
