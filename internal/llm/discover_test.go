package llm

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// portOf serves the answers by path and returns the port.
func portOf(t *testing.T, answers map[string]string) int {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := answers[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
		case body == "hang":
			<-r.Context().Done()
		default:
			_, _ = w.Write([]byte(body))
		}
	}))
	t.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func TestLocalServersAreFound(t *testing.T) {
	huge := `{"data":[{"id":"` + strings.Repeat("x", 2<<20) + `"}]}`
	probes := []Probe{
		{"ollama", portOf(t, map[string]string{"/api/tags": `{"models":[{"name":"qwen3:8b"},{"name":""}]}`})},
		{"lmstudio", portOf(t, map[string]string{"/v1/models": `{"data":[{"id":"a"},{"id":"b"}]}`})},
		{"llamacpp", portOf(t, map[string]string{"/v1/models": `{"data":[{"id":"m.gguf"}]}`, "/props": `{"default_generation_settings":{"n_ctx":8192}}`})},
		{"vllm", portOf(t, map[string]string{"/v1/models": `{"data":[{"id":"org/m","max_model_len":32768}]}`})},
		{"html", portOf(t, map[string]string{"/v1/models": `<html>`})},
		{"ollama", portOf(t, map[string]string{"/api/tags": `{"models":[]}`})},
		{"ollama", portOf(t, map[string]string{"/api/tags": `{}`})},
		{"empty", portOf(t, map[string]string{"/v1/models": `{"data":[]}`})},
		{"none", portOf(t, nil)},
		{"huge", portOf(t, map[string]string{"/v1/models": huge})},
		{"hang", portOf(t, map[string]string{"/v1/models": "hang"})},
		{"closed", 1},
	}
	client := HTTPClient()
	got := Discover(t.Context(), client, probes)
	want := fmt.Sprintf("[{ollama http://127.0.0.1:%d/v1 [{qwen3:8b 0}]} {lmstudio http://127.0.0.1:%d/v1 [{a 0} {b 0}]} "+
		"{llamacpp http://127.0.0.1:%d/v1 [{m.gguf 8192}]} {vllm http://127.0.0.1:%d/v1 [{org/m 32768}]} {ollama http://127.0.0.1:%d/v1 []}]",
		probes[0].Port, probes[1].Port, probes[2].Port, probes[3].Port, probes[5].Port)
	if s := fmt.Sprint(got); s != want {
		t.Errorf("found %s\nwant  %s", s, want)
	}
	client.CloseIdleConnections()
}

func TestDiscoveryLeavesNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	client := HTTPClient()
	if got := Discover(t.Context(), client, []Probe{{"ollama", 1}, {"vllm", 1}}); len(got) != 0 {
		t.Errorf("found %v", got)
	}
	client.CloseIdleConnections()
}
