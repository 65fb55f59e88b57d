package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
)

type request struct {
	Model          string     `json:"model"`
	Stream         bool       `json:"stream"`
	Store          bool       `json:"store"`
	Instructions   string     `json:"instructions,omitempty"`
	MaxTokens      int        `json:"max_output_tokens,omitempty"`
	Temperature    *float64   `json:"temperature,omitempty"`
	Reasoning      *reasoning `json:"reasoning,omitempty"`
	Include        []string   `json:"include,omitempty"`
	PromptCacheKey string     `json:"prompt_cache_key,omitempty"`
	ToolChoice     string     `json:"tool_choice,omitempty"`
}

type reasoning struct {
	Effort  string `json:"effort,omitempty"`
	Summary string `json:"summary,omitempty"`
}

type tool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"`
}

type message struct {
	Type    string    `json:"type"`
	Role    string    `json:"role"`
	Content []content `json:"content"`
}

type content struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	ImageURL string `json:"image_url,omitempty"`
}

type functionCall struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type functionOutput struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	Output string `json:"output"`
}

func (m *model) body(req llm.Request) llm.Body {
	head := request{
		Model:          m.e.Model,
		Stream:         true,
		MaxTokens:      req.MaxTokens,
		Temperature:    req.Temperature,
		PromptCacheKey: req.CacheKey[:min(len(req.CacheKey), 64)],
	}
	if !llm.Blank(req.System) {
		head.Instructions = req.System
	}
	if head.MaxTokens > 0 {
		head.MaxTokens = max(least, head.MaxTokens)
	}
	m.think(&head, req)
	if req.NoTools && len(req.Tools) > 0 {
		head.ToolChoice = "none"
	}
	b := make(llm.Body, 0, 3*len(req.Messages)+16)
	b.Add(bytes.TrimSuffix(llm.JSON(head), []byte("}")))
	if len(req.Tools) > 0 {
		b.AddString(`,"tools":`)
		b.Add(m.prefix.Tools(req.Tools, tools))
	}
	b.AddString(`,"input":[`)
	first := len(b)
	for _, items := range m.prefix.Messages(req.Messages, func(i int) []byte { return m.encode(req.Messages[i]) }) {
		if items != nil {
			b.Add(items)
		}
	}
	if len(b) > first {
		b[first] = b[first][1:]
	}
	b.AddString(`]}`)
	return b
}

// lowest maps beginnings of model names to the effort that comes closest to
// off; the longest match wins, and low is for names that are not here.
// https://developers.openai.com/api/docs/guides/reasoning
func lowest() map[string]string {
	return map[string]string{
		"gpt-5":         "minimal",
		"gpt-5-codex":   "low",
		"gpt-5-pro":     "high",
		"gpt-5.1":       "none",
		"gpt-5.1-codex": "low",
		"gpt-5.2":       "none",
		"gpt-5.2-codex": "low",
		"gpt-5.3":       "low",
		"gpt-5.4":       "none",
		"gpt-5.4-pro":   "medium",
		"gpt-5.5":       "low",
		"gpt-5.6":       "none",
		"gpt-6-sol":     "none",
		"gpt-6-luna":    "none",
		"gpt-6.1-terra": "none",
	}
}

func (m *model) think(head *request, req llm.Request) {
	if !m.e.Info.Reasoning {
		return
	}
	head.Include = []string{"reasoning.encrypted_content"}
	head.Reasoning = &reasoning{Effort: req.Effort, Summary: "auto"}
	if req.Effort == "off" {
		head.Reasoning = &reasoning{Effort: lowestFor(m.e.Model)}
		if head.Reasoning.Effort != "none" && head.MaxTokens > 0 {
			head.MaxTokens += llm.ReasoningRoom
		}
	}
	if head.Reasoning.Effort != "none" {
		head.Temperature = nil
	}
}

// least is the smallest limit of an answer that the API takes.
const least = 16

func lowestFor(name string) string {
	best, effort := "", "low"
	for prefix, e := range lowest() {
		if strings.HasPrefix(name, prefix) && len(prefix) > len(best) {
			best, effort = prefix, e
		}
	}
	return effort
}

func tools(specs []llm.ToolSpec) []byte {
	ts := make([]tool, len(specs))
	for i, s := range specs {
		ts[i] = tool{Type: "function", Name: s.Name, Description: s.Description, Parameters: s.Parameters()}
	}
	return llm.JSON(ts)
}

// encode returns the items of a message with a comma before each, nil when
// there is nothing to send.
func (m *model) encode(msg *llm.Message) []byte {
	var items [][]byte
	switch msg.Role {
	case llm.Assistant:
		items = m.assistant(msg)
	case llm.Tool:
		items = m.results(msg)
	default:
		if c := m.contents(msg.Parts); c != nil {
			items = [][]byte{llm.JSON(message{"message", "user", c})}
		}
	}
	var out []byte
	for _, it := range items {
		out = append(append(out, ','), it...)
	}
	return out
}

func (m *model) contents(parts []llm.Part) []content {
	var out []content
	for _, p := range parts {
		if p.Kind == llm.Image {
			p = m.e.Sendable(p)
		}
		switch {
		case p.Kind == llm.Image:
			out = append(out, content{Type: "input_image", ImageURL: p.DataURL()})
		case p.Kind == llm.Text && !llm.Blank(p.Text):
			out = append(out, content{Type: "input_text", Text: p.Text})
		}
	}
	return out
}

// assistant returns the items of an answer. A reasoning item is sent only in
// front of what it led to: one at the end is refused.
func (m *model) assistant(msg *llm.Message) [][]byte {
	var items [][]byte
	said := 0
	for _, p := range msg.Parts {
		switch {
		case p.Kind == llm.Thinking && msg.Model == m.e.Name() && len(p.Opaque) > 0 && p.Opaque[0] == '{' && json.Valid(p.Opaque):
			items = append(items, p.Opaque)
			continue
		case p.Kind == llm.Text && !llm.Blank(p.Text):
			items = append(items, llm.JSON(message{"message", "assistant", []content{{Type: "output_text", Text: p.Text}}}))
		case p.Kind == llm.CallPart:
			items = append(items, llm.JSON(functionCall{"function_call", llm.WireID(p.Call.ID), llm.WireName(p.Call.Name), string(p.Call.Replay())}))
		default:
			continue
		}
		said = len(items)
	}
	return items[:said]
}

func (m *model) results(msg *llm.Message) [][]byte {
	var items [][]byte
	var images []llm.Part
	for _, p := range msg.Parts {
		switch p.Kind {
		case llm.Result:
			items = append(items, llm.JSON(functionOutput{"function_call_output", llm.WireID(p.For), p.ResultText()}))
		case llm.Image:
			images = append(images, p)
		}
	}
	if len(images) > 0 {
		parts := append([]llm.Part{{Kind: llm.Text, Text: llm.ImagesOfResult}}, images...)
		items = append(items, llm.JSON(message{"message", "user", m.contents(parts)}))
	}
	return items
}
