package llm

import (
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
