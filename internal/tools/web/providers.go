package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A hit is one result of a search.
type hit struct{ title, url, snippet, date string }

// A provider is a service that searches: what it wants to be asked, and how it
// answers.
type provider struct {
	name string
	env  string // the usual variable of its key; "" when it needs none
	base string // its address; "" when only the user knows it
	// ask returns a request for at most n results, without the key.
	ask func(base, query string, n int) (*http.Request, error)
	// key puts the key into the request.
	key func(h http.Header, key string)
	// answer reads what comes back.
	answer func(body []byte) ([]hit, error)
}

// providers is every service there is, in the order in which the first that
// has a key is taken.
var providers = [...]provider{
	{
		name: "brave", env: "BRAVE_API_KEY", base: "https://api.search.brave.com",
		ask: func(base, query string, n int) (*http.Request, error) {
			return get(base+"/res/v1/web/search", url.Values{"q": {query}, "count": {strconv.Itoa(min(n, 20))}})
		},
		key: func(h http.Header, key string) { h.Set("X-Subscription-Token", key) },
		answer: func(body []byte) ([]hit, error) {
			var r struct {
				Web struct {
					Results []struct {
						Title, URL, Description, Age string
						PageAge                      string `json:"page_age"`
					}
				}
			}
			err := json.Unmarshal(body, &r)
			var hits []hit
			for _, x := range r.Web.Results {
				hits = append(hits, hit{words(x.Title), x.URL, words(x.Description), cmp.Or(x.PageAge, x.Age)})
			}
			return hits, err
		},
	},
	{
		name: "tavily", env: "TAVILY_API_KEY", base: "https://api.tavily.com",
		ask: func(base, query string, n int) (*http.Request, error) {
			return post(base+"/search", map[string]any{"query": query, "max_results": min(n, 20), "search_depth": "basic"})
		},
		key: bearer,
		answer: func(body []byte) ([]hit, error) {
			var r struct {
				Results []struct {
					Title, URL, Content string
					Date                string `json:"published_date"`
				}
			}
			err := json.Unmarshal(body, &r)
			var hits []hit
			for _, x := range r.Results {
				hits = append(hits, hit{x.Title, x.URL, x.Content, x.Date})
			}
			return hits, err
		},
	},
	{
		name: "exa", env: "EXA_API_KEY", base: "https://api.exa.ai",
		ask: func(base, query string, n int) (*http.Request, error) {
			return post(base+"/search", map[string]any{
				"query": query, "type": "auto", "numResults": n,
				"contents": map[string]any{"text": map[string]any{"maxCharacters": maxSnippet}},
			})
		},
		key: func(h http.Header, key string) { h.Set("X-Api-Key", key) },
		answer: func(body []byte) ([]hit, error) {
			var r struct {
				Results []struct {
					Title, URL, Text string
					Date             string `json:"publishedDate"`
				}
			}
			err := json.Unmarshal(body, &r)
			var hits []hit
			for _, x := range r.Results {
				hits = append(hits, hit{x.Title, x.URL, x.Text, x.Date})
			}
			return hits, err
		},
	},
	{
		name: "searxng",
		ask: func(base, query string, _ int) (*http.Request, error) {
			return get(base+"/search", url.Values{"q": {query}, "format": {"json"}})
		},
		key: bearer, // of a proxy in front of it, where there is one
		answer: func(body []byte) ([]hit, error) {
			var r struct {
				Results []struct {
					Title, URL, Content string
					Date                string `json:"publishedDate"`
				}
			}
			err := json.Unmarshal(body, &r)
			var hits []hit
			for _, x := range r.Results {
				hits = append(hits, hit{x.Title, x.URL, x.Content, x.Date})
			}
			return hits, err
		},
	},
}

// Providers returns the names of the services that can search.
func Providers() []string {
	var names []string
	for _, p := range providers {
		names = append(names, p.name)
	}
	return names
}

// A SearchConfig is what the user says of searching. Zero values leave the
// defaults: the first service whose variable holds a key, 8 results of a query,
// 4 queries of a call, 20 s for each.
type SearchConfig struct {
	Provider, Endpoint, KeyEnv string
	Results, Queries, TimeMS   int
	// Getenv reads the environment.
	Getenv func(string) string
}

// Open returns the service, and nil when none is configured. The error says what
// a service that is configured lacks.
func (c SearchConfig) Open() (*Search, error) {
	i := slices.IndexFunc(providers[:], func(p provider) bool {
		if c.Provider != "" {
			return p.name == c.Provider
		}
		return p.env != "" && c.Getenv(p.env) != ""
	})
	switch {
	case i < 0 && c.Endpoint != "":
		return nil, fmt.Errorf("web_search.endpoint is set without web_search.provider, one of %s", strings.Join(Providers(), ", "))
	case i < 0:
		return nil, nil
	}
	p := providers[i]
	s := &Search{provider: p, base: strings.TrimRight(cmp.Or(c.Endpoint, p.base), "/"), results: c.Results, queries: c.Queries, time: c.TimeMS}
	if s.base == "" {
		return nil, fmt.Errorf("web_search.provider is %s, which needs web_search.endpoint", p.name)
	}
	if env := cmp.Or(c.KeyEnv, p.env); env != "" {
		if s.key = strings.TrimSpace(c.Getenv(env)); s.key == "" {
			return nil, fmt.Errorf("web_search.provider is %s, but %s is not set", p.name, env)
		}
	}
	return s, nil
}

func bearer(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

func get(address string, query url.Values) (*http.Request, error) {
	return http.NewRequest(http.MethodGet, address+"?"+query.Encode(), nil)
}

func post(address string, body map[string]any) (*http.Request, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(b))
	if err == nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, err
}
