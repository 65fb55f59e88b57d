// Package chat speaks the Chat Completions format that most servers offer:
// OpenRouter, Ollama, llama.cpp, vLLM, LM Studio, DeepSeek and many more. It
// is lenient in what it reads, since no two of them agree on the details.
package chat

import (
	"context"
	"net/http"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
)

// New returns the model at e. The base URL includes the version, as in
// http://127.0.0.1:11434/v1; without one it is OpenAI's.
func New(e llm.Endpoint) llm.Model {
	return &model{e: e.Ready(), quirks: quirksOf(e)}
}

type model struct {
	e      llm.Endpoint
	quirks quirks
	prefix llm.Prefix[encoded]
}

// quirks are the differences between servers that cannot be met by leniency.
type quirks struct {
	// openai servers refuse max_tokens and take a prompt cache key; others
	// refuse unknown fields.
	openai bool
	// mistral servers take call IDs of nine letters and digits only, and nothing of
	// the user right after results.
	mistral bool
	// thoughts servers refuse calls that come back without the reasoning that
	// led to them, and messages without the content field.
	thoughts bool
}

func quirksOf(e llm.Endpoint) quirks {
	host := e.Host()
	return quirks{
		openai:  host == "" || host == "api.openai.com",
		mistral: strings.HasSuffix(host, "mistral.ai"),
		// https://api-docs.deepseek.com/guides/thinking_mode and
		// https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
		thoughts: strings.HasSuffix(host, "deepseek.com") || strings.HasSuffix(host, "moonshot.ai") || strings.HasSuffix(host, "moonshot.cn"),
	}
}

// Stream implements [llm.Model].
func (m *model) Stream(ctx context.Context, req llm.Request, delta func(llm.Delta)) (llm.Message, error) {
	header := http.Header{}
	if m.e.Key != "" {
		header.Set("Authorization", "Bearer "+m.e.Key)
	}
	d := newDecoder(&m.e, delta)
	address := m.e.URL("https://api.openai.com/v1", "/chat/completions")
	err := m.e.Stream(ctx, address, header, m.body(req), d.draft.Bounded(&m.e, d.event))
	d.end()
	return d.draft.Message(&m.e, req.Messages, err), err
}
