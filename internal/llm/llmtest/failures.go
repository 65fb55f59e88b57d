package llmtest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
)

func kindOf(err error) llm.ErrorKind {
	var e *llm.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return -1
}

// checkPartial holds for whatever came of an answer that ended early.
func checkPartial(t *testing.T, got said, whole string) {
	t.Helper()
	if got.Text() != got.text || !strings.HasPrefix(whole, got.text) {
		t.Errorf("streamed %q, returned %q", got.text, got.Text())
	}
	for _, c := range got.Calls() {
		if c.Broken == "" {
			t.Errorf("the call %s %s is not broken", c.Name, c.Args)
		}
	}
	for _, p := range got.Parts {
		if p.Kind == llm.Text && llm.Blank(p.Text) {
			t.Error("a blank text was kept")
		}
	}
}

// testCuts is C087, with testReset and testCutArguments: at every event.
func testCuts(t *testing.T, w Wire) {
	a := twoCalls()
	events := w.Stream(a)
	var body string
	s := Serve(t, func(rw http.ResponseWriter, r *http.Request) { answer(body)(rw, r) })
	m := model(w, s)
	complete := slices.IndexFunc(events, w.Completes)
	for k := 0; k <= complete; k++ {
		whole := sse(events[:k])
		for _, cut := range []int{0, 1, len(whole) / 2} {
			body = whole[:len(whole)-min(cut, len(whole))]
			got := ask(t.Context(), m, hello())
			if kindOf(got.err) != llm.Incomplete {
				t.Errorf("%q: %v", body, got.err)
			}
			checkPartial(t, got, "Let me see.")
		}
	}
}

func testReset(t *testing.T, w Wire) {
	events := w.Stream(twoCalls())
	complete := slices.IndexFunc(events, w.Completes)
	s := Serve(t, func(rw http.ResponseWriter, r *http.Request) {
		answer(sse(events[:complete]))(rw, r)
		_ = http.NewResponseController(rw).Flush()
		panic(http.ErrAbortHandler)
	})
	got := ask(t.Context(), model(w, s), hello())
	if kindOf(got.err) != llm.Incomplete {
		t.Errorf("got %v", got.err)
	}
	checkPartial(t, got, "Let me see.")
}

func testErrorInStream(t *testing.T, w Wire) {
	events := w.Stream(poem())
	complete := slices.IndexFunc(events, w.Completes)
	got := once(t, w, sse(append(slices.Clone(events[:complete]), w.Overload)))
	if kindOf(got.err) != llm.Overloaded || !strings.Contains(got.err.Error(), "try later") {
		t.Errorf("got %v", got.err)
	}
	checkPartial(t, got, strings.Join(poem().Text, ""))
	if got.text == "" {
		t.Error("the text before the error is gone")
	}
}

func testStall(t *testing.T, w Wire) {
	events := w.Stream(poem())
	s := Serve(t, func(rw http.ResponseWriter, r *http.Request) {
		answer(sse(events[:len(events)/2]))(rw, r)
		_ = http.NewResponseController(rw).Flush()
		<-r.Context().Done()
	})
	e := s.Endpoint()
	e.Idle = 50 * time.Millisecond
	got := ask(t.Context(), w.New(e), hello())
	if kindOf(got.err) != llm.Stalled {
		t.Errorf("got %v", got.err)
	}
	checkPartial(t, got, strings.Join(poem().Text, ""))
}

func testHangAfterEnd(t *testing.T, w Wire) {
	events := w.Stream(poem())
	s := Serve(t, func(rw http.ResponseWriter, r *http.Request) {
		answer(sse(events))(rw, r)
		_ = http.NewResponseController(rw).Flush()
		<-r.Context().Done()
	})
	e := s.Endpoint()
	e.Idle = 50 * time.Millisecond
	got := ask(t.Context(), w.New(e), hello())
	if got.err != nil || got.Usage != poem().Usage {
		t.Errorf("got %v, usage %+v", got.err, got.Usage)
	}
}

// testCancel is C090.
func testCancel(t *testing.T, w Wire) {
	events := w.Stream(twoCalls())
	complete := slices.IndexFunc(events, w.Completes)
	s := Serve(t, func(rw http.ResponseWriter, r *http.Request) {
		answer(sse(events[:complete]))(rw, r)
		_ = http.NewResponseController(rw).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var text string
	m, err := model(w, s).Stream(ctx, hello(), func(d llm.Delta) {
		text += d.Text
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	checkPartial(t, said{Message: m, text: text}, "Let me see.")
	if text == "" {
		t.Error("no text arrived")
	}
}

// testErrors is C093.
func testErrors(t *testing.T, w Wire) {
	for _, c := range []struct {
		status  int
		message string
		kind    llm.ErrorKind
	}{
		{400, "tools.0: wrong", llm.Rejected},
		{400, "prompt is too long: 210000 tokens > 200000 maximum", llm.TooLong},
		{401, "invalid key", llm.Auth},
		{402, "pay first", llm.Quota},
		{403, "not yours", llm.Auth},
		{404, "no such model", llm.NoModel},
		{408, "too slow", llm.Overloaded},
		{413, "too big", llm.TooLong},
		{429, "slow down", llm.RateLimit},
		{500, "oops", llm.Overloaded},
		{503, "come back", llm.Overloaded},
		{529, "overloaded", llm.Overloaded},
	} {
		s := Serve(t, func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Retry-After", "7")
			rw.WriteHeader(c.status)
			_, _ = io.WriteString(rw, w.Failure(c.message+"\n\x1b[31m sk-secret-key"))
		})
		got := ask(t.Context(), model(w, s), hello())
		var e *llm.Error
		if !errors.As(got.err, &e) {
			t.Fatalf("%d: %v", c.status, got.err)
		}
		if e.Kind != c.kind || e.Status != c.status || e.Provider != "test" || e.After != 7*time.Second {
			t.Errorf("%d: kind %d, %+v", c.status, e.Kind, e)
		}
		if !strings.HasPrefix(e.Message, c.message) || strings.ContainsAny(e.Error(), "\n\x1b") || strings.Contains(e.Error(), "secret") {
			t.Errorf("%d: message %q", c.status, e.Message)
		}
	}
}

func testHugeError(t *testing.T, w Wire) {
	for _, body := range []string{
		w.Failure(strings.Repeat("long words ", 5<<20/11)),
		strings.Repeat("x", 5<<20),
		"<html><head><title>502 Bad Gateway</title></head>" + strings.Repeat("<p>", 1<<20),
	} {
		s := Serve(t, func(rw http.ResponseWriter, _ *http.Request) {
			rw.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(rw, body)
		})
		got := ask(t.Context(), model(w, s), hello())
		if kindOf(got.err) != llm.Overloaded || len(got.err.Error()) > 400 {
			t.Errorf("%d bytes: %.80s", len(got.err.Error()), got.err)
		}
	}
}

func testRefused(t *testing.T, w Wire) {
	s := Serve(t, answer(""))
	e := s.Endpoint()
	e.BaseURL = "http://127.0.0.1:1"
	got := ask(t.Context(), w.New(e), hello())
	if kindOf(got.err) != llm.Transport || !strings.Contains(got.err.Error(), "127.0.0.1:1") {
		t.Errorf("got %v", got.err)
	}
	e.BaseURL = "not a url"
	if got := ask(t.Context(), w.New(e), hello()); kindOf(got.err) != llm.Rejected {
		t.Errorf("got %v", got.err)
	}
}

func testRedirect(t *testing.T, w Wire) {
	other := Serve(t, answer(""))
	s := Serve(t, func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, other.URL+"/elsewhere", http.StatusTemporaryRedirect)
	})
	got := ask(t.Context(), model(w, s), hello())
	if kindOf(got.err) != llm.Rejected || !strings.Contains(got.err.Error(), other.URL) {
		t.Errorf("got %v", got.err)
	}
	if len(other.Bodies()) != 0 {
		t.Error("the request went to another host")
	}
}
