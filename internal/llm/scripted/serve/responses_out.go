package serve

import (
	"fmt"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// created is the time of every answer, so that answers are the same each time.
const created = 1760000000

func (responses) remember(l *ledger, m *message) {
	if m.Think == "" {
		return
	}
	rs, msg := itemIDs(m)
	next := msg
	if m.Text == "" && len(m.Calls) > 0 {
		next = functionID(m, 0)
	}
	key := m.model + "\x00"
	l.thinking[key+rs] = next
	for i := range m.Calls {
		l.thinking[key+functionID(m, i)] = rs
	}
}

func functionID(m *message, i int) string { return fmt.Sprintf("fc_%d", m.Number+i) }

// outputItems returns the items of an answer in their final form.
func outputItems(m *message) []obj {
	list := []obj{}
	rs, msg := itemIDs(m)
	if m.Think != "" {
		item := obj{"type": "reasoning", "id": rs, "summary": []any{summaryPart(m.Think)}}
		if m.encrypted {
			item["encrypted_content"] = sign("reasoning", m.model, rs)
		}
		list = append(list, item)
	}
	status := "completed"
	if m.Stop == llm.StopLength {
		status = "incomplete"
	}
	if m.Text != "" {
		list = append(list, obj{"type": "message", "id": msg, "role": "assistant", "status": status, "content": []any{textPart(m.Text)}})
	}
	for i, c := range m.Calls {
		list = append(list, obj{
			"type": "function_call", "id": functionID(m, i), "call_id": m.CallID("call", i),
			"name": c.Name, "arguments": string(c.Args), "status": status,
		})
	}
	return list
}

func summaryPart(text string) obj { return obj{"type": "summary_text", "text": text} }
func textPart(text string) obj {
	return obj{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}

func (responses) whole(m *message) any {
	items := []any{}
	for _, item := range outputItems(m) {
		items = append(items, item)
	}
	body := responseBody(m, "completed", items)
	u := m.Usage
	in := u.Input + u.CacheRead + u.CacheWrite
	body["usage"] = obj{
		"input_tokens": in, "input_tokens_details": obj{"cached_tokens": u.CacheRead},
		"output_tokens": u.Output, "output_tokens_details": obj{"reasoning_tokens": u.Reasoning},
		"total_tokens": in + u.Output,
	}
	if why := map[llm.Stop]string{llm.StopLength: "max_output_tokens", llm.StopRefusal: "content_filter"}[m.Stop]; why != "" {
		body["status"], body["incomplete_details"] = "incomplete", obj{"reason": why}
	}
	return body
}

func responseBody(m *message, status string, items []any) obj {
	return obj{
		"id": fmt.Sprintf("resp_%d", m.Number), "object": "response", "created_at": created, "status": status, "model": m.model,
		"output": items, "usage": nil, "error": nil, "incomplete_details": nil, "parallel_tool_calls": true,
	}
}

// A responseStream numbers events and names them by their type.
type responseStream struct {
	*out
	seq int
}

func (s *responseStream) put(send func(string, any), kind string, v obj) {
	v["type"], v["sequence_number"] = kind, s.seq
	s.seq++
	send(kind, v)
}

func (responses) stream(o *out, m *message) {
	s := &responseStream{out: o}
	s.put(o.event, "response.created", obj{"response": responseBody(m, "in_progress", []any{})})
	s.put(o.event, "response.in_progress", obj{"response": responseBody(m, "in_progress", []any{})})
	for i, item := range outputItems(m) {
		switch item["type"] {
		case "reasoning":
			s.reasoning(i, item, m)
		case "message":
			s.message(i, item, m)
		default:
			s.call(i, item, m)
		}
	}
	o.ending()
	body := responses{}.whole(m).(obj)
	kind := "response.completed"
	if body["status"] == "incomplete" {
		kind = "response.incomplete"
	}
	s.put(o.last, kind, obj{"response": body})
}

// open announces an item with some members replaced.
func (s *responseStream) open(i int, item, change obj) {
	start := obj{}
	for k, v := range item {
		start[k] = v
	}
	for k, v := range change {
		start[k] = v
	}
	s.put(s.event, "response.output_item.added", obj{"output_index": i, "item": start})
}

func (s *responseStream) reasoning(i int, item obj, m *message) {
	at := func(more obj) obj {
		more["item_id"], more["output_index"], more["summary_index"] = item["id"], i, 0
		return more
	}
	s.open(i, item, obj{"summary": []any{}})
	s.put(s.event, "response.reasoning_summary_part.added", at(obj{"part": summaryPart("")}))
	for piece := range scripted.Chunks(m.Think, m.Chunk) {
		s.put(s.delta, "response.reasoning_summary_text.delta", at(obj{"delta": piece}))
	}
	s.put(s.event, "response.reasoning_summary_text.done", at(obj{"text": m.Think}))
	s.put(s.event, "response.reasoning_summary_part.done", at(obj{"part": summaryPart(m.Think)}))
	s.put(s.event, "response.output_item.done", obj{"output_index": i, "item": item})
}

func (s *responseStream) message(i int, item obj, m *message) {
	at := func(more obj) obj {
		more["item_id"], more["output_index"], more["content_index"] = item["id"], i, 0
		return more
	}
	s.open(i, item, obj{"content": []any{}, "status": "in_progress"})
	s.put(s.event, "response.content_part.added", at(obj{"part": textPart("")}))
	for piece := range scripted.Chunks(m.Text, m.Chunk) {
		s.put(s.delta, "response.output_text.delta", at(obj{"delta": piece, "logprobs": []any{}}))
	}
	s.put(s.event, "response.output_text.done", at(obj{"text": m.Text, "logprobs": []any{}}))
	s.put(s.event, "response.content_part.done", at(obj{"part": textPart(m.Text)}))
	s.put(s.event, "response.output_item.done", obj{"output_index": i, "item": item})
}

func (s *responseStream) call(i int, item obj, m *message) {
	args := item["arguments"].(string)
	s.open(i, item, obj{"arguments": "", "status": "in_progress"})
	for piece := range scripted.Chunks(args, m.Chunk) {
		s.put(s.delta, "response.function_call_arguments.delta", obj{"item_id": item["id"], "output_index": i, "delta": piece})
	}
	s.put(s.event, "response.function_call_arguments.done", obj{"item_id": item["id"], "output_index": i, "name": item["name"], "arguments": args})
	s.put(s.event, "response.output_item.done", obj{"output_index": i, "item": item})
}
