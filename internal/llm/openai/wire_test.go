package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/llmtest"
)

type object = map[string]any

func wire() llmtest.Wire {
	return llmtest.Wire{
		New:    New,
		Stream: stream,
		Whole:  whole,
		Completes: func(e llmtest.Event) bool {
			return strings.Contains(e.Data, `"type":"response.completed"`) || strings.Contains(e.Data, `"type":"response.incomplete"`)
		},
		Skipped: []llmtest.Event{
			{Name: "response.in_progress", Data: `{"type":"response.in_progress","response":{}}`},
			{Data: `{"type":"response.something.new","delta":"x"}`},
			{Data: `{"type":"keepalive"}`},
		},
		Failure: func(s string) string {
			return string(llm.JSON(object{"error": object{"message": s, "type": "x", "code": nil}}))
		},
		Overload:   llmtest.Event{Name: "error", Data: `{"type":"error","code":"server_error","message":"try later"}`},
		Read:       read,
		Opaque:     []string{`{"type":"reasoning", "id":"rs_1","summary":[{"type":"summary_text","text":"hm <b>"}],"encrypted_content":"gAAA<>"}`, `{"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":"x"}`},
		SplitsArgs: true,
	}
}

func eventOf(v object) llmtest.Event {
	return llmtest.Event{Name: v["type"].(string), Data: string(llm.JSON(v))}
}

func usageOf(u llm.Usage) object {
	return object{
		"input_tokens": u.Input + u.CacheRead, "output_tokens": u.Output, "input_tokens_details": object{"cached_tokens": u.CacheRead},
		"output_tokens_details": object{"reasoning_tokens": u.Reasoning},
	}
}

func messageItem(a llmtest.Answer) object {
	part := object{"type": "output_text", "text": strings.Join(a.Text, "")}
	if a.Stop == llm.StopRefusal {
		part = object{"type": "refusal", "refusal": strings.Join(a.Text, "")}
	}
	return object{"type": "message", "id": "msg_1", "role": "assistant", "content": []any{part}}
}

func callItem(c llm.Call) object {
	return object{"type": "function_call", "id": "fc_" + c.ID, "call_id": c.ID, "name": c.Name, "arguments": string(c.Args)}
}

func responseOf(a llmtest.Answer) object {
	r := object{"object": "response", "status": "completed", "output": []any{}, "error": nil, "usage": usageOf(a.Usage), "incomplete_details": nil}
	if a.Stop == llm.StopLength {
		r["status"], r["incomplete_details"] = "incomplete", object{"reason": "max_output_tokens"}
	}
	return r
}

func stream(a llmtest.Answer) []llmtest.Event {
	out := []llmtest.Event{eventOf(object{"type": "response.created", "response": object{"status": "in_progress", "output": []any{}}})}
	index := 0
	item := func(start object, end json.RawMessage, deltas ...object) {
		out = append(out, eventOf(object{"type": "response.output_item.added", "output_index": index, "item": start}))
		for _, d := range deltas {
			d["output_index"] = index
			out = append(out, eventOf(d))
		}
		// By hand, so that the item stays as it is.
		out = append(out, llmtest.Event{
			Name: "response.output_item.done",
			Data: `{"type":"response.output_item.done","output_index":` + string(llm.JSON(index)) + `,"item":` + string(end) + `}`,
		})
		index++
	}
	if a.Thought != "" {
		end := json.RawMessage(a.Opaque)
		if a.Opaque == "" {
			end = llm.JSON(object{"type": "reasoning", "summary": []any{}})
		}
		item(object{"type": "reasoning", "summary": []any{}}, end,
			object{"type": "response.reasoning_summary_part.added"}, object{"type": "response.reasoning_summary_text.delta", "delta": a.Thought})
	}
	var texts []object
	for _, s := range a.Text {
		texts = append(texts, object{"type": "response.output_text.delta", "delta": s})
	}
	if texts != nil {
		item(object{"type": "message", "content": []any{}}, llm.JSON(messageItem(a)), texts...)
	}
	for _, c := range a.Calls {
		half := len(c.Args) / 2
		end := callItem(c)
		start := callItem(c)
		start["arguments"] = ""
		item(start, llm.JSON(end),
			object{"type": "response.function_call_arguments.delta", "delta": string(c.Args[:half])},
			object{"type": "response.function_call_arguments.delta", "delta": string(c.Args[half:])},
			object{"type": "response.function_call_arguments.done", "arguments": string(c.Args)})
	}
	end := "response.completed"
	if a.Stop == llm.StopLength {
		end = "response.incomplete"
	}
	return append(out, eventOf(object{"type": end, "response": responseOf(a)}))
}

func whole(a llmtest.Answer) string {
	r := responseOf(a)
	output := []any{messageItem(a)}
	for _, c := range a.Calls {
		output = append(output, callItem(c))
	}
	r["output"] = output
	return string(llm.JSON(r))
}

type sentRequest struct {
	Model, Instructions string
	Store               *bool
	Tools               []struct {
		Type, Name string
		Parameters struct {
			Type       string
			Properties map[string]any
		}
	}
	Input []json.RawMessage
}

func read(t *testing.T, body []byte) llmtest.Conversation {
	t.Helper()
	var r sentRequest
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	if r.Store == nil || *r.Store {
		t.Error("the provider is asked to store the conversation")
	}
	c := llmtest.Conversation{System: r.Instructions}
	for _, s := range r.Tools {
		c.Tools = append(c.Tools, s.Name)
		if s.Type != "function" || s.Parameters.Type != "object" || s.Parameters.Properties == nil {
			t.Errorf("tool %+v", s)
		}
	}
	for i, raw := range r.Input {
		c.Turns = append(c.Turns, readItem(t, raw, i == len(r.Input)-1))
	}
	return c
}

func readItem(t *testing.T, raw json.RawMessage, last bool) llmtest.Turn {
	t.Helper()
	var it struct {
		Type, Role, Name, Arguments, Output string
		CallID                              string `json:"call_id"`
		Content                             []struct {
			Type, Text string
			ImageURL   string `json:"image_url"`
		}
	}
	if err := json.Unmarshal(raw, &it); err != nil {
		t.Fatal(err)
	}
	turn := llmtest.Turn{Role: "assistant"}
	switch it.Type {
	case "message":
		turn.Role = it.Role
		for _, p := range it.Content {
			switch {
			case p.Type == "input_image":
				if !strings.HasPrefix(p.ImageURL, "data:image/png;base64,iVBOR") {
					t.Errorf("image %q", p.ImageURL)
				}
				turn.Images++
			case (p.Type == "output_text") != (it.Role == "assistant") || llm.Blank(p.Text):
				t.Errorf("a part %+v of %s", p, it.Role)
			case p.Text != llm.ImagesOfResult:
				turn.Texts = append(turn.Texts, p.Text)
			}
		}
	case "function_call":
		turn.Calls = []llm.Call{{ID: it.CallID, Name: it.Name, Args: json.RawMessage(it.Arguments)}}
	case "function_call_output":
		turn.Role, turn.Results = "tool", []llmtest.Result{{For: it.CallID, Text: it.Output}}
	case "reasoning":
		if last {
			t.Error("a reasoning item is not followed by what it led to")
		}
		turn.Opaque = []string{string(raw)}
	default:
		t.Errorf("an item of type %q", it.Type)
	}
	return turn
}

func TestTheWireConforms(t *testing.T) { llmtest.Run(t, wire()) }

func FuzzStream(f *testing.F) { llmtest.Fuzz(f, wire()) }

func BenchmarkRequest(b *testing.B) { llmtest.BenchmarkRequest(b, wire()) }
