package chat

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
)

type chunk struct {
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	Delta        *piece          `json:"delta"`
	Message      *piece          `json:"message"` // of an answer in one document
	FinishReason string          `json:"finish_reason"`
	Error        json.RawMessage `json:"error"`
}

type piece struct {
	Content          json.RawMessage `json:"content"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	Refusal          json.RawMessage `json:"refusal"`
	ToolCalls        []callPiece     `json:"tool_calls"`
}

type callPiece struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content"`
}

type usage struct {
	PromptTokens     llm.Count `json:"prompt_tokens"`
	CompletionTokens llm.Count `json:"completion_tokens"`
	TotalTokens      llm.Count `json:"total_tokens"`
	PromptDetails    struct {
		CachedTokens     llm.Count `json:"cached_tokens"`
		CacheWriteTokens llm.Count `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionDetails struct {
		ReasoningTokens llm.Count `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
	// DeepSeek's own name for the cached part.
	CacheHit llm.Count `json:"prompt_cache_hit_tokens"`
}

type decoder struct {
	e     *llm.Endpoint
	draft *llm.Draft
	step  llm.Step
	calls calls
	think splitter
}

func newDecoder(e *llm.Endpoint, delta func(llm.Delta)) *decoder {
	d := &decoder{e: e, draft: llm.NewDraft(delta)}
	d.calls.draft = d.draft
	return d
}

func (d *decoder) event(ev llm.Event) (llm.Step, error) {
	switch {
	case string(ev.Data) == "[DONE]":
		return llm.Done, nil
	case ev.Data[0] != '{':
		return d.step, nil
	}
	var c chunk
	if err := llm.Decode(ev.Data, &c); err != nil {
		return d.step, d.e.Garbled(err)
	}
	if ev.Name == "error" || given(c.Error) {
		return d.step, d.e.Failure(0, nil, ev.Data)
	}
	if c.Usage != nil {
		d.draft.Usage = c.Usage.normal()
	} else if c.Choices == nil && llm.Complains(ev.Data) {
		return d.step, d.e.Failure(0, nil, ev.Data)
	}
	if len(c.Choices) > 0 {
		if err := d.choice(&c.Choices[0]); err != nil {
			return d.step, err
		}
	}
	if ev.Whole && len(c.Choices) > 0 {
		return llm.Done, nil
	}
	return d.step, nil
}

func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func (d *decoder) choice(c *choice) error {
	if given(c.Error) {
		return d.e.Failure(0, nil, c.Error)
	}
	for _, p := range []*piece{c.Delta, c.Message} {
		if p != nil {
			d.piece(p)
		}
	}
	if c.FinishReason == "" {
		return nil
	}
	reason := strings.ToLower(c.FinishReason)
	switch reason {
	case "error", "network_error", "insufficient_system_resource", "abort", "cancelled":
		return d.e.Failure(0, nil, llm.JSON(map[string]string{"message": "the provider broke the answer off: " + c.FinishReason}))
	}
	d.step = llm.Ending
	d.draft.Stop = stop(reason)
	return nil
}

func stop(reason string) llm.Stop {
	switch reason {
	case "tool_calls", "function_call", "tool_use":
		return llm.StopCalls
	case "length", "max_tokens":
		return llm.StopLength
	case "model_length", "model_context_window_exceeded": // Mistral, Zhipu
		return llm.StopFull
	case "content_filter", "refusal", "sensitive", "safety":
		return llm.StopRefusal
	}
	return llm.StopEnd
}

func (d *decoder) piece(p *piece) {
	thought := text(p.ReasoningContent)
	if thought == "" {
		thought = text(p.Reasoning)
	}
	d.write(llm.Thinking, thought)
	d.content(p.Content)
	d.write(llm.Text, text(p.Refusal))
	for i := range p.ToolCalls {
		d.calls.add(&p.ToolCalls[i])
	}
}

func (d *decoder) write(kind llm.PartKind, s string) {
	if s != "" {
		d.draft.Write(d.draft.Last(kind), s)
	}
}

// content reads the text of an answer: a string, or a list of text and
// thinking parts as Mistral sends it.
func (d *decoder) content(raw json.RawMessage) {
	if len(raw) == 0 || raw[0] != '[' {
		if s := text(raw); s != "" {
			d.split(d.think.split(s))
		}
		return
	}
	var list []struct {
		Type     string          `json:"type"`
		Text     string          `json:"text"`
		Thinking json.RawMessage `json:"thinking"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return
	}
	for _, p := range list {
		if p.Type != "thinking" {
			d.write(llm.Text, p.Text)
			continue
		}
		var thoughts []struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(p.Thinking, &thoughts) != nil {
			d.write(llm.Thinking, text(p.Thinking))
		}
		for _, t := range thoughts {
			d.write(llm.Thinking, t.Text)
		}
	}
}

func (d *decoder) split(thought, answer string) {
	d.write(llm.Thinking, thought)
	d.write(llm.Text, answer)
}

// end takes what was held back when the answer has ended.
func (d *decoder) end() { d.split(d.think.rest()) }

// text returns a JSON string, and "" for every other value.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// normal turns the counts into those of [llm.Usage]. Most servers count
// reasoning within the completion; some add it, which the total gives away.
func (u *usage) normal() llm.Usage {
	cached := max(u.PromptDetails.CachedTokens, u.CacheHit)
	out := llm.Usage{
		Input:      int(max(0, u.PromptTokens-cached-u.PromptDetails.CacheWriteTokens)),
		CacheRead:  int(cached),
		CacheWrite: int(u.PromptDetails.CacheWriteTokens),
		Output:     int(u.CompletionTokens),
		Reasoning:  int(u.CompletionDetails.ReasoningTokens),
	}
	if out.Reasoning > 0 && u.TotalTokens == u.PromptTokens+u.CompletionTokens+u.CompletionDetails.ReasoningTokens {
		out.Output += out.Reasoning
	}
	return out
}

// calls joins the pieces of calls. Servers number them, name them, do both or
// neither, repeat either, and give several calls one number.
type calls struct {
	draft   *llm.Draft
	byID    map[string]*llm.DraftPart
	byIndex map[int]*llm.DraftPart
	last    *llm.DraftPart
}

func (c *calls) add(p *callPiece) {
	part := c.find(p)
	if part == nil {
		part = c.draft.Add(llm.CallPart)
	}
	c.last = part
	if part.ID == "" {
		part.ID = p.ID
	}
	if part.Name == "" {
		part.Name = p.Function.Name
	}
	if given(p.Extra) {
		part.Opaque = bytes.Clone(p.Extra)
	}
	if c.byID == nil {
		c.byID, c.byIndex = map[string]*llm.DraftPart{}, map[int]*llm.DraftPart{}
	}
	if p.ID != "" {
		c.byID[p.ID] = part
	}
	if p.Index != nil {
		c.byIndex[*p.Index] = part
	}
	if args := p.Function.Arguments; given(args) {
		if args[0] == '"' {
			part.Args.WriteString(text(args))
		} else {
			part.Args.Write(args)
		}
	}
}

// find returns the call that p goes on with, nil when it begins one. A known ID
// decides, unless p is whole and numbered differently: some servers give all calls
// of an answer one ID. Then a name begins a call unless the one with that number
// still lacks its arguments.
func (c *calls) find(p *callPiece) *llm.DraftPart {
	begins := p.Function.Name != ""
	if part := c.byID[p.ID]; p.ID != "" && part != nil {
		if begins && p.Index != nil && c.byIndex[*p.Index] == nil && json.Valid(part.Args.Bytes()) {
			return nil
		}
		return part
	}
	if p.Index == nil {
		if begins || p.ID != "" {
			return nil
		}
		return c.last
	}
	part := c.byIndex[*p.Index]
	switch {
	case part == nil || !begins:
		return part
	case p.ID != "" && part.ID != "":
		return nil
	case part.Name != "" && part.Args.Len() > 0 && json.Valid(part.Args.Bytes()):
		return nil
	}
	return part
}
