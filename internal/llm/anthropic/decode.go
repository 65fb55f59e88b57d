package anthropic

import (
	"bytes"
	"encoding/json"

	"github.com/zuno-dev/zuno/internal/llm"
)

type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message *struct {
		Usage usage `json:"usage"`
	} `json:"message"`
	ContentBlock json.RawMessage `json:"content_block"`
	Delta        struct {
		Type        string `json:"type"`
		Text        string `json:"text"`
		Thinking    string `json:"thinking"`
		Signature   string `json:"signature"`
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
	Usage usage           `json:"usage"`
	Error json.RawMessage `json:"error"`
	// Of an answer in one document.
	Content    []json.RawMessage `json:"content"`
	StopReason string            `json:"stop_reason"`
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
}

// usage counts are cumulative; those that an event leaves out do not change, nor
// do those that one takes back: servers that imitate the format count the input
// in the first event or in the last, and say 0 in the other.
type usage struct {
	Input      *llm.Count `json:"input_tokens"`
	Output     *llm.Count `json:"output_tokens"`
	CacheRead  *llm.Count `json:"cache_read_input_tokens"`
	CacheWrite *llm.Count `json:"cache_creation_input_tokens"`
}

type decoder struct {
	e     *llm.Endpoint
	draft *llm.Draft
	step  llm.Step
	open  map[int]*part
}

// A part is a block while it streams.
type part struct {
	*llm.DraftPart
	// input is a call's arguments if they came with its start.
	input     json.RawMessage
	signature string
}

func newDecoder(e *llm.Endpoint, delta func(llm.Delta)) *decoder {
	return &decoder{e: e, draft: llm.NewDraft(delta), open: map[int]*part{}}
}

func (d *decoder) event(ev llm.Event) (llm.Step, error) {
	if ev.Data[0] != '{' {
		return d.step, nil
	}
	var v event
	if err := llm.Decode(ev.Data, &v); err != nil {
		return d.step, d.e.Garbled(err)
	}
	if v.Type == "" {
		v.Type = ev.Name
	}
	if v.Type == "" && len(v.Error) > 0 {
		v.Type = "error"
	}
	switch v.Type {
	case "message_start":
		if v.Message != nil {
			d.count(v.Message.Usage)
		}
	case "content_block_start":
		d.start(v.Index, v.ContentBlock)
	case "content_block_delta":
		d.delta(&v)
	case "content_block_stop":
		d.end(v.Index)
	case "message_delta":
		d.count(v.Usage)
		d.stop(v.Delta.StopReason)
	case "message_stop":
		d.endAll()
		return llm.Done, nil
	case "message":
		return d.whole(&v), nil
	case "error":
		return d.step, d.e.Failure(0, nil, ev.Data)
	}
	return d.step, nil
}

func (d *decoder) count(u usage) {
	set := func(to *int, from *llm.Count) {
		if from != nil {
			*to = max(*to, int(*from))
		}
	}
	set(&d.draft.Usage.Input, u.Input)
	set(&d.draft.Usage.Output, u.Output)
	set(&d.draft.Usage.CacheRead, u.CacheRead)
	set(&d.draft.Usage.CacheWrite, u.CacheWrite)
}

func (d *decoder) stop(reason string) {
	switch reason {
	case "":
		return
	case "tool_use":
		d.draft.Stop = llm.StopCalls
	case "max_tokens":
		d.draft.Stop = llm.StopLength
	case "model_context_window_exceeded":
		d.draft.Stop = llm.StopFull
	case "refusal":
		d.draft.Stop = llm.StopRefusal
	default:
		d.draft.Stop = llm.StopEnd
	}
	d.step = llm.Ending
	d.endAll()
}

func (d *decoder) endAll() {
	for i := range d.open {
		d.end(i)
	}
}

func (d *decoder) start(index int, raw json.RawMessage) {
	var b block
	if llm.Decode(raw, &b) != nil {
		return
	}
	p := &part{DraftPart: d.draft.Add(kindOf(b.Type))}
	d.open[index] = p
	switch b.Type {
	case "text":
		d.draft.Write(p.DraftPart, b.Text)
	case "thinking":
		d.draft.Write(p.DraftPart, b.Thinking)
		p.signature = b.Signature
	case "redacted_thinking":
		p.Opaque = bytes.Clone(raw)
	case "tool_use":
		p.ID, p.Name, p.input = b.ID, b.Name, b.Input
	}
}

// kindOf returns "" for the blocks of tools that run at the provider, which
// are never asked for.
func kindOf(block string) llm.PartKind {
	switch block {
	case "text":
		return llm.Text
	case "thinking", "redacted_thinking":
		return llm.Thinking
	case "tool_use":
		return llm.CallPart
	}
	return ""
}

func (d *decoder) delta(v *event) {
	p := d.open[v.Index]
	if p == nil {
		return
	}
	switch v.Delta.Type {
	case "text_delta":
		d.draft.Write(p.DraftPart, v.Delta.Text)
	case "thinking_delta":
		d.draft.Write(p.DraftPart, v.Delta.Thinking)
	case "signature_delta":
		p.signature += v.Delta.Signature
	case "input_json_delta":
		p.Args.WriteString(v.Delta.PartialJSON)
	}
}

func (d *decoder) end(index int) {
	p := d.open[index]
	if p == nil {
		return
	}
	delete(d.open, index)
	p.Whole = true
	if p.signature != "" {
		p.Opaque = llm.JSON(p.signature)
	}
	if p.Args.Len() == 0 && len(p.input) > 0 && string(p.input) != "{}" && string(p.input) != "null" {
		p.Args.Write(p.input)
	}
}

// whole reads an answer that came as one document.
func (d *decoder) whole(v *event) llm.Step {
	for i, raw := range v.Content {
		d.start(i, raw)
		d.end(i)
	}
	d.count(v.Usage)
	d.stop(v.StopReason)
	return llm.Done
}
