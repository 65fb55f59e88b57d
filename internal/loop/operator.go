package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// Shell runs a command that the person typed. It takes the same road as a
// model's call, already decided; what came of it is told to the model with the
// next turn.
func (s *Session) Shell(ctx context.Context, command string, emit func(Event)) (err error) {
	began := time.Now()
	defer func() { emit(Ended{Err: err, Took: time.Since(began)}) }()
	emit(Prompted{Text: command, Operator: true})
	s.operator++
	c := operatorCall(tools.Call{ID: fmt.Sprintf("operator_%d", s.operator), Tool: "shell"}, command)
	_, err = s.own(ctx, c, "typed by you", s.conf.Operator, emit)
	return err
}

// Operate carries out what the person does with their own hand, other than by
// typing a command: call says what, propose works it out under the ID that it
// gets, and why says how they asked for it. It takes the same road as a
// model's call, already decided, and runs as a turn of its own.
func (s *Session) Operate(ctx context.Context, call tools.Call, why string, propose func(context.Context, tools.Call) (*tools.Proposal, error), emit func(Event)) (o tools.Outcome, err error) {
	began := time.Now()
	defer func() { emit(Ended{Err: err, Took: time.Since(began)}) }()
	return s.own(ctx, call, why, propose, emit)
}

func (s *Session) own(ctx context.Context, call tools.Call, why string, propose func(context.Context, tools.Call) (*tools.Proposal, error), emit func(Event)) (tools.Outcome, error) {
	call.ID = s.newID(call.ID)
	p, err := propose(ctx, call)
	if err != nil {
		return tools.Outcome{}, err
	}
	d := tools.Decision{Allowed: true, By: tools.ByOperator, Reason: why, At: time.Now()}
	if p.Denied != "" {
		d.Allowed, d.By, d.Reason = false, tools.ByDenylist, p.Denied
	}
	s.propose(p, emit)
	o, err := s.operate(ctx, p, d, emit)
	return o, errors.Join(err, context.Cause(ctx))
}

// propose and decided note a proposal and a decision, which are recorded with
// what comes next.
func (s *Session) propose(p *tools.Proposal, emit func(Event)) {
	p.At = time.Now()
	s.note(func() error { return s.conf.Journal.Propose(p) }, func() { emit(Proposed{Call: p.Call, Proposal: p}) })
}

func (s *Session) decided(call tools.Call, d tools.Decision, emit func(Event)) {
	s.note(func() error { return s.conf.Journal.Decide(call, d) }, func() { emit(Decided{Call: call, Decision: d}) })
}

// decideOn is decided, but records at once what somebody else had a say in: all
// that led to it is on record then, and their answer is not lost with what comes
// next.
func (s *Session) decideOn(call tools.Call, d tools.Decision, emit func(Event)) error {
	answered := len(s.waiting) == 0
	s.decided(call, d, emit)
	if answered {
		return s.commit()
	}
	return nil
}

// operate carries out what the person decided on, and tells the model of it as
// data.
func (s *Session) operate(ctx context.Context, p *tools.Proposal, d tools.Decision, emit func(Event)) (tools.Outcome, error) {
	if err := s.decideOn(p.Call, d, emit); err != nil {
		return tools.Outcome{}, err
	}
	return s.carryOut(ctx, &prepared{call: p.Call, proposal: p, decision: d, operator: true}, emit)
}

// carryOut is operate from the decision on.
func (s *Session) carryOut(ctx context.Context, g *prepared, emit func(Event)) (tools.Outcome, error) {
	p := g.proposal
	results, err := s.execute(ctx, []*prepared{g}, emit)
	if err != nil {
		return tools.Outcome{}, err
	}
	o := results[0].Outcome
	if len(p.Options) > 0 && (o.Kind == tools.Blocked || o.Kind == tools.Cancelled && !o.Started) {
		return o, nil // an offer that came to nothing changes nothing for the model
	}
	m := llm.UserText(s.conf.Report(p, o))
	m.Parts[0].For = p.Call.ID
	return o, s.append(m)
}

// conclude carries out what the calls of one message lead to.
func (s *Session) conclude(ctx context.Context, after aftermath, emit func(Event)) error {
	if err := s.settledHooks(ctx, after.settled, emit); err != nil {
		return err
	}
	for _, r := range after.offers {
		if err := s.offer(ctx, r, emit); err != nil {
			return err
		}
	}
	if len(after.changed) == 0 || s.conf.Follow == nil {
		return nil
	}
	for _, f := range s.conf.Follow(after.changed) {
		if err := s.follow(ctx, f, emit); err != nil {
			return err
		}
	}
	return nil
}

// offer puts what a settled call has to offer to the person, as a card and a
// call of its own. When nobody is there, there is no offer.
func (s *Session) offer(ctx context.Context, r tools.Record, emit func(Event)) error {
	if !s.conf.Gate.Attended() {
		return nil
	}
	p := *r.Outcome.Again
	p.Call = tools.Call{ID: s.newID(r.Call.ID + "_again"), Tool: r.Call.Tool, Args: r.Call.Args}
	if s.forbids(&p) != "" {
		return nil // what the agent may not do is not offered
	}
	return s.unrequested(ctx, &p, emit)
}

// follow carries out a call that follows a change. One that cannot be worked
// out is said and not done.
func (s *Session) follow(ctx context.Context, f Follower, emit func(Event)) error {
	f.Call.ID = s.newID(f.Call.ID)
	p, err := f.Propose(ctx, f.Call)
	if err != nil {
		emit(Noticed{Text: f.Call.Tool + " did not run: " + err.Error()})
		return context.Cause(ctx)
	}
	return s.unrequested(ctx, p, emit)
}

// unrequested takes a call that no message requested through the gate.
func (s *Session) unrequested(ctx context.Context, p *tools.Proposal, emit func(Event)) error {
	p.Edit = nil // there is no tool to work it out again
	s.propose(p, emit)
	d, err := s.unheld(ctx, p, emit)
	switch {
	case err == nil:
		_, err = s.operate(ctx, p, d, emit)
	case ctx.Err() != nil: // nobody answered: like a call of the model's, it never began
		o := overtaken(stopped(ctx))
		_, err = s.carryOut(ctx, &prepared{call: p.Call, proposal: p, outcome: &o, operator: true}, emit)
	}
	return errors.Join(err, context.Cause(ctx))
}
