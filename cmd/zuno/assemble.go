package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/file"
	"github.com/zuno-dev/zuno/internal/tools/memory"
)

// A session is everything that one conversation holds open.
type session struct {
	*loop.Session
	gate    *approval.Gate
	id      string
	model   string
	chosen  chosen // the model it began with
	branch  string
	notices []string
	judge   *judgeOf // nil when no model classifies
	procs   *shell.Processes
	sandbox *sandbox
	allowed *store.Allowlist
	journal *store.Session
	files   *file.Tools
	trust   *store.Trust
	memory  *store.Memory
	rules   approval.Rules
	// switches are the tools that are switched on or off.
	switches map[string]bool
	offered  []tools.Tool // those that the model has
	closers  []func() error
}

// Prompt runs one turn. A verdict of the classifier does not outlive its turn.
func (s *session) Prompt(ctx context.Context, text string, emit func(loop.Event)) error {
	if s.judge != nil {
		s.judge.c.Reset()
	}
	return s.Session.Prompt(ctx, text, emit)
}

// running says, a line each, which commands still run in the background. They
// end with the session.
func (s *session) running() []string {
	var lines []string
	for _, j := range s.procs.Running() {
		lines = append(lines, fmt.Sprintf("%s (%s): %s", j.ID(), j.Status(), tools.CleanLine(j.Line())))
	}
	return lines
}

// Close gives everything back, last opened first.
func (s *session) Close() error {
	var errs error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = errors.Join(errs, s.closers[i]())
	}
	s.closers = nil
	return errs
}

// open builds the session of p: the model, the tools, the record, the gate and
// the loop over them. A given model stands in for the configured one.
func open(ctx context.Context, p *plan, asker approval.Asker, attended bool, given *chosen) (_ *session, err error) {
	s := &session{notices: p.notices}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	rg := findRipgrep(ctx, p) // looks while the rest is set up
	model, small, err := models(ctx, p, given)
	if err != nil {
		return nil, err
	}
	s.model, s.chosen = model.info.ID, model
	record, past, err := openRecord(p, s)
	if err != nil {
		return nil, err
	}
	after, err := followers(p.config)
	if err != nil {
		return nil, err
	}
	all, err := buildTools(p, s, rg, keeping{record.session, memory.Config{Store: record.memory, Show: agent.Escape, Attended: attended}})
	if err != nil {
		return nil, err
	}
	rules, err := permissionRules(ctx, p.config, all.tools)
	if err != nil {
		return nil, err
	}
	s.rules = rules
	offered, unknown := builtin.Select(all.tools, s.switches, p.profile.Tools)
	if unknown != "" {
		return nil, configErrorf("agent %q lists the tool %q, which this version does not have", p.profile.Name, unknown)
	}
	s.offered = offered
	gate := approval.Config{Policy: p.policy, Rules: append(followRules(), rules...), Asker: asker, Commands: commandList{record.allowed}, Attended: attended}
	if small.Model != nil {
		s.judge = newJudge(small, func(u llm.Usage, took time.Duration) error {
			return s.Spend("classifier", small.info.ID, u, small.info.Price, took)
		})
		gate.Classifier = s.judge
	}
	s.gate = approval.New(gate)
	for _, name := range p.flags.allowTools {
		if name, _ = builtin.Resolve(name, json.RawMessage("{}")); !slices.Contains(builtin.Names(all.tools), name) {
			return nil, usageErrorf("--allow-tool %s: there is no such tool", name)
		}
		s.gate.AllowTool(name)
	}
	if err := rg.wait(); err != nil {
		return nil, &codedError{exitConfig, err}
	}
	s.notices = append(s.notices, strays(p.root)...)
	s.id = record.session.ID()
	s.allowed, s.trust, s.memory = record.allowed, record.trust, record.memory
	system, err := p.system(s)
	if err != nil {
		return nil, err
	}
	s.Session = loop.New(loop.Config{
		Model: model.Model, Info: model.info, System: system, ID: s.id,
		Tools: offered, Gate: s.gate, Journal: record.session, Resolve: builtin.Resolve,
		More: func(context.Context) []tools.Tool { return s.finding(all.tools) }, Held: s.held,
		Operator: all.operator, Report: all.report, Follow: follow(after, &all, s.files),
		ToolCalls: p.config.Concurrency.ToolCalls, MaxSteps: p.flags.maxSteps,
		Output:  tools.TextLimit{MaxBytes: p.config.ToolOutput.MaxBytes, MaxLines: p.config.ToolOutput.MaxLines},
		History: past.Messages, Records: past.Records, Notice: past.Notice,
	})
	return s, nil
}

// models returns the model of the conversation and the one that classifies.
func models(ctx context.Context, p *plan, given *chosen) (model, small chosen, err error) {
	if given != nil {
		return *given, chosen{}, nil
	}
	name := cmp.Or(p.flags.model, p.profile.Model, p.config.Model)
	if model, err = choose(ctx, p.config, os.Getenv, name); err != nil {
		return model, small, err
	}
	if p.config.SmallModel == "" {
		return model, model, nil
	}
	small, err = choose(ctx, p.config, os.Getenv, p.config.SmallModel)
	return model, small, err
}

// system composes the system prompt, and notes the branch for the screen.
func (p *plan) system(s *session) (string, error) {
	facts := agent.Gather(p.root, p.dir, p.lookup().Shell(), time.Now())
	var notices []string
	facts.Instructions, _, notices = agent.Instructions(p.root, p.dir, p.paths.Config, agent.MaxInstructions)
	s.branch, s.notices = facts.Git, append(s.notices, notices...)
	var err error
	if p.remembers() {
		facts.Memories, err = memories(s.memory)
	}
	return agent.System(p.profile, facts), err
}
