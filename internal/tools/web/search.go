package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/reach"
	"github.com/zuno-dev/zuno/internal/tools"
)

const (
	// maxQuery bounds one query in bytes, maxSnippet what is shown of a result.
	maxQuery, maxSnippet = 400, 600
	// searchResults, searchQueries and searchTime are the defaults of what the
	// user may configure.
	searchResults, searchQueries, searchTime = 8, 4, 20_000
	// atOnce is how many queries of one call are asked together.
	atOnce = 4
	// maxReply bounds the answer of a service in bytes.
	maxReply = 4 << 20
)

// A Search is a service that searches, made by [SearchConfig.Open].
type Search struct {
	provider               provider
	base, key              string
	results, queries, time int
}

// Name returns the name of the service.
func (s *Search) Name() string { return s.provider.name }

type searchArgs struct {
	Queries []string `json:"queries" doc:"What to search for, each query on its own; they are asked together"`
}

func (c Config) search() tools.Tool {
	s := c.Search
	if s == nil {
		s = &Search{}
	}
	most := cmp.Or(s.queries, searchQueries)
	spec := tools.Spec{
		Name: "web_search",
		Description: fmt.Sprintf("Searches the web, for up to %d queries at once. Lists title, address and a piece of each result; webfetch reads one. "+
			"The queries are sent to a search service: no secrets and no private text in them. Name the addresses that an answer rests on.", most),
		Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk,
		Timeout: time.Duration((most+atOnce-1)/atOnce)*s.limit() + slack,
	}
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a searchArgs) (*tools.Proposal, error) {
		if c.Search == nil {
			return nil, tools.Refuse(tools.Unavailable, "no search service is configured (web_search.provider)")
		}
		queries, err := distinct(a.Queries, most)
		if err != nil {
			return nil, err
		}
		return &tools.Proposal{
			Summary: tools.CleanLine(fmt.Sprintf("%s: %s", s.provider.name, strings.Join(queries, " · "))), Subjects: queries,
			Preview: []tools.Section{{Kind: tools.Text, Title: "asked of " + s.provider.name, Body: tools.Clean(strings.Join(queries, "\n"))}},
			Do: func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
				return c.searched(ctx, queries)
			},
		}, nil
	})
}

// distinct returns the queries without those that are there twice.
func distinct(queries []string, most int) ([]string, error) {
	var list []string
	seen := map[string]bool{}
	for i, q := range queries {
		q = strings.Join(strings.Fields(q), " ")
		switch {
		case q == "":
			return nil, tools.Refuse(tools.InvalidArguments, "queries[%d] is blank", i)
		case len(q) > maxQuery:
			return nil, tools.Refuse(tools.InvalidArguments, "queries[%d] has %d bytes, and at most %d are sent", i, len(q), maxQuery)
		case !seen[q]:
			seen[q] = true
			list = append(list, q)
		}
	}
	if len(list) < 1 || len(list) > most {
		return nil, tools.Refuse(tools.InvalidArguments, "queries: there must be 1 to %d, not %d", most, len(list))
	}
	return list, nil
}

// A found is what became of one query.
type found struct {
	hits []hit
	err  error
}

// searched asks all queries, some at a time, and waits for each of them. One
// that fails takes no other with it.
func (c Config) searched(ctx context.Context, queries []string) tools.Outcome {
	client := searchClient()
	defer client.CloseIdleConnections()
	all := make([]found, len(queries))
	turn := make(chan struct{}, atOnce)
	var wait sync.WaitGroup
	for i, q := range queries {
		wait.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			all[i].hits, all[i].err = c.Search.find(ctx, client, c.agent(), q)
		})
	}
	wait.Wait()
	if errors.Is(ctx.Err(), context.Canceled) {
		return tools.Outcome{Kind: tools.Cancelled, Started: true, Text: "stopped while it searched"}
	}
	return c.listed(queries, all)
}

// listed writes the results in the order of the queries, each address once.
func (c Config) listed(queries []string, all []found) tools.Outcome {
	var b strings.Builder
	seen := map[string]bool{}
	bad := 0
	for i, q := range queries {
		fmt.Fprintf(&b, "### %s\n\n", q)
		again := 0
		switch f := all[i]; {
		case f.err != nil:
			bad++
			fmt.Fprintf(&b, "(This query failed: %v)\n", f.err)
		case len(f.hits) == 0:
			b.WriteString("(No results.)\n")
		default:
			for _, h := range f.hits {
				if k := sameAs(h.url); seen[k] {
					again++
				} else {
					seen[k] = true
					b.WriteString(h.line())
				}
			}
		}
		if again > 0 {
			fmt.Fprintf(&b, "(%d more are listed above.)\n", again)
		}
		b.WriteString("\n")
	}
	out := tools.Outcome{Kind: tools.OK}
	var notes []string
	switch {
	case bad == len(queries):
		out.Kind = tools.Error
	case bad > 0:
		notes = append(notes, fmt.Sprintf("%d of %d queries failed.", bad, len(queries)))
	}
	out.Text, out.Truncated = c.render(frame{tag: "web_search", attrs: [][2]string{{"provider", c.Search.Name()}}, text: b.String(), notes: notes})
	return out
}

func (h hit) line() string {
	s := fmt.Sprintf("- [%s](%s)", strings.NewReplacer("[", "(", "]", ")").Replace(tools.Clip(strings.Join(strings.Fields(h.title), " "), 200)), strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29").Replace(h.url))
	if h.date != "" {
		s += " " + tools.Clip(strings.Join(strings.Fields(h.date), " "), 40)
	}
	if h.snippet != "" {
		s += "\n  " + tools.Clip(strings.Join(strings.Fields(h.snippet), " "), maxSnippet)
	}
	return s + "\n"
}

// sameAs is what two addresses of one page have in common.
func sameAs(address string) string {
	t, err := parse(address)
	if err != nil {
		return address
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(t.String(), "http://"), "https://"), "/")
}

func (s *Search) limit() time.Duration {
	return time.Duration(cmp.Or(s.time, searchTime)) * time.Millisecond
}

// searchClient sends the key to no other server than the one configured: it
// follows no redirect. Like the clients of models it goes through a proxy of
// the environment.
func searchClient() *http.Client {
	t := &http.Transport{
		MaxConnsPerHost: atOnce, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: connectTime, MaxResponseHeaderBytes: maxHeader,
	}
	reach.Through(t)
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     t,
	}
}

// find asks one query. Its errors hold neither the key nor the address.
func (s *Search) find(ctx context.Context, client *http.Client, agent, query string) ([]hit, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit())
	defer cancel()
	req, err := s.provider.ask(s.base, query, cmp.Or(s.results, searchResults))
	if err != nil {
		return nil, reach.Plain(err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", agent)
	if s.key != "" {
		s.provider.key(req.Header, s.key)
	}
	resp, err := client.Do(req.WithContext(ctx))
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("%s did not answer within %s", s.provider.name, s.limit())
		}
		if p := reach.Explain(err, req.URL); p != nil {
			return nil, p
		}
		return nil, reach.Plain(err)
	}
	defer resp.Body.Close()
	if p := reach.Refused(resp, req.URL); p != nil {
		return nil, p
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the answer of %s: %w", s.provider.name, err)
	case resp.StatusCode != http.StatusOK:
		return nil, s.complaint(resp, body)
	case len(body) > maxReply:
		return nil, fmt.Errorf("the answer of %s has more than %d bytes", s.provider.name, maxReply)
	}
	hits, err := s.provider.answer(body)
	if err != nil {
		return nil, fmt.Errorf("read the answer of %s: it is not what the service documents", s.provider.name)
	}
	return s.clean(hits), nil
}

// clean drops results that lead nowhere, and those over the number asked for.
func (s *Search) clean(hits []hit) []hit {
	var list []hit
	for _, h := range hits {
		u, err := url.Parse(h.url)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || len(h.url) > maxURL {
			continue
		}
		if h.title = cmp.Or(strings.TrimSpace(h.title), u.Host); len(list) < cmp.Or(s.results, searchResults) {
			list = append(list, h)
		}
	}
	return list
}

// complaint is the error of an answer that is none, with a little of what the
// service says.
func (s *Search) complaint(resp *http.Response, body []byte) error {
	says := strings.Join(strings.Fields(words(string(body[:min(len(body), 2000)]))), " ")
	if s.key != "" {
		says = strings.ReplaceAll(says, s.key, "…")
	}
	hint := ""
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		hint = "; the key may be wrong"
		if s.provider.env == "" {
			hint = `; the instance may not offer json (search.formats of its settings)`
		}
	case http.StatusTooManyRequests:
		hint = "; too many requests"
		if wait := resp.Header.Get("Retry-After"); wait != "" {
			hint += ", Retry-After: " + tools.CleanLine(short(wait))
		}
	}
	return fmt.Errorf("%s answered %s%s: %s", s.provider.name, statusLine(resp), hint, tools.CleanLine(short(says)))
}
