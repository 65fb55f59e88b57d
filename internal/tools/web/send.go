package web

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/zuno-dev/zuno/internal/reach"
	"github.com/zuno-dev/zuno/internal/tools"
)

// do sends the request once and says what is known of it.
func (r *request) do(ctx context.Context) tools.Outcome {
	inner, cancel := context.WithTimeout(ctx, r.time)
	defer cancel()
	var sent atomic.Bool
	f := r.fetcher
	f.about = func() { sent.Store(true) }
	a, err := f.send(inner, r.target, r.most)
	switch {
	case err == nil:
		return r.answered(a)
	case r.reads():
		return outcomeOf(inner, r.what(), err)
	case !sent.Load() || barred(err):
		return r.unsent(inner, err)
	}
	why := "the connection ended: " + tools.CleanLine(reach.Plain(err).Error())
	switch {
	case errors.Is(inner.Err(), context.DeadlineExceeded):
		why = fmt.Sprintf("no answer came within %s", r.time)
	case inner.Err() != nil:
		why = "the user interrupted before the answer came"
	}
	return tools.Outcome{Kind: tools.Uncertain, Started: true, Text: fmt.Sprintf("%s was sent, or a part of it, and %s.", r.what(), why)}
}

func (r *request) what() string { return r.fetcher.method + " " + r.target.String() }

// unsent is the outcome of a change of which no byte left.
func (r *request) unsent(ctx context.Context, err error) tools.Outcome {
	var refusal *tools.Refusal
	switch {
	case errors.As(err, &refusal):
		return tools.OutcomeOf(refusal)
	case errors.Is(ctx.Err(), context.Canceled):
		return tools.Outcome{Kind: tools.Cancelled, Text: r.what() + " was stopped before it was sent"}
	case ctx.Err() != nil:
		return failed("%s was not sent: there was no connection within %s", r.what(), r.time)
	}
	return failed("%s was not sent: %s", r.what(), tools.CleanLine(reach.Plain(err).Error()))
}

// answered is the outcome of a request that has an answer. A gateway that got
// none itself does not know more than nobody.
func (r *request) answered(a *answer) tools.Outcome {
	doc := look(a.header.Get("Content-Type"), a.body, a.truncated || a.broken != nil)
	f := frame{
		tag: "http_response", cut: a.truncated || a.broken != nil, notes: a.notes(),
		attrs: [][2]string{{"url", a.target.String()}, {"status", a.status}},
	}
	f.text = headerText(a.header)
	switch {
	case len(a.body) == 0:
	case doc.kind == plain, doc.kind == page:
		f.text += "\n" + doc.text
	default:
		f.text += "\n(" + unread(doc, a) + ")"
	}
	if to := a.header.Get("Location"); to != "" && a.code >= 300 && a.code < 400 {
		f.notes = append(f.notes, "It answered with a redirect, which was not followed.")
	}
	out := tools.Outcome{Kind: tools.OK, Started: true}
	switch {
	case !r.reads() && (a.code == http.StatusBadGateway || a.code == http.StatusGatewayTimeout):
		out.Kind = tools.Uncertain
		f.notes = append(f.notes, "A gateway answered that it got no answer itself: the request may have been carried out.")
	case a.code >= 400:
		out.Kind = tools.Error
	}
	out.Text, out.Truncated = r.fetcher.config.render(f)
	return out
}

// maxHeaderText bounds what is shown of the headers of an answer in bytes.
const maxHeaderText = 4 << 10

func headerText(h http.Header) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		v := strings.Join(h.Values(name), ", ")
		if name == "Set-Cookie" {
			v = "(not shown, and not kept)"
		}
		fmt.Fprintf(&b, "%s: %s\n", name, tools.CleanLine(v))
	}
	return tools.Clip(b.String(), maxHeaderText)
}
