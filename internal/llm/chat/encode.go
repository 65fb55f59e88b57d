package chat

import (
	"bytes"
	"encoding/json"

	"github.com/zuno-dev/zuno/internal/llm"
)

type request struct {
	Model               string   `json:"model"`
	Stream              bool     `json:"stream"`
	StreamOptions       options  `json:"stream_options"`
	MaxTokens           int      `json:"max_tokens,omitempty"`
	MaxCompletionTokens int      `json:"max_completion_tokens,omitempty"`
	Temperature         *float64 `json:"temperature,omitempty"`
	ReasoningEffort     string   `json:"reasoning_effort,omitempty"`
	PromptCacheKey      string   `json:"prompt_cache_key,omitempty"`
	ToolChoice          string   `json:"tool_choice,omitempty"`
}

type options struct {
	IncludeUsage bool `json:"include_usage"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

type message struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content,omitempty"`
	Reasoning  string          `json:"reasoning_content,omitempty"`
	ToolCalls  []call          `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Function callFunction    `json:"function"`
	Extra    json.RawMessage `json:"extra_content,omitempty"`
}

type callFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type content struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitempty"`
	ImageURL *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

// encoded is one message as it is sent: objects with a comma before each, ""
// for one with nothing to send.
type encoded struct {
	main []byte
	// after holds the images of tool results, which go into a user message
	// once all results of the turn have been given.
	after []byte
}

func (m *model) body(req llm.Request) llm.Body {
	head := request{
		Model:         m.e.Model,
		Stream:        true,
		StreamOptions: options{IncludeUsage: true},
		Temperature:   req.Temperature,
	}
	m.limits(&head, req)
	if req.NoTools && len(req.Tools) > 0 {
		head.ToolChoice = "none"
	}
	b := make(llm.Body, 0, 3*len(req.Messages)+16)
	b.Add(bytes.TrimSuffix(llm.JSON(head), []byte("}")))
	if len(req.Tools) > 0 {
		b.AddString(`,"tools":`)
		b.Add(m.prefix.Tools(req.Tools, tools))
	}
	b.AddString(`,"messages":[`)
	m.messages(&b, req)
	b.AddString(`]}`)
	return b
}

// limits sets what bounds the answer. A reasoning model of OpenAI takes no
// temperature unless its reasoning is off.
func (m *model) limits(head *request, req llm.Request) {
	if m.quirks.openai {
		head.MaxCompletionTokens = req.MaxTokens
		head.PromptCacheKey = req.CacheKey[:min(len(req.CacheKey), 64)]
	} else {
		head.MaxTokens = req.MaxTokens
	}
	if !m.e.Info.Reasoning {
		return
	}
	if head.ReasoningEffort = req.Effort; req.Effort == "off" {
		head.ReasoningEffort = "none"
	} else if m.quirks.openai {
		head.Temperature = nil
	}
}

func tools(specs []llm.ToolSpec) []byte {
	ts := make([]tool, len(specs))
	for i, s := range specs {
		ts[i] = tool{Type: "function", Function: function{Name: s.Name, Description: s.Description, Parameters: s.Parameters()}}
	}
	return llm.JSON(ts)
}

// between stands between results and what the user says next, where a server
// demands that the model speaks there.
const between = "OK."

// messages appends the system prompt and the conversation, keeping the images
// of results back until the last result of the turn: nothing may stand between
// calls and their results.
func (m *model) messages(b *llm.Body, req llm.Request) {
	first := len(*b)
	if !llm.Blank(req.System) {
		b.Add(object(message{Role: "system", Content: llm.JSON(req.System)}))
	}
	var held [][]byte
	answered := false // the latest that was added are results
	asked := func(pieces ...[]byte) {
		if m.quirks.mistral && answered {
			b.Add(object(message{Role: "assistant", Content: llm.JSON(between)}))
		}
		b.Add(pieces...)
		answered = false
	}
	for i, p := range m.prefix.Messages(req.Messages, func(i int) encoded { return m.encode(req.Messages[i]) }) {
		role := req.Messages[i].Role
		if role != llm.Tool && held != nil {
			asked(held...)
			held = nil
		}
		switch {
		case p.main == nil:
		case role == llm.User:
			asked(p.main)
		default:
			b.Add(p.main)
			answered = role == llm.Tool
		}
		if p.after != nil {
			held = append(held, p.after)
		}
	}
	if held != nil {
		asked(held...)
	}
	if len(*b) > first {
		(*b)[first] = (*b)[first][1:]
	}
}

// object encodes a message with the comma that stands before it.
func object(m message) []byte { return append([]byte(","), llm.JSON(m)...) }

func (m *model) encode(msg *llm.Message) encoded {
	switch msg.Role {
	case llm.Assistant:
		return encoded{main: m.assistant(msg)}
	case llm.Tool:
		return m.results(msg)
	}
	if c := m.contents(msg.Parts); c != nil {
		return encoded{main: object(message{Role: "user", Content: c})}
	}
	return encoded{}
}

// contents returns the text and images of parts, as a plain string where that
// is enough: small servers take no list. It returns nil for nothing to send.
func (m *model) contents(parts []llm.Part) json.RawMessage {
	var list []content
	images := false
	for _, p := range parts {
		if p.Kind == llm.Image {
			p = m.e.Sendable(p)
		}
		switch {
		case p.Kind == llm.Image:
			list = append(list, content{Type: "image_url", ImageURL: &imageURL{p.DataURL()}})
			images = true
		case p.Kind == llm.Text && !llm.Blank(p.Text):
			list = append(list, content{Type: "text", Text: p.Text})
		}
	}
	switch {
	case len(list) == 0:
		return nil
	case images:
		return llm.JSON(list)
	}
	text := list[0].Text
	for _, c := range list[1:] {
		text += "\n\n" + c.Text
	}
	return llm.JSON(text)
}

func (m *model) assistant(msg *llm.Message) []byte {
	out := message{Role: "assistant"}
	var text string
	same := msg.Model == m.e.Name()
	for _, p := range msg.Parts {
		switch p.Kind {
		case llm.Text:
			text += p.Text
		case llm.Thinking:
			if same && m.quirks.thoughts {
				out.Reasoning += p.Text
			}
		case llm.CallPart:
			out.ToolCalls = append(out.ToolCalls, m.call(p.Call, same))
		}
	}
	if !llm.Blank(text) {
		out.Content = llm.JSON(text)
	}
	switch {
	case out.Content == nil && out.ToolCalls == nil:
		return nil
	case out.Content == nil && m.quirks.thoughts:
		out.Content = json.RawMessage("null")
	}
	return object(out)
}

func (m *model) call(c *llm.Call, same bool) call {
	out := call{ID: m.id(c.ID), Type: "function", Function: callFunction{llm.WireName(c.Name), string(c.Replay())}}
	if same && json.Valid(c.Opaque) {
		out.Extra = c.Opaque
	}
	return out
}

// id returns a call ID that the server takes, and the same one for the same id.
func (m *model) id(id string) string {
	if !m.quirks.mistral {
		return llm.WireID(id)
	}
	return llm.ShortID(id, 9)
}

func (m *model) results(msg *llm.Message) encoded {
	var out encoded
	var images []llm.Part
	for _, p := range msg.Parts {
		switch p.Kind {
		case llm.Result:
			r := message{Role: "tool", ToolCallID: m.id(p.For), Content: llm.JSON(p.ResultText())}
			out.main = append(out.main, object(r)...)
		case llm.Image:
			images = append(images, p)
		}
	}
	if len(images) > 0 {
		parts := append([]llm.Part{{Kind: llm.Text, Text: llm.ImagesOfResult}}, images...)
		out.after = object(message{Role: "user", Content: m.contents(parts)})
	}
	return out
}
