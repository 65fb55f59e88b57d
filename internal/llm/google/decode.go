package google

import (
	"bytes"
	"encoding/json"

	"github.com/zuno-dev/zuno/internal/llm"
)

type chunk struct {
	Candidates []struct {
		Content struct {
			Parts []piece `json:"parts"`
		} `json:"content"`
		FinishReason string `json:"finishReason"`
	} `json:"candidates"`
	Feedback struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *usage          `json:"usageMetadata"`
	Error json.RawMessage `json:"error"`
}

type piece struct {
	Text      string          `json:"text"`
	Thought   bool            `json:"thought"`
	Signature json.RawMessage `json:"thoughtSignature"`
	Call      *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
}

type usage struct {
	Prompt     llm.Count `json:"promptTokenCount"`
	Cached     llm.Count `json:"cachedContentTokenCount"`
	Candidates llm.Count `json:"candidatesTokenCount"`
	Thoughts   llm.Count `json:"thoughtsTokenCount"`
	ToolUse    llm.Count `json:"toolUsePromptTokenCount"`
}

type decoder struct {
	e     *llm.Endpoint
	draft *llm.Draft
	step  llm.Step
}

func newDecoder(e *llm.Endpoint, delta func(llm.Delta)) *decoder {
	return &decoder{e: e, draft: llm.NewDraft(delta)}
}

func (d *decoder) event(ev llm.Event) (llm.Step, error) {
	switch {
	case string(ev.Data) == "[DONE]":
		return llm.Done, nil
	case ev.Data[0] == '{':
		return d.chunk(ev.Data)
	case ev.Data[0] == '[':
		// Without alt=sse, and from some proxies, the chunks come as one list.
		var list []json.RawMessage
		if err := json.Unmarshal(ev.Data, &list); err != nil {
			return d.step, d.e.Garbled(err)
		}
		for _, raw := range list {
			if step, err := d.chunk(raw); err != nil {
				return step, err
			}
		}
	}
	return d.step, nil
}

func (d *decoder) chunk(data []byte) (llm.Step, error) {
	var c chunk
	if err := llm.Decode(data, &c); err != nil {
		return d.step, d.e.Garbled(err)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return d.step, d.e.Failure(0, nil, data)
	}
	if u := c.Usage; u != nil {
		d.draft.Usage = llm.Usage{
			Input:     int(max(0, u.Prompt+u.ToolUse-u.Cached)),
			CacheRead: int(u.Cached),
			Output:    int(u.Candidates + u.Thoughts),
			Reasoning: int(u.Thoughts),
		}
	}
	if c.Feedback.BlockReason != "" {
		d.draft.Stop, d.step = llm.StopRefusal, llm.Ending
	}
	if len(c.Candidates) == 0 {
		return d.step, nil
	}
	for i := range c.Candidates[0].Content.Parts {
		d.piece(&c.Candidates[0].Content.Parts[i])
	}
	return d.finish(c.Candidates[0].FinishReason)
}

func (d *decoder) piece(p *piece) {
	signed := signature(p.Signature) != nil
	switch {
	case p.Call != nil:
		c := d.draft.Add(llm.CallPart)
		c.ID, c.Name, c.Whole = p.Call.ID, p.Call.Name, true
		if string(p.Call.Args) != "null" {
			c.Args.Write(p.Call.Args)
		}
		if signed {
			c.Opaque = bytes.Clone(p.Signature)
		}
	case p.Thought:
		t := d.draft.Last(llm.Thinking)
		if t.Opaque != nil {
			t = d.draft.Add(llm.Thinking)
		}
		d.draft.Write(t, p.Text)
		if signed {
			t.Opaque, t.Whole = bytes.Clone(p.Signature), true
		}
	default:
		if p.Text != "" {
			d.draft.Write(d.draft.Last(llm.Text), p.Text)
		}
		if signed {
			t := d.draft.Add(llm.Thinking)
			t.Opaque, t.Whole = bytes.Clone(p.Signature), true
		}
	}
}

func (d *decoder) finish(reason string) (llm.Step, error) {
	switch reason {
	case "", "FINISH_REASON_UNSPECIFIED":
		return d.step, nil
	case "MAX_TOKENS":
		d.draft.Stop = llm.StopLength
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY":
		d.draft.Stop = llm.StopRefusal
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE":
		return d.step, d.e.Failure(0, nil, []byte(`{"message":"the model made a malformed call (`+reason+`)"}`))
	default:
		d.draft.Stop = llm.StopEnd
	}
	d.step = llm.Ending
	return d.step, nil
}
