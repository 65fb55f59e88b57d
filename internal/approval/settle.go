package approval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Stage tells whoever watches a decision how far it got. There is none when
// policy, rules and lists decide by themselves.
type Stage struct {
	Queueing    bool // it waits until another card is answered
	Classifying bool
	Classified  bool       // with
	Verdict     tools.Risk // this verdict
	Asking      *Request
}

// Decide returns the decision on p: it reads the policy afresh each time, asks
// the classifier only when that could change the answer, and asks a person
// last. Watch, which may be nil, is told of each stage before it, from the
// calling goroutine; its error keeps anybody from being asked. The error is
// watch's, ctx's or the allowlist's.
func (g *Gate) Decide(ctx context.Context, p *tools.Proposal, watch func(Stage) error) (tools.Decision, error) {
	d, err := g.settle(ctx, p, watch)
	d.At = time.Now()
	return d, err
}

func (g *Gate) settle(ctx context.Context, p *tools.Proposal, watch func(Stage) error) (tools.Decision, error) {
	if watch == nil {
		watch = func(Stage) error { return nil }
	}
	f := Facts{}
	mine := false // this call holds g.asking
	defer func() {
		if mine {
			<-g.asking
		}
	}()
	for {
		changed, err := g.facts(p, &f)
		if err != nil {
			return tools.Decision{}, err
		}
		step, by := Decide(f)
		d := tools.Decision{By: by, Verdict: f.Verdict}
		switch step {
		case Run:
			d.Allowed, d.Reason = true, explain(by, f)
			return d, nil
		case Block:
			d.Reason = blockReason(by, p, f)
			return d, nil
		case Classify:
			if err := g.judge(ctx, p, &f, watch); err != nil {
				return tools.Decision{}, err
			}
			continue
		}
		if !mine {
			// The queue: wait for the card to be free, then decide again with what
			// has changed meanwhile.
			err := watch(Stage{Queueing: true})
			if err == nil {
				err = g.await(ctx)
			}
			if err != nil {
				return tools.Decision{}, err
			}
			mine = true
			continue
		}
		r := g.request(p, f)
		r.By = by
		if err := watch(Stage{Asking: &r}); err != nil {
			return tools.Decision{}, err
		}
		ans, err := g.ask(ctx, changed, r)
		if errors.Is(err, errChanged) {
			continue
		}
		return g.answered(p, f, r, ans, err)
	}
}

// judge has the classifier judge p.
func (g *Gate) judge(ctx context.Context, p *tools.Proposal, f *Facts, watch func(Stage) error) error {
	if err := watch(Stage{Classifying: true}); err != nil {
		return err
	}
	f.Judged, f.Verdict = true, capped(g.conf.Classifier.Classify(ctx, g.evidence(p.Command)), p.Floor)
	if err := ctx.Err(); err != nil {
		return err
	}
	return watch(Stage{Classified: true, Verdict: f.Verdict})
}

// capped is the verdict, no milder than floor.
func capped(verdict, floor tools.Risk) tools.Risk {
	if floor != tools.Unknown && verdict > floor {
		return floor
	}
	return verdict
}

// await takes g.asking, counting as waiting meanwhile.
func (g *Gate) await(ctx context.Context) error {
	g.count(1)
	defer g.count(-1)
	select {
	case g.asking <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *Gate) count(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting += n
}

// facts fills in f for p, keeping a verdict that was already given, and
// returns the channel that is closed when one of them changes.
func (g *Gate) facts(p *tools.Proposal, f *Facts) (<-chan struct{}, error) {
	command := false
	if p.Key != "" && g.conf.Commands != nil {
		var err error
		if command, err = g.conf.Commands.Allowed(p.Key); err != nil {
			return nil, fmt.Errorf("read the allowlist: %w", err)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	policy := g.inForce()
	rule, use := g.match(p)
	*f = Facts{
		Denied: p.Denied != "", Rule: rule, Use: use, Options: len(p.Options) > 0, Edited: p.Edited || p.Rejected != "",
		Effect: p.Spec.Effect, Manual: p.Manual != "", Policy: policy, Risk: p.Spec.Risk,
		Judgeable: g.conf.Classifier != nil && p.Command != "" && !p.Dynamic &&
			policy.covers(capped(tools.ReadOnlyRisk, p.Floor)),
		Judged: f.Judged, Verdict: f.Verdict,
		Command: command, Tool: g.allowed(p),
	}
	return g.changed, nil
}
