package serve

import (
	"encoding/json"
	"fmt"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// geminiCall returns the part of the i-th call. The first of an answer that was
// thought about carries the signature. It reports false for arguments that are
// no object: the provider never sends such.
func geminiCall(m *message, i int) (obj, bool) {
	c := m.Calls[i]
	var args map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Args), &args) != nil || args == nil {
		return nil, false
	}
	call := obj{"name": c.Name, "args": json.RawMessage(c.Args)}
	if c.ID != "" {
		call["id"] = c.ID
	}
	part := obj{"functionCall": call}
	if i == 0 && m.Think != "" {
		part["thoughtSignature"] = sign(keyOf(m, c))
	}
	return part, true
}

// geminiCalls returns the parts of the calls and the reason to finish.
func geminiCalls(m *message) (parts []any, finish string) {
	finish = map[llm.Stop]string{
		llm.StopEnd: "STOP", llm.StopCalls: "STOP", llm.StopLength: "MAX_TOKENS", llm.StopRefusal: "SAFETY",
	}[m.Stop]
	for i := range m.Calls {
		if part, ok := geminiCall(m, i); ok {
			parts = append(parts, part)
		} else if m.Stop != llm.StopLength {
			finish = "MALFORMED_FUNCTION_CALL"
		}
	}
	return parts, finish
}

func geminiBody(m *message, parts []any, finish string) obj {
	candidate := obj{"index": 0}
	if parts != nil {
		candidate["content"] = obj{"role": "model", "parts": parts}
	}
	u := m.Usage
	in := u.Input + u.CacheRead + u.CacheWrite
	usage := obj{"promptTokenCount": in, "totalTokenCount": in}
	if finish != "" {
		candidate["finishReason"] = finish
		usage["candidatesTokenCount"], usage["totalTokenCount"] = u.Output-u.Reasoning, in+u.Output
		if u.CacheRead > 0 {
			usage["cachedContentTokenCount"] = u.CacheRead
		}
		if u.Reasoning > 0 {
			usage["thoughtsTokenCount"] = u.Reasoning
		}
	}
	return obj{"candidates": []any{candidate}, "usageMetadata": usage, "modelVersion": m.model, "responseId": fmt.Sprintf("r_%d", m.Number)}
}

func (gemini) stream(o *out, m *message) {
	for piece := range scripted.Chunks(m.Think, m.Chunk) {
		o.delta("", geminiBody(m, []any{obj{"text": piece, "thought": true}}, ""))
	}
	for piece := range scripted.Chunks(m.Text, m.Chunk) {
		o.delta("", geminiBody(m, []any{obj{"text": piece}}, ""))
	}
	calls, finish := geminiCalls(m)
	for _, part := range calls {
		o.delta("", geminiBody(m, []any{part}, ""))
	}
	o.ending()
	var rest []any
	if o.deltas > 0 {
		rest = []any{obj{"text": ""}}
	}
	o.last("", geminiBody(m, rest, finish))
}

func (gemini) whole(m *message) any {
	var parts []any
	if m.Think != "" {
		parts = append(parts, obj{"text": m.Think, "thought": true})
	}
	if m.Text != "" {
		parts = append(parts, obj{"text": m.Text})
	}
	calls, finish := geminiCalls(m)
	return geminiBody(m, append(parts, calls...), finish)
}
