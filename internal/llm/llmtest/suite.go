package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/zuno-dev/zuno/internal/llm"
)

// Run runs the suite over w, and checks that no goroutine is left behind.
func Run(t *testing.T, w Wire) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, c := range []struct {
		name string
		run  func(*testing.T, Wire)
	}{
		{"text arrives in order with its usage", testText},
		{"calls arrive in order with their arguments", testCalls},
		{"a stop reason agrees with the parts", testStops},
		{"every dialect reads alike", testDialects},
		{"a JSON document is an answer too", testWhole},
		{"a cut stream is incomplete and its calls are broken", testCuts},
		{"a stream that is reset is an error that may pass", testReset},
		{"an error in the stream ends it", testErrorInStream},
		{"cut arguments make a broken call", testCutArguments},
		{"long lines arrive whole", testLongLines},
		{"an endless line is an error", testEndless},
		{"an answer of nothing is empty and no error", testNothing},
		{"a stalled stream is an error that may pass", testStall},
		{"a complete answer need not be followed by the end", testHangAfterEnd},
		{"cancelling returns what had arrived", testCancel},
		{"errors have a kind and the provider's words", testErrors},
		{"an error body of megabytes is bounded", testHugeError},
		{"a refused connection is a transport error", testRefused},
		{"redirects are not followed", testRedirect},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, w) })
	}
	runRequests(t, w)
}

func model(w Wire, s *Server) llm.Model { return w.New(s.Endpoint()) }

func once(t *testing.T, w Wire, body string) said {
	t.Helper()
	return ask(t.Context(), model(w, Serve(t, answer(body))), hello())
}

func poem() Answer {
	return Answer{
		Text: []string{"Hel", "lo ", "wörld <&>"}, Stop: llm.StopEnd,
		Usage: llm.Usage{Input: 90, CacheRead: 10, Output: 7},
	}
}

func twoCalls() Answer {
	return Answer{
		Text: []string{"Let me see."}, Stop: llm.StopCalls,
		Calls: []llm.Call{
			{ID: "call_A", Name: "read", Args: json.RawMessage(`{"path":"a"}`)},
			{ID: "call_B", Name: "read", Args: json.RawMessage(`{"path":"b"}`)},
		},
		Usage: llm.Usage{Input: 5, Output: 3},
	}
}

func testText(t *testing.T, w Wire) {
	a := poem()
	got := once(t, w, sse(w.Stream(a)))
	want := strings.Join(a.Text, "")
	switch {
	case got.err != nil:
		t.Fatal(got.err)
	case got.text != want || got.Text() != want:
		t.Errorf("streamed %q, returned %q", got.text, got.Text())
	case got.Role != llm.Assistant || got.Model != "test/model" || got.Stop != llm.StopEnd:
		t.Errorf("role %s, model %s, stop %s", got.Role, got.Model, got.Stop)
	case got.Usage != a.Usage:
		t.Errorf("usage %+v", got.Usage)
	}
}

func testCalls(t *testing.T, w Wire) {
	a := twoCalls()
	got := once(t, w, sse(w.Stream(a)))
	if got.err != nil {
		t.Fatal(got.err)
	}
	checkCalls(t, got.Message, a.Calls)
	if got.Stop != llm.StopCalls || got.text != "Let me see." {
		t.Errorf("stop %s, text %q", got.Stop, got.text)
	}
}

func checkCalls(t *testing.T, m llm.Message, want []llm.Call) {
	t.Helper()
	calls := m.Calls()
	if len(calls) != len(want) {
		t.Fatalf("%d calls, want %d", len(calls), len(want))
	}
	for i, c := range calls {
		if c.Broken != "" || c.Name != want[i].Name || string(c.Args) != string(want[i].Args) {
			t.Errorf("call %d: %s %s (%s)", i, c.Name, c.Args, c.Broken)
		}
		if c.ID == "" || i > 0 && c.ID == calls[i-1].ID {
			t.Errorf("call %d has the ID %q", i, c.ID)
		}
	}
}

func testStops(t *testing.T, w Wire) {
	for _, c := range []struct {
		stop, want llm.Stop
		calls      bool
	}{
		{llm.StopEnd, llm.StopCalls, true},
		{llm.StopCalls, llm.StopEnd, false},
		{llm.StopLength, llm.StopLength, false},
		{llm.StopRefusal, llm.StopRefusal, false},
	} {
		a := Answer{Text: []string{"x"}, Stop: c.stop}
		if c.calls {
			a.Calls = twoCalls().Calls
		}
		if got := once(t, w, sse(w.Stream(a))); got.err != nil || got.Stop != c.want {
			t.Errorf("%s became %s, %v", c.stop, got.Stop, got.err)
		}
	}
	got := once(t, w, sse(w.Stream(Answer{Text: []string{"x"}, Calls: twoCalls().Calls, Stop: llm.StopRefusal})))
	if got.err != nil || got.Stop != llm.StopRefusal || len(got.Calls()) != 2 {
		t.Errorf("an answer with calls that was taken back became %+v, %v", got.Message, got.err)
	}
	for _, c := range got.Calls() {
		if c.Broken == "" {
			t.Errorf("%s %s may run, in an answer that was taken back", c.Name, c.Args)
		}
	}
}

// testDialects is C095.
func testDialects(t *testing.T, w Wire) {
	a := twoCalls()
	events := w.Stream(a)
	plain := sse(events)
	nameless := slices.Clone(events)
	for i := range nameless {
		nameless[i].Name = ""
	}
	var skipped []Event
	for _, e := range events {
		skipped = append(append(skipped, w.Skipped...), e)
	}
	for name, body := range map[string]string{
		"CR LF":             strings.ReplaceAll(plain, "\n", "\r\n"),
		"no space":          strings.ReplaceAll(plain, "data: ", "data:"),
		"comments":          ": ping\n\n" + strings.ReplaceAll(plain, "\n\n", "\n: ping\n\n:\n\n"),
		"ids":               "retry: 10\n\n" + strings.ReplaceAll(plain, "data: ", "id: 7\ndata: "),
		"mark":              "\ufeff" + plain,
		"no last blank":     strings.TrimRight(plain, "\n") + "\n",
		"no last line end":  strings.TrimRight(plain, "\n"),
		"space behind":      strings.ReplaceAll(plain, "\n\n", " \n\n"),
		"without done":      strings.ReplaceAll(plain, "data: [DONE]\n\n", ""),
		"with done":         strings.ReplaceAll(plain, "data: [DONE]\n\n", "") + "data: [DONE] \n\n",
		"no event lines":    sse(nameless),
		"unknown events":    sse(skipped),
		"no JSON in a line": "data: ping\n\n" + plain,
	} {
		t.Run(name, func(t *testing.T) {
			for _, kind := range []string{"text/event-stream", "text/plain"} {
				s := Serve(t, func(rw http.ResponseWriter, _ *http.Request) {
					rw.Header().Set("Content-Type", kind)
					_, _ = io.WriteString(rw, body)
				})
				got := ask(t.Context(), model(w, s), hello())
				if got.err != nil {
					t.Fatal(got.err)
				}
				if got.text != "Let me see." {
					t.Errorf("text %q", got.text)
				}
				checkCalls(t, got.Message, a.Calls)
			}
		})
	}
}

func testWhole(t *testing.T, w Wire) {
	a := twoCalls()
	s := Serve(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(rw, w.Whole(a))
	})
	got := ask(t.Context(), model(w, s), hello())
	if got.err != nil {
		t.Fatal(got.err)
	}
	checkCalls(t, got.Message, a.Calls)
	if got.text != "Let me see." || got.Stop != llm.StopCalls || got.Usage != a.Usage {
		t.Errorf("text %q, stop %s, usage %+v", got.text, got.Stop, got.Usage)
	}
}

func testCutArguments(t *testing.T, w Wire) {
	if !w.SplitsArgs {
		return // arguments come as JSON, whole or not at all
	}
	for _, stop := range []llm.Stop{llm.StopLength, llm.StopCalls} {
		for _, args := range []string{`{"path":"a.txt","content":"once upon`, `{"path":"a.txt"`, `{"a":1}{"b":2}`, ``} {
			a := Answer{Stop: stop, Calls: []llm.Call{
				{ID: "c1", Name: "read", Args: json.RawMessage(`{"path":"a"}`)},
				{ID: "c2", Name: "write", Args: json.RawMessage(args)},
			}}
			got := once(t, w, sse(w.Stream(a)))
			if got.err != nil {
				t.Fatal(got.err)
			}
			calls := got.Calls()
			if len(calls) != 2 || calls[0].Broken != "" {
				t.Fatalf("calls %v", calls)
			}
			if broken := calls[1].Broken != ""; broken != (args != "" || stop == llm.StopLength) {
				t.Errorf("%s with %q: broken is %q", stop, args, calls[1].Broken)
			}
		}
	}
}

// testLongLines is C097, with testEndless and testHugeError.
func testLongLines(t *testing.T, w Wire) {
	for _, n := range []int{300 << 10, 3 << 20} {
		args := fmt.Sprintf(`{"content":"%s"}`, strings.Repeat("0123456789abcde\\n", n/17))
		a := Answer{Thought: strings.Repeat("hm ", 70<<10), Text: []string{"ok"}, Stop: llm.StopCalls, Calls: []llm.Call{{ID: "c1", Name: "write", Args: json.RawMessage(args)}}}
		got := once(t, w, sse(w.Stream(a)))
		if got.err != nil {
			t.Fatal(got.err)
		}
		checkCalls(t, got.Message, a.Calls)
		if got.thought != a.Thought {
			t.Errorf("%d bytes of thought arrived", len(got.thought))
		}
	}
}

func testEndless(t *testing.T, w Wire) {
	s := Serve(t, func(rw http.ResponseWriter, _ *http.Request) {
		_, err := io.WriteString(rw, "data: {\"x\":\"")
		piece := strings.Repeat("x", 1<<20)
		for err == nil {
			_, err = io.WriteString(rw, piece)
		}
	})
	got := ask(t.Context(), model(w, s), hello())
	if kindOf(got.err) != llm.Rejected || !strings.Contains(got.err.Error(), "16 MiB") {
		t.Errorf("got %v", got.err)
	}
}

// testNothing is C098.
func testNothing(t *testing.T, w Wire) {
	for _, a := range []Answer{
		{Stop: llm.StopEnd},
		{Stop: llm.StopEnd, Text: []string{""}},
		{Stop: llm.StopEnd, Text: []string{"\n", " "}},
	} {
		got := once(t, w, sse(w.Stream(a)))
		if got.err != nil || len(got.Parts) != 0 || got.Stop != llm.StopEnd {
			t.Errorf("%q: %v, parts %v", a.Text, got.err, got.Parts)
		}
	}
}
