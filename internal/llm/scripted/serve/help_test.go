package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// A client is how a wire's requests are made.
type client struct {
	wire, path string
	header     map[string]string
	// base is a valid request with a call that was answered.
	base string
}

func clients() []client {
	return []client{
		{"messages", "/v1/messages", map[string]string{"X-Api-Key": "k", "Anthropic-Version": "2023-06-01"}, messagesBase},
		{"responses", "/v1/responses", map[string]string{"Authorization": "Bearer k"}, responsesBase},
		{"chat", "/v1/chat/completions", map[string]string{"Authorization": "Bearer k"}, chatBase},
		{"gemini", "/v1beta/models/m1:streamGenerateContent?alt=sse", map[string]string{"X-Goog-Api-Key": "k"}, geminiBase},
	}
}

func clientOf(t *testing.T, wire string) client {
	for _, c := range clients() {
		if c.wire == wire {
			return c
		}
	}
	t.Fatalf("no wire %s", wire)
	return client{}
}

func (c client) request(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, c.path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for k, v := range c.header {
		r.Header.Set(k, v)
	}
	return r
}

// ask sends a body to s in process.
func (c client) ask(s *Server, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, c.request(body))
	return w
}

// send sends a body to a started server and returns the response and what of
// its body arrived.
func (c client) send(t *testing.T, url, body string) (*http.Response, []byte, error) {
	t.Helper()
	r := c.request(body)
	r2, err := http.NewRequestWithContext(t.Context(), r.Method, url+c.path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r2.Header = r.Header
	resp, err := http.DefaultClient.Do(r2)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return resp, b, err
}

func text(s string) *scripted.Scenario {
	return &scripted.Scenario{Steps: []scripted.Step{{Text: s}}}
}

// data returns the data of the events in a stream.
func data(stream []byte) []string {
	var list []string
	for line := range bytes.Lines(bytes.TrimPrefix(stream, []byte("\ufeff"))) {
		if s, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data:")); ok {
			list = append(list, strings.TrimPrefix(string(s), " "))
		}
	}
	return list
}

// parse decodes JSON; what is no object is left out.
func parse(list []string) []map[string]any {
	var out []map[string]any
	for _, s := range list {
		var m map[string]any
		if json.Unmarshal([]byte(s), &m) == nil {
			out = append(out, m)
		}
	}
	return out
}

// at follows a path of keys and indexes.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			list, _ := v.([]any)
			if p >= len(list) {
				return nil
			}
			v = list[p]
		}
	}
	return v
}

const messagesBase = `{"model":"m1","max_tokens":100,"stream":true,"temperature":0.5,
"system":[{"type":"text","text":"be good","cache_control":{"type":"ephemeral"}}],
"tools":[{"name":"read","description":"d","input_schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}},{"name":"plan_get","input_schema":{"type":"object"}}],
"messages":[{"role":"user","content":"hello"},
{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"toolu_1","name":"read","input":{"path":"a"}},{"type":"tool_use","id":"toolu_2","name":"plan_get","input":{}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"alpha"},{"type":"tool_result","tool_use_id":"toolu_2","content":[{"type":"text","text":"beta"}],"is_error":true},{"type":"text","text":"go on"}]}]}`

const responsesBase = `{"model":"m1","stream":true,"store":false,"instructions":"be good","include":["reasoning.encrypted_content"],"max_output_tokens":100,
"tools":[{"type":"function","name":"read","description":"d","strict":false,"parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}},{"type":"function","name":"plan_get","parameters":{"type":"object","properties":{}}}],
"input":[{"role":"user","content":[{"type":"input_text","text":"hello"}]},
{"type":"message","role":"assistant","id":"msg_1","content":[{"type":"output_text","text":"I look."}]},
{"type":"function_call","id":"fc_1","call_id":"call_1","name":"read","arguments":"{\"path\":\"a\"}"},
{"type":"function_call","call_id":"call_2","name":"plan_get","arguments":"{}"},
{"type":"function_call_output","call_id":"call_1","output":"alpha"},
{"type":"function_call_output","call_id":"call_2","output":[{"type":"input_text","text":"beta"}]},
{"role":"user","content":"go on"}]}`

const chatBase = `{"model":"m1","stream":true,"stream_options":{"include_usage":true},"max_tokens":100,
"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object","properties":{"path":{"type":"string"}}}}},{"type":"function","function":{"name":"plan_get"}}],
"messages":[{"role":"system","content":"be good"},{"role":"user","content":"hello"},
{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}},{"id":"call_2","type":"function","function":{"name":"plan_get","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"call_1","content":"alpha"},{"role":"tool","tool_call_id":"call_2","content":[{"type":"text","text":"beta"}]},
{"role":"user","content":[{"type":"text","text":"go on"}]}]}`

const geminiBase = `{"systemInstruction":{"parts":[{"text":"be good"}]},"generationConfig":{"temperature":0.5,"maxOutputTokens":100,"thinkingConfig":{"includeThoughts":true}},
"tools":[{"functionDeclarations":[{"name":"read","description":"d","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}},{"name":"plan_get"}]}],
"contents":[{"role":"user","parts":[{"text":"hello"}]},
{"role":"model","parts":[{"text":"I look."},{"functionCall":{"name":"read","args":{"path":"a"}}},{"functionCall":{"name":"plan_get"}}]},
{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"alpha"}}},{"functionResponse":{"name":"plan_get","response":{"output":"beta"}}},{"text":"go on"}]}]}`
