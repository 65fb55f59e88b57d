package anthropic

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/llmtest"
)

func decode(t *testing.T, lines string) (llm.Message, error) {
	t.Helper()
	e := llm.Endpoint{Provider: "p", Model: "m"}
	d := newDecoder(&e, nil)
	for line := range strings.Lines(lines) {
		if _, err := d.event(llm.Event{Data: []byte(strings.TrimSpace(line))}); err != nil {
			return d.draft.Message(&e, nil, err), err
		}
	}
	return d.draft.Message(&e, nil, nil), nil
}

// TestThinkingGoesBackByteForByteAndInOrder is C099, with the next.
func TestThinkingGoesBackByteForByteAndInOrder(t *testing.T) {
	redacted := `{"type":"redacted_thinking",  "data":"EmwKAh<gB>"}`
	m, err := decode(t, `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
		{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"one "}}
		{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"<two> é"}}
		{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"S1=="}}
		{"type":"content_block_stop","index":0}
		{"type":"content_block_start","index":1,"content_block":`+redacted+`}
		{"type":"content_block_stop","index":1}
		{"type":"content_block_start","index":2,"content_block":{"type":"thinking","thinking":"","signature":"S2"}}
		{"type":"content_block_stop","index":2}
		{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"A","name":"get","input":{}}}
		{"type":"content_block_stop","index":3}
		{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`)
	if err != nil {
		t.Fatal(err)
	}
	want := `,{"type":"thinking","thinking":"one <two> é","signature":"S1=="},` + redacted +
		`,{"type":"thinking","thinking":"","signature":"S2"},{"type":"tool_use","id":"A","name":"get","input":{}}`
	wire := New(llm.Endpoint{Provider: "p", Model: "m"}).(*model)
	if got := string(wire.encode(&m, true).blocks); got != want {
		t.Errorf("sent %s\nwant %s", got, want)
	}
	if got := string(wire.encode(&m, false).blocks); strings.Contains(got, "thinking") {
		t.Errorf("a request without thinking sent %s", got)
	}
	other := New(llm.Endpoint{Provider: "p", Model: "other"}).(*model)
	if got := string(other.encode(&m, true).blocks); got != `,{"type":"tool_use","id":"A","name":"get","input":{}}` {
		t.Errorf("another model was sent %s", got)
	}
}

func TestThinkingWithoutItsSignatureIsNotSent(t *testing.T) {
	wire := New(llm.Endpoint{Provider: "p", Model: "m"}).(*model)
	for _, opaque := range []string{"", "null", "7", `"S`} {
		m := llm.Message{Role: llm.Assistant, Model: "p/m", Parts: []llm.Part{
			{Kind: llm.Thinking, Text: "hm", Opaque: json.RawMessage(opaque)}, {Kind: llm.Text, Text: "ok"},
		}}
		if got := string(wire.encode(&m, true).blocks); got != `,{"type":"text","text":"ok"}` {
			t.Errorf("%q: sent %s", opaque, got)
		}
	}
}

func TestServersThatImitateTheFormatAreUnderstood(t *testing.T) {
	for name, c := range map[string]struct{ stream, args string }{
		"arguments with the start": {`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"A","name":"get","input":{"a":1}}}
			{"type":"content_block_stop","index":0}
			{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `{"a":1}`},
		"no stop of the block": {`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"A","name":"get","input":{"a":1}}}
			{"type":"message_stop"}`, `{"a":1}`},
		"no arguments": {`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"A","name":"get"}}
			{"type":"content_block_stop","index":0}
			{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `{}`},
		"one index twice": {`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"hi"}}
			{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"A","name":"get","input":{}}}
			{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"b\":2}"}}
			{"type":"content_block_stop","index":0}
			{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `{"b":2}`},
	} {
		m, err := decode(t, c.stream)
		if err != nil || len(m.Calls()) != 1 || m.Calls()[0].Broken != "" || string(m.Calls()[0].Args) != c.args {
			t.Errorf("%s: %+v, %v", name, m.Calls(), err)
		}
	}
}

func TestUsageAccumulates(t *testing.T) {
	m, err := decode(t, `{"type":"message_start","message":{"usage":{"input_tokens":3,"cache_read_input_tokens":100,"cache_creation_input_tokens":20,"output_tokens":1}}}
		{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":42}}`)
	if want := (llm.Usage{Input: 3, CacheRead: 100, CacheWrite: 20, Output: 42}); err != nil || m.Usage != want {
		t.Errorf("usage %+v, %v", m.Usage, err)
	}
}

func TestCountsThatAServerTakesBackStay(t *testing.T) {
	for _, c := range []struct{ start, end string }{
		{`{"input_tokens":0,"output_tokens":0}`, `{"input_tokens":30,"cache_read_input_tokens":100,"output_tokens":42}`},
		{`{"input_tokens":30,"cache_read_input_tokens":100,"output_tokens":1}`, `{"input_tokens":0,"cache_read_input_tokens":0,"output_tokens":42}`},
	} {
		m, err := decode(t, `{"type":"message_start","message":{"usage":`+c.start+`}}
			{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":`+c.end+`}`)
		if want := (llm.Usage{Input: 30, CacheRead: 100, Output: 42}); err != nil || m.Usage != want {
			t.Errorf("usage %+v, %v", m.Usage, err)
		}
	}
}

func settings(t *testing.T, e llm.Endpoint, req llm.Request) map[string]json.RawMessage {
	t.Helper()
	if req.Messages == nil {
		req.Messages = []*llm.Message{llm.UserText("x")}
	}
	var out map[string]json.RawMessage
	body := New(e).(*model).body(req).Bytes()
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return out
}

func TestThinkingIsAskedForAsTheModelTakesIt(t *testing.T) {
	zero := 0.0
	adaptive := `{"type":"adaptive","display":"summarized"}`
	bound := `{"type":"adaptive","display":"summarized","block_binding":{"prefix_mismatch_behavior":"drop_block"}}`
	for _, c := range []struct{ model, effort, thinking, config, temperature, limit string }{
		{"claude-sonnet-4-5", "", "", "", "0", "1000"},
		{"claude-sonnet-4-5", "off", "", "", "0", "1000"},
		{"claude-sonnet-4-5", "low", "", "", "0", "1000"}, // no room below the limit
		{"claude-sonnet-4-6", "high", adaptive, `{"effort":"high"}`, "", "1000"},
		{"claude-sonnet-4-6", "off", "", "", "0", "1000"},
		{"claude-opus-4-7", "off", "", "", "", "1000"},
		{"claude-opus-5", "", adaptive, "", "", "1000"},
		{"claude-opus-5", "off", `{"type":"disabled"}`, "", "", "1000"},
		{"claude-haiku-5-5", "off", `{"type":"disabled"}`, "", "", "1000"},
		{"claude-haiku-5-5", "medium", bound, `{"effort":"medium"}`, "", "1000"},
		{"claude-opus-5-5", "off", bound, `{"effort":"low"}`, "", "5096"},
		{"claude-fable-5-1", "", bound, "", "", "1000"},
		{"claude-next-9", "low", bound, `{"effort":"low"}`, "", "1000"},
		{"glm-5", "", "", "", "0", "1000"},
	} {
		e := llm.Endpoint{Model: c.model, Info: llm.Info{Reasoning: true}}
		got := settings(t, e, llm.Request{Effort: c.effort, Temperature: &zero, MaxTokens: 1000})
		for k, want := range map[string]string{"thinking": c.thinking, "output_config": c.config, "temperature": c.temperature, "max_tokens": c.limit} {
			if string(got[k]) != want {
				t.Errorf("%s %q: %s is %s, want %q", c.model, c.effort, k, got[k], want)
			}
		}
	}
	got := settings(t, llm.Endpoint{Model: "claude-opus-4-1", Info: llm.Info{Reasoning: true, Output: 32000}}, llm.Request{Effort: "medium"})
	if string(got["thinking"]) != `{"type":"enabled","budget_tokens":8192}` {
		t.Errorf("thinking is %s", got["thinking"])
	}
	e := llm.Endpoint{Provider: "p", Model: "claude-opus-4-1", Info: llm.Info{Reasoning: true, Output: 32000}}
	call := llm.Part{Kind: llm.CallPart, Call: &llm.Call{ID: "A", Name: "read"}}
	results := &llm.Message{Role: llm.Tool, Parts: []llm.Part{{Kind: llm.Result, For: "A", Text: "x"}}}
	thinking := llm.Part{Kind: llm.Thinking, Text: "hm", Opaque: json.RawMessage(`"S"`)}
	for name, c := range map[string]struct {
		made   llm.Message
		thinks bool
	}{
		"its own thinking": {llm.Message{Role: llm.Assistant, Model: "p/claude-opus-4-1", Parts: []llm.Part{thinking, call}}, true},
		"another model's":  {llm.Message{Role: llm.Assistant, Model: "p/other", Parts: []llm.Part{thinking, call}}, false},
		"none":             {llm.Message{Role: llm.Assistant, Model: "p/claude-opus-4-1", Parts: []llm.Part{call}}, false},
		"no calls":         {llm.Message{Role: llm.Assistant, Model: "p/other", Parts: []llm.Part{{Kind: llm.Text, Text: "x"}}}, true},
	} {
		ms := []*llm.Message{llm.UserText("x"), &c.made}
		if len(c.made.Calls()) > 0 {
			ms = append(ms, results)
		}
		got := settings(t, e, llm.Request{Effort: "medium", Messages: append(ms, llm.UserText("go on"))})
		if (got["thinking"] != nil) != c.thinks {
			t.Errorf("%s: thinking is %s", name, got["thinking"])
		}
	}
	got = settings(t, llm.Endpoint{Model: "claude-opus-5-5"}, llm.Request{Effort: "high"})
	if got["thinking"] != nil || got["output_config"] != nil {
		t.Error("a model that is not known to reason was asked to")
	}
}

func TestTheLimitLeavesRoomForTheConversation(t *testing.T) {
	for _, c := range []struct {
		info llm.Info
		ask  int
		want string
	}{
		{llm.Info{}, 0, "16384"},
		{llm.Info{}, 9, "9"},
		{llm.Info{Output: 8192}, 0, "8192"},
		{llm.Info{Output: 64000, Context: 200000}, 0, "33333"},
		{llm.Info{Output: 128000, Context: 1000000}, 0, "128000"},
		{llm.Info{Output: 8192, Context: 8192}, 0, "4096"},
	} {
		if got := settings(t, llm.Endpoint{Model: "m", Info: c.info}, llm.Request{MaxTokens: c.ask})["max_tokens"]; string(got) != c.want {
			t.Errorf("%+v, %d: %s", c.info, c.ask, got)
		}
	}
}

func TestCacheMarksStandAtTheEndsOfWhatStays(t *testing.T) {
	req := llm.Request{
		System: "s", Tools: []llm.ToolSpec{{Name: "a"}, {Name: "b"}},
		Messages: []*llm.Message{
			llm.UserText("one"),
			{Role: llm.Assistant, Parts: []llm.Part{{Kind: llm.Text, Text: "two"}}},
			llm.UserText("three"),
			{Role: llm.Assistant, Parts: []llm.Part{{Kind: llm.CallPart, Call: &llm.Call{ID: "A", Name: "a"}}}},
			{Role: llm.Tool, Parts: []llm.Part{{Kind: llm.Result, For: "A", Text: "four"}}},
			llm.UserText("five"), llm.UserText(" "),
		},
	}
	body := string(New(llm.Endpoint{Model: "m"}).(*model).body(req).Bytes())
	mark := `"cache_control":{"type":"ephemeral"}`
	for _, want := range []string{
		`"text":"s",` + mark, `"name":"b","input_schema":{"type":"object","properties":{}},` + mark, `"text":"three",` + mark, `"text":"five",` + mark,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if n := strings.Count(body, mark); n != 4 {
		t.Errorf("%d marks in %s", n, body)
	}
}

func TestAnErrorResultWithAnImageIsNotMarked(t *testing.T) {
	wire := New(llm.Endpoint{Model: "m"}).(*model)
	failed := llm.Part{Kind: llm.Result, For: "A", Text: "no", Failed: true}
	image := llm.Part{Kind: llm.Image, MIME: "image/png", Data: []byte("x")}
	if got := string(wire.encode(&llm.Message{Role: llm.Tool, Parts: []llm.Part{failed}}, true).blocks); !strings.Contains(got, `"is_error":true`) {
		t.Errorf("sent %s", got)
	}
	if got := string(wire.encode(&llm.Message{Role: llm.Tool, Parts: []llm.Part{failed, image}}, true).blocks); strings.Contains(got, "is_error") {
		t.Errorf("sent %s", got)
	}
}

func TestTheHeadersAreSent(t *testing.T) {
	h := llmtest.Headers(t, New, "k")
	if h.Get("X-Api-Key") != "k" || h.Get("Anthropic-Version") != "2023-06-01" || h.Get("X-Extra") != "1" || h.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", h)
	}
	if h := llmtest.Headers(t, New, ""); h["X-Api-Key"] != nil {
		t.Errorf("headers %v", h)
	}
}

func TestTheBaseURLMayHaveAVersion(t *testing.T) {
	for base, want := range map[string]string{"": "https://api.anthropic.com/v1/messages", "http://a": "http://a/v1/messages", "http://a/v1/": "http://a/v1/messages"} {
		m := New(llm.Endpoint{BaseURL: base}).(*model)
		if got := m.e.URL("https://api.anthropic.com", "/v1/messages"); got != want {
			t.Errorf("%q: %s", base, got)
		}
	}
}

func TestAFullContextIsNoOutputLimit(t *testing.T) {
	e := llm.Endpoint{Provider: "p", Model: "m"}
	d := newDecoder(&e, nil)
	for _, data := range []string{
		`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"A","name":"write"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"path\":"}}`,
		`{"type":"message_delta","delta":{"stop_reason":"model_context_window_exceeded"}}`,
	} {
		if _, err := d.event(llm.Event{Data: []byte(data)}); err != nil {
			t.Fatal(err)
		}
	}
	m := d.draft.Message(&e, nil, nil)
	if m.Stop != llm.StopFull || !strings.Contains(m.Calls()[0].Broken, "the context is full") {
		t.Errorf("got %s, %+v", m.Stop, m.Calls()[0])
	}
}
