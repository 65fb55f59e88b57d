package loop

import (
	"context"
	"errors"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// settleOn has p decided on. As long as the person rewrites the call instead of
// answering, it is worked out again from the new arguments and decided on as a
// whole, so that nothing runs that was not shown. It returns the proposal that
// the decision is about.
func (s *Session) settleOn(ctx context.Context, tool tools.Tool, p *tools.Proposal, emit func(Event)) (*tools.Proposal, tools.Decision, error) {
	for {
		d, err := s.decide(ctx, p, emit)
		var r *approval.Rewrite
		if !errors.As(err, &r) {
			return p, d, err
		}
		call := p.Call
		call.Args = tools.NormalizeArgs(r.Args)
		next, err := propose(ctx, tool, call)
		switch {
		case ctx.Err() != nil:
			return p, tools.Decision{}, context.Cause(ctx)
		case err != nil:
			same := *p
			same.Rejected = err.Error()
			p = &same
			continue
		}
		if next.Edited = true; next.Edit == nil {
			next.Edit = p.Edit // the model is told what became of that
		}
		if err := s.conf.Journal.Revise(next); err != nil {
			return p, tools.Decision{}, err
		}
		p = next
		emit(Revised{Call: p.Call, Proposal: p})
	}
}

// told says, for the model, how a person rewrote the call before it was carried
// out; "" when nobody did, or when nothing was.
func (g *prepared) told() string {
	if g.proposal == nil || !g.proposal.Edited || !g.decision.Allowed || g.proposal.Edit == nil {
		return ""
	}
	return g.proposal.Edit.Told(g.was, g.call.Args)
}
