package openai

import (
	"bytes"
	"encoding/json"

	"github.com/zuno-dev/zuno/internal/llm"
)

type event struct {
	Type        string          `json:"type"`
	OutputIndex int             `json:"output_index"`
	Delta       string          `json:"delta"`
	Arguments   string          `json:"arguments"`
	Item        json.RawMessage `json:"item"`
	Response    json.RawMessage `json:"response"`
	Error       json.RawMessage `json:"error"`
}

type response struct {
	Status     string            `json:"status"`
	Output     []json.RawMessage `json:"output"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type usage struct {
	Input        llm.Count `json:"input_tokens"`
	Output       llm.Count `json:"output_tokens"`
	InputDetails struct {
		Cached  llm.Count `json:"cached_tokens"`
		Written llm.Count `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
	OutputDetails struct {
		Reasoning llm.Count `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

type item struct {
	Type      string          `json:"type"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Content   []itemText      `json:"content"`
	Summary   []itemText      `json:"summary"`
	Encrypted *string         `json:"encrypted_content"`
	Status    string          `json:"status"`
}

type itemText struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}

type decoder struct {
	e     *llm.Endpoint
	draft *llm.Draft
	open  map[int]*llm.DraftPart
	// refused says that the model declined in place of an answer.
	refused bool
}

func newDecoder(e *llm.Endpoint, delta func(llm.Delta)) *decoder {
	return &decoder{e: e, draft: llm.NewDraft(delta), open: map[int]*llm.DraftPart{}}
}

func (d *decoder) event(ev llm.Event) (llm.Step, error) {
	if ev.Data[0] != '{' {
		return llm.More, nil
	}
	var v event
	if err := llm.Decode(ev.Data, &v); err != nil {
		return llm.More, d.e.Garbled(err)
	}
	if v.Type == "" {
		v.Type = ev.Name
	}
	switch v.Type {
	case "response.output_item.added":
		d.add(v.OutputIndex, v.Item)
	case "response.output_text.delta", "response.refusal.delta":
		d.refused = d.refused || v.Type == "response.refusal.delta"
		d.write(v.OutputIndex, llm.Text, v.Delta)
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		d.write(v.OutputIndex, llm.Thinking, v.Delta)
	case "response.reasoning_summary_part.added":
		if p := d.open[v.OutputIndex]; p != nil && p.Kind == llm.Thinking && p.Text() != "" {
			d.draft.Write(p, "\n\n")
		}
	case "response.function_call_arguments.delta":
		if p := d.part(v.OutputIndex, llm.CallPart); p != nil {
			p.Args.WriteString(v.Delta)
		}
	case "response.function_call_arguments.done":
		if p := d.part(v.OutputIndex, llm.CallPart); p != nil && v.Arguments != "" {
			p.Args.Reset()
			p.Args.WriteString(v.Arguments)
		}
	case "response.output_item.done":
		d.done(v.OutputIndex, v.Item)
	case "response.completed", "response.incomplete", "response.done":
		return d.finish(v.Response, v.Type)
	case "response.failed", "error":
		return llm.More, d.e.Failure(0, nil, ev.Data)
	default:
		if ev.Whole {
			return d.finish(ev.Data, "")
		}
		if v.Type == "" && len(v.Error) > 0 && string(v.Error) != "null" {
			return llm.More, d.e.Failure(0, nil, ev.Data)
		}
	}
	return llm.More, nil
}

func kindOf(item string) llm.PartKind {
	switch item {
	case "message":
		return llm.Text
	case "reasoning":
		return llm.Thinking
	case "function_call":
		return llm.CallPart
	}
	return ""
}

func (d *decoder) add(index int, raw json.RawMessage) {
	var it item
	if llm.Decode(raw, &it) != nil {
		return
	}
	p := d.draft.Add(kindOf(it.Type))
	p.ID, p.Name = it.CallID, it.Name
	d.open[index] = p
}

// part returns the open part at index, which servers that leave out the start
// of an item make necessary to begin here; nil when it is of another kind.
func (d *decoder) part(index int, kind llm.PartKind) *llm.DraftPart {
	p := d.open[index]
	if p == nil {
		p = d.draft.Add(kind)
		d.open[index] = p
	}
	if p.Kind != kind {
		return nil
	}
	return p
}

func (d *decoder) write(index int, kind llm.PartKind, s string) {
	if p := d.part(index, kind); p != nil {
		d.draft.Write(p, s)
	}
}

// done takes the finished item, which is authoritative: it holds the encrypted
// reasoning, and everything when the server sent no pieces.
func (d *decoder) done(index int, raw json.RawMessage) {
	var it item
	if llm.Decode(raw, &it) != nil {
		return
	}
	p := d.part(index, kindOf(it.Type))
	if p == nil {
		return
	}
	p.Whole = true
	switch p.Kind {
	case llm.Text:
		d.finishText(p, it.Content)
	case llm.Thinking:
		if p.Text() == "" {
			d.draft.Write(p, join(it.Summary))
		}
		if p.Text() == "" {
			d.draft.Write(p, join(it.Content))
		}
		if it.Encrypted != nil && *it.Encrypted != "" {
			p.Opaque = bytes.Clone(raw)
		}
	case llm.CallPart:
		p.Cut = it.Status == "incomplete"
		if it.CallID != "" {
			p.ID = it.CallID
		}
		if it.Name != "" {
			p.Name = it.Name
		}
		if args := argsOf(it.Arguments); len(args) > 0 {
			p.Args.Reset()
			p.Args.Write(args)
		}
	}
}

func (d *decoder) finishText(p *llm.DraftPart, list []itemText) {
	streamed := p.Text() != ""
	for _, c := range list {
		if c.Type == "refusal" {
			d.refused = true
		}
		if !streamed {
			d.draft.Write(p, c.Text+c.Refusal)
		}
	}
}

func join(list []itemText) string {
	var s string
	for i, t := range list {
		if i > 0 {
			s += "\n\n"
		}
		s += t.Text
	}
	return s
}

// argsOf returns arguments sent as a string, as they should be, or as an
// object.
func argsOf(raw json.RawMessage) []byte {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return []byte(s)
	}
	return raw
}

// finish takes the final response, named by its event or, with "", sent as one
// document.
func (d *decoder) finish(raw json.RawMessage, event string) (llm.Step, error) {
	var r response
	if err := llm.Decode(raw, &r); err != nil {
		return llm.More, d.e.Garbled(err)
	}
	if len(r.Error) > 0 && string(r.Error) != "null" || r.Status == "failed" {
		return llm.More, d.e.Failure(0, nil, raw)
	}
	if event == "" && r.Output == nil {
		return llm.More, nil
	}
	if event == "response.incomplete" {
		r.Status = "incomplete"
	}
	if len(d.open) == 0 {
		for i, it := range r.Output {
			d.add(i, it)
			d.done(i, it)
		}
	}
	if u := r.Usage; u != nil {
		d.draft.Usage = llm.Usage{
			Input:      int(max(0, u.Input-u.InputDetails.Cached-u.InputDetails.Written)),
			CacheRead:  int(u.InputDetails.Cached),
			CacheWrite: int(u.InputDetails.Written),
			Output:     int(u.Output),
			Reasoning:  int(u.OutputDetails.Reasoning),
		}
	}
	d.draft.Stop = d.stop(r)
	return llm.Done, nil
}

func (d *decoder) stop(r response) llm.Stop {
	switch {
	case r.Incomplete.Reason == "content_filter" || d.refused:
		return llm.StopRefusal
	case r.Status == "incomplete":
		return llm.StopLength
	}
	return llm.StopEnd
}
