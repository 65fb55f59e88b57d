package serve

import (
	"fmt"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

func (messages) remember(l *ledger, m *message) {
	for i := range m.Calls {
		if m.Think != "" {
			l.thinking[m.model+"\x00"+m.CallID("toolu", i)] = sign("thinking", m.model, m.Think)
		}
	}
}

// A block is one block of content and the deltas it is sent in.
type block struct {
	whole, start obj
	deltas       func(yield func(obj) bool)
	head, tail   obj // uncounted deltas before and after them; nil for none
}

func messageBlocks(m *message) []block {
	var list []block
	if m.Think != "" {
		sig := sign("thinking", m.model, m.Think)
		list = append(list, block{
			whole:  obj{"type": "thinking", "thinking": m.Think, "signature": sig},
			start:  obj{"type": "thinking", "thinking": "", "signature": ""},
			deltas: pieces("thinking_delta", "thinking", m.Think, m.Chunk),
			tail:   obj{"type": "signature_delta", "signature": sig},
		})
	}
	if m.Redacted {
		b := obj{"type": "redacted_thinking", "data": sign("redacted", m.model)}
		list = append(list, block{whole: b, start: b, deltas: pieces("", "", "", 1)})
	}
	if m.Text != "" {
		list = append(list, block{
			whole:  obj{"type": "text", "text": m.Text},
			start:  obj{"type": "text", "text": ""},
			deltas: pieces("text_delta", "text", m.Text, m.Chunk),
		})
	}
	for i, c := range m.Calls {
		b := obj{"type": "tool_use", "id": m.CallID("toolu", i), "name": c.Name, "input": obj{}}
		whole := obj{"type": "tool_use", "id": b["id"], "name": c.Name, "input": argsValue(c.Args)}
		// The first piece of arguments is always empty, and the only one of {}.
		empty := obj{"type": "input_json_delta", "partial_json": ""}
		if c.Args == "{}" {
			list = append(list, block{whole: whole, start: b, deltas: func(yield func(obj) bool) { yield(empty) }})
			continue
		}
		list = append(list, block{whole: whole, start: b, head: empty, deltas: pieces("input_json_delta", "partial_json", string(c.Args), m.Chunk)})
	}
	return list
}

// pieces yields the deltas of a text.
func pieces(kind, field, text string, chunk int) func(yield func(obj) bool) {
	return func(yield func(obj) bool) {
		for s := range scripted.Chunks(text, chunk) {
			if !yield(obj{"type": kind, field: s}) {
				return
			}
		}
	}
}

func (messages) stream(o *out, m *message) {
	start := messageBody(m)
	start["content"], start["stop_reason"] = []any{}, nil
	start["usage"] = messageUsage(m.Usage, 1)
	o.event("message_start", obj{"type": "message_start", "message": start})
	o.event("ping", obj{"type": "ping"})
	for i, b := range messageBlocks(m) {
		o.event("content_block_start", obj{"type": "content_block_start", "index": i, "content_block": b.start})
		if b.head != nil {
			o.event("content_block_delta", obj{"type": "content_block_delta", "index": i, "delta": b.head})
		}
		for d := range b.deltas {
			o.delta("content_block_delta", obj{"type": "content_block_delta", "index": i, "delta": d})
		}
		if b.tail != nil {
			o.event("content_block_delta", obj{"type": "content_block_delta", "index": i, "delta": b.tail})
		}
		o.event("content_block_stop", obj{"type": "content_block_stop", "index": i})
	}
	o.ending()
	o.event("message_delta", obj{
		"type":  "message_delta",
		"delta": obj{"stop_reason": messageStop(m.Stop), "stop_sequence": nil},
		"usage": messageUsage(m.Usage, m.Usage.Output),
	})
	o.last("message_stop", obj{"type": "message_stop"})
}

func (messages) whole(m *message) any {
	body := messageBody(m)
	content := []any{}
	for _, b := range messageBlocks(m) {
		content = append(content, b.whole)
	}
	body["content"], body["stop_reason"] = content, messageStop(m.Stop)
	body["usage"] = messageUsage(m.Usage, m.Usage.Output)
	return body
}

func messageBody(m *message) obj {
	return obj{"id": fmt.Sprintf("msg_%d", m.Number), "type": "message", "role": "assistant", "model": m.model, "stop_sequence": nil}
}

func messageStop(s llm.Stop) string {
	return map[llm.Stop]string{
		llm.StopEnd: "end_turn", llm.StopCalls: "tool_use", llm.StopLength: "max_tokens", llm.StopRefusal: "refusal",
	}[s]
}

func messageUsage(u llm.Usage, output int) obj {
	return obj{
		"input_tokens": u.Input, "cache_creation_input_tokens": u.CacheWrite, "cache_read_input_tokens": u.CacheRead,
		"output_tokens": output, "service_tier": "standard",
	}
}
