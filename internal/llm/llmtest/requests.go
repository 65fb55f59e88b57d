package llmtest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
)

// runRequests checks what is sent.
func runRequests(t *testing.T, w Wire) {
	t.Run("a conversation is sent in order", func(t *testing.T) { testConversation(t, w) })
	t.Run("reasoning goes back to the model that made it only", func(t *testing.T) { testReplay(t, w) })
	t.Run("images are sent where the provider takes them", func(t *testing.T) { testImages(t, w) })
	t.Run("nothing blank and nothing broken is sent", func(t *testing.T) { testBlanks(t, w) })
	t.Run("arguments go back as a JSON object", func(t *testing.T) { testArguments(t, w) })
	t.Run("a message is encoded once and bytes do not change", func(t *testing.T) { testStable(t, w) })
	t.Run("IDs are unique within a conversation", func(t *testing.T) { testIDs(t, w) })
	t.Run("names that no provider takes are sent as ones that it does", func(t *testing.T) { testNames(t, w) })
	t.Run("a bad schema does not fail the request", func(t *testing.T) { testSchemas(t, w) })
}

// sent returns the request that req becomes.
func sent(t *testing.T, w Wire, req llm.Request) Conversation {
	t.Helper()
	s := Serve(t, answer(sse(w.Stream(poem()))))
	if got := ask(t.Context(), model(w, s), req); got.err != nil {
		t.Fatal(got.err)
	}
	return w.Read(t, s.Bodies()[0])
}

func call(id, name, args string) llm.Part {
	return llm.Part{Kind: llm.CallPart, Call: &llm.Call{ID: id, Name: name, Args: json.RawMessage(args)}}
}

func result(id, text string) llm.Part { return llm.Part{Kind: llm.Result, For: id, Text: text} }

func text(s string) llm.Part { return llm.Part{Kind: llm.Text, Text: s} }

func picture() llm.Part {
	return llm.Part{Kind: llm.Image, MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\n")}
}

func user(parts ...llm.Part) *llm.Message { return &llm.Message{Role: llm.User, Parts: parts} }

func toolMessage(parts ...llm.Part) *llm.Message { return &llm.Message{Role: llm.Tool, Parts: parts} }

func assistant(parts ...llm.Part) *llm.Message {
	return &llm.Message{Role: llm.Assistant, Model: "test/model", Parts: parts}
}

func specs() []llm.ToolSpec {
	return []llm.ToolSpec{{Name: "read", Description: "Read <a> file.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false,"$schema":"x"}`)}}
}

func testConversation(t *testing.T, w Wire) {
	got := sent(t, w, llm.Request{
		System: "Be <brief>.", Tools: specs(),
		Messages: []*llm.Message{
			llm.UserText("one"),
			assistant(text("looking"), call("A", "read", `{"path":"a"}`), call("B", "read", `{"path":"b"}`)),
			toolMessage(result("A", "aaa")),
			toolMessage(result("B", "bbb")),
			llm.UserText("two"),
		},
	})
	if got.System != "Be <brief>." || !slices.Equal(got.Tools, []string{"read"}) {
		t.Errorf("system %q, tools %v", got.System, got.Tools)
	}
	if s := outline(got); s != "user:one | assistant:looking,read{A},read{B} | tool:A=aaa,B=bbb | user:two" {
		t.Errorf("sent %s", s)
	}
}

// outline writes a conversation on one line, with the results of a run of
// messages and the text after them apart.
func outline(c Conversation) string {
	var out []string
	role := ""
	add := func(r, s string) {
		if r == role {
			out[len(out)-1] += "," + s
			return
		}
		role = r
		out = append(out, r+":"+s)
	}
	for _, turn := range c.Turns {
		for _, r := range turn.Results {
			add("tool", r.For+"="+r.Text)
		}
		for _, s := range turn.Texts {
			add(turn.Role, s)
		}
		for _, c := range turn.Calls {
			add(turn.Role, c.Name+"{"+c.ID+"}")
		}
	}
	return strings.Join(out, " | ")
}

func opaques(c Conversation) []string {
	var all []string
	for _, turn := range c.Turns {
		all = append(all, turn.Opaque...)
	}
	return all
}

// sameJSON compares values: the way through a database may change white space
// and escapes, which no provider sees.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// testReplay is C099: the same model gets its reasoning, another none of it.
func testReplay(t *testing.T, w Wire) {
	if w.Opaque == nil {
		return
	}
	s := Serve(t, answer(sse(w.Stream(Answer{
		Thought: "hm <b>", Opaque: w.Opaque[0], Text: []string{"I read."},
		Calls: []llm.Call{{ID: "A", Name: "read", Args: json.RawMessage(`{"path":"a"}`)}}, Stop: llm.StopCalls,
	}))))
	m := model(w, s)
	first := ask(t.Context(), m, hello())
	if first.err != nil || first.thought != "hm <b>" {
		t.Fatalf("thought %q, %v", first.thought, first.err)
	}
	other := first.Message
	other.Model = "other/model"
	for _, c := range []struct {
		message llm.Message
		want    []string
	}{{first.Message, []string{w.Opaque[0]}}, {other, nil}} {
		stored, err := json.Marshal(c.message)
		if err != nil {
			t.Fatal(err)
		}
		var loaded llm.Message
		if err := json.Unmarshal(stored, &loaded); err != nil {
			t.Fatal(err)
		}
		id := loaded.Calls()[0].ID
		req := hello()
		req.Messages = append(req.Messages, &loaded, toolMessage(result(id, "aaa")))
		got := sent(t, w, req)
		if !slices.EqualFunc(opaques(got), c.want, sameJSON) {
			t.Errorf("%s: sent %q, want %q", loaded.Model, opaques(got), c.want)
		}
		if s := outline(got); !strings.Contains(s, "I read.,read{") || !strings.Contains(s, "=aaa") {
			t.Errorf("%s: sent %s", loaded.Model, s)
		}
	}
}

func testImages(t *testing.T, w Wire) {
	got := sent(t, w, llm.Request{Messages: []*llm.Message{
		user(text("look"), picture()),
		assistant(call("A", "shot", `{}`), call("B", "shot", `{}`)),
		toolMessage(result("A", "one"), picture()),
		toolMessage(result("B", "two")),
	}})
	inResults, beside := 0, 0
	for _, turn := range got.Turns {
		beside += turn.Images
		for _, r := range turn.Results {
			inResults += r.Images
		}
	}
	want := [2]int{0, 2}
	if w.ResultImages {
		want = [2]int{1, 1}
	}
	if [2]int{inResults, beside} != want {
		t.Errorf("%d images within results, %d beside", inResults, beside)
	}
	if s := outline(got); !strings.Contains(s, "tool:A=one,B=two") {
		t.Errorf("the results are torn apart: %s", s)
	}
}

// testBlanks is C098.
func testBlanks(t *testing.T, w Wire) {
	blank := assistant(text(" \n"), llm.Part{Kind: llm.Thinking, Text: "only thought"})
	broken := call("B", "write", `{"path":"a.txt","con`)
	broken.Call.Broken = "cut off"
	got := sent(t, w, llm.Request{
		System: "  ",
		Messages: []*llm.Message{
			user(text("one"), text("  ")), blank, user(text("two")),
			assistant(text("\n\n"), call("A", "run", `{}`), broken),
			toolMessage(result("A", ""), result("B", "\n")),
			user(text("\t")), user(text("three")),
		},
	})
	if got.System != "" {
		t.Errorf("system %q", got.System)
	}
	want := "user:one,two | assistant:run{A},write{B} | tool:A=(no output),B=(no output) | user:three"
	if s := outline(got); s != want {
		t.Errorf("sent %s", s)
	}
}

// testArguments is C084.
func testArguments(t *testing.T, w Wire) {
	for args, want := range map[string]string{
		``: `{}`, `null`: `{}`, ` `: `{}`, `{}`: `{}`, `"{}"`: `{}`, `"null"`: `{}`, `"{\"a\":1}"`: `{"a":1}`,
		`{"a":"<é>"}`: `{"a":"<é>"}`, `[1]`: `{}`, `{"a":`: `{}`, `"plain"`: `{}`, `{"a":1}{"b":2}`: `{}`,
		`{"a":"cut \ud83d"}`: `{"a":"cut \ufffd"}`, `{"a":"\uDE00 x \ud83d\ud83d\ude00 \\ud83d"}`: `{"a":"\ufffd x \ufffd\ud83d\ude00 \\ud83d"}`,
	} {
		c := call("A", "run", "")
		if args != "" {
			c.Call.Args = json.RawMessage(args)
		}
		got := sent(t, w, llm.Request{Messages: []*llm.Message{llm.UserText("x"), assistant(c), toolMessage(result("A", "y"))}})
		var calls []llm.Call
		for _, turn := range got.Turns {
			calls = append(calls, turn.Calls...)
		}
		if len(calls) != 1 || string(calls[0].Args) != want {
			t.Errorf("%q was sent as %v", args, calls)
		}
	}
}

func testStable(t *testing.T, w Wire) {
	s := Serve(t, answer(sse(w.Stream(poem()))))
	m := model(w, s)
	req := llm.Request{System: "s", Tools: specs(), Messages: []*llm.Message{llm.UserText("one")}}
	for range 2 {
		if got := ask(t.Context(), m, req); got.err != nil {
			t.Fatal(got.err)
		}
	}
	fresh := Serve(t, answer(sse(w.Stream(poem()))))
	if got := ask(t.Context(), model(w, fresh), req); got.err != nil {
		t.Fatal(got.err)
	}
	b := s.Bodies()
	if string(b[0]) != string(b[1]) || string(b[0]) != string(fresh.Bodies()[0]) {
		t.Error("the same request was sent in other bytes")
	}
	if !json.Valid(b[0]) {
		t.Errorf("not JSON: %s", b[0])
	}
}

func testIDs(t *testing.T, w Wire) {
	a := Answer{Stop: llm.StopCalls, Calls: []llm.Call{{ID: "A", Name: "read", Args: json.RawMessage(`{}`)}}}
	s := Serve(t, answer(sse(w.Stream(a))))
	req := hello()
	req.Messages = append(req.Messages, assistant(call("A", "read", `{}`)), toolMessage(result("A", "x")))
	got := ask(t.Context(), model(w, s), req)
	if got.err != nil || len(got.Calls()) != 1 || got.Calls()[0].ID == "A" || got.Calls()[0].ID == "" {
		t.Errorf("calls %v, %v", got.Calls(), got.err)
	}
}

// testNames is C101: a model called what there is not, and the call stays in the
// conversation.
func testNames(t *testing.T, w Wire) {
	unnamed := call("C", "", `{}`)
	unnamed.Call.Broken = "the call names no tool"
	got := sent(t, w, llm.Request{Messages: []*llm.Message{
		llm.UserText("x"), assistant(call("A", "functions.shell", `{}`), call("B", strings.Repeat("n", 70), `{}`), unnamed),
		toolMessage(result("A", "a"), result("B", "b"), result("C", "c")),
	}})
	want := "user:x | assistant:functions_shell{A}," + strings.Repeat("n", 64) + "{B},unnamed{C} | tool:A=a,B=b,C=c"
	if s := outline(got); s != want {
		t.Errorf("sent %s", s)
	}
}

func testSchemas(t *testing.T, w Wire) {
	req := hello()
	for i, schema := range []string{
		``, `null`, `true`, `{"type":`, `{"type":"string"}`, `{"oneOf":[{"type":"object"}]}`, `{"type":"object"}`,
		`{"$ref":"#/$defs/x","$defs":{"x":{"type":"object","properties":{"y":{"$ref":"#/$defs/x"}}}}}`,
		`{"type":"object","properties":{"a":{"type":"array"},"b":{"type":["string","null"]},"c":true,"d":{"const":3}},"required":["a","zz"]}`,
	} {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: "t" + string(rune('a'+i)), Schema: json.RawMessage(schema)})
	}
	got := sent(t, w, req)
	if len(got.Tools) != len(req.Tools) {
		t.Errorf("%d tools were sent", len(got.Tools))
	}
}
