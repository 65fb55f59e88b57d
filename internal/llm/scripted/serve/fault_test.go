package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves one step with a fault over TCP.
func start(t *testing.T, step scripted.Step, f scripted.Fault) (*Server, string) {
	t.Helper()
	step.Fault = &f
	s := New(&scripted.Scenario{Steps: []scripted.Step{step}})
	url, stop := Start(s)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		stop()
	})
	return s, url
}

func TestErrorStatusesHaveEachProvidersForm(t *testing.T) {
	for _, x := range []struct {
		fault scripted.Fault
		code  int
		want  [4]string // by wire
	}{
		{scripted.Fault{Status: 429, RetryAfter: "2"}, 429, [4]string{`"type":"rate_limit_error"`, `"code":"rate_limit_exceeded"`, `"code":"rate_limit_exceeded"`, `"retryDelay":"2s"`}},
		{scripted.Fault{Status: 529, Message: "too busy"}, 529, [4]string{`"type":"overloaded_error"`, `"message":"too busy"`, `"code":"server_error"`, `"status":"INTERNAL"`}},
		{scripted.Fault{Status: 503}, 503, [4]string{`"message":"Service Unavailable"`, `"type":"server_error"`, `"type":"server_error"`, `"status":"UNAVAILABLE"`}},
		{scripted.Fault{Status: 418, Type: "teapot"}, 418, [4]string{`"type":"teapot"`, `"code":"teapot"`, `"code":"teapot"`, `"status":"teapot"`}},
		{scripted.Fault{Status: 500, Body: "<html>"}, 500, [4]string{"<html>", "<html>", "<html>", "<html>"}},
		{scripted.Fault{Error: "too_long"}, 400, [4]string{"prompt is too long", "context_length_exceeded", "maximum context length", "input token count"}},
	} {
		for i, c := range clients() {
			step := scripted.Step{Text: "x", Fault: &x.fault}
			s := New(&scripted.Scenario{Steps: []scripted.Step{step}})
			w := c.ask(s, c.base)
			if w.Code != x.code || !strings.Contains(w.Body.String(), x.want[i]) || w.Header().Get("Retry-After") != x.fault.RetryAfter {
				t.Errorf("%s %+v: got %d %s", c.wire, x.fault, w.Code, w.Body)
			}
			if kind := w.Header().Get("Content-Type"); strings.HasPrefix(kind, "application/json") != (x.fault.Body == "") {
				t.Errorf("%s %+v: %s", c.wire, x.fault, kind)
			}
			if w := c.ask(s, c.base); w.Code != 200 || !s.Done() || len(s.Violations()) > 0 {
				t.Errorf("%s %+v: then %d %q", c.wire, x.fault, w.Code, s.Violations())
			}
		}
	}
	for i, want := range []int{400, 429, 429, 429} {
		c := clients()[i]
		s := New(&scripted.Scenario{Steps: []scripted.Step{{Text: "x", Fault: &scripted.Fault{Error: "quota"}}}})
		if w := c.ask(s, c.base); w.Code != want {
			t.Errorf("%s: quota is %d %s", c.wire, w.Code, w.Body)
		}
	}
}

func TestACleanCutLacksTheTerminalMarker(t *testing.T) {
	for _, c := range clients() {
		after := 1
		for _, f := range []scripted.Fault{{Cut: "close"}, {Cut: "close", After: &after}, {Cut: "error_event", After: &after}} {
			s, url := start(t, scripted.Step{Text: "0123456789", Chunk: 5}, f)
			resp, b, err := c.send(t, url, c.base)
			if err != nil || resp.StatusCode != 200 {
				t.Fatalf("%s: %v", c.wire, err)
			}
			if got := said(c.wire, b); got != "|01234|" {
				t.Errorf("%s: got %s", c.wire, got)
			}
			if isError := strings.Contains(string(b), `"message":"Service Unavailable"`); isError != (f.Cut == "error_event") {
				t.Errorf("%s %s: got %s", c.wire, f.Cut, b)
			}
			if s.Done() {
				t.Errorf("%s: the step was used", c.wire)
			}
			if _, b, err := c.send(t, url, c.base); err != nil || !strings.HasPrefix(said(c.wire, b), "|0123456789|") {
				t.Errorf("%s: then %s, %v", c.wire, b, err)
			}
		}
	}
}

func TestACutAfterAllContentComesBeforeTheTerminalMarker(t *testing.T) {
	after := 1000
	for _, c := range clients() {
		_, url := start(t, scripted.Step{Text: "0123456789"}, scripted.Fault{Cut: "close", After: &after})
		if _, b, err := c.send(t, url, c.base); err != nil || said(c.wire, b) != "|0123456789|" {
			t.Errorf("%s: got %s, %v", c.wire, b, err)
		}
	}
}

func TestAResetIsOne(t *testing.T) {
	for _, c := range clients() {
		for _, after := range []int{-1, 0, 1} {
			_, url := start(t, scripted.Step{Text: "0123456789", Chunk: 5}, scripted.Fault{Cut: "reset", After: &after})
			_, _, err := c.send(t, url, c.base)
			if !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s after %d: got %v", c.wire, after, err)
			}
		}
	}
}

func TestAStalledStreamEndsWithTheClient(t *testing.T) {
	for _, c := range clients() {
		for _, cut := range []string{"stall", "endless"} {
			_, url := start(t, scripted.Step{Text: "0123456789", Chunk: 5}, scripted.Fault{Cut: cut})
			ctx, cancel := context.WithCancel(t.Context())
			r := c.request(c.base)
			r2, err := http.NewRequestWithContext(ctx, r.Method, url+c.path, strings.NewReader(c.base))
			if err != nil {
				t.Fatal(err)
			}
			r2.Header = r.Header
			resp, err := http.DefaultClient.Do(r2)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			buf := make([]byte, 4096)
			for !strings.Contains(got.String(), "01234") || cut == "endless" && got.Len() < 1<<20 {
				n, err := resp.Body.Read(buf)
				if err != nil {
					t.Fatalf("%s %s: %v", c.wire, cut, err)
				}
				got.Write(buf[:n])
			}
			cancel()
			if _, err := io.ReadAll(resp.Body); !errors.Is(err, context.Canceled) {
				t.Errorf("%s %s: got %v", c.wire, cut, err)
			}
			_ = resp.Body.Close() // it was cancelled
		}
	}
}

func TestStopEndsWhatIsStillRunning(t *testing.T) {
	before := -1
	for _, step := range []scripted.Step{
		{Text: "x", Fault: &scripted.Fault{Cut: "stall", After: &before}},
		{Text: "x", Fault: &scripted.Fault{Cut: "stall"}},
		{Text: "x", Delay: scripted.Duration(time.Hour)},
	} {
		s := New(&scripted.Scenario{Steps: []scripted.Step{step}})
		url, stop := Start(s)
		c := clientOf(t, "chat")
		done := make(chan string)
		go func() {
			_, b, err := c.send(t, url, c.base)
			done <- fmt.Sprint(said("chat", b), err)
		}()
		for len(s.Requests()) == 0 {
			time.Sleep(time.Millisecond)
		}
		stop()
		if got := <-done; strings.Contains(got, "stop") || got == "||<nil>" && step.Delay == 0 {
			t.Errorf("%+v: got %s", step, got)
		}
		http.DefaultClient.CloseIdleConnections()
	}
}
