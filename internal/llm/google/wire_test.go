package google

import (
	"encoding/json"
	"slices"
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
		Whole:     func(a llmtest.Answer) string { return "[" + strings.Join(data(stream(a)), ",\n") + "]" },
		Completes: func(e llmtest.Event) bool { return strings.Contains(e.Data, `"finishReason":"`) },
		Skipped:   []llmtest.Event{{Data: `{"candidates":[]}`}, {Data: `{"modelVersion":"x"}`}, {Data: `{"candidates":[{"content":{"parts":[{"somethingNew":{}}]}}]}`}},
		Failure: func(s string) string {
			return string(llm.JSON(object{"error": object{"code": 1, "message": s, "status": "X"}}))
		},
		Overload: llmtest.Event{Data: `{"error":{"code":503,"message":"try later","status":"UNAVAILABLE"}}`},
		Read:     read,
		Opaque:   []string{`"c2ln+/=="`, `"b3RoZXI="`},
	}
}

func data(events []llmtest.Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.Data)
	}
	return out
}

func chunkOf(parts ...any) llmtest.Event {
	return llmtest.Event{Data: string(llm.JSON(object{"candidates": []any{object{"content": object{"role": "model", "parts": parts}, "index": 0}}}))}
}

func finishOf(s llm.Stop) string {
	return map[llm.Stop]string{llm.StopLength: "MAX_TOKENS", llm.StopRefusal: "SAFETY"}[s]
}

func stream(a llmtest.Answer) []llmtest.Event {
	var out []llmtest.Event
	if a.Thought != "" {
		out = append(out, chunkOf(object{"text": a.Thought, "thought": true}))
	}
	for _, s := range a.Text {
		out = append(out, chunkOf(object{"text": s}))
	}
	for i, c := range a.Calls {
		p := object{"functionCall": object{"name": c.Name, "args": c.Args, "id": c.ID}}
		if i == 0 && a.Opaque != "" {
			p["thoughtSignature"] = json.RawMessage(a.Opaque)
		}
		out = append(out, chunkOf(p))
	}
	finish := finishOf(a.Stop)
	if finish == "" {
		finish = "STOP"
	}
	return append(out, llmtest.Event{Data: string(llm.JSON(object{
		"candidates": []any{object{"content": object{"parts": []any{object{"text": ""}}}, "finishReason": finish}},
		"usageMetadata": object{
			"promptTokenCount": a.Usage.Input + a.Usage.CacheRead, "cachedContentTokenCount": a.Usage.CacheRead,
			"candidatesTokenCount": a.Usage.Output - a.Usage.Reasoning, "thoughtsTokenCount": a.Usage.Reasoning,
		},
	}))})
}

type sentPart struct {
	Text       string
	Thought    bool
	InlineData *struct{ MimeType, Data string }
	Call       *struct {
		ID, Name string
		Args     json.RawMessage
	} `json:"functionCall"`
	Response *struct {
		ID, Name string
		Response map[string]string
	} `json:"functionResponse"`
	Signature json.RawMessage `json:"thoughtSignature"`
}

type sentRequest struct {
	System *struct{ Parts []sentPart } `json:"systemInstruction"`
	Tools  []struct {
		Functions []struct {
			Name       string
			Parameters json.RawMessage
		} `json:"functionDeclarations"`
	}
	Contents []struct {
		Role  string
		Parts []sentPart
	}
}

func read(t *testing.T, body []byte) llmtest.Conversation {
	t.Helper()
	var r sentRequest
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	var c llmtest.Conversation
	if r.System != nil {
		c.System = r.System.Parts[0].Text
	}
	for _, tool := range r.Tools {
		for _, f := range tool.Functions {
			c.Tools = append(c.Tools, f.Name)
			checkSchema(t, f.Parameters)
		}
	}
	role, open := "model", []string(nil)
	for _, m := range r.Contents {
		if m.Role == role || len(m.Parts) == 0 {
			t.Errorf("roles do not alternate, or a turn is empty: %s", body)
		}
		role = m.Role
		turn := llmtest.Turn{Role: map[string]string{"user": "user", "model": "assistant"}[m.Role]}
		for _, p := range m.Parts {
			readPart(t, &turn, p, &open)
		}
		c.Turns = append(c.Turns, turn)
	}
	return c
}

func readPart(t *testing.T, turn *llmtest.Turn, p sentPart, open *[]string) {
	t.Helper()
	if p.Signature != nil && string(p.Signature) != foreign {
		turn.Opaque = append(turn.Opaque, string(p.Signature))
	}
	switch {
	case p.Call != nil:
		turn.Calls = append(turn.Calls, llm.Call{ID: p.Call.ID, Name: p.Call.Name, Args: p.Call.Args})
		*open = append(*open, p.Call.Name+p.Call.ID)
	case p.Response != nil:
		if !slices.Contains(*open, p.Response.Name+p.Response.ID) {
			t.Errorf("a response to %s %s, which was not called", p.Response.Name, p.Response.ID)
		}
		turn.Results = append(turn.Results, llmtest.Result{For: p.Response.ID, Text: p.Response.Response["output"] + p.Response.Response["error"]})
	case p.InlineData != nil:
		if p.InlineData.MimeType != "image/png" || !strings.HasPrefix(p.InlineData.Data, "iVBOR") {
			t.Errorf("image %+v", p.InlineData)
		}
		turn.Images++
	case llm.Blank(p.Text):
		t.Error("a blank part")
	case p.Text != llm.ImagesOfResult && !p.Thought:
		turn.Texts = append(turn.Texts, p.Text)
	}
}

// checkSchema fails t on keys that the API refuses.
func checkSchema(t *testing.T, raw json.RawMessage) {
	t.Helper()
	if raw == nil {
		return
	}
	var s struct {
		Type       string
		Properties map[string]json.RawMessage
		Items      json.RawMessage
		AnyOf      []json.RawMessage
		Required   []string
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil {
		t.Errorf("%v: %s", err, raw)
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Errorf("%v: %s", err, raw)
	}
	for k := range keys {
		if !slices.Contains(strings.Fields("type format title description nullable enum maxItems minItems properties required minLength maxLength pattern anyOf items minimum maximum"), k) {
			t.Errorf("the schema has the key %q: %s", k, raw)
		}
	}
	for _, r := range s.Required {
		if s.Properties[r] == nil {
			t.Errorf("%q is required and no property: %s", r, raw)
		}
	}
	for _, p := range s.Properties {
		checkSchema(t, p)
	}
	for _, p := range s.AnyOf {
		checkSchema(t, p)
	}
	checkSchema(t, s.Items)
}

func TestTheWireConforms(t *testing.T) { llmtest.Run(t, wire()) }

func FuzzStream(f *testing.F) { llmtest.Fuzz(f, wire()) }

func BenchmarkRequest(b *testing.B) { llmtest.BenchmarkRequest(b, wire()) }
