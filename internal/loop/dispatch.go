package loop

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A prepared call has been worked out and decided on, or has its outcome
// already.
type prepared struct {
	call     tools.Call
	was      json.RawMessage // the arguments before a person rewrote them
	proposal *tools.Proposal
	decision tools.Decision
	outcome  *tools.Outcome // set when it never gets as far as running
	summary  string
	operator bool
	inner    bool           // another call makes it, and tells the model what it likes of it
	made     []tools.Record // the calls that it made, settled
}

// An aftermath is what settled calls lead to: offers to the person, and
// whatever follows a change of files.
type aftermath struct {
	offers  []tools.Record
	changed []tools.Change
	settled []tools.Record
}

func (a *aftermath) add(r tools.Record) {
	if r.Outcome.Again != nil {
		a.offers = append(a.offers, r)
	}
	if r.Effect != tools.Delegating { // whoever made the change has followed it
		a.changed = append(a.changed, r.Outcome.Changes...)
	}
	a.settled = append(a.settled, r)
}

// dispatch carries out calls in order and appends their results. Calls that
// may overlap run together; an exclusive call is proposed only when all before
// it have settled, so that our own hand never makes its preview stale.
//
// It returns what the calls lead to.
func (s *Session) dispatch(ctx context.Context, calls []*llm.Call, g *guard, emit func(Event)) (after aftermath, err error) {
	var results []tools.Record
	var repeating error
	// The results are recorded already, a row a call; this is their form for
	// the model. It holds one result for every call even when the journal fails.
	defer func() { s.add(answer(calls, results, err)) }()
	var group []*prepared
	flush := func() error {
		was := group
		records, err := s.execute(ctx, group, emit)
		group = nil
		for i, r := range records {
			for _, m := range was[i].made {
				_, stop := g.note(m)
				repeating = cmp.Or(repeating, stop)
				after.add(m)
			}
			warning, stop := g.note(r)
			r.Outcome.Text += warning
			repeating = cmp.Or(repeating, stop)
			results = append(results, r)
			after.add(r)
		}
		return err
	}
	for _, c := range calls {
		call, tool := s.lookUp(c)
		alone := tool == nil || tool.Spec().Concurrency == tools.Exclusive
		if alone {
			if err := flush(); err != nil {
				return after, err
			}
		}
		p, err := s.prepare(ctx, c, call, tool, emit)
		if err != nil {
			return after, err
		}
		group = append(group, p)
		if alone || p.proposal != nil && p.proposal.Spec.Concurrency == tools.Exclusive {
			if err := flush(); err != nil {
				return after, err
			}
		}
	}
	if err := flush(); err != nil {
		return after, err
	}
	if ctx.Err() != nil {
		return after, context.Cause(ctx)
	}
	return after, repeating
}

// answer renders the results of calls for the model, in call order, with one
// for each call that err kept from having its own.
func answer(calls []*llm.Call, results []tools.Record, err error) *llm.Message {
	m := &llm.Message{Role: llm.Tool}
	for i, c := range calls {
		if i < len(results) {
			m.Parts = append(m.Parts, resultParts(c.ID, results[i].Outcome)...)
			continue
		}
		m.Parts = append(m.Parts, resultParts(c.ID, unstarted(err))...)
	}
	return m
}

// lookUp finds the tool that c means; nil when there is none.
func (s *Session) lookUp(c *llm.Call) (tools.Call, tools.Tool) {
	name, args := c.Name, tools.NormalizeArgs(c.Args)
	if s.conf.Resolve != nil && c.Broken == "" {
		name, args = s.conf.Resolve(c.Name, args)
	}
	call := tools.Call{ID: c.ID, Tool: name, Args: args}
	if name != c.Name {
		call.Requested = c.Name
	}
	for _, t := range s.tools {
		if t.Spec().Name == name {
			return call, t
		}
	}
	return call, nil
}

// prepare works one call out and has the gate decide on it. What nobody else was
// asked about is recorded with what comes next. Its error is one of the journal:
// the turn cannot go on.
func (s *Session) prepare(ctx context.Context, c *llm.Call, call tools.Call, tool tools.Tool, emit func(Event)) (*prepared, error) {
	interrupted := func(p *tools.Proposal) (*prepared, error) {
		o := overtaken(stopped(ctx))
		g := &prepared{call: call, was: call.Args, proposal: p, outcome: &o}
		if p != nil {
			g.call = p.Call
		}
		return g, nil
	}
	switch {
	case ctx.Err() != nil:
		return interrupted(nil)
	case c.Broken != "":
		return s.refuse(call, tools.Refuse(tools.InvalidArguments, "%s", c.Broken), emit), nil
	case tool == nil:
		return s.refuse(call, tools.Refuse(tools.Unavailable, "%s", s.unavailable(c.Name)), emit), nil
	}
	p, err := propose(ctx, tool, call)
	if err != nil {
		if ctx.Err() != nil {
			return interrupted(nil)
		}
		return s.refuse(call, err, emit), nil
	}
	s.propose(p, emit)
	p, d, err := s.settleOn(ctx, tool, p, emit)
	if err != nil {
		if ctx.Err() == nil {
			return nil, err
		}
		return interrupted(p)
	}
	if err := s.decideOn(p.Call, d, emit); err != nil {
		return nil, err
	}
	return &prepared{call: p.Call, was: call.Args, proposal: p, decision: d}, nil
}

// decide refuses what the agent may not do, holds a call back that must wait for
// what is known of another or that a hook blocks, and has the gate decide on
// every other one.
func (s *Session) decide(ctx context.Context, p *tools.Proposal, emit func(Event)) (tools.Decision, error) {
	if s.forbids(p) == "" && s.conf.Held != nil {
		why, err := s.conf.Held(p)
		if why != "" || err != nil {
			return tools.Decision{By: tools.ByUncertain, Reason: why, At: time.Now()}, err
		}
	}
	return s.unheld(ctx, p, emit)
}

// unheld is decide without what is known of other calls.
func (s *Session) unheld(ctx context.Context, p *tools.Proposal, emit func(Event)) (tools.Decision, error) {
	if why := s.forbids(p); why != "" {
		return tools.Decision{By: tools.ByAgent, Reason: why, At: time.Now()}, nil
	}
	if s.conf.Hooks != nil {
		if err := s.commit(); err != nil {
			return tools.Decision{}, err
		}
	}
	if d, done := s.hooked(ctx, p, emit); done {
		return d, nil
	}
	return s.conf.Gate.Decide(ctx, p, func(st approval.Stage) error { return s.stage(p.Call, st, emit) })
}

func (s *Session) forbids(p *tools.Proposal) string {
	if s.conf.Forbids == nil {
		return ""
	}
	return s.conf.Forbids(p)
}

// refuse records that a call could not become a proposal, which is the first
// step of the decision order. Other errors than refusals are the tool's own
// failures: nobody decided anything.
func (s *Session) refuse(call tools.Call, err error, emit func(Event)) *prepared {
	o := tools.OutcomeOf(err)
	g := &prepared{call: call, outcome: &o}
	var r *tools.Refusal
	if !errors.As(err, &r) {
		return g
	}
	g.summary = r.Summary
	g.decision = tools.Decision{By: r.Block.Source(), Reason: r.Reason, At: time.Now(), About: r.Summary}
	s.decided(call, g.decision, emit)
	return g
}

// stage shows how far a decision is that takes somebody else. What led to it is
// recorded before.
func (s *Session) stage(call tools.Call, st approval.Stage, emit func(Event)) error {
	if err := s.commit(); err != nil {
		return err
	}
	switch {
	case st.Classifying:
		emit(Classifying{call})
	case st.Classified:
		emit(Classified{call, st.Verdict})
	case st.Asking != nil:
		emit(Asked{call, *st.Asking})
	}
	return nil
}

// propose calls the tool, taking a panic for the failure that it is.
func propose(ctx context.Context, tool tools.Tool, call tools.Call) (p *tools.Proposal, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("the %s tool failed while looking at the call: %v", call.Tool, r)
		}
	}()
	return tool.Propose(ctx, call)
}

func (s *Session) unavailable(name string) string {
	var names []string
	for _, t := range s.tools {
		names = append(names, t.Spec().Name)
	}
	if name == "" {
		return "the call names no tool; there are " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("there is no tool %q here; there are %s", tools.CleanLine(tools.Clip(name, 64)), strings.Join(names, ", "))
}

// operatorCall gives call the arguments of a shell command.
func operatorCall(call tools.Call, command string) tools.Call {
	args, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	call.Args = args
	return call
}
