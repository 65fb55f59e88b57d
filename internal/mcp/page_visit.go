package mcp

import (
	"context"
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// visits are the pages that a person went to for a server, until the server says
// that they are done there.
type visits struct {
	mu   sync.Mutex // guards open
	open map[visit]chan struct{}
}

type visit struct {
	link *link
	id   string // the server's
}

// begin returns what is closed when the server says that the visit is done; nil
// for one without an ID, and when there are too many.
func (v *visits) begin(l *link, id string) <-chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.open == nil {
		v.open = map[visit]chan struct{}{}
	}
	c := v.open[visit{l, id}]
	if c == nil && id != "" && len(v.open) < maxOthers {
		c = make(chan struct{})
		v.open[visit{l, id}] = c
	}
	return c
}

func (v *visits) end(l *link, id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	c := v.open[visit{l, id}]
	if c == nil {
		return false
	}
	delete(v.open, visit{l, id})
	close(c)
	return true
}

// visited takes a server's word that the person is done on a page. One that it
// did not send them to is nobody's business.
func (l *link) visited(p *sdk.ElicitationCompleteParams) {
	if p != nil && l.client.visits.end(l, p.ElicitationID) {
		l.client.routes.tellAll(l, "the server says that the page is done")
	}
}

// The wait for a person on a page, in a call: no longer than the second, and so
// that something is left of the time that the call may take.
const (
	margin    = 5 * time.Second
	pageLimit = 5 * time.Minute
)

// first is the outcome of a request that a server did not carry out because a
// page is to be visited first. Nothing is sent again by itself: when the page is
// done, the model may call again, and that call is decided on like any other. It
// is not told the address, which may be the person's alone.
func (l *link) first(ctx context.Context, p *sdk.ElicitParams, report func(tools.Progress)) tools.Outcome {
	refused := func(format string, args ...any) tools.Outcome {
		return tools.Outcome{Kind: tools.Error, Text: "the server did not carry it out: it wants the user to visit a page first. " + fmt.Sprintf(format, args...)}
	}
	u, err := pageAddress(p.URL)
	switch {
	case err != nil:
		return refused("The user was not sent there: %v.", err)
	case l.client.conf.Ask == nil:
		l.said(u)
		return refused("Nobody is here to do that, so it was declined.")
	}
	report(tools.Progress{Text: "asking whether to visit a page"})
	action, done := l.visit(ctx, p)
	switch {
	case action == "cancel":
		return refused("The user was not sent there: the question was taken back before it was answered.")
	case action != "accept":
		return refused("The user declined.")
	case done == nil:
		return refused("The user went there. Call again when they say that it is done.")
	}
	limit := pageLimit
	if end, is := ctx.Deadline(); is {
		limit = min(limit, time.Until(end)-margin)
	}
	report(tools.Progress{Text: "waiting for the server to say that the page is done"})
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return refused("The server says that this is done now: call again.")
	case <-timer.C:
		return refused("The user went there; the server has not said yet that it is done. Call again when the user says so.")
	case <-ctx.Done():
		return refused("The user went there, and stopped the wait.")
	}
}
