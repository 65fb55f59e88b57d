package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// grace is how long a call may take to stop once it has been told to: longer
// than a process tree is given to end (2 s), so that only a call that ignores
// its context is left behind.
const grace = 5 * time.Second

// delegateGrace is the same for a call that runs an agent, whose own calls have
// their grace within it, and theirs in them.
const delegateGrace = 4 * grace

func graceOf(spec tools.Spec) time.Duration {
	if spec.Effect == tools.Delegating {
		return delegateGrace
	}
	return grace
}

// A finished call is what a worker sends back.
type finished struct {
	index   int
	outcome tools.Outcome
	took    time.Duration
}

// execute runs a group of prepared calls together, at most ToolCalls of them at
// a time and begun in call order, and settles each of them in call order. Its
// error is one of the journal.
func (s *Session) execute(ctx context.Context, group []*prepared, emit func(Event)) ([]tools.Record, error) {
	if len(group) == 1 && group[0].batches() {
		return s.batch(ctx, group[0], emit)
	}
	w := workers{
		progress: make(chan Progress), done: make(chan finished, len(group)), quit: make(chan struct{}),
	}
	records := make([]tools.Record, len(group))
	for i, g := range group {
		records[i] = record(g)
	}
	var failure error
	next, running := 0, 0
	for next < len(group) || running > 0 {
		var begin []int // those that start now, together
		for ; next < len(group) && running+len(begin) < max(1, s.conf.ToolCalls); next++ {
			g := group[next]
			if o, settled := s.unrun(ctx, g, failure); settled {
				records[next].Outcome = s.presentable(o)
				continue
			}
			s.note(func() error { return s.conf.Journal.Start(g.call) }, func() { emit(Started{g.call}) })
			begin = append(begin, next)
		}
		if len(begin) > 0 {
			failure = s.commit()
		}
		for _, i := range begin {
			if failure != nil {
				records[i].Outcome = unstarted(failure)
				continue
			}
			w.start(ctx, i, group[i])
			running++
		}
		if running == 0 {
			continue
		}
		select {
		case p := <-w.progress:
			emit(p)
		case f := <-w.done:
			running--
			if group[f.index].inner {
				f.outcome.Reports = nil
			}
			f.outcome.Text = group[f.index].told() + f.outcome.Text
			records[f.index].Outcome, records[f.index].Took = s.presentable(f.outcome), f.took
		}
	}
	close(w.quit)
	w.wait.Wait()
	return records, errors.Join(failure, s.settle(records, emit))
}

// workers runs calls in goroutines; execute waits for them.
type workers struct {
	wait     sync.WaitGroup
	progress chan Progress
	done     chan finished
	quit     chan struct{} // closed when nobody listens to progress any more
}

func (w *workers) start(ctx context.Context, index int, g *prepared) {
	w.wait.Go(func() {
		began := time.Now()
		o := run(ctx, g, func(p tools.Progress) {
			select {
			case w.progress <- Progress{g.call, p}:
			case <-w.quit:
			}
		})
		w.done <- finished{index, o, time.Since(began)}
	})
}

// unrun returns the outcome of a call that does not get to run, and whether it
// is one.
func (s *Session) unrun(ctx context.Context, g *prepared, failure error) (tools.Outcome, bool) {
	switch {
	case g.outcome != nil:
		return *g.outcome, true
	case !g.decision.Allowed:
		return g.proposal.Execute(ctx, g.decision, nil), true
	case failure != nil:
		return unstarted(failure), true
	case ctx.Err() != nil:
		return overtaken(stopped(ctx)), true
	}
	return tools.Outcome{}, false
}

// unstarted is the outcome of a call that could not be written to the journal:
// what cannot be recorded does not run.
func unstarted(err error) tools.Outcome {
	return tools.Outcome{Kind: tools.Blocked, Block: tools.Unavailable, Text: "it could not be recorded, so it did not run: " + err.Error()}
}

// settle records and shows outcomes in call order.
func (s *Session) settle(records []tools.Record, emit func(Event)) error {
	s.charge(s.conf.Bill.take()...)
	for i := range records {
		r := &records[i]
		r.State = tools.Settled
		s.note(func() error { return s.conf.Journal.Settle(r.Call, r.Outcome, r.Took) }, func() {
			s.records[r.Call.ID] = *r
			emit(Settled{*r})
		})
	}
	return s.commitAny()
}

func record(g *prepared) tools.Record {
	r := tools.Record{Call: g.call, State: tools.Requested, Summary: g.summary, Decision: g.decision, Operator: g.operator}
	if p := g.proposal; p != nil {
		if p.Edited {
			r.Was = g.was
		}
		r.Summary, r.Effect, r.Replay, r.Risk = p.Summary, p.Spec.Effect, p.Spec.Replay, p.Spec.Risk
	}
	return r
}

// presentable bounds and cleans what the model will read. A result is never
// blank: providers refuse those.
func (s *Session) presentable(o tools.Outcome) tools.Outcome {
	o.Text = tools.Clean(o.Text)
	text, cut := s.conf.Output.Bound(o.Text, "narrow the call to see the rest")
	o.Text, o.Truncated = text, o.Truncated || cut
	if strings.TrimSpace(o.Text) == "" {
		o.Text = "(no output)"
	}
	return o
}

// run executes one call within its time limit. A call that does not return
// when it is told to stop is left behind, and its outcome is what can honestly
// be said of it.
func run(ctx context.Context, g *prepared, report func(tools.Progress)) tools.Outcome {
	spec := g.proposal.Spec
	limit := spec.Limit()
	inner, cancel := context.WithCancel(ctx)
	if limit > 0 {
		inner, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	result := make(chan tools.Outcome, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				result <- lost(spec, fmt.Sprintf("the %s tool failed: %v", spec.Name, r))
			}
		}()
		result <- g.proposal.Execute(inner, g.decision, report)
	}()
	select {
	case o := <-result:
		return judge(ctx, inner, spec, o)
	case <-inner.Done():
	}
	timer := time.NewTimer(graceOf(spec))
	defer timer.Stop()
	select {
	case o := <-result:
		return judge(ctx, inner, spec, o)
	case <-timer.C:
		return judge(ctx, inner, spec, lost(spec, "it did not stop when told to"))
	}
}

// lost is the outcome of a call whose result is not known.
func lost(spec tools.Spec, text string) tools.Outcome {
	if harmless(spec) {
		return tools.Outcome{Kind: tools.Error, Text: text, Started: true}
	}
	return tools.Outcome{Kind: tools.Uncertain, Text: text, Started: true}
}

// harmless reports whether a call that was broken off cannot have changed
// anything that matters.
func harmless(spec tools.Spec) bool {
	return spec.Effect == tools.ReadOnly || spec.Effect == tools.UserMediated || spec.Replay == tools.Safe
}

// judge corrects the outcome of a call that failed because it was told to
// stop: an interrupt makes it cancelled; a timeout around a side effect makes
// it uncertain. What the tool says with certainty stands.
func judge(ctx, inner context.Context, spec tools.Spec, o tools.Outcome) tools.Outcome {
	if o.Kind != tools.Error || inner.Err() == nil {
		return o
	}
	switch {
	case ctx.Err() != nil:
		o.Kind, o.Started = tools.Cancelled, true
	case !harmless(spec):
		o.Kind, o.Started = tools.Uncertain, true
		o.Text = fmt.Sprintf("timed out after %s. %s", spec.Limit(), o.Text)
	default:
		o.Text = fmt.Sprintf("timed out after %s. %s", spec.Limit(), o.Text)
	}
	return o
}
