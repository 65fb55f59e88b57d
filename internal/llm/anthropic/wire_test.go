package anthropic

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
		New:       New,
		Stream:    stream,
		Whole:     whole,
		Completes: func(e llmtest.Event) bool { return strings.Contains(e.Data, `"stop_reason":"`) },
		Skipped: []llmtest.Event{
			{Name: "ping", Data: `{"type":"ping"}`},
			{Name: "new", Data: `{"type":"something_new","index":0,"delta":{"type":"x"}}`},
			{Data: `{"type":"content_block_delta","index":99,"delta":{"type":"text_delta","text":"lost"}}`},
		},
		Failure: func(s string) string {
			return string(llm.JSON(object{"type": "error", "error": object{"type": "x", "message": s}}))
		},
		Overload:     llmtest.Event{Name: "error", Data: `{"type":"error","error":{"type":"overloaded_error","message":"try later"}}`},
		Read:         read,
		Opaque:       []string{`"c2ln+/=="`, `"b3RoZXI="`},
		SplitsArgs:   true,
		ResultImages: true,
	}
}

func eventOf(v object) llmtest.Event {
	return llmtest.Event{Name: v["type"].(string), Data: string(llm.JSON(v))}
}

func stopOf(s llm.Stop) string {
	return map[llm.Stop]string{llm.StopEnd: "end_turn", llm.StopCalls: "tool_use", llm.StopLength: "max_tokens", llm.StopRefusal: "refusal"}[s]
}

func stream(a llmtest.Answer) []llmtest.Event {
	out := []llmtest.Event{eventOf(object{"type": "message_start", "message": object{"role": "assistant", "content": []any{}, "stop_reason": nil, "usage": object{
		"input_tokens": a.Usage.Input, "cache_read_input_tokens": a.Usage.CacheRead, "cache_creation_input_tokens": a.Usage.CacheWrite, "output_tokens": 1,
	}}})}
	index := 0
	block := func(start object, deltas ...object) {
		out = append(out, eventOf(object{"type": "content_block_start", "index": index, "content_block": start}))
		for _, d := range deltas {
			out = append(out, eventOf(object{"type": "content_block_delta", "index": index, "delta": d}))
		}
		out = append(out, eventOf(object{"type": "content_block_stop", "index": index}))
		index++
	}
	if a.Thought != "" {
		deltas := []object{{"type": "thinking_delta", "thinking": a.Thought}}
		if a.Opaque != "" {
			var sig string
			if err := json.Unmarshal([]byte(a.Opaque), &sig); err != nil {
				panic(err)
			}
			deltas = append(deltas, object{"type": "signature_delta", "signature": sig[:2]}, object{"type": "signature_delta", "signature": sig[2:]})
		}
		block(object{"type": "thinking", "thinking": "", "signature": ""}, deltas...)
	}
	var texts []object
	for _, s := range a.Text {
		texts = append(texts, object{"type": "text_delta", "text": s})
	}
	if texts != nil {
		block(object{"type": "text", "text": ""}, texts...)
	}
	for _, c := range a.Calls {
		half := len(c.Args) / 2
		block(object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": ""},
			object{"type": "input_json_delta", "partial_json": string(c.Args[:half])},
			object{"type": "input_json_delta", "partial_json": string(c.Args[half:])})
	}
	return append(out,
		eventOf(object{"type": "message_delta", "delta": object{"stop_reason": stopOf(a.Stop)}, "usage": object{"output_tokens": a.Usage.Output}}),
		eventOf(object{"type": "message_stop"}))
}

func whole(a llmtest.Answer) string {
	content := []any{object{"type": "text", "text": strings.Join(a.Text, "")}}
	for _, c := range a.Calls {
		content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Args})
	}
	return string(llm.JSON(object{
		"type": "message", "role": "assistant", "content": content, "stop_reason": stopOf(a.Stop),
		"usage": object{"input_tokens": a.Usage.Input, "output_tokens": a.Usage.Output},
	}))
}

type sentBlock struct {
	Type, Text, ID, Name string
	Signature            json.RawMessage
	Input                json.RawMessage
	ToolUseID            string `json:"tool_use_id"`
	IsError              bool   `json:"is_error"`
	Source               struct {
		MediaType string `json:"media_type"`
		Data      string
	}
	Content      []sentBlock
	CacheControl json.RawMessage `json:"cache_control"`
}

type sentRequest struct {
	Model     string
	MaxTokens int `json:"max_tokens"`
	System    []sentBlock
	Tools     []struct {
		Name        string
		InputSchema struct{ Type string } `json:"input_schema"`
	}
	Messages []struct {
		Role    string
		Content []sentBlock
	}
}

func read(t *testing.T, body []byte) llmtest.Conversation {
	t.Helper()
	var r sentRequest
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	var c llmtest.Conversation
	for _, s := range r.System {
		c.System += s.Text
	}
	for _, s := range r.Tools {
		c.Tools = append(c.Tools, s.Name)
		if s.InputSchema.Type != "object" {
			t.Errorf("tool %s has a schema of type %q", s.Name, s.InputSchema.Type)
		}
	}
	if n := strings.Count(string(body), `"cache_control"`); n > 4 {
		t.Errorf("%d cache marks", n)
	}
	role := "assistant"
	for _, m := range r.Messages {
		if m.Role == role || len(m.Content) == 0 {
			t.Errorf("roles do not alternate, or a message is empty: %s", body)
		}
		role = m.Role
		turn := llmtest.Turn{Role: m.Role}
		for _, b := range m.Content {
			readBlock(t, &turn, b)
		}
		c.Turns = append(c.Turns, turn)
	}
	return c
}

func readBlock(t *testing.T, turn *llmtest.Turn, b sentBlock) {
	t.Helper()
	switch b.Type {
	case "text":
		if llm.Blank(b.Text) {
			t.Error("a blank text")
		}
		turn.Texts = append(turn.Texts, b.Text)
	case "image":
		if b.Source.MediaType != "image/png" || !strings.HasPrefix(b.Source.Data, "iVBOR") {
			t.Errorf("image %+v", b.Source)
		}
		turn.Images++
	case "thinking":
		turn.Opaque = append(turn.Opaque, string(b.Signature))
	case "tool_use":
		turn.Calls = append(turn.Calls, llm.Call{ID: b.ID, Name: b.Name, Args: b.Input})
	case "tool_result":
		if turn.Texts != nil || turn.Images > 0 {
			t.Error("a result comes after text or an image")
		}
		var in llmtest.Turn
		for _, x := range b.Content {
			readBlock(t, &in, x)
		}
		turn.Results = append(turn.Results, llmtest.Result{For: b.ToolUseID, Text: strings.Join(in.Texts, ""), Images: in.Images})
	default:
		t.Errorf("a block of type %q", b.Type)
	}
}

func TestTheWireConforms(t *testing.T) { llmtest.Run(t, wire()) }

func FuzzStream(f *testing.F) { llmtest.Fuzz(f, wire()) }

func BenchmarkRequest(b *testing.B) { llmtest.BenchmarkRequest(b, wire()) }
