// Package web reads the Internet for a model: webfetch gets one page,
// web_search asks a search service, http_request sends one request. None of
// them connects to an address that is not public, unless the user's own
// configuration allows it: names are looked up once, every address is checked,
// and the connection is made to the one that was checked, also behind every
// redirect. Where the environment names a proxy, that looks names up by itself:
// what can be known of an address here is checked all the same, and the rest is
// the proxy's to allow. No cookie and no password is used.
package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/zuno-dev/zuno/internal/reach"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A Config is what the tools need.
type Config struct {
	// Allow lists hosts, or host:port, that may be reached although they are not
	// public; see [CheckAllow].
	Allow []string
	// Version is told to servers in the User-Agent header.
	Version string
	// Limit is what the model sees of a result; zero means
	// [tools.DefaultTextLimit].
	Limit tools.TextLimit
	// Keep stores what is too long to show and returns the path at which the
	// read tool finds it. It is called from several goroutines. Nil keeps
	// nothing.
	Keep func(text string) (path string, err error)
	// Rule returns why the rules of the user keep a tool from an address that a
	// redirect leads to, "" when they do not. Nil means that there are no rules.
	Rule func(tool, address string) string
	// Search is the service that searches; nil for none.
	Search *Search

	guard *guard // that of a test
}

// New returns the tools. Search is among them without a service too: whoever
// offers tools leaves it out then.
func New(c Config) []tools.Tool {
	if c.Limit == (tools.TextLimit{}) {
		c.Limit = tools.DefaultTextLimit()
	}
	if c.guard == nil {
		g := newGuard(c.Allow)
		c.guard = &g
	}
	return []tools.Tool{c.fetch(), c.search(), c.request()}
}

// agent names zuno to servers.
func (c Config) agent() string {
	plain := strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x7f {
			return -1
		}
		return r
	}, c.Version)
	return "Mozilla/5.0 (compatible; zuno/" + cmp.Or(plain, "dev") + ")"
}

// rule says whether the rules let tool go on to t.
func (c Config) rule(tool string, t target) error {
	if c.Rule == nil {
		return nil
	}
	if why := c.Rule(tool, t.String()); why != "" {
		return tools.Refuse(tools.Denied, "%s: %s", t, why)
	}
	return nil
}

// failed is the outcome of a call that did not get what it went for.
func failed(format string, a ...any) tools.Outcome {
	return tools.Outcome{Kind: tools.Error, Text: fmt.Sprintf(format, a...)}
}

// outcomeOf tells a refusal from a failure. A context that ended says by itself
// whether it was the user or the time.
func outcomeOf(ctx context.Context, what string, err error) tools.Outcome {
	var r *tools.Refusal
	switch {
	case errors.As(err, &r):
		return tools.OutcomeOf(r)
	case errors.Is(ctx.Err(), context.Canceled):
		return tools.Outcome{Kind: tools.Cancelled, Started: true, Text: "stopped while it fetched " + what}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return failed("%s: timed out; a larger timeout may help", what)
	}
	return failed("%s: %v", what, tools.CleanLine(reach.Plain(err).Error()))
}

func statusLine(resp *http.Response) string {
	if text := http.StatusText(resp.StatusCode); text != "" {
		return fmt.Sprintf("%d %s", resp.StatusCode, text)
	}
	return fmt.Sprint(resp.StatusCode)
}
