package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

const (
	// requestTime and maxRequestTime bound one request in milliseconds.
	requestTime, maxRequestTime = 15_000, 120_000
	// replyBytes and maxReplyBytes are how much of an answer is read.
	replyBytes, maxReplyBytes = 1 << 20, 5 << 20
)

type requestArgs struct {
	Method  string            `json:"method" enum:"GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS" doc:"GET and HEAD read; every other method counts as a change"`
	URL     string            `json:"url" doc:"http or https address, whole, without user name and password"`
	Headers map[string]string `json:"headers,omitempty" doc:"Headers to send"`
	Query   map[string]string `json:"query,omitempty" doc:"Parameters to add to the address"`
	Body    *requestBody      `json:"body,omitempty" doc:"One of json, text and form; not for GET and HEAD"`
	Timeout *int              `json:"timeoutMs,omitempty" doc:"Milliseconds until it is given up; 15000 when left out, at most 120000"`
	Follow  *bool             `json:"followRedirects,omitempty" doc:"Whether GET and HEAD follow redirects; true when left out. Other methods never do"`
	Most    *int              `json:"maxResponseBytes,omitempty" doc:"Bytes of the answer that are read; 1048576 when left out, at most 5242880"`
}

type requestBody struct {
	JSON json.RawMessage   `json:"json,omitempty" doc:"Any JSON value, sent as application/json"`
	Text *string           `json:"text,omitempty" doc:"Sent as text/plain where headers name no other type"`
	Form map[string]string `json:"form,omitempty" doc:"Sent as application/x-www-form-urlencoded"`
}

const requestDoc = "Sends one HTTP request and shows status, headers and body of the answer. GET and HEAD only read; every other method counts as a change, " +
	"asks unless it is allowed, follows no redirect and is never sent again. Nothing on private networks, no cookies, no passwords but those you put into headers, " +
	"which go to no other site. An answer that is lost makes the result uncertain: look at the real state before anything else."

func (c Config) request() tools.Tool {
	spec := tools.Spec{
		Name: "http_request", Description: requestDoc,
		Effect: tools.SideEffecting, Replay: tools.Never, Concurrency: tools.Exclusive, Risk: tools.High,
		Timeout: maxRequestTime*time.Millisecond + slack,
	}
	return tools.New(spec, func(_ context.Context, spec tools.Spec, a requestArgs) (*tools.Proposal, error) {
		r, err := c.prepare(a)
		if err != nil {
			return nil, err
		}
		if r.reads() {
			spec.Effect, spec.Replay, spec.Concurrency, spec.Risk = tools.ReadOnly, tools.Safe, tools.ParallelSafe, tools.ReadOnlyRisk
		}
		return &tools.Proposal{
			Spec: spec, Summary: r.fetcher.method + " " + r.target.String(), Subjects: []string{r.target.String()}, Preview: r.preview(),
			Do: func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome { return r.do(ctx) },
		}, nil
	})
}

// A request is one that was worked out.
type request struct {
	fetcher fetcher
	target  target
	time    time.Duration
	most    int64
}

func (r *request) reads() bool {
	return r.fetcher.method == http.MethodGet || r.fetcher.method == http.MethodHead
}

func (c Config) prepare(a requestArgs) (*request, error) {
	r := &request{time: requestTime * time.Millisecond, most: replyBytes}
	r.fetcher = fetcher{config: c, tool: "http_request", method: a.Method, header: http.Header{"User-Agent": {c.agent()}}}
	if a.Timeout != nil {
		if *a.Timeout < 1 || *a.Timeout > maxRequestTime {
			return nil, tools.Refuse(tools.InvalidArguments, "timeoutMs must be 1 to %d, not %d", maxRequestTime, *a.Timeout)
		}
		r.time = time.Duration(*a.Timeout) * time.Millisecond
	}
	if a.Most != nil {
		if *a.Most < 1 || *a.Most > maxReplyBytes {
			return nil, tools.Refuse(tools.InvalidArguments, "maxResponseBytes must be 1 to %d, not %d", maxReplyBytes, *a.Most)
		}
		r.most = int64(*a.Most)
	}
	r.fetcher.follow = r.reads() && (a.Follow == nil || *a.Follow)
	if !r.reads() && a.Follow != nil && *a.Follow {
		return nil, tools.Refuse(tools.InvalidArguments, "followRedirects: a redirect of %s is not followed, since that would be a second request that nobody was shown; the answer names where it leads", a.Method)
	}
	if err := r.address(a); err != nil {
		return nil, err
	}
	return r, r.content(a)
}

func (r *request) address(a requestArgs) error {
	t, err := parse(a.URL)
	if err != nil {
		return err
	}
	if len(a.Query) > 0 {
		more := url.Values{}
		for k, v := range a.Query {
			more.Set(k, v)
		}
		t.url.RawQuery = strings.Trim(t.url.RawQuery+"&"+more.Encode(), "&")
		if len(t.String()) > maxURL {
			return tools.Refuse(tools.InvalidArguments, "query: the address has %d bytes with it, and at most %d are sent", len(t.String()), maxURL)
		}
	}
	r.target = t
	return r.fetcher.config.guard.early(t)
}

// content fills in the headers and the body.
func (r *request) content(a requestArgs) error {
	f := &r.fetcher
	for name, value := range a.Headers {
		if why := unfit(name, value); why != "" {
			return tools.Refuse(tools.InvalidArguments, "headers: %q %s", tools.CleanLine(tools.Clip(name, 60)), why)
		}
		f.header.Set(name, value)
	}
	if a.Body == nil {
		return nil
	}
	if r.reads() {
		return tools.Refuse(tools.InvalidArguments, "body: %s has none; use query", a.Method)
	}
	given, kind := 0, ""
	if a.Body.JSON != nil {
		given, kind, f.body = given+1, "application/json", a.Body.JSON
	}
	if a.Body.Text != nil {
		given, kind, f.body = given+1, "text/plain; charset=utf-8", []byte(*a.Body.Text)
	}
	if a.Body.Form != nil {
		form := url.Values{}
		for k, v := range a.Body.Form {
			form.Set(k, v)
		}
		given, kind, f.body = given+1, "application/x-www-form-urlencoded", []byte(form.Encode())
	}
	if given != 1 {
		return tools.Refuse(tools.InvalidArguments, "body: it must have one of json, text and form, not %d", given)
	}
	if f.header.Get("Content-Type") == "" {
		f.header.Set("Content-Type", kind)
	}
	return nil
}

// unfit says what is wrong with a header, "" when nothing is.
func unfit(name, value string) string {
	switch n := http.CanonicalHeaderKey(name); {
	case name == "" || strings.Trim(strings.ToLower(name), "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz") != "":
		return "is not the name of a header"
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return "must be one line of text"
	case strings.HasPrefix(n, "Proxy-") || slices.Contains([]string{
		"Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "Te", "Trailer", "Expect", "Accept-Encoding",
	}, n):
		return "is not for a call to set"
	}
	return ""
}

// secretHeader reports headers whose values are not for the screen and the
// record of what was shown.
func secretHeader(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"auth", "cookie", "token", "key", "secret", "password", "credential", "session", "signature"}, func(w string) bool {
		return strings.Contains(name, w)
	})
}

// preview shows the whole request; of a secret, only that it is there.
func (r *request) preview() []tools.Section {
	lines := []string{r.fetcher.method + " " + r.target.String()}
	for _, name := range slices.Sorted(maps.Keys(r.fetcher.header)) {
		v := r.fetcher.header.Get(name)
		if secretHeader(name) {
			v = fmt.Sprintf("(%d characters, not shown)", len([]rune(v)))
		}
		lines = append(lines, name+": "+tools.CleanLine(v))
	}
	s := []tools.Section{{Kind: tools.Text, Body: strings.Join(lines, "\n") + r.fetcher.config.guard.way(r.target)}}
	if len(r.fetcher.body) > 0 {
		s = append(s, tools.Section{Kind: tools.Text, Title: fmt.Sprintf("body, %d bytes", len(r.fetcher.body)), Body: tools.Clean(string(bytes.ToValidUTF8(r.fetcher.body, []byte("�"))))})
	}
	return s
}
