package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

func TestAllWiresDriveOneScript(t *testing.T) {
	s := New(&scripted.Scenario{Steps: []scripted.Step{{Expect: []string{"alpha", "beta", "go on"}, ExpectNot: []string{"hello", "I look", "be good"}, Text: "{{n}}", Repeat: 4}}})
	for i, c := range clients() {
		if got := said(c.wire, c.ask(s, c.base).Body.Bytes()); !strings.HasPrefix(got, fmt.Sprintf("|%d|", i+1)) {
			t.Errorf("%s: got %s", c.wire, got)
		}
	}
	if !s.Done() || len(s.Violations()) > 0 {
		t.Errorf("done %t, %q", s.Done(), s.Violations())
	}
	for i, c := range clients() {
		w := c.ask(s, c.base)
		if v := s.Violations(); w.Code != 400 || len(v) != i+1 || !strings.HasPrefix(v[i], fmt.Sprintf("request %d (%s): script is over", i+5, c.wire)) {
			t.Errorf("%s: got %d %q", c.wire, w.Code, v)
		}
	}
}

func TestAnUnmetExpectationIsA400WithBothTexts(t *testing.T) {
	s := New(&scripted.Scenario{Steps: []scripted.Step{{Expect: []string{"gamma"}, Text: "x"}}})
	c := clientOf(t, "messages")
	w := c.ask(s, c.base)
	want := `steps[0]: the newest input lacks "gamma": "alpha\nbeta\ngo on"`
	if w.Code != 400 || at(parse([]string{w.Body.String()})[0], "error", "message") != want || s.Violations()[0] != "request 1 (messages): "+want {
		t.Errorf("got %d %s %q", w.Code, w.Body, s.Violations())
	}
}

func TestRequestsAreKeptWithoutTheirKeys(t *testing.T) {
	s := New(&scripted.Scenario{Steps: []scripted.Step{{Text: "x", Repeat: 9}}})
	for _, c := range clients() {
		c.ask(s, c.base)
	}
	for i, r := range s.Requests() {
		c := clients()[i]
		if r.Wire != c.wire || string(r.Body) != c.base || r.Path != strings.TrimSuffix(c.path, "?alt=sse") {
			t.Errorf("got %+v", r)
		}
		if b, _ := json.Marshal(r.Header); strings.Contains(string(b), `"k"`) || strings.Contains(string(b), "Bearer") || !strings.Contains(string(b), "redacted") {
			t.Errorf("the header is %s", b)
		}
	}
	s.KeepBodies(1)
	c := clientOf(t, "chat")
	c.ask(s, c.base)
	c.ask(s, c.base)
	r := s.Requests()
	if len(r) != 6 || r[4].Body != nil || r[5].Body == nil {
		t.Errorf("kept %v", r)
	}
}

func TestTheClassifierIsAnsweredOnEveryWire(t *testing.T) {
	s := New(&scripted.Scenario{Model: "big", Steps: []scripted.Step{{Text: "x"}}, Classifier: scripted.Classifier{
		Model: "small", Rules: []scripted.Rule{{Contains: "git log", Reply: "read-only"}},
	}})
	ask := "Judge. <command>git log</command>"
	for wire, body := range map[string]string{
		"messages":  `{"model":"small","max_tokens":8,"stream":true,"messages":[{"role":"user","content":"` + ask + `"}]}`,
		"responses": `{"model":"small","stream":true,"input":"` + ask + `"}`,
		"chat":      `{"model":"small","stream":true,"messages":[{"role":"user","content":"` + ask + `"}]}`,
		"gemini":    `{"contents":[{"role":"user","parts":[{"text":"` + ask + `"}]}]}`,
	} {
		c := clientOf(t, wire)
		c.path = strings.Replace(c.path, "m1", "small", 1)
		w := c.ask(s, body)
		if got := said(wire, w.Body.Bytes()); !strings.HasPrefix(got, "|read-only|") {
			t.Errorf("%s: got %d %s %s", wire, w.Code, got, w.Body)
		}
	}
	if s.Classified() != 4 || s.Done() || len(s.Violations()) > 0 {
		t.Errorf("classified %d, done %t, %q", s.Classified(), s.Done(), s.Violations())
	}
}

func TestModelsAreListedInTheFormOfEachProvider(t *testing.T) {
	s := New(&scripted.Scenario{Model: "m7"})
	for path, where := range map[string][]any{
		"/v1/models":     {"data", 0, "id"},
		"/api/v1/models": {"data", 0, "id"},
		"/api/tags":      {"models", 0, "name"},
		"/v1beta/models": {"models", 0, "displayName"},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if got := at(parse([]string{w.Body.String()})[0], where...); w.Code != 200 || got != "m7" {
			t.Errorf("%s: got %d %s", path, w.Code, w.Body)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/v1/models", nil)
	r.Header.Set("Anthropic-Version", "2023-06-01")
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); !strings.Contains(w.Body.String(), `"has_more":false`) {
		t.Errorf("got %s", w.Body)
	}
	w = httptest.NewRecorder()
	if s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/props", nil)); w.Code != 404 || len(s.Violations()) > 0 {
		t.Errorf("got %d %q", w.Code, s.Violations())
	}
	w = httptest.NewRecorder()
	if s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/complete", nil)); w.Code != 404 || len(s.Violations()) != 1 {
		t.Errorf("got %d %q", w.Code, s.Violations())
	}
}

func TestChatIsServedUnderAnyPrefix(t *testing.T) {
	c := clientOf(t, "chat")
	for _, path := range []string{"/chat/completions", "/v1/chat/completions", "/api/v1/chat/completions"} {
		c.path = path
		if w := c.ask(New(text("x")), c.base); w.Code != 200 {
			t.Errorf("%s: got %d", path, w.Code)
		}
	}
}

func TestALaxServerTakesWhatItIsGiven(t *testing.T) {
	for _, c := range clients() {
		s := New(&scripted.Scenario{Model: "m1", Steps: []scripted.Step{{Expect: []string{"not there"}, Text: "x"}}})
		s.Lax()
		if w := c.ask(s, `{"tools":[{}]}`); w.Code != 200 || !s.Done() {
			t.Errorf("%s: got %d %s", c.wire, w.Code, w.Body)
		}
	}
}

func TestViolationsAreReportedAsTheyHappen(t *testing.T) {
	s := New(&scripted.Scenario{})
	var got []string
	s.OnViolation(func(text string) { got = append(got, text) })
	c := clientOf(t, "chat")
	c.ask(s, c.base)
	if len(got) != 1 || got[0] != s.Violations()[0] {
		t.Errorf("got %q", got)
	}
}

// replay builds the request that follows an answer of thinking, text and one
// call, on each wire, from the whole message.
func replay(t *testing.T, wire, answer string) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(answer), &m); err != nil {
		t.Fatal(err)
	}
	head := map[string]string{
		"messages":  `{"model":"m1","max_tokens":100,"stream":true,"thinking":{"type":"adaptive"},"messages":[{"role":"user","content":"hello"},`,
		"responses": `{"model":"m1","stream":true,"store":false,"input":[{"role":"user","content":"hello"},`,
		"gemini":    `{"contents":[{"role":"user","parts":[{"text":"hello"}]},`,
	}[wire]
	js := func(v any) string { return string(encode(v)) }
	switch wire {
	case "messages":
		return head + `{"role":"assistant","content":` + js(m["content"]) + `},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_3","content":"alpha"}]}]}`
	case "responses":
		items := strings.Trim(js(m["output"]), "[]")
		return head + items + `,{"type":"function_call_output","call_id":"call_3","output":"alpha"}]}`
	}
	return head + js(at(m, "candidates", 0, "content")) + `,{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"alpha"}}}]}]}`
}

func TestThinkingMustComeBackAsItWasServed(t *testing.T) {
	for wire, changes := range map[string][]change{
		"messages": {
			{"altered thinking", "Look first.", "Look second.", "invalid signature"},
			{"altered signature", `"signature":"`, `"signature":"x`, "invalid signature"},
			{"dropped thinking", `{"signature":"` + sign("thinking", "m1", "Look first.") + `","thinking":"Look first.","type":"thinking"},`, "", "expected thinking before the tool_use toolu_3"},
			{"altered redacted thinking", `"data":"`, `"data":"x`, "invalid data in redacted_thinking"},
			{"thinking after text", `{"data":"` + sign("redacted", "m1") + `","type":"redacted_thinking"},{"text":"I look.","type":"text"}`, `{"text":"I look.","type":"text"},{"data":"` + sign("redacted", "m1") + `","type":"redacted_thinking"}`, "thinking must come first"},
			{"another model", `"model":"m1"`, `"model":"m2"`, "invalid signature"},
		},
		"responses": {
			{"altered content", `"encrypted_content":"`, `"encrypted_content":"x`, "could not be verified"},
			{"another model", `"model":"m1"`, `"model":"m2"`, "could not be verified"},
			{"dropped reasoning", `{"encrypted_content":"` + sign("reasoning", "m1", "rs_3") + `","id":"rs_3","summary":[{"text":"Look first.","type":"summary_text"}],"type":"reasoning"},`, "", "without its required reasoning item"},
			{"call without an item id", `"id":"fc_3",`, "", ""},
			{"dropped item", `{"content":[{"annotations":[],"logprobs":[],"text":"I look.","type":"output_text"}],"id":"msg_3","role":"assistant","status":"completed","type":"message"},`, "", "without its required following item"},
		},
		"gemini": {
			{"dropped signature", `,"thoughtSignature":"` + sign(`m1 read {"path":"a"}`) + `"`, "", "missing a thought_signature"},
			{"altered signature", `"thoughtSignature":"`, `"thoughtSignature":"x`, "corrupted thought signature"},
			{"dropped thought", `{"text":"Look first.","thought":true},`, "", ""},
		},
	} {
		for _, ch := range append(changes, change{"nothing", "hello", "hello", ""}) {
			c := clientOf(t, wire)
			s := New(&scripted.Scenario{Steps: []scripted.Step{
				{Think: "Look first.", Redacted: true, Text: "I look.", Calls: []scripted.Call{{Name: "read", Args: `{"path":"a"}`}}, Fault: &scripted.Fault{Quirks: []string{"json_body"}}},
				{Text: "x"},
			}})
			body := replay(t, wire, c.ask(s, c.base).Body.String())
			if !strings.Contains(body, ch.old) {
				t.Fatalf("%s %s: %s is not in %s", wire, ch.name, ch.old, body)
			}
			w := c.ask(s, strings.Replace(body, ch.old, ch.new, 1))
			v := strings.Join(s.Violations(), "\n")
			if !strings.Contains(v, ch.want) || (v == "") != (ch.want == "") || (w.Code == 200) != (ch.want == "") {
				t.Errorf("%s %s: got %d %q, want %q", wire, ch.name, w.Code, v, ch.want)
			}
		}
	}
}

func TestThinkingMayBeLeftOutOfEarlierTurnsAndWhenItIsOff(t *testing.T) {
	c := clientOf(t, "messages")
	for _, edit := range []func(body string) string{
		func(body string) string {
			return strings.TrimSuffix(body, "]}") + `,{"role":"assistant","content":"done"},{"role":"user","content":"next"}]}`
		},
		func(body string) string {
			return strings.Replace(body, `{"type":"adaptive"}`, `{"type":"disabled"}`, 1)
		},
		func(body string) string { return strings.Replace(body, `"thinking":{"type":"adaptive"},`, ``, 1) },
	} {
		s := New(&scripted.Scenario{Steps: []scripted.Step{
			{Think: "Look first.", Calls: []scripted.Call{{Name: "read"}}, Fault: &scripted.Fault{Quirks: []string{"json_body"}}}, {Text: "x"},
		}})
		body := replay(t, "messages", c.ask(s, c.base).Body.String())
		body = strings.Replace(body, `{"signature":"`+sign("thinking", "m1", "Look first.")+`","thinking":"Look first.","type":"thinking"},`, "", 1)
		if w := c.ask(s, edit(body)); w.Code != 200 {
			t.Errorf("got %d %q", w.Code, s.Violations())
		}
	}
}

func TestTheSameCallMayComeBackWithoutASignatureThatItNeverHad(t *testing.T) {
	c := clientOf(t, "gemini")
	call := []scripted.Call{{Name: "read", Args: `{"path":"a"}`}}
	s := New(&scripted.Scenario{Steps: []scripted.Step{{Calls: call}, {Think: "t", Calls: call}, {Text: "x"}}})
	c.ask(s, c.base)
	c.ask(s, c.base)
	body := replay(t, "gemini", `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"args":{"path":"a"},"name":"read"}}]}}]}`)
	if w := c.ask(s, body); w.Code != 200 {
		t.Errorf("got %d %q", w.Code, s.Violations())
	}
}

func TestUsageOfTheStepIsReported(t *testing.T) {
	for wire, want := range map[string]string{
		"messages": `"input_tokens":100,"output_tokens":20`, "responses": `"output_tokens":20`, "chat": `"prompt_tokens":100`, "gemini": `"promptTokenCount":100`,
	} {
		c := clientOf(t, wire)
		if w := c.ask(New(text("x")), c.base); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: got %s", wire, w.Body)
		}
	}
	if got := chatUsage(llm.Usage{Input: 1, CacheRead: 2, CacheWrite: 4, Output: 8})["total_tokens"]; got != 15 {
		t.Errorf("got %v", got)
	}
}
