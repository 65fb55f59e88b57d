package serve

import (
	"fmt"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

func chatStop(s llm.Stop) string {
	return map[llm.Stop]string{
		llm.StopEnd: "stop", llm.StopCalls: "tool_calls", llm.StopLength: "length", llm.StopRefusal: "content_filter",
	}[s]
}

func chatUsage(u llm.Usage) obj {
	in := u.Input + u.CacheRead + u.CacheWrite
	return obj{
		"prompt_tokens": in, "completion_tokens": u.Output, "total_tokens": in + u.Output,
		"prompt_tokens_details":     obj{"cached_tokens": u.CacheRead},
		"completion_tokens_details": obj{"reasoning_tokens": u.Reasoning},
	}
}

func chatBody(m *message, kind string, choices any) obj {
	return obj{"id": fmt.Sprintf("chatcmpl-%d", m.Number), "object": kind, "created": created, "model": m.model, "choices": choices}
}

func (chat) whole(m *message) any {
	msg := obj{"role": "assistant", "content": nil}
	if m.Text != "" {
		msg["content"] = m.Text
	}
	if m.Think != "" {
		msg["reasoning_content"] = m.Think
	}
	var calls []any
	for i, c := range m.Calls {
		calls = append(calls, obj{"id": m.CallID("call", i), "type": "function", "function": obj{"name": c.Name, "arguments": string(c.Args)}})
	}
	if calls != nil {
		msg["tool_calls"] = calls
	}
	body := chatBody(m, "chat.completion", []any{obj{"index": 0, "message": msg, "finish_reason": chatStop(m.Stop)}})
	body["usage"] = chatUsage(m.Usage)
	return body
}

// A chatStream sends chunks.
type chatStream struct {
	*out
	m *message
}

// chunk returns one with the change it brings; finish is nil but in the last.
func (s *chatStream) chunk(change obj, finish any) obj {
	return chatBody(s.m, "chat.completion.chunk", []any{obj{"index": 0, "delta": change, "finish_reason": finish}})
}

func (chat) stream(o *out, m *message) {
	s := &chatStream{o, m}
	s.event("", s.chunk(obj{"role": "assistant", "content": ""}, nil))
	s.pause()
	for piece := range scripted.Chunks(m.Think, m.Chunk) {
		s.delta("", s.chunk(obj{"reasoning_content": piece}, nil))
	}
	for piece := range scripted.Chunks(m.Text, m.Chunk) {
		s.delta("", s.chunk(obj{"content": piece}, nil))
	}
	s.pause()
	for i := range m.Calls {
		s.call(i)
	}
	s.ending()
	finish := s.event
	marked := !m.Fault.Has("no_done")
	if !marked && !m.usage {
		finish = s.last
	}
	finish("", s.chunk(obj{}, chatStop(m.Stop)))
	if m.usage {
		body := chatBody(m, "chat.completion.chunk", []any{})
		body["usage"] = chatUsage(m.Usage)
		if marked {
			s.event("", body)
		} else {
			s.last("", body)
		}
	}
	switch {
	case m.Fault.Has("done_space"):
		s.last("", raw("[DONE] "))
	case marked:
		s.last("", raw("[DONE]"))
	}
}

// pause sends a chunk without choices, where the script asks for some.
func (s *chatStream) pause() {
	if s.fault.Has("null_choices") {
		s.event("", chatBody(s.m, "chat.completion.chunk", nil))
	}
}

// call sends a call: a chunk that names it, then its arguments in pieces,
// unless a quirk has them in one.
func (s *chatStream) call(i int) {
	c := s.m.Calls[i]
	args, single := s.arguments(c.Args)
	function := obj{"name": c.Name, "arguments": ""}
	head := obj{"index": i, "id": s.m.CallID("call", i), "type": "function", "function": function}
	if s.fault.Has("no_id") {
		delete(head, "id")
	}
	if single {
		function["arguments"] = args
		if s.fault.Has("no_args") {
			delete(function, "arguments")
		}
		s.delta("", s.chunk(obj{"tool_calls": []any{s.indexed(head)}}, nil))
		return
	}
	s.event("", s.chunk(obj{"tool_calls": []any{s.indexed(head)}}, nil))
	for piece := range scripted.Chunks(args.(string), s.m.Chunk) {
		s.delta("", s.chunk(obj{"tool_calls": []any{s.indexed(obj{"index": i, "function": obj{"arguments": piece}})}}, nil))
	}
}

func (s *chatStream) indexed(call obj) obj {
	switch {
	case s.fault.Has("no_index"):
		delete(call, "index")
	case s.fault.Has("same_index"):
		call["index"] = 0
	}
	return call
}

// arguments returns the arguments as they are sent, and whether the call comes
// in a single chunk.
func (s *chatStream) arguments(a scripted.Args) (args any, single bool) {
	switch f := s.fault; {
	case f.Has("object_args"):
		return argsValue(a), true
	case f.Has("null_args"), f.Has("no_args"):
		return nil, true
	case f.Has("empty_args"):
		return "", true
	case f.Has("double_args"):
		return string(encode(string(a))), f.Has("whole_calls")
	case f.Has("whole_calls"):
		return string(a), true
	}
	return string(a), false
}
