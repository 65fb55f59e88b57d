package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/delegate"
)

// names are the tools that the session's agent has.
func (s *session) names() []string { return builtin.Names(s.offered) }

// forbids is what the loop asks before the gate is.
func (s *session) forbids() func(*tools.Proposal) string {
	if !s.readOnly {
		return nil
	}
	return readOnly
}

// switchAgents switches the tools off that have nobody to delegate to.
func (s *session) switchAgents(depth int) {
	s.switches = maps.Clone(s.usual)
	d := &delegator{session: s, root: s, depth: depth}
	agents := d.Agents()
	if len(agents) == 0 {
		for _, name := range []string{"task", "job", "job_cancel"} {
			s.switches[name] = false
		}
	}
	// The council needs somebody to sit in it.
	if !slices.ContainsFunc(agents, func(a delegate.Agent) bool { return a.Name == "explore" }) {
		s.switches["council_run"] = false
	}
}

// Untold returns the reports of which the model was not told.
func (s *session) Untold() ([]loop.BackgroundReport, error) {
	jobs, err := s.journal.UntoldJobs()
	var list []loop.BackgroundReport
	for _, j := range jobs {
		list = append(list, loop.BackgroundReport{
			ID: j.ID, Line: j.Line(),
			Text: "<background_job>\n" + escapeTags(j.Line()) + "\nThis came by itself; nobody typed it.\n</background_job>\n" + j.Report,
		})
	}
	return list, err
}

// Tell says which reports the next message tells of.
func (s *session) Tell(jobs ...string) { s.journal.Tell(jobs...) }

// become makes another agent of the session: at once, or with the next prompt
// while a turn runs.
func (s *session) become(ctx context.Context, name string) error {
	profile, err := agent.Find(s.plan.config, name)
	if err != nil {
		return err
	}
	if !profile.Starts() {
		return fmt.Errorf("%s is an agent that other agents start", profile.Name)
	}
	var model chosen
	named := profile.Model != "" && s.plan.flags.model == ""
	if named {
		if model, err = s.plan.modelNamed(ctx, profile.Model); err != nil {
			return err
		}
	}
	rules, err := permissionRules(ctx, s.plan.config, s.box.tools)
	if err != nil {
		return err
	}
	own, err := rulesOf(ctx, profile.Rules, s.box.tools)
	if err != nil {
		return err
	}
	_, unknown := builtin.Select(s.box.tools, s.switches, withoutMCP(profile.Tools))
	if unknown != "" {
		return fmt.Errorf("agent %q lists the tool %q, which this version does not have", profile.Name, unknown)
	}
	change := func() error {
		if !named {
			model = s.first
		}
		return s.change(profile, model, append(rules, own...), own)
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.turning {
		s.next = change
		return nil
	}
	return change()
}

// change makes the agent that become has found; no turn is running.
func (s *session) change(profile agent.Profile, model chosen, rules, own approval.Rules) error {
	was := s.profile
	p := *s.plan
	p.profile = profile
	s.effort = cmp.Or(profile.Reasoning, s.firstEffort)
	s.profile, s.readOnly, s.chosen, s.rules, s.own, s.plan = profile, profile.ReadOnly, model, rules, own, &p
	s.switchAgents(0)
	// Who may be delegated to depends on the agent.
	all := slices.Clone(s.box.tools)
	for _, t := range delegate.New(s.agents) {
		for i := range all {
			if all[i].Spec().Name == t.Spec().Name {
				all[i] = t
			}
		}
	}
	s.offered, _ = builtin.Select(all, s.switches, withoutMCP(profile.Tools))
	system, err := p.system(s, model.info)
	if err != nil {
		return err
	}
	s.gate.SetRules(append(followRules(), rules...))
	if policy, err := s.policyOf(was, profile); err == nil {
		s.gate.SetPolicy(policy)
	}
	s.model = model.info.ID
	s.Become(loop.Role{
		Model: model.Model, Info: model.info, System: system, Effort: s.effort, Tools: s.offered,
		More: s.finds(all), Forbids: s.forbids(), MaxSteps: cmp.Or(s.plan.flags.maxSteps, profile.Steps),
	})
	return nil
}

// policyOf is the policy of the agent profile: its own, else the session's where
// the one in force was that of the agent before.
func (s *session) policyOf(was, profile agent.Profile) (approval.Policy, error) {
	now := s.gate.Policy()
	switch {
	case s.plan.flags.policy != "": // what the person said at the start stays
		return now, nil
	case profile.Policy != "":
		return approval.ParsePolicy(profile.Policy)
	case was.Policy == now.String():
		return approval.ParsePolicy(s.plan.config.Policy)
	}
	return now, nil
}

// active names the agent and the model of the next prompt.
func (s *session) active() (name, model string) {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.profile.Name, s.model
}

// agentLines carries out /agents: it lists the agents and the jobs, switches to
// another agent, or stops a job.
func agentLines(ctx context.Context, s *session, arg string) ([]string, error) {
	verb, rest, _ := strings.Cut(arg, " ")
	switch {
	case arg == "":
		return listedAgents(s)
	case verb == "stop" && strings.TrimSpace(rest) != "":
		w := s.work.find(func(j delegate.Job) bool { return j.ID == strings.TrimSpace(rest) })
		if w == nil {
			return nil, fmt.Errorf("there is no job %q at work; /agents lists them", rest)
		}
		w.cancel()
		return []string{"told to stop: " + w.job.Line()}, nil
	}
	if err := s.become(ctx, arg); err != nil {
		return nil, err
	}
	return []string{"agent: " + arg + ", from the next prompt on"}, nil
}

func listedAgents(s *session) ([]string, error) {
	var lines []string
	s.turn.Lock()
	active, config := s.profile.Name, s.plan.config
	s.turn.Unlock()
	for _, p := range agent.All(config) {
		if p.Hidden {
			continue
		}
		who := map[string]string{"primary": "you start it", "subagent": "agents start it", "all": "you or agents start it"}[p.Mode]
		line := p.Name + " (" + who
		if p.ReadOnly {
			line += ", read-only"
		}
		if p.Policy != "" {
			line += ", policy " + p.Policy
		}
		if p.Name == active {
			line += ", active"
		}
		lines = append(lines, line+"): "+p.Description)
	}
	jobs, err := s.journal.Jobs()
	for _, j := range jobs {
		lines = append(lines, j.Line())
	}
	return append(lines, "/agents NAME switches to an agent; /agents stop JOB stops a job"), err
}
