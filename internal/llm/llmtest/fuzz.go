package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
)

// Fuzz feeds arbitrary streams to w: it must not panic, and no call that is
// fit to run may have arguments that are not JSON or lack a name.
func Fuzz(f *testing.F, w Wire) {
	for _, a := range []Answer{poem(), twoCalls(), {Thought: "hm", Stop: llm.StopLength, Calls: twoCalls().Calls}} {
		f.Add(sse(w.Stream(a)))
		f.Add(w.Whole(a))
	}
	f.Add(sse([]Event{w.Overload}))
	f.Add(w.Failure("no"))
	f.Fuzz(func(t *testing.T, body string) {
		e := llm.Endpoint{Provider: "test", Model: "model", HTTP: &http.Client{Transport: canned(body)}}
		m, err := w.New(e).Stream(t.Context(), hello(), nil)
		for _, c := range m.Calls() {
			if c.Broken == "" && (err != nil || !json.Valid(c.Args) || c.Name == "" || c.ID == "") {
				t.Errorf("the call %q %q %q may run, %v", c.ID, c.Name, c.Args, err)
			}
		}
		req := hello()
		req.Messages = append(req.Messages, &m)
		if _, err := w.New(e).Stream(t.Context(), req, nil); err == nil && m.Stop == "" {
			t.Error("a complete answer without a stop reason")
		}
	})
}

// canned answers every request with the same body.
type canned string

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(c))), Request: r}, nil
}

// BenchmarkRequest measures a request at the end of conversations of 50 and of
// 500 steps whose earlier messages have been sent before.
func BenchmarkRequest(b *testing.B, w Wire) {
	for _, steps := range []int{50, 500} {
		b.Run(fmt.Sprintf("step=%d", steps), func(b *testing.B) {
			e := llm.Endpoint{Provider: "test", Model: "model", HTTP: &http.Client{Transport: canned(sse(w.Stream(poem())))}}
			m := w.New(e)
			req := hello()
			req.Tools = specs()
			step := func(i int) {
				id := fmt.Sprintf("call_%d", i)
				req.Messages = append(req.Messages,
					assistant(text("Next."), call(id, "read", `{"path":"internal/llm/llm.go"}`)),
					toolMessage(result(id, strings.Repeat("a line of a source file\n", 40))))
			}
			for i := range steps {
				step(i)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				req.Messages = req.Messages[:1+2*steps]
				step(steps + i)
				if _, err := m.Stream(b.Context(), req, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
