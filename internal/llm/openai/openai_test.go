package openai

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

func TestItemsWithoutPiecesArriveToo(t *testing.T) {
	done := `{"type":"response.completed","response":{"status":"completed"}}`
	for name, stream := range map[string]string{
		"items done only": `{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"},{"type":"summary_text","text":"so"}],"encrypted_content":"E"}}
			{"type":"response.output_item.done","output_index":1,"item":{"type":"message","content":[{"type":"output_text","text":"hi"}]}}
			{"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","call_id":"A","name":"get","arguments":"{\"a\":1}"}}
			` + done,
		"pieces without starts": `{"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"hm"}
			{"type":"response.reasoning_summary_part.added","output_index":0}
			{"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"so"}
			{"type":"response.output_text.delta","output_index":1,"delta":"hi"}
			{"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","call_id":"A","name":"get","arguments":{"a":1}}}
			` + done,
		"in the last event": `{"type":"response.completed","response":{"status":"completed","output":[
			{"type":"reasoning","summary":[{"text":"hm"},{"text":"so"}]},{"type":"message","content":[{"type":"output_text","text":"hi"}]},{"type":"function_call","call_id":"A","name":"get","arguments":"{\"a\":1}"}]}}`,
		"open reasoning": `{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning"}}
			{"type":"response.reasoning_text.delta","output_index":0,"delta":"hm\n\nso"}
			{"type":"response.output_text.delta","output_index":1,"delta":"hi"}
			{"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","call_id":"A","name":"get","arguments":""}}
			{"type":"response.function_call_arguments.done","output_index":2,"arguments":"{\"a\":1}"}
			` + done,
		"items of the provider's own tools": `{"type":"response.output_item.added","output_index":0,"item":{"type":"web_search_call"}}
			{"type":"response.output_item.done","output_index":0,"item":{"type":"web_search_call"}}
			{"type":"response.output_item.done","output_index":1,"item":{"type":"reasoning","content":[{"type":"reasoning_text","text":"hm\n\nso"}]}}
			{"type":"response.output_item.done","output_index":2,"item":{"type":"message","content":[{"type":"output_text","text":"hi"}]}}
			{"type":"response.output_item.done","output_index":3,"item":{"type":"function_call","call_id":"A","name":"get","arguments":"{\"a\":1}"}}
			` + done,
	} {
		if name == "in the last event" {
			stream = strings.ReplaceAll(stream, "\n", "")
		}
		m, err := decode(t, stream)
		if err != nil || len(m.Parts) != 3 {
			t.Errorf("%s: %+v, %v", name, m.Parts, err)
			continue
		}
		c := m.Parts[2].Call
		if m.Parts[0].Text != "hm\n\nso" || m.Text() != "hi" || c == nil || c.ID != "A" || string(c.Args) != `{"a":1}` || c.Broken != "" {
			t.Errorf("%s: %+v, call %+v", name, m.Parts, c)
		}
	}
}

func TestAnAnswerEndsForItsReason(t *testing.T) {
	for stream, want := range map[string]llm.Stop{
		`{"type":"response.completed","response":{}}`:                                                           llm.StopEnd,
		`{"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"}}}`:       llm.StopLength,
		`{"type":"response.incomplete","response":{"incomplete_details":{"reason":"content_filter"}}}`:          llm.StopRefusal,
		`{"type":"response.refusal.delta","delta":"no"}` + "\n" + `{"type":"response.completed","response":{}}`: llm.StopRefusal,
	} {
		m, err := decode(t, stream)
		if err != nil || m.Stop != want {
			t.Errorf("%s: %s, %v", stream, m.Stop, err)
		}
	}
	for stream, kind := range map[string]llm.ErrorKind{
		`{"type":"response.failed","response":{"error":{"code":"server_error","message":"x"}}}`:               llm.Overloaded,
		`{"type":"error","code":"context_length_exceeded","message":"x"}`:                                     llm.TooLong,
		`{"type":"error","error":{"code":"insufficient_quota","message":"x"}}`:                                llm.Quota,
		`{"type":"response.completed","response":{"status":"failed","error":{"code":"rate_limit_exceeded"}}}`: llm.RateLimit,
		`{"error":{"message":"x"}}`:                         llm.Overloaded,
		`{"type":"response.completed","response":`:          llm.Incomplete,
		`{"type":"response.completed","sequence_number":1}`: llm.Incomplete,
	} {
		_, err := decode(t, stream)
		if e, ok := err.(*llm.Error); !ok || e.Kind != kind {
			t.Errorf("%s: %v", stream, err)
		}
	}
}

func TestUsageIsNormal(t *testing.T) {
	m, err := decode(t, `{"type":"response.completed","response":{"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":60,"cache_write_tokens":10},"output_tokens":20,"output_tokens_details":{"reasoning_tokens":5}}}}`)
	if want := (llm.Usage{Input: 30, CacheRead: 60, CacheWrite: 10, Output: 20, Reasoning: 5}); err != nil || m.Usage != want {
		t.Errorf("usage %+v, %v", m.Usage, err)
	}
}

func TestReasoningAtTheEndIsNotSent(t *testing.T) {
	reasoning := llm.Part{Kind: llm.Thinking, Opaque: json.RawMessage(`{"type":"reasoning","id":"rs_1","encrypted_content":"E"}`)}
	wire := New(llm.Endpoint{Provider: "p", Model: "m"}).(*model)
	m := llm.Message{Role: llm.Assistant, Model: "p/m", Parts: []llm.Part{reasoning, {Kind: llm.Text, Text: "hi"}, reasoning}}
	if got := string(wire.encode(&m)); strings.Count(got, "rs_1") != 1 || !strings.HasPrefix(got, `,{"type":"reasoning"`) {
		t.Errorf("sent %s", got)
	}
	m.Parts = []llm.Part{reasoning}
	if got := wire.encode(&m); got != nil {
		t.Errorf("sent %s", got)
	}
}

func TestSettingsAreSentAsTheModelTakesThem(t *testing.T) {
	zero := 0.0
	for _, c := range []struct {
		model                                            string
		think                                            bool
		effort                                           string
		reasoning, include, temperature, limit, cacheKey string
	}{
		{"gpt-4.1", false, "high", "", "", "0", "20", `"k"`},
		{"gpt-5", true, "", `{"summary":"auto"}`, `["reasoning.encrypted_content"]`, "", "20", `"k"`},
		{"gpt-5", true, "high", `{"effort":"high","summary":"auto"}`, `["reasoning.encrypted_content"]`, "", "20", `"k"`},
		{"gpt-5-mini", true, "off", `{"effort":"minimal"}`, `["reasoning.encrypted_content"]`, "", "4116", `"k"`},
		{"gpt-5.1", true, "off", `{"effort":"none"}`, `["reasoning.encrypted_content"]`, "0", "20", `"k"`},
		{"gpt-6.2-sol", true, "off", `{"effort":"low"}`, `["reasoning.encrypted_content"]`, "", "4116", `"k"`},
		{"o3", true, "off", `{"effort":"low"}`, `["reasoning.encrypted_content"]`, "", "4116", `"k"`},
	} {
		m := New(llm.Endpoint{Model: c.model, Info: llm.Info{Reasoning: c.think}}).(*model)
		req := llm.Request{Effort: c.effort, Temperature: &zero, MaxTokens: 20, CacheKey: "k", Messages: []*llm.Message{llm.UserText("x")}}
		var got map[string]json.RawMessage
		if err := json.Unmarshal(m.body(req).Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		for k, want := range map[string]string{
			"reasoning": c.reasoning, "include": c.include, "temperature": c.temperature, "max_output_tokens": c.limit, "prompt_cache_key": c.cacheKey, "store": "false",
		} {
			if string(got[k]) != want {
				t.Errorf("%s %q: %s is %s, want %q", c.model, c.effort, k, got[k], want)
			}
		}
	}
}

func TestToolsCanBeForbiddenForATurn(t *testing.T) {
	m := New(llm.Endpoint{Model: "m"}).(*model)
	body := string(m.body(llm.Request{NoTools: true, Tools: []llm.ToolSpec{{Name: "a"}}, MaxTokens: 4, CacheKey: strings.Repeat("k", 99)}).Bytes())
	for _, want := range []string{`"tool_choice":"none"`, `"tools":[{"type":"function","name":"a"`, `"max_output_tokens":16`, `"` + strings.Repeat("k", 64) + `"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}

func TestTheKeyIsSent(t *testing.T) {
	if h := llmtest.Headers(t, New, "k"); h.Get("Authorization") != "Bearer k" {
		t.Errorf("headers %v", h)
	}
}

func TestACallThatTheProviderCallsIncompleteNeverRuns(t *testing.T) {
	m, err := decode(t, `{"type":"response.output_item.done","item":{"type":"function_call","call_id":"A","name":"write","arguments":"{}","status":"incomplete"}}`+"\n"+
		`{"type":"response.completed","response":{}}`)
	if err != nil || len(m.Calls()) != 1 || m.Calls()[0].Broken == "" {
		t.Errorf("got %+v, %v", m, err)
	}
}
