package google

import (
	"encoding/json"
	"net/http"
	"strconv"
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

func TestSignaturesGoBackOnThePartTheyCameWith(t *testing.T) {
	m, err := decode(t, `{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"m","thought":true}]}}]}
		{"candidates":[{"content":{"parts":[{"text":"I "}]}}]}
		{"candidates":[{"content":{"parts":[{"text":"read."},{"text":"","thoughtSignature":"T1"}]}}]}
		{"candidates":[{"content":{"parts":[{"functionCall":{"name":"read","args":{"path":"a"}},"thoughtSignature":"C1"},{"functionCall":{"name":"read","args":{"path":"b"}}}]},"finishReason":"STOP"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := `,{"text":"I read.","thoughtSignature":"T1"},{"functionCall":{"name":"read","args":{"path":"a"}},"thoughtSignature":"C1"},{"functionCall":{"name":"read","args":{"path":"b"}}}`
	wire := New(llm.Endpoint{Provider: "p", Model: "m"}).(*model)
	if got := string(wire.encode([]*llm.Message{&m}, 0).parts); got != want {
		t.Errorf("sent %s\nwant %s", got, want)
	}
	other := New(llm.Endpoint{Provider: "p", Model: "gemini-2.5-pro", Info: llm.Info{Reasoning: true}}).(*model)
	if got := string(other.encode([]*llm.Message{&m}, 0).parts); strings.Contains(got, "ignature") || strings.Contains(got, "hm") {
		t.Errorf("another model was sent %s", got)
	}
	later := New(llm.Endpoint{Provider: "p", Model: "gemini-3.8-flash", Info: llm.Info{Reasoning: true}}).(*model)
	if got := string(later.encode([]*llm.Message{&m}, 0).parts); strings.Count(got, foreign) != 1 || strings.Contains(got, `"C1"`) {
		t.Errorf("a model that demands signatures was sent %s", got)
	}
}

func TestSignedThoughtsGoBackWhole(t *testing.T) {
	m, err := decode(t, `{"candidates":[{"content":{"parts":[{"text":"a","thought":true,"thoughtSignature":"S1"},{"text":"b","thought":true},{"text":"ok"}]},"finishReason":"STOP"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	wire := New(llm.Endpoint{Provider: "p", Model: "m"}).(*model)
	if got := string(wire.encode([]*llm.Message{&m}, 0).parts); got != `,{"text":"a","thought":true,"thoughtSignature":"S1"},{"text":"ok"}` {
		t.Errorf("sent %s", got)
	}
}

func TestAnAnswerEndsForItsReason(t *testing.T) {
	for reason, want := range map[string]llm.Stop{"STOP": llm.StopEnd, "MAX_TOKENS": llm.StopLength, "SAFETY": llm.StopRefusal, "RECITATION": llm.StopRefusal, "OTHER": llm.StopEnd} {
		m, err := decode(t, `{"candidates":[{"finishReason":"`+reason+`"}]}`)
		if err != nil || m.Stop != want {
			t.Errorf("%s: %s, %v", reason, m.Stop, err)
		}
	}
	m, err := decode(t, `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}`)
	if err != nil || m.Stop != llm.StopRefusal {
		t.Errorf("%s, %v", m.Stop, err)
	}
	_, err = decode(t, `{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}`)
	if e, ok := err.(*llm.Error); !ok || !e.Temporary() {
		t.Errorf("got %v", err)
	}
}

func TestUsageIsNormal(t *testing.T) {
	m, err := decode(t, `{"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":60,"candidatesTokenCount":20,"thoughtsTokenCount":5,"toolUsePromptTokenCount":2}}`)
	if want := (llm.Usage{Input: 42, CacheRead: 60, Output: 25, Reasoning: 5}); err != nil || m.Usage != want {
		t.Errorf("usage %+v, %v", m.Usage, err)
	}
}

func TestSchemasBecomeTheSubsetThatTheAPITakes(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{}}`: ``,
		`not JSON`:                          ``,
		`{"$schema":"x","type":"object","additionalProperties":false,"properties":{"a":{"type":"string","default":"x","format":"uri","examples":[1]}},"required":["a"]}`: `{"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["zz"]}`:                                                                              `{"properties":{"a":{"nullable":true,"type":"string"}},"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":["string","integer"]}}}`:                                                                                             `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}},"type":"object"}`,
		`{"type":"object","properties":{"a":{"const":"x"},"b":{"enum":[1,2]},"c":{"enum":["x","y"]}}}`:                                                                   `{"properties":{"a":{"enum":["x"],"type":"string"},"b":{},"c":{"enum":["x","y"],"type":"string"}},"type":"object"}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/d"}},"$defs":{"d":{"type":"integer","minimum":1}}}`:                                                         `{"properties":{"a":{"minimum":1,"type":"integer"}},"type":"object"}`,
		`{"type":"object","properties":{"a":{"allOf":[{"type":"object","properties":{"x":{"type":"string"}}},{"properties":{"y":{"type":"string"}}}]}}}`:                 `{"properties":{"a":{"properties":{"x":{"type":"string"},"y":{"type":"string"}},"type":"object"}},"type":"object"}`,
		`{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"object","patternProperties":{}}]},"b":{"type":"array"},"c":true}}`:                      `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"object"}]},"b":{"items":{"type":"string"},"type":"array"},"c":{"type":"object"}},"type":"object"}`,
	} {
		if got := string(parameters(json.RawMessage(schema))); got != want {
			t.Errorf("%s\nbecame %s\nwant   %s", schema, got, want)
		}
	}
}

func TestASchemaThatRefersToItselfEnds(t *testing.T) {
	got := parameters(json.RawMessage(`{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}`))
	if !json.Valid(got) || len(got) > 2000 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	refs := strings.TrimSuffix(strings.Repeat(`"X":{"$ref":"#/$defs/n"},`, 40), ",")
	for i := range 40 {
		refs = strings.Replace(refs, `"X"`, `"x`+strconv.Itoa(i)+`"`, 1)
	}
	wide := `{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{` + refs + `}}}}`
	if got := parameters(json.RawMessage(wide)); len(got) > 1<<20 {
		t.Errorf("a schema of %d bytes became %d", len(wide), len(got))
	}
}

func TestSettingsAreSentAsTheModelTakesThem(t *testing.T) {
	for _, c := range []struct{ model, effort, thinking, limit string }{
		{"gemini-2.5-flash", "", `{"includeThoughts":true}`, "100"},
		{"gemini-2.5-flash", "off", `{"includeThoughts":false,"thinkingBudget":0}`, "100"},
		{"gemini-2.5-pro", "off", `{"includeThoughts":false,"thinkingBudget":128}`, "4196"},
		{"gemini-2.5-pro", "high", `{"includeThoughts":true,"thinkingBudget":24576}`, "100"},
		{"gemini-3.8-flash", "off", `{"includeThoughts":false,"thinkingLevel":"low"}`, "4196"},
		{"gemini-3.8-flash", "medium", `{"includeThoughts":true,"thinkingLevel":"medium"}`, "100"},
	} {
		m := New(llm.Endpoint{Model: c.model, Info: llm.Info{Reasoning: true}}).(*model)
		var got struct {
			Config struct {
				Thinking  json.RawMessage `json:"thinkingConfig"`
				MaxTokens json.RawMessage `json:"maxOutputTokens"`
			} `json:"generationConfig"`
		}
		body := m.body(llm.Request{Effort: c.effort, MaxTokens: 100, Messages: []*llm.Message{llm.UserText("x")}}).Bytes()
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if string(got.Config.Thinking) != c.thinking || string(got.Config.MaxTokens) != c.limit {
			t.Errorf("%s %q: sent %s", c.model, c.effort, body)
		}
	}
}

func TestTheAddressNamesTheModel(t *testing.T) {
	for base, want := range map[string]string{"": "/v1beta", "/": "/v1beta", "/v1beta": "/v1beta", "/v1alpha/": "/v1alpha", "/proxy/v1": "/proxy/v1"} {
		var got string
		s := llmtest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
			got = r.URL.String() + " " + r.Header.Get("X-Goog-Api-Key")
			w.WriteHeader(http.StatusTeapot)
		})
		e := s.Endpoint()
		e.BaseURL += base
		if _, err := New(e).Stream(t.Context(), llm.Request{}, nil); err == nil {
			t.Fatal("a teapot answered")
		}
		if got != want+"/models/model:streamGenerateContent?alt=sse sk-secret-key" {
			t.Errorf("%q: asked %s", base, got)
		}
	}
}
