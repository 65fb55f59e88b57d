package llm

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// stream posts to a server that answers with handle, until handle says DONE.
func stream(t *testing.T, e Endpoint, handle http.HandlerFunc) ([]string, error) {
	t.Helper()
	srv := httptest.NewServer(handle)
	defer srv.Close()
	e.HTTP = srv.Client()
	e = e.Ready()
	var got []string
	err := e.Stream(t.Context(), srv.URL, nil, Body{[]byte("{}")}, func(ev Event) (Step, error) {
		got = append(got, string(ev.Data))
		switch string(ev.Data) {
		case "DONE":
			return Done, nil
		case "ENDING":
			return Ending, nil
		}
		return More, nil
	})
	return got, err
}

func TestPingsKeepASlowStreamAlive(t *testing.T) {
	release := make(chan struct{})
	got, err := stream(t, Endpoint{Idle: time.Second}, func(w http.ResponseWriter, _ *http.Request) {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		end := time.After(1300 * time.Millisecond) // longer than the stream may be silent
		for {
			select {
			case <-tick.C:
				_, _ = io.WriteString(w, ": ping\n")
				_ = http.NewResponseController(w).Flush()
			case <-end:
				close(release)
				_, _ = io.WriteString(w, "\ndata: DONE\n\n")
				return
			}
		}
	})
	<-release
	if err != nil || len(got) != 1 {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestSignsOfLifeAloneAreNoAnswer(t *testing.T) {
	_, err := stream(t, Endpoint{Quiet: 100 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		_, _ = io.WriteString(w, "data: x\n\n")
		for r.Context().Err() == nil {
			<-tick.C
			_, _ = io.WriteString(w, ": ping\n\n")
			_ = http.NewResponseController(w).Flush()
		}
	})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Stalled || !strings.Contains(e.Message, "signs that it is alive") {
		t.Errorf("got %v", err)
	}
}

// TestWordsInThePlaceOfAnAnswerAreToldOn: gateways fail in the middle of a stream,
// and say so in a form of their own.
func TestWordsInThePlaceOfAnAnswerAreToldOn(t *testing.T) {
	for body, want := range map[string]string{
		"data: x\n\n{\"error\":{\"message\":\"upstream died\",\"code\":502}}\n\n": "overloaded: upstream died",
		"Internal error: no worker available\n":                                   "overloaded: Internal error: no worker available",
		`{"code":500,"msg":"404 NOT_FOUND","success":false}`:                      "overloaded: 404 NOT_FOUND",
		`{"success":false,"msg":"token expired","code":401}`:                      "auth: token expired",
		`{"answer":"none"}`:          "incomplete: the stream ended before the answer was complete",
		"data: x\n\nda":              "incomplete: the stream ended before the answer was complete",
		"data: x\n\nevent":           "incomplete: the stream ended before the answer was complete",
		"data: x\n\nid: 7\nretry: 5": "incomplete: the stream ended before the answer was complete",
		"":                           "incomplete: the stream ended before the answer was complete",
	} {
		_, err := stream(t, Endpoint{}, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
		var e *Error
		if !errors.As(err, &e) || e.Kind.String()+": "+e.Message != want {
			t.Errorf("%q: %v", body, err)
		}
	}
}

func TestACompressedAnswerIsUnpackedOrNamed(t *testing.T) {
	for _, c := range []struct {
		coding string
		status int
		want   string
	}{
		{"gzip", 200, ""},
		{"gzip", 400, "HTTP 400: packed words"},
		{"br", 200, "compressed as br"},
	} {
		got, err := stream(t, Endpoint{}, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "identity" {
				t.Errorf("asked for %q", r.Header.Get("Accept-Encoding"))
			}
			w.Header().Set("Content-Encoding", c.coding)
			w.WriteHeader(c.status)
			z := gzip.NewWriter(w)
			defer func() { _ = z.Close() }()
			if c.status != 200 {
				_, _ = io.WriteString(z, `{"error":{"message":"packed words"}}`)
				return
			}
			_, _ = io.WriteString(z, "data: x\n\ndata: DONE\n\n")
		})
		if c.want == "" && (err != nil || len(got) != 2) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, %d: %q, %v", c.coding, c.status, got, err)
		}
	}
}

func TestAnAnswerWithoutEndIsStopped(t *testing.T) {
	d := NewDraft(nil)
	p := d.Add(Text)
	handle := d.Bounded(&Endpoint{Provider: "p"}, func(ev Event) (Step, error) {
		d.Write(p, string(ev.Data))
		return More, nil
	})
	n := 0
	for mebibyte := bytes.Repeat([]byte("x"), 1<<20); ; n++ {
		if _, err := handle(Event{Data: mebibyte}); err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Temporary() || n != 16 {
				t.Errorf("after %d MiB: %v", n, err)
			}
			return
		}
	}
}

func TestAResetAfterACompleteAnswerIsForgiven(t *testing.T) {
	_, err := stream(t, Endpoint{}, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "data: ENDING\n\n")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	if err != nil {
		t.Error(err)
	}
}

func TestHTMLIsNoAnswer(t *testing.T) {
	_, err := stream(t, Endpoint{}, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<!doctype html><p>Sign in to the hotel's network")
	})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Rejected || !strings.Contains(e.Message, "base URL") {
		t.Errorf("got %v", err)
	}
}

func TestAConnectionIsUsedAgainAfterACompleteAnswer(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	seen := map[string]int{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen[r.RemoteAddr]++
		_, _ = io.WriteString(w, "data: x\n\ndata: DONE\n\n")
	}))
	defer srv.Close()
	client := HTTPClient()
	defer client.CloseIdleConnections()
	e := Endpoint{HTTP: client}.Ready()
	for range 3 {
		err := e.Stream(t.Context(), srv.URL, nil, Body{[]byte("{"), []byte("}")}, func(ev Event) (Step, error) {
			if string(ev.Data) == "DONE" {
				return Done, nil
			}
			return More, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 1 {
		t.Errorf("%d connections were made", len(seen))
	}
}

func TestACancelledRequestIsTheErrorOfItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := Endpoint{BaseURL: "http://127.0.0.1:1"}.Ready()
	err := e.Stream(ctx, e.BaseURL, nil, nil, func(Event) (Step, error) { return More, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAnEndpointsAddressIsPutTogether(t *testing.T) {
	for base, want := range map[string]string{"": "https://a/v1/x", "http://b/v1": "http://b/v1/x", "http://b/v1/": "http://b/v1/x"} {
		e := Endpoint{BaseURL: base}
		if got := e.URL("https://a/v1", "/x"); got != want {
			t.Errorf("%q: %s", base, got)
		}
	}
}
