package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

const searchKey = "key-canary-987"

// A service imitates one provider: it refuses every request that the provider
// does not document.
type service struct {
	t      *testing.T
	name   string
	method string
	path   string
	header string // where the key stands, and how
	reply  func(query string) (int, string)
	wrong  atomic.Int32
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query, problem := s.read(r)
	if problem != "" {
		s.wrong.Add(1)
		s.t.Errorf("%s: %s", s.name, problem)
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	code, body := s.reply(query)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, body)
}

func (s *service) read(r *http.Request) (query, problem string) {
	name, want, _ := strings.Cut(s.header, ": ")
	switch {
	case r.Method != s.method || r.URL.Path != s.path:
		return "", "asked with " + r.Method + " " + r.URL.Path
	case name != "" && r.Header.Get(name) != want:
		return "", name + " is " + r.Header.Get(name)
	case r.Header.Get("Accept") != "application/json":
		return "", "Accept is " + r.Header.Get("Accept")
	}
	var got, known map[string]any
	switch s.name {
	case "brave":
		return r.URL.Query().Get("q"), differs(r.URL.Query(), map[string][]string{"q": {r.URL.Query().Get("q")}, "count": {"8"}})
	case "searxng":
		return r.URL.Query().Get("q"), differs(r.URL.Query(), map[string][]string{"q": {r.URL.Query().Get("q")}, "format": {"json"}})
	case "tavily":
		known = map[string]any{"max_results": 8.0, "search_depth": "basic"}
	case "exa":
		known = map[string]any{"type": "auto", "numResults": 8.0, "contents": map[string]any{"text": map[string]any{"maxCharacters": 600.0}}}
	}
	if err := json.NewDecoder(r.Body).Decode(&got); err != nil || r.Header.Get("Content-Type") != "application/json" {
		return "", "the body is no JSON"
	}
	query, _ = got["query"].(string)
	known["query"] = query
	return query, differs(got, known)
}

func differs(got, want any) string {
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	var x, y any
	_, _ = json.Unmarshal(a, &x), json.Unmarshal(b, &y)
	if !reflect.DeepEqual(x, y) {
		return fmt.Sprintf("asked for %s, not %s", a, b)
	}
	return ""
}

// services are the providers as they answer to "go".
func services(t *testing.T) []*service {
	return []*service{
		{t: t, name: "brave", method: "GET", path: "/res/v1/web/search", header: "X-Subscription-Token: " + searchKey, reply: always(
			`{"type":"search","query":{"original":"go"},"web":{"type":"search","results":[{"title":"The &quot;Go&quot; language","url":"https://go.dev/","description":"Build <strong>simple</strong> systems","page_age":"2026-01-02T00:00:00","language":"en"},{"title":"Trap","url":"javascript:alert(1)","description":"x"}]}}`)},
		{t: t, name: "tavily", method: "POST", path: "/search", header: "Authorization: Bearer " + searchKey, reply: always(
			`{"query":"go","answer":null,"images":[],"results":[{"title":"The \"Go\" language","url":"https://go.dev/","content":"Build simple systems","score":0.9,"raw_content":null,"published_date":"2026-01-02T00:00:00"}],"response_time":1.2}`)},
		{t: t, name: "exa", method: "POST", path: "/search", header: "X-Api-Key: " + searchKey, reply: always(
			`{"requestId":"x","resolvedSearchType":"neural","results":[{"id":"https://go.dev/","title":"The \"Go\" language","url":"https://go.dev/","publishedDate":"2026-01-02T00:00:00","author":null,"text":"Build simple\n systems"}]}`)},
		{t: t, name: "searxng", method: "GET", path: "/search", reply: always(
			`{"query":"go","number_of_results":1,"results":[{"url":"https://go.dev/","title":"The \"Go\" language","content":"Build simple systems","publishedDate":"2026-01-02T00:00:00","engine":"duckduckgo","category":"general"}],"answers":[],"unresponsive_engines":[]}`)},
	}
}

func always(body string) func(string) (int, string) {
	return func(string) (int, string) { return http.StatusOK, body }
}

func searchTool(t *testing.T, s *service) tools.Tool {
	t.Helper()
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	open, err := SearchConfig{Provider: s.name, Endpoint: srv.URL + "/", KeyEnv: "K", Getenv: func(string) string { return searchKey }}.Open()
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{Search: open})[1]
}

func TestEveryProviderIsAskedAsItDocuments(t *testing.T) {
	for _, s := range services(t) {
		out := run(t, searchTool(t, s), `{"queries":["go"]}`)
		want := "<web_search provider=\"" + s.name + "\">\n### go\n\n- [The \"Go\" language](https://go.dev/) 2026-01-02T00:00:00\n  Build simple systems\n</web_search>\n"
		if out.Kind != tools.OK || !strings.HasPrefix(out.Text, want) {
			t.Errorf("%s: %v:\n%s", s.name, out.Kind, out.Text)
		}
	}
}

func TestQueriesAreAskedTogetherAndFailAlone(t *testing.T) {
	var now, most atomic.Int32
	meet := make(chan struct{})
	s := services(t)[3]
	s.reply = func(query string) (int, string) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer now.Add(-1)
		if now.Load() == 3 {
			close(meet)
		}
		select {
		case <-meet: // all three are here at once
		case <-time.After(60 * time.Second):
		}
		if query == "bad" {
			return http.StatusTooManyRequests, `{"error":"slow down, ` + searchKey + `"}`
		}
		return http.StatusOK, `{"results":[{"url":"https://a.example/","title":"a"},{"url":"http://a.example","title":"the same"},{"url":"https://` + query + `.example/","title":"` + query + `"}]}`
	}
	out := run(t, searchTool(t, s), `{"queries":["one","bad"," two ","one"]}`)
	want := "### one\n\n- [a](https://a.example/)\n- [one](https://one.example/)\n(1 more are listed above.)\n\n### bad\n\n(This query failed: searxng answered 429 Too Many Requests; too many requests: {\"error\":\"slow down, …\"})\n\n### two\n\n- [two](https://two.example/)\n(2 more are listed above.)\n</web_search>\n1 of 3 queries failed."
	if out.Kind != tools.OK || !strings.Contains(out.Text, want) || most.Load() != 3 {
		t.Errorf("%v, %d at once:\n%s", out.Kind, most.Load(), out.Text)
	}
}

func TestASearchThatFailsSaysWhyAndKeepsTheKey(t *testing.T) {
	for _, c := range []struct {
		code int
		body string
		want string
	}{
		{401, "bad key " + searchKey, "the key may be wrong"},
		{500, "<html><h1>oops</h1></html>", "500 Internal Server Error: oops"},
		{302, "", "302 Found"},
		{200, "not json", "it is not what the service documents"},
		{200, `{"web":{"results":[]}}`, "(No results.)"},
		{200, `{}`, "(No results.)"},
	} {
		s := services(t)[0]
		s.reply = func(string) (int, string) { return c.code, c.body }
		out := run(t, searchTool(t, s), `{"queries":["go"]}`)
		if (out.Kind == tools.OK) != strings.Contains(c.want, "No results") || !strings.Contains(out.Text, c.want) || strings.Contains(out.Text, searchKey) {
			t.Errorf("%d: %v: %s", c.code, out.Kind, out.Text)
		}
	}
	open, err := SearchConfig{Provider: "exa", Endpoint: "http://127.0.0.1:1", Getenv: func(string) string { return searchKey }}.Open()
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, New(Config{Search: open})[1], `{"queries":["private words"]}`)
	if out.Kind != tools.Error || strings.Contains(out.Text, searchKey) || !strings.Contains(out.Text, "refused") {
		t.Errorf("%v: %s", out.Kind, out.Text)
	}
}

func TestQueriesAreBounded(t *testing.T) {
	tool := searchTool(t, services(t)[0])
	for args, want := range map[string]string{
		`{"queries":[]}`:                                   "1 to 4",
		`{"queries":["a","b","c","d","e"]}`:                "1 to 4",
		`{"queries":["a"," "]}`:                            "queries[1] is blank",
		`{"queries":["` + strings.Repeat("x", 401) + `"]}`: "at most 400",
		`{"query":"a"}`:                                    "queries",
	} {
		if out := run(t, tool, args); out.Block != tools.InvalidArguments || !strings.Contains(out.Text, want) {
			t.Errorf("%.60s: %v %v: %s", args, out.Kind, out.Block, out.Text)
		}
	}
	if out := run(t, New(Config{})[1], `{"queries":["a"]}`); out.Block != tools.Unavailable {
		t.Errorf("without a service: %v: %s", out.Kind, out.Text)
	}
}

func TestTheServiceIsTheOneThatIsConfigured(t *testing.T) {
	env := map[string]string{"TAVILY_API_KEY": "t", "EXA_API_KEY": "e", "MY_KEY": "m"}
	for _, c := range []struct {
		conf       SearchConfig
		env        map[string]string
		want, base string
		wrong      string
	}{
		{SearchConfig{}, nil, "", "", ""},
		{SearchConfig{}, env, "tavily", "https://api.tavily.com", ""},
		{SearchConfig{Provider: "exa"}, env, "exa", "https://api.exa.ai", ""},
		{SearchConfig{Provider: "brave"}, env, "", "", "BRAVE_API_KEY is not set"},
		{SearchConfig{Provider: "brave", KeyEnv: "MY_KEY"}, env, "brave", "https://api.search.brave.com", ""},
		{SearchConfig{Provider: "searxng"}, env, "", "", "needs web_search.endpoint"},
		{SearchConfig{Provider: "searxng", Endpoint: "http://h:1/s/"}, nil, "searxng", "http://h:1/s", ""},
		{SearchConfig{Endpoint: "http://h:1"}, nil, "", "", "without web_search.provider"},
	} {
		c.conf.Getenv = func(name string) string { return c.env[name] }
		s, err := c.conf.Open()
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%+v: %v, want %s", c.conf, err, c.wrong)
			}
		case err != nil || (s == nil) != (c.want == "") || s != nil && (s.Name() != c.want || s.base != c.base):
			t.Errorf("%+v: %+v, %v", c.conf, s, err)
		}
	}
}

func TestWebSearchKeepsThePromises(t *testing.T) {
	toolstest.Run(t, toolstest.Case{New: func(string) tools.Tool { return searchTool(t, services(t)[1]) }, Args: `{"queries":["go"]}`})
}
