package chat

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/llmtest"
)

type dict = map[string]any

func wire() llmtest.Wire {
	return llmtest.Wire{
		New:    New,
		Stream: stream,
		Whole:  whole,
		Completes: func(e llmtest.Event) bool {
			return e.Data == "[DONE]" || strings.Contains(e.Data, `"finish_reason":"`)
		},
		Skipped: []llmtest.Event{
			{Data: `{"choices":null}`},
			{Data: `{"choices":[]}`},
			{Data: `{"object":"ping","id":7}`},
			{Data: `{"choices":[{"delta":{"content":null,"role":"assistant"},"finish_reason":null}]}`},
		},
		Failure:    func(s string) string { return string(llm.JSON(dict{"error": dict{"message": s, "code": nil}})) },
		Overload:   llmtest.Event{Data: `{"error":{"message":"try later","type":"server_error"}}`},
		Read:       read,
		SplitsArgs: true,
	}
}

func chunkOf(delta dict, finish any) llmtest.Event {
	return llmtest.Event{Data: string(llm.JSON(dict{"id": "x", "choices": []any{dict{"index": 0, "delta": delta, "finish_reason": finish}}}))}
}

func finishOf(s llm.Stop) string {
	return map[llm.Stop]string{llm.StopEnd: "stop", llm.StopCalls: "tool_calls", llm.StopLength: "length", llm.StopRefusal: "content_filter"}[s]
}

func usageOf(u llm.Usage) dict {
	return dict{
		"prompt_tokens": u.Input + u.CacheRead, "completion_tokens": u.Output, "total_tokens": u.Input + u.CacheRead + u.Output,
		"prompt_tokens_details": dict{"cached_tokens": u.CacheRead},
	}
}

func stream(a llmtest.Answer) []llmtest.Event {
	var out []llmtest.Event
	if a.Thought != "" {
		out = append(out, chunkOf(dict{"reasoning_content": a.Thought}, nil))
	}
	for _, s := range a.Text {
		out = append(out, chunkOf(dict{"content": s}, nil))
	}
	for i, c := range a.Calls {
		half := len(c.Args) / 2
		out = append(out,
			chunkOf(dict{"tool_calls": []any{dict{"index": i, "id": c.ID, "type": "function", "function": dict{"name": c.Name, "arguments": ""}}}}, nil),
			chunkOf(dict{"tool_calls": []any{dict{"index": i, "function": dict{"arguments": string(c.Args[:half])}}}}, nil),
			chunkOf(dict{"tool_calls": []any{dict{"index": i, "function": dict{"arguments": string(c.Args[half:])}}}}, nil))
	}
	return append(out,
		chunkOf(dict{}, finishOf(a.Stop)),
		llmtest.Event{Data: string(llm.JSON(dict{"choices": []any{}, "usage": usageOf(a.Usage)}))},
		llmtest.Event{Data: "[DONE]"})
}

func whole(a llmtest.Answer) string {
	var calls []any
	for _, c := range a.Calls {
		calls = append(calls, dict{"id": c.ID, "type": "function", "function": dict{"name": c.Name, "arguments": string(c.Args)}})
	}
	return string(llm.JSON(dict{
		"object": "chat.completion", "usage": usageOf(a.Usage),
		"choices": []any{dict{"message": dict{"role": "assistant", "content": strings.Join(a.Text, ""), "tool_calls": calls}, "finish_reason": finishOf(a.Stop)}},
	}))
}

type sentRequest struct {
	Model    string
	Messages []struct {
		Role             string
		Content          json.RawMessage
		ReasoningContent string `json:"reasoning_content"`
		ToolCallID       string `json:"tool_call_id"`
		ToolCalls        []struct {
			ID, Type string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
	}
	Tools []struct {
		Type     string
		Function struct {
			Name       string
			Parameters struct {
				Type       string
				Properties map[string]any
			}
		}
	}
}

func read(t *testing.T, body []byte) llmtest.Conversation {
	t.Helper()
	var r sentRequest
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	var c llmtest.Conversation
	for _, s := range r.Tools {
		c.Tools = append(c.Tools, s.Function.Name)
		if s.Function.Parameters.Type != "object" || s.Function.Parameters.Properties == nil {
			t.Errorf("tool %s has parameters %+v", s.Function.Name, s.Function.Parameters)
		}
	}
	for _, m := range r.Messages {
		turn := llmtest.Turn{Role: m.Role}
		var contents []struct {
			Type, Text string
			ImageURL   struct{ URL string } `json:"image_url"`
		}
		var plain string
		switch {
		case json.Unmarshal(m.Content, &plain) == nil:
			contents = append(contents, struct {
				Type, Text string
				ImageURL   struct{ URL string } `json:"image_url"`
			}{Type: "text", Text: plain})
		case m.Content != nil:
			if err := json.Unmarshal(m.Content, &contents); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range contents {
			if p.Type == "image_url" {
				if !strings.HasPrefix(p.ImageURL.URL, "data:image/png;base64,iVBOR") {
					t.Errorf("image %q", p.ImageURL.URL)
				}
				turn.Images++
				continue
			}
			if llm.Blank(p.Text) {
				t.Errorf("blank text in %s", body)
			}
			if p.Text == llm.ImagesOfResult {
				continue
			}
			turn.Texts = append(turn.Texts, strings.Split(p.Text, "\n\n")...)
		}
		for _, k := range m.ToolCalls {
			turn.Calls = append(turn.Calls, llm.Call{ID: k.ID, Name: k.Function.Name, Args: json.RawMessage(k.Function.Arguments)})
		}
		switch m.Role {
		case "system":
			c.System = strings.Join(turn.Texts, "")
			continue
		case "tool":
			turn.Results, turn.Texts = []llmtest.Result{{For: m.ToolCallID, Text: plain}}, nil
		}
		if m.Content == nil && m.ToolCalls == nil {
			t.Errorf("an empty message in %s", body)
		}
		c.Turns = append(c.Turns, turn)
	}
	return c
}

func TestTheWireConforms(t *testing.T) { llmtest.Run(t, wire()) }

func FuzzStream(f *testing.F) { llmtest.Fuzz(f, wire()) }

func BenchmarkRequest(b *testing.B) { llmtest.BenchmarkRequest(b, wire()) }
