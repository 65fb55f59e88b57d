package google

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
)

type request struct {
	System     *instruction `json:"systemInstruction,omitempty"`
	Config     config       `json:"generationConfig"`
	ToolConfig *toolConfig  `json:"toolConfig,omitempty"`
}

type instruction struct {
	Parts []part `json:"parts"`
}

type config struct {
	MaxTokens   int       `json:"maxOutputTokens,omitempty"`
	Temperature *float64  `json:"temperature,omitempty"`
	Thinking    *thinking `json:"thinkingConfig,omitempty"`
}

type toolConfig struct {
	Calling callingConfig `json:"functionCallingConfig"`
}

type callingConfig struct {
	Mode string `json:"mode"`
}

type declarations struct {
	Functions []declaration `json:"functionDeclarations"`
}

type declaration struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

type part struct {
	Text      string            `json:"text,omitempty"`
	Thought   bool              `json:"thought,omitempty"`
	Inline    *inline           `json:"inlineData,omitempty"`
	Call      *functionCall     `json:"functionCall,omitempty"`
	Response  *functionResponse `json:"functionResponse,omitempty"`
	Signature json.RawMessage   `json:"thoughtSignature,omitempty"`
}

type inline struct {
	MIME string `json:"mimeType"`
	Data string `json:"data"`
}

type functionCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type functionResponse struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

// encoded is one message: its parts with a comma before each, nil when there
// is nothing to send. Images of results come after all results of the turn.
type encoded struct {
	role         string
	parts, after []byte
	results      bool
}

func (m *model) body(req llm.Request) llm.Body {
	head := request{Config: config{MaxTokens: req.MaxTokens, Temperature: req.Temperature}}
	if head.Config.MaxTokens == 0 {
		head.Config.MaxTokens = m.e.Info.Output
	}
	if !llm.Blank(req.System) {
		head.System = &instruction{[]part{{Text: req.System}}}
	}
	m.think(&head.Config, req)
	if req.NoTools && len(req.Tools) > 0 {
		head.ToolConfig = &toolConfig{callingConfig{"NONE"}}
	}
	b := make(llm.Body, 0, 3*len(req.Messages)+16)
	b.Add(bytes.TrimSuffix(llm.JSON(head), []byte("}")))
	if len(req.Tools) > 0 {
		b.AddString(`,"tools":`)
		b.Add(m.prefix.Tools(req.Tools, tools))
	}
	b.AddString(`,"contents":[`)
	writeContents(&b, m.prefix.Messages(req.Messages, func(i int) encoded { return m.encode(req.Messages, i) }))
	b.AddString(`]}`)
	return b
}

func tools(specs []llm.ToolSpec) []byte {
	ds := make([]declaration, len(specs))
	for i, s := range specs {
		ds[i] = declaration{s.Name, s.Description, parameters(s.Parameters())}
	}
	return llm.JSON([]declarations{{ds}})
}

// writeContents appends the messages as turns that alternate, and the images
// of results at the end of the turn that gives the results.
func writeContents(b *llm.Body, ms []encoded) {
	starts := map[string][]byte{"user": []byte(`{"role":"user","parts":[`), "model": []byte(`{"role":"model","parts":[`)}
	comma, end := []byte(","), []byte("]}")
	open := ""
	var held [][]byte
	for _, m := range ms {
		if m.parts == nil {
			continue
		}
		if !m.results && held != nil {
			b.Add(held...)
			held = nil
		}
		parts := m.parts
		if m.role != open {
			if open != "" {
				b.Add(end, comma)
			}
			b.Add(starts[m.role])
			open, parts = m.role, parts[1:]
		}
		b.Add(parts)
		if m.after != nil {
			held = append(held, m.after)
		}
	}
	b.Add(held...)
	if open != "" {
		b.Add(end)
	}
}

func (m *model) encode(ms []*llm.Message, i int) encoded {
	msg := ms[i]
	switch msg.Role {
	case llm.Assistant:
		return encoded{role: "model", parts: join(m.answer(msg))}
	case llm.Tool:
		parts, images := m.results(ms, i)
		return encoded{role: "user", parts: join(parts), after: join(images), results: true}
	}
	return encoded{role: "user", parts: join(m.visible(msg.Parts))}
}

func join(parts []part) []byte {
	var out []byte
	for _, p := range parts {
		out = append(append(out, ','), llm.JSON(p)...)
	}
	return out
}

func (m *model) visible(parts []llm.Part) []part {
	var out []part
	for _, p := range parts {
		if p.Kind == llm.Image {
			p = m.e.Sendable(p)
		}
		switch {
		case p.Kind == llm.Image:
			out = append(out, part{Inline: &inline{p.MIME, base64.StdEncoding.EncodeToString(p.Data)}})
		case p.Kind == llm.Text && !llm.Blank(p.Text):
			out = append(out, part{Text: p.Text})
		}
	}
	return out
}

// answer encodes a message of the model. A signature that came on its own or
// with a text goes back on the text before it.
func (m *model) answer(msg *llm.Message) []part {
	same := msg.Model == m.e.Name()
	var out []part
	calls := 0
	for _, p := range msg.Parts {
		switch p.Kind {
		case llm.Text:
			if !llm.Blank(p.Text) {
				out = append(out, part{Text: p.Text})
			}
		case llm.Thinking:
			if sig := signature(p.Opaque); same && sig != nil {
				out = thought(out, p.Text, sig)
			}
		case llm.CallPart:
			out = append(out, m.call(p.Call, same, calls == 0))
			calls++
		}
	}
	for _, p := range out {
		if p.Text != "" && !p.Thought || p.Call != nil {
			return out
		}
	}
	return nil
}

func thought(out []part, text string, sig json.RawMessage) []part {
	if text != "" {
		return append(out, part{Text: text, Thought: true, Signature: sig})
	}
	if n := len(out); n > 0 && out[n-1].Text != "" && out[n-1].Signature == nil {
		out[n-1].Signature = sig
	}
	return out
}

func signature(opaque json.RawMessage) json.RawMessage {
	if len(opaque) > 2 && opaque[0] == '"' && json.Valid(opaque) {
		return opaque
	}
	return nil
}

// foreign stands for the signature of a call that another model made: models
// from Gemini 3 on refuse a turn whose first call has none, and take this.
// https://ai.google.dev/gemini-api/docs/thought-signatures
const foreign = `"skip_thought_signature_validator"`

func (m *model) call(c *llm.Call, same, first bool) part {
	p := part{Call: &functionCall{Name: llm.WireName(c.Name), Args: c.Replay(), ID: nativeID(c.ID)}}
	if same {
		p.Signature = signature(c.Opaque)
	}
	if p.Signature == nil && first && !m.older() {
		p.Signature = json.RawMessage(foreign)
	}
	return p
}

// nativeID returns the ID of a call unless zuno made it up: Gemini pairs
// results by name and order when it gave no IDs.
func nativeID(id string) string {
	if strings.HasPrefix(id, llm.SyntheticID) {
		return ""
	}
	return id
}

func (m *model) results(ms []*llm.Message, i int) (parts, images []part) {
	var pictures []llm.Part
	for _, p := range ms[i].Parts {
		switch p.Kind {
		case llm.Result:
			key := "output"
			if p.Failed {
				key = "error"
			}
			name := llm.WireName(llm.CallFor(ms, i, p.For))
			parts = append(parts, part{Response: &functionResponse{nativeID(p.For), name, map[string]string{key: p.ResultText()}}})
		case llm.Image:
			pictures = append(pictures, p)
		}
	}
	if len(pictures) > 0 {
		images = append([]part{{Text: llm.ImagesOfResult}}, m.visible(pictures)...)
	}
	return parts, images
}
