package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/delegate"
)

// A delegator is one session's way to have agents work: the port of the tools
// that delegate.
type delegator struct {
	*delegates
	session *session // that delegates
	root    *session // that the person talks to
	depth   int      // of the session: 0 is the root
	place   *place   // that the session's agent holds; nil for the root
}

// Agents returns those that the session's agent may delegate to.
func (d *delegator) Agents() []delegate.Agent {
	var list []delegate.Agent
	if d.depth >= d.root.plan.config.Depth {
		return nil
	}
	for _, p := range agent.All(d.root.plan.config) {
		if d.session.profile.MayDelegateTo(p) {
			list = append(list, delegate.Agent{Name: p.Name, Description: p.Description, ReadOnly: p.ReadOnly || d.session.readOnly})
		}
	}
	return list
}

// Check refuses a task that cannot be begun.
func (d *delegator) Check(t delegate.Task, background bool) error {
	jobs, err := d.session.journal.Jobs()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(jobs, func(j delegate.Job) bool { return j.Child == t.Resume && j.Agent == t.Agent })
	switch {
	case d.depth >= d.root.plan.config.Depth:
		return tools.Refuse(tools.Unavailable, "agents may delegate no deeper (subagent_depth is %d): do it yourself", d.root.plan.config.Depth)
	case len(jobs) >= maxJobs:
		return tools.Refuse(tools.Unavailable, "this session has delegated %d times, which is the most: do it yourself", maxJobs)
	case background && d.depth > 0:
		return tools.Refuse(tools.Unavailable, "an agent that was delegated to leaves no work in the background: leave background out")
	case t.Resume != "" && at < 0:
		return tools.Refuse(tools.InvalidArguments, "task_id: this session has no task of %s with the session %q", t.Agent, tools.CleanLine(tools.Clip(t.Resume, 64)))
	case t.Resume != "" && d.find(func(j delegate.Job) bool { return j.Child == t.Resume }) != nil:
		return tools.Refuse(tools.InvalidArguments, "task_id: the agent is still at work on it; see job")
	}
	if d.claimed(d.claimOf(t)) {
		return twice()
	}
	_, err = d.grant(t)
	return err
}

// twice refuses what is being worked on already.
func twice() error {
	return tools.Refuse(tools.Stale, "the agent works on exactly this already; nothing was begun. See job")
}

func (d *delegator) claimOf(t delegate.Task) claim { return claim{d.session.id, t.Agent, t.Prompt} }

// A grant is what an agent is given by the session that delegates, as it was
// when it did.
type grant struct {
	plan     *plan
	profile  agent.Profile
	names    []string // of its tools
	model    chosen
	rules    approval.Rules // in force
	own      approval.Rules // of the agent that delegates
	readOnly bool
	brought  func(context.Context) []tools.Tool // tools of servers; nil for none
}

// grant returns what the agent of a task would have. Its tools are those that it
// lists and that the session's agent has. It is called within a turn.
func (d *delegator) grant(t delegate.Task) (grant, error) {
	s := d.session
	g := grant{plan: d.root.plan, model: s.using(), rules: s.rules, own: s.own, readOnly: s.readOnly, names: []string{}}
	profile, err := agent.Find(d.root.plan.config, t.Agent)
	if err != nil {
		return g, tools.Refuse(tools.InvalidArguments, "%v", err)
	}
	g.profile = profile
	if t.Bare {
		return g, nil
	}
	g.brought = narrowed(s.brought, s.profile.Tools, profile.Tools)
	for _, name := range d.session.names() {
		if (profile.Tools == nil || slices.Contains(profile.Tools, name)) && !slices.Contains(neverDelegated(), name) {
			g.names = append(g.names, name)
		}
	}
	if len(g.names) == 0 && len(profile.Tools) != 0 && (g.brought == nil || !slices.ContainsFunc(profile.Tools, isMCP)) {
		return g, tools.Refuse(tools.Unavailable, "the agent %s would have no tools here: it may have those only that you have too", t.Agent)
	}
	return g, nil
}

// narrowed returns those of the tools of servers that are on every list; a nil
// list has all.
func narrowed(brought func(context.Context) []tools.Tool, lists ...[]string) func(context.Context) []tools.Tool {
	if brought == nil {
		return nil
	}
	return func(ctx context.Context) []tools.Tool {
		return slices.DeleteFunc(brought(ctx), func(t tools.Tool) bool {
			return slices.ContainsFunc(lists, func(l []string) bool { return l != nil && !slices.Contains(l, t.Spec().Name) })
		})
	}
}

// neverDelegated are the tools that only a session has in which a person types
// the prompts.
func neverDelegated() []string { return []string{"memory_propose", "manage_memory"} }

// Run carries a task out in the foreground.
func (d *delegator) Run(ctx context.Context, t delegate.Task, say func(tools.Progress)) delegate.Report {
	defer d.place.lend()()
	g, j, err := d.record(t, false)
	if err != nil {
		return delegate.Report{Agent: t.Agent, Status: delegate.Failed, Refused: err}
	}
	defer d.release(d.claimOf(t))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.wait.Add(1)
	defer d.wait.Done()
	defer d.began(j, cancel)()
	return d.carryOut(ctx, j, t, g, say)
}

// Launch begins a task in the background. It outlives its turn.
func (d *delegator) Launch(t delegate.Task) (delegate.Job, error) {
	g, j, err := d.record(t, true)
	if err != nil {
		return j, err
	}
	d.background(j, t, func(ctx context.Context) { d.carryOut(ctx, j, t, g, d.heard(j.ID)) })
	return j, nil
}

// Convene begins work of several agents in the background. Each of them has a job
// of its own; this one is that of all.
func (d *delegator) Convene(t delegate.Task, hold func(context.Context, func(tools.Progress)) delegate.Report) (delegate.Job, error) {
	if !d.claim(d.claimOf(t)) {
		return delegate.Job{}, twice()
	}
	j, err := d.session.journal.NewJob(delegate.Job{
		Call: t.Call, Agent: t.Agent, Title: t.Title, Prompt: t.Prompt, Several: true, Background: true, Quiet: t.Quiet,
	})
	if err == nil {
		err = d.session.journal.BeginJob(j.ID)
	}
	if err != nil {
		d.release(d.claimOf(t))
		return j, err
	}
	d.background(j, t, func(ctx context.Context) {
		r := hold(ctx, d.heard(j.ID))
		r.Job = j.ID
		// One that cannot be recorded as ended is in doubt at the next start.
		_ = d.session.journal.EndJob(j.ID, r.Status, r.Render())
	})
	return j, nil
}

// background has work done that outlives its turn, as the job j of a task that
// is claimed.
func (d *delegator) background(j delegate.Job, t delegate.Task, work func(context.Context)) {
	ctx, cancel := context.WithCancel(d.base)
	ended := d.began(j, cancel)
	d.wait.Go(func() {
		defer cancel()
		defer ended()
		defer d.release(d.claimOf(t))
		work(ctx)
	})
}

// record claims a task and records it as a job. After an error nothing is to be
// done.
func (d *delegator) record(t delegate.Task, background bool) (g grant, j delegate.Job, err error) {
	if g, err = d.grant(t); err != nil {
		return g, j, err
	}
	if !d.claim(d.claimOf(t)) {
		return g, j, twice()
	}
	j, err = d.session.journal.NewJob(delegate.Job{
		Call: t.Call, Child: t.Resume, Agent: t.Agent, Title: t.Title, Prompt: t.Prompt, Background: background, Quiet: t.Quiet,
	})
	if err != nil {
		d.release(d.claimOf(t))
	}
	return g, j, err
}

// carryOut runs the agent of a recorded job and records how it ended.
func (d *delegator) carryOut(ctx context.Context, j delegate.Job, t delegate.Task, g grant, say func(tools.Progress)) (r delegate.Report) {
	r = delegate.Report{Job: j.ID, Session: j.Child, Agent: j.Agent, Status: delegate.Cancelled, Why: "it was stopped before the agent began; nothing was done"}
	defer func() {
		// A job that cannot be recorded as ended is in doubt at the next start.
		if err := d.session.journal.EndJob(j.ID, r.Status, r.Render()); err != nil {
			r.Why = cmp.Or(r.Why, "its end could not be recorded: "+err.Error())
		}
	}()
	say(tools.Progress{Text: "waits for a free place"})
	place, err := d.take(ctx)
	if err != nil {
		return r
	}
	say(tools.Progress{Text: "at work"})
	defer place.leave()
	if err := d.session.journal.BeginJob(j.ID); err != nil {
		r.Status, r.Why = delegate.Failed, err.Error()+"; nothing was done"
		return r
	}
	c, err := d.open(ctx, j, t, g, place)
	if err != nil {
		r.Status, r.Why = delegate.Failed, hint(err).Error()+"; nothing was done"
		return r
	}
	return c.work(ctx, r, say)
}

// Jobs returns what the session delegated.
func (d *delegator) Jobs() ([]delegate.Job, error) { return d.session.journal.Jobs() }

// Receipts returns the calls of a job so far.
func (d *delegator) Receipts(j delegate.Job) ([]tools.Record, error) {
	if !j.Several {
		return d.root.db.ReceiptsOf(j.Child)
	}
	jobs, err := d.Jobs()
	var all []tools.Record
	for _, k := range jobs {
		if k.Call == j.Call && !k.Several && err == nil {
			var list []tools.Record
			list, err = d.root.db.ReceiptsOf(k.Child)
			all = append(all, list...)
		}
	}
	return all, err
}

// Cancel tells a job to stop.
func (d *delegator) Cancel(id string) {
	if w := d.find(func(j delegate.Job) bool { return j.ID == id }); w != nil {
		w.cancel()
	}
}

// childJournal opens the record of the agent's session.
func (d *delegator) childJournal(j delegate.Job, t delegate.Task, p *plan, model string) (*store.Session, store.Past, error) {
	if t.Resume == "" {
		s, err := d.root.db.NewSession(store.Meta{
			ID: j.Child, Parent: d.session.id, Dir: p.dir, Repo: p.root, Model: model, Agent: j.Agent, Title: j.Title,
		})
		return s, store.Past{}, err
	}
	s, err := d.root.db.OpenSession(j.Child)
	if err != nil {
		return nil, store.Past{}, err
	}
	past, err := s.Load()
	if err != nil {
		err = errors.Join(err, s.Close())
	}
	return s, past, err
}
