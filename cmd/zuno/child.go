package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/delegate"
	"github.com/zuno-dev/zuno/internal/tools/memory"
	"github.com/zuno-dev/zuno/internal/watch"
)

// A child is the session of an agent that was delegated to.
type child struct {
	*session
	prompt string
	// parent is the session that delegated, and call its call.
	parent, call string
}

// open builds the session of an agent. It has what the session that delegates
// has, and no more: the tools that both have, the stricter policy, the same
// queue of cards, the same sandbox.
func (d *delegator) open(ctx context.Context, j delegate.Job, t delegate.Task, g grant, at *place) (_ *child, err error) {
	profile, model := g.profile, g.model
	if profile.Model != "" {
		if model, err = g.plan.modelNamed(ctx, profile.Model); err != nil {
			return nil, err
		}
	}
	p := *g.plan
	p.profile = profile
	s := &session{
		plan: &p, profile: profile, chosen: model, model: model.info.ID, small: d.root.small, sandbox: d.session.sandbox, db: d.root.db,
		readOnly: profile.ReadOnly || g.readOnly, memory: d.root.memory, work: d.delegates, allowed: d.root.allowed, delegated: true, brought: g.brought,
	}
	c := &child{session: s, prompt: t.Prompt, parent: d.session.id, call: t.Call}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	journal, past, err := d.childJournal(j, t, &p, model.info.ID)
	if err != nil {
		return nil, err
	}
	s.id, s.journal = journal.ID(), journal
	s.closers = append(s.closers, journal.Close)
	s.box, err = buildTools(&p, s, d.root.rg, keeping{
		work: journal, memory: memory.Config{Store: s.memory, Show: agent.Escape},
		agents: &delegator{delegates: d.delegates, session: s, root: d.root, depth: d.depth + 1, place: at},
	})
	if err != nil {
		return nil, err
	}
	if s.own, err = rulesOf(ctx, profile.Rules, s.box.tools); err != nil {
		return nil, err
	}
	s.rules, s.usual = slices.Concat(g.rules, only(s.own)), s.switches
	s.switchAgents(d.depth + 1)
	s.offered, _ = builtin.Select(s.box.tools, s.switches, g.names)
	if err := s.narrow(d.session.gate.Narrow(approval.Narrowing{Rules: g.own})); err != nil {
		return nil, err
	}
	p.profile.Tools = builtin.Names(s.offered) // what it is told about
	system, err := p.system(s, model.info)
	if err != nil {
		return nil, err
	}
	conf, err := s.conversation(ctx, system, past, nil)
	if err != nil {
		return nil, err
	}
	conf.Effort, conf.MaxSteps, conf.Purpose = cmp.Or(t.Effort, profile.Reasoning), cmp.Or(profile.Steps, agentSteps), "subagent"
	conf.Held, conf.Follow = d.root.held, follow(d.root.after, &s.box, s.files)
	if d.root.hooks != nil {
		conf.Hooks = workerHooks{d.root.hooks}
	}
	s.Session = loop.New(conf)
	return c, nil
}

// narrow makes the gate of an agent: that of who delegates, and no wider.
func (s *session) narrow(gate *approval.Gate) error {
	by := approval.Narrowing{Agent: s.profile.Name, Rules: s.own}
	if s.profile.Policy != "" {
		policy, err := approval.ParsePolicy(s.profile.Policy)
		if err != nil {
			return err
		}
		by.Policy = &policy
	}
	if s.classifies() {
		by.Classifier = s.judge
	}
	s.gate = gate.Narrow(by)
	return nil
}

// only returns the rules that an agent may add: those that do not allow.
func only(rules approval.Rules) approval.Rules {
	return slices.DeleteFunc(slices.Clone(rules), func(r approval.Rule) bool { return r.Action == approval.RuleAllow })
}

// work carries the task out and completes the report.
func (c *child) work(ctx context.Context, r delegate.Report, say func(tools.Progress)) delegate.Report {
	ctx, cancel := context.WithTimeoutCause(ctx, agentTime, errAgentTime)
	defer cancel()
	w := watcher{report: &r, work: c.session.work, say: say, about: map[string]string{}}
	r.Status, r.Why = delegate.Completed, ""
	err := c.Session.Prompt(ctx, c.prompt, c.plan.watch.Turn(watch.Session{ID: c.id, Agent: c.profile.Name, Model: c.model, Parent: c.parent, Call: c.call}, w.event))
	switch {
	case errors.Is(err, context.Canceled):
		r.Status, r.Why = delegate.Cancelled, "it was stopped"
	case err != nil:
		r.Status, r.Why = delegate.Failed, hint(err).Error()
	}
	r.Text = w.text
	r.Stopped = c.commands()
	list, derr := c.journal.Uncertain()
	for _, u := range list {
		id := u.Call.ID
		if !strings.Contains(id, "/") {
			id = c.id + "/" + id
		}
		r.Doubts = append(r.Doubts, id)
	}
	if err := errors.Join(derr, c.Close()); err != nil {
		r.Why = strings.TrimPrefix(r.Why+"; "+err.Error(), "; ")
	}
	return r
}

// A watcher folds the events of an agent into its report.
type watcher struct {
	report *delegate.Report
	work   *delegates
	say    func(tools.Progress)
	step   strings.Builder
	text   string            // of the last step
	about  map[string]string // what the calls in flight are about, by ID
}

func (w *watcher) event(e loop.Event) {
	r := w.report
	switch e := e.(type) {
	case loop.Delta:
		w.step.WriteString(e.Text)
		w.text = w.step.String()
	case loop.Stepped:
		w.step.Reset()
		if e.Calls > 0 {
			w.text = ""
		}
	case loop.Noticed:
		if e.Retry {
			w.step.Reset()
			w.text = ""
		}
	case loop.Asked:
		w.tell("waits for you: " + e.Call.Tool + " " + e.Request.Proposal.Summary)
	case loop.Proposed:
		w.about[e.Call.ID] = e.Proposal.Summary
	case loop.Started:
		w.tell(e.Call.Tool + " " + w.about[e.Call.ID])
	case loop.Settled:
		r.Calls = append(r.Calls, e.Record)
		if d := e.Record.Decision; e.Record.Outcome.Kind == tools.Blocked && d.By == tools.ByNobody {
			w.work.deny()
		}
		delete(w.about, e.Record.Call.ID)
		w.tell(e.Record.Call.Tool + " " + e.Record.Summary)
	case loop.Used:
		if e.Purpose != "classifier" {
			u := e.Usage
			r.Tokens += u.Input + u.CacheRead + u.CacheWrite + u.Output
		}
		r.Cost += e.Cost
		w.work.spend(e)
	}
}

// tell says what the agent does, and what it has used.
func (w *watcher) tell(action string) {
	calls := count(len(w.report.Calls), "call", "calls")
	w.say(tools.Progress{Text: fmt.Sprintf("%s ▸ %s · %s · %d tokens", w.report.Agent, tools.CleanLine(tools.Clip(action, 80)), calls, w.report.Tokens)})
}
