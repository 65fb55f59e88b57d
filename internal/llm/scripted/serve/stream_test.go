package serve

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

var update = flag.Bool("update", false, "write the golden files anew")

func full() scripted.Step {
	return scripted.Step{
		Think: "Look first.", Redacted: true, Text: "I will <read> é日🙂.",
		Calls: []scripted.Call{{Name: "read", Args: `{"path":"a.txt"}`}, {Name: "plan_get"}},
		Usage: llm.Usage{Input: 7, CacheRead: 5, CacheWrite: 3, Output: 11, Reasoning: 2},
	}
}

// TestStreamsAreThoseOfTheProviders keeps every byte of one rich answer a wire,
// to be compared by a person with the provider's documentation.
func TestStreamsAreThoseOfTheProviders(t *testing.T) {
	for _, c := range clients() {
		w := c.ask(New(&scripted.Scenario{Steps: []scripted.Step{full()}}), c.base)
		if got := w.Header().Get("Content-Type"); got != "text/event-stream; charset=utf-8" {
			t.Errorf("%s: %s", c.wire, got)
		}
		golden(t, c.wire+".sse", w.Body.Bytes())
	}
}

func TestWholeMessagesAreThoseOfTheProviders(t *testing.T) {
	for _, c := range clients() {
		step := full()
		step.Fault = &scripted.Fault{Quirks: []string{"json_body"}}
		w := c.ask(New(&scripted.Scenario{Steps: []scripted.Step{step}}), c.base)
		if got := w.Header().Get("Content-Type"); got != "application/json" {
			t.Errorf("%s: %s", c.wire, got)
		}
		var b bytes.Buffer
		if err := json.Indent(&b, w.Body.Bytes(), "", "  "); err != nil {
			t.Errorf("%s: %v: %s", c.wire, err, w.Body)
		}
		golden(t, c.wire+".json", append(b.Bytes(), '\n'))
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (run with -update to accept):\n%s", name, got)
	}
}

// said returns what a stream says, and how it ends, in a form that is the same
// for all wires: thinking|text|name args …|end.
func said(wire string, stream []byte) string {
	var think, text, end string
	var calls []string
	for _, e := range parse(data(stream)) {
		switch wire {
		case "messages":
			s, _ := at(e, "delta", "thinking").(string)
			think += s
			s, _ = at(e, "delta", "text").(string)
			text += s
			if name, ok := at(e, "content_block", "name").(string); ok {
				calls = append(calls, name+" ")
			}
			if s, ok := at(e, "delta", "partial_json").(string); ok {
				calls[len(calls)-1] += s
			}
			if s, ok := at(e, "delta", "stop_reason").(string); ok {
				end = s
			}
		case "responses":
			s, _ := e["delta"].(string)
			switch e["type"] {
			case "response.reasoning_summary_text.delta":
				think += s
			case "response.output_text.delta":
				text += s
			case "response.function_call_arguments.delta":
				calls[len(calls)-1] += s
			case "response.output_item.added":
				if name, ok := at(e, "item", "name").(string); ok {
					calls = append(calls, name+" ")
				}
			case "response.completed", "response.incomplete":
				end = fmt.Sprint(at(e, "response", "status"))
			}
		case "chat":
			d := at(e, "choices", 0, "delta")
			s, _ := at(d, "reasoning_content").(string)
			think += s
			s, _ = at(d, "content").(string)
			text += s
			if name, ok := at(d, "tool_calls", 0, "function", "name").(string); ok {
				calls = append(calls, name+" ")
			}
			switch s := at(d, "tool_calls", 0, "function", "arguments").(type) {
			case string:
				calls[len(calls)-1] += s
			case map[string]any:
				b, _ := json.Marshal(s)
				calls[len(calls)-1] += "object " + string(b)
			}
			if s, ok := at(e, "choices", 0, "finish_reason").(string); ok {
				end = s
			}
		case "gemini":
			part := at(e, "candidates", 0, "content", "parts", 0)
			s, _ := at(part, "text").(string)
			if at(part, "thought") == true {
				think += s
			} else {
				text += s
			}
			if name, ok := at(part, "functionCall", "name").(string); ok {
				b, _ := json.Marshal(at(part, "functionCall", "args"))
				calls = append(calls, name+" "+string(b))
			}
			if s, ok := at(e, "candidates", 0, "finishReason").(string); ok {
				end = s
			}
		}
	}
	return strings.Join(append(append([]string{think, text}, calls...), end), "|")
}

func TestStopReasonsAreEachProvidersWords(t *testing.T) {
	for stop, want := range map[llm.Stop][]string{
		llm.StopEnd:     {"end_turn", "completed", "stop", "STOP"},
		llm.StopCalls:   {"tool_use", "completed", "tool_calls", "STOP"},
		llm.StopLength:  {"max_tokens", "incomplete", "length", "MAX_TOKENS"},
		llm.StopRefusal: {"refusal", "incomplete", "content_filter", "SAFETY"},
	} {
		for i, c := range clients() {
			w := c.ask(New(&scripted.Scenario{Steps: []scripted.Step{{Text: "x", Stop: stop}}}), c.base)
			if got := said(c.wire, w.Body.Bytes()); got != "|x|"+want[i] {
				t.Errorf("%s %s: got %s", c.wire, stop, got)
			}
		}
	}
}

func TestCutArgumentsStayCutOnEveryWire(t *testing.T) {
	want := []string{
		`|t|read {"path":"|max_tokens`, `|t|read {"path":"|incomplete`, `|t|read {"path":"|length`, `|t|MAX_TOKENS`,
	}
	for i, c := range clients() {
		step := scripted.Step{Text: "t", Calls: []scripted.Call{{Name: "read", Args: `{"path":"aaaaaaa"}`}}, Fault: &scripted.Fault{Cut: "length"}}
		w := c.ask(New(&scripted.Scenario{Steps: []scripted.Step{step}}), c.base)
		if got := said(c.wire, w.Body.Bytes()); got != want[i] {
			t.Errorf("%s: got %s", c.wire, got)
		}
	}
}

func TestBrokenArgumentsAreSentAsTheyAre(t *testing.T) {
	want := []string{`||read {"a|tool_use`, `||read {"a|completed`, `||read {"a|tool_calls`, `||MALFORMED_FUNCTION_CALL`}
	for i, c := range clients() {
		step := scripted.Step{Calls: []scripted.Call{{Name: "read", Args: `{"a`}}}
		w := c.ask(New(&scripted.Scenario{Steps: []scripted.Step{step}}), c.base)
		if got := said(c.wire, w.Body.Bytes()); got != want[i] {
			t.Errorf("%s: got %s", c.wire, got)
		}
	}
}

func TestEmptyAndBlankAnswersEndNormally(t *testing.T) {
	for i, c := range clients() {
		for quirk, content := range map[string]string{"empty": "", "blank": "\n\n"} {
			step := full()
			step.Fault = &scripted.Fault{Quirks: []string{quirk}}
			s := New(&scripted.Scenario{Steps: []scripted.Step{step}})
			want := "|" + content + "|" + []string{"end_turn", "completed", "stop", "STOP"}[i]
			if got := said(c.wire, c.ask(s, c.base).Body.Bytes()); got != want {
				t.Errorf("%s %s: got %q, want %q", c.wire, quirk, got, want)
			}
			if s.Done() {
				t.Errorf("%s %s: the step was used", c.wire, quirk)
			}
		}
	}
}

func TestDialectsChangeTheBytesAndNotTheAnswer(t *testing.T) {
	shape := map[string]func(b []byte, h http.Header) bool{
		"crlf": func(b []byte, _ http.Header) bool {
			return bytes.Count(b, []byte("\n")) == bytes.Count(b, []byte("\r\n"))
		},
		"nospace": func(b []byte, _ http.Header) bool { return !bytes.Contains(b, []byte("data: ")) },
		"comments": func(b []byte, _ http.Header) bool {
			return bytes.HasPrefix(b, []byte(": keep-alive\nretry: 3000\n\n")) && bytes.HasSuffix(b, []byte(": keep-alive\n")) && bytes.Contains(b, []byte("\n: keep-alive\nid: 7\ndata: {"))
		},
		"bom":            func(b []byte, _ http.Header) bool { return bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) },
		"no_final_blank": func(b []byte, _ http.Header) bool { return !bytes.HasSuffix(b, []byte("\n\n")) },
		"text_plain":     func(_ []byte, h http.Header) bool { return h.Get("Content-Type") == "text/plain; charset=utf-8" },
	}
	for _, c := range clients() {
		plain := c.ask(New(&scripted.Scenario{Steps: []scripted.Step{full()}}), c.base).Body.Bytes()
		for quirk, holds := range shape {
			step := full()
			step.Fault = &scripted.Fault{Quirks: []string{quirk}}
			s := New(&scripted.Scenario{Steps: []scripted.Step{step}})
			w := c.ask(s, c.base)
			b := w.Body.Bytes()
			if !holds(b, w.Header()) || quirk != "text_plain" && holds(plain, http.Header{}) {
				t.Errorf("%s %s: got %q", c.wire, quirk, b)
			}
			if got, want := data(b), data(plain); !slices.Equal(got, want) {
				t.Errorf("%s %s: got %q, want %q", c.wire, quirk, got, want)
			}
			if !s.Done() {
				t.Errorf("%s %s: the step was not used", c.wire, quirk)
			}
		}
	}
}

func TestChatQuirksAreThoseOfRealServers(t *testing.T) {
	c := clientOf(t, "chat")
	body := func(quirk string) []byte {
		step := full()
		step.Calls = append(step.Calls, scripted.Call{ID: "mine", Name: "ls", Args: `{"p":"b"}`})
		step.Fault = &scripted.Fault{Quirks: []string{quirk}}
		return c.ask(New(&scripted.Scenario{Steps: []scripted.Step{step}}), c.base).Body.Bytes()
	}
	calls := func(b []byte) (list []map[string]any) {
		for _, e := range parse(data(b)) {
			if m, ok := at(e, "choices", 0, "delta", "tool_calls", 0).(map[string]any); ok {
				list = append(list, m)
			}
		}
		return list
	}
	plain := said("chat", body("crlf"))
	for _, quirk := range []string{"no_index", "same_index", "no_id", "null_choices", "whole_calls", "no_done", "done_space"} {
		if got := said("chat", body(quirk)); got != plain {
			t.Errorf("%s: got %s, want %s", quirk, got, plain)
		}
	}
	for quirk, want := range map[string]string{
		"object_args": `read object {"path":"a.txt"}|plan_get object {}|ls object {"p":"b"}`,
		"double_args": `read "{\"path\":\"a.txt\"}"|plan_get "{}"|ls "{\"p\":\"b\"}"`,
		"null_args":   "read |plan_get |ls ",
		"empty_args":  "read |plan_get |ls ",
		"no_args":     "read |plan_get |ls ",
	} {
		if got := said("chat", body(quirk)); !strings.HasSuffix(got, "|"+want+"|tool_calls") {
			t.Errorf("%s: got %s", quirk, got)
		}
	}
	for quirk, holds := range map[string]func(call map[string]any) bool{
		"no_index":   func(call map[string]any) bool { return call["index"] == nil },
		"same_index": func(call map[string]any) bool { return call["index"] == 0.0 },
		"no_id":      func(call map[string]any) bool { return call["id"] == nil },
		"null_args": func(call map[string]any) bool {
			v, ok := at(call, "function").(map[string]any)["arguments"]
			return ok && v == nil
		},
		"empty_args": func(call map[string]any) bool { return at(call, "function", "arguments") == "" },
		"no_args": func(call map[string]any) bool {
			_, ok := at(call, "function").(map[string]any)["arguments"]
			return !ok
		},
	} {
		for _, call := range calls(body(quirk)) {
			if !holds(call) {
				t.Errorf("%s: got %v", quirk, call)
			}
		}
	}
	if n := len(calls(body("whole_calls"))); n != 3 {
		t.Errorf("whole_calls: %d chunks of calls, want 3", n)
	}
	if n := bytes.Count(body("null_choices"), []byte(`"choices":null`)); n != 2 {
		t.Errorf("null_choices: %d chunks without choices", n)
	}
	if bytes.Contains(body("no_done"), []byte("[DONE]")) || !bytes.HasSuffix(body("done_space"), []byte("data: [DONE] \n\n")) {
		t.Error("the end marker is not as asked")
	}
	noUsage := strings.Replace(c.base, `"include_usage":true`, `"include_usage":false`, 1)
	if b := c.ask(New(text("x")), noUsage).Body.Bytes(); bytes.Contains(b, []byte(`"usage"`)) {
		t.Errorf("usage came unasked: %s", b)
	}
}

func TestAQuirkThatAWireCannotHaveIsAMistakeOfTheScript(t *testing.T) {
	s := New(&scripted.Scenario{Steps: []scripted.Step{{Text: "x", Fault: &scripted.Fault{Quirks: []string{"no_index"}}}}})
	c := clientOf(t, "messages")
	if w := c.ask(s, c.base); w.Code != 400 || !strings.Contains(s.Violations()[0], "the script asks for no_index") {
		t.Errorf("got %d %q", w.Code, s.Violations())
	}
}
