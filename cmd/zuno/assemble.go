package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/mcp"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/skill"
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
	branch  string
	notices []string
	// briefing is what a person who comes back to the session is shown.
	briefing []string
	judge    *judgeOf // nil when no model classifies
	procs    *shell.Processes
	sandbox  *sandbox
	mcp      *mcp.Client // nil when there are no servers
	allowed  *store.Allowlist
	journal  *store.Session
	db       *store.Store
	told     bool // the person knows what ends with it
	files    *file.Tools
	trust    *store.Trust
	memory   *store.Memory
	rules    approval.Rules
	// switches are the tools that are switched on or off.
	switches map[string]bool
	skills   []skill.Skill
	prompts  []skill.Command // that are sent by a name
	closers  []func() error
}

// Prompt runs one turn on text, or on what the command in it stands for. A verdict of the classifier does not outlive its turn.
func (s *session) Prompt(ctx context.Context, text string, emit func(loop.Event)) error {
	if s.judge != nil {
		s.judge.c.Reset()
	}
	return s.Session.Prompt(ctx, s.expand(text), emit)
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
	s.model = model.info.ID
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
	offered, unknown := builtin.Select(all.tools, s.switches, withoutMCP(p.profile.Tools))
	if unknown != "" {
		return nil, configErrorf("agent %q lists the tool %q, which this version does not have", p.profile.Name, unknown)
	}
	var hooked *hooks
	if given == nil { // the tour is only itself
		if hooked, err = newHooks(p, record.session.ID()); err != nil {
			return nil, err
		}
	}
	if hooked != nil {
		asker = hookedAsker{asker, hooked, attended}
	}
	gate := approval.Config{Policy: p.policy, Rules: append(followRules(), rules...), Asker: asker, Commands: commandList{record.allowed}, Attended: attended}
	if small.Model != nil {
		s.judge = newJudge(small, func(u llm.Usage, took time.Duration) error {
			return s.Spend("classifier", small.info.ID, u, small.info.Price, took)
		})
		gate.Classifier = s.judge
	}
	s.gate = approval.New(gate)
	for _, name := range p.flags.allowTools {
		if isMCP(name) { // which there are is known later
			s.gate.AllowTool(name)
			continue
		}
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
	system, err := p.system(s, model.info)
	if err != nil {
		return nil, err
	}
	if err := s.journal.Located(strings.TrimPrefix(s.branch, "branch ")); err != nil {
		return nil, err
	}
	compact, err := compacting(ctx, p, s, record.session, all.tools, given)
	if err != nil {
		return nil, err
	}
	more := func(context.Context) []tools.Tool { return s.finding(all.tools) }
	if given == nil { // the tour is only itself
		if servers := s.servers(p, record.allowed, attended, os.Stderr); servers != nil {
			more = func(ctx context.Context) []tools.Tool { return append(servers(ctx), s.finding(all.tools)...) }
		}
	}
	conf := loop.Config{
		Model: model.Model, Info: model.info, System: system, ID: s.id,
		Tools: offered, Gate: s.gate, Journal: record.session, Resolve: builtin.Resolve,
		More: more, Held: s.held, Along: s.skillPrompt,
		Operator: all.operator, Report: all.report, Follow: follow(after, &all, s.files),
		ToolCalls: p.config.Concurrency.ToolCalls, MaxSteps: p.flags.maxSteps,
		Output:     tools.TextLimit{MaxBytes: p.config.ToolOutput.MaxBytes, MaxLines: p.config.ToolOutput.MaxLines},
		Compaction: compact,
		History:    past.Messages, Records: past.Records, Notice: past.Notice, View: loop.View(past.View),
	}
	if hooked != nil {
		conf.Hooks = hooked
		hooked.attach(ctx, s, len(past.Messages) > 0)
	}
	s.Session = loop.New(conf)
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
func (p *plan) system(s *session, info llm.Info) (string, error) {
	facts := agent.Gather(p.root, p.dir, p.lookup().Shell(), time.Now())
	var notices []string
	facts.Instructions, _, notices = agent.Instructions(p.root, p.dir, p.paths.Config, agent.MaxInstructions)
	s.branch, s.notices = facts.Git, append(s.notices, notices...)
	s.tellSkills(&facts, info)
	var err error
	if p.remembers() {
		facts.Memories, err = memories(s.memory)
	}
	return agent.System(p.profile, facts), err
}
