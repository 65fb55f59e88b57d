package anthropic

import (
	"bytes"
	"encoding/json"

	"github.com/zuno-dev/zuno/internal/llm"
)

type request struct {
	Model        string        `json:"model"`
	MaxTokens    int           `json:"max_tokens"`
	Stream       bool          `json:"stream"`
	Temperature  *float64      `json:"temperature,omitempty"`
	Thinking     *thinking     `json:"thinking,omitempty"`
	OutputConfig *outputConfig `json:"output_config,omitempty"`
	ToolChoice   *toolChoice   `json:"tool_choice,omitempty"`
}

type toolChoice struct {
	Type string `json:"type"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type imageBlock struct {
	Type   string `json:"type"`
	Source source `json:"source"`
}

type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

type toolUse struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type toolResult struct {
	Type      string            `json:"type"`
	ToolUseID string            `json:"tool_use_id"`
	Content   []json.RawMessage `json:"content"`
	IsError   bool              `json:"is_error,omitempty"`
}

// encoded is one message: its blocks with a comma before each, nil when there
// is nothing to send.
type encoded struct {
	assistant bool
	blocks    []byte
}

// cacheControl marks the end of a prefix that the provider keeps for the next
// request. It is spliced in before the brace that ends a block.
const cacheControl = `,"cache_control":{"type":"ephemeral"}}`

func (m *model) body(req llm.Request) llm.Body {
	head := request{
		Model:       m.e.Model,
		MaxTokens:   m.maxTokens(req),
		Stream:      true,
		Temperature: req.Temperature,
	}
	thinks := m.think(&head, req)
	if m.mode.fixed {
		head.Temperature = nil
	}
	if req.NoTools && len(req.Tools) > 0 {
		head.ToolChoice = &toolChoice{"none"}
	}
	b := make(llm.Body, 0, 2*len(req.Messages)+16)
	b.Add(bytes.TrimSuffix(llm.JSON(head), []byte("}")))
	prefix := &m.full
	if !thinks {
		prefix = &m.bare
	}
	if len(req.Tools) > 0 {
		b.AddString(`,"tools":`)
		b.Add(prefix.Tools(req.Tools, tools))
	}
	if !llm.Blank(req.System) {
		system := llm.JSON(textBlock{"text", req.System})
		b.AddString(`,"system":[`)
		b.Add(system[:len(system)-1], []byte(cacheControl), []byte("]"))
	}
	b.AddString(`,"messages":[`)
	writeTurns(&b, prefix.Messages(req.Messages, func(i int) encoded { return m.encode(req.Messages[i], thinks) }))
	b.AddString(`]}`)
	return b
}

// maxTokens returns the limit of the answer, which the format demands: what the
// rest of zuno leaves for it, where that is known.
func (m *model) maxTokens(req llm.Request) int {
	switch info := m.e.Info; {
	case req.MaxTokens > 0:
		return req.MaxTokens
	case info.Output > 0 && info.Context > 0:
		return info.Reserve()
	case info.Output > 0:
		return info.Output
	}
	return 16384
}

func tools(specs []llm.ToolSpec) []byte {
	var out [][]byte
	for _, s := range specs {
		out = append(out, llm.JSON(tool{s.Name, s.Description, s.Parameters()}))
	}
	last := out[len(out)-1]
	out[len(out)-1] = append(last[:len(last)-1], cacheControl...)
	return append(append([]byte("["), bytes.Join(out, []byte(","))...), ']')
}
