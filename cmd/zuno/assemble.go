package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/mcp"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/skill"
	"github.com/zuno-dev/zuno/internal/spelling"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/file"
	"github.com/zuno-dev/zuno/internal/tools/memory"
	"github.com/zuno-dev/zuno/internal/tools/remind"
)

// A session is everything that one conversation holds open.
type session struct {
	*loop.Session
	gate    *approval.Gate
	id      string
	model   string
	inbox   *inbox // nil when nobody writes while a turn runs
	rg      *ripgrep
	branch  string
	notices []string
	// briefing is what a person who comes back to the session is shown.
	briefing []string
	judge    *judgeOf // nil when no model classifies
	procs    *shell.Processes
	sandbox  *sandbox
	mcp      *mcp.Client        // nil when there are no servers
	wants    map[string]string  // servers that the person knows to want a login
	copy     func(string) error // to the person's clipboard; nil when there is none
	allowed  *store.Allowlist
	journal  *store.Session
	db       *store.Store
	told     bool // the person knows what ends with it
	files    *file.Tools
	bill     loop.Bill
	// reminders of the person; nil in the tour.
	reminders *store.Reminders
	skills    []skill.Skill
	prompts   []skill.Command // that are sent by a name
	trust     *store.Trust
	memory    *store.Memory
	rules     approval.Rules
	// switches are the tools that are switched on or off, and usual what they are
	// whoever the agent is.
	switches, usual map[string]bool
	closers         []func() error

	plan          *plan
	box           toolbox
	after         []follower
	chosen, small chosen         // models
	first         chosen         // of agents that name none
	effort        string         // that the model is asked for, "" for its own
	firstEffort   string         // of agents that name none
	profile       agent.Profile  // of the agent
	own           approval.Rules // that agent's
	readOnly      bool           // it changes nothing
	delegated     bool           // another agent gave the task
	offered       []tools.Tool   // what it has
	// brought returns the tools of servers that it has; nil where there are none.
	brought func(context.Context) []tools.Tool
	// await waits, the first time only, for servers that were never tried, where
	// nobody is there to write a second prompt.
	await  func(context.Context)
	absent []string // servers that the model knows not to be there
	work   *delegates
	agents *delegator
	hooks  *hooks // nil when there are none

	// goesOnWith is the session that was there already, by its ID or the beginning
	// of one; "" for none.
	goesOnWith string
	indexing   sync.WaitGroup // what makes the last turn searchable

	turn    sync.Mutex // guards turning, next, and the model and effort
	turning bool
	next    func() error // done before the next turn; nil for nothing
}

// Prompt runs one turn on text, or on what the command in it stands for. A verdict of the classifier does not outlive its turn.
func (s *session) Prompt(ctx context.Context, text string, emit func(loop.Event)) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if s.judge != nil {
		s.judge.c.Reset()
	}
	defer s.release()
	for _, line := range append(s.due(), s.wanting()...) {
		emit(loop.Noticed{Text: line})
	}
	return s.Session.Prompt(ctx, s.expand(text), s.lookedOn(s.work.telling(emit)))
}

// Shell runs a command that the person typed.
func (s *session) Shell(ctx context.Context, command string, emit func(loop.Event)) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	defer s.release()
	return s.Session.Shell(ctx, command, s.lookedOn(s.work.telling(emit)))
}

// begin does what was put off until the next turn.
func (s *session) begin() error {
	s.turn.Lock()
	defer s.turn.Unlock()
	next := s.next
	s.next = nil
	if next != nil {
		if err := next(); err != nil {
			return err
		}
	}
	s.turning = true
	return nil
}

func (s *session) end() {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.turning = false
	if s.inbox != nil { // somebody may search; alone, whoever searches next does it
		s.indexing.Go(func() { _ = s.db.Index() }) // a search says what is wrong
	}
}

func (s *session) release() {
	if s.inbox != nil {
		s.inbox.release()
	}
}

// running says, a line each, which commands and which agents still run in the
// background. They end with the session.
func (s *session) running() []string {
	lines := s.commands()
	if s.work != nil {
		lines = append(lines, s.work.background()...)
	}
	return lines
}

// commands are the commands among these.
func (s *session) commands() []string {
	var lines []string
	for _, j := range s.procs.Running() {
		lines = append(lines, fmt.Sprintf("%s (%s): %s", j.ID(), j.Status(), tools.CleanLine(j.Line())))
	}
	return lines
}

// Close gives everything back, last opened first.
func (s *session) Close() error {
	s.indexing.Wait()
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
	s := &session{notices: p.notices, plan: p, profile: p.profile, readOnly: p.profile.ReadOnly, work: newDelegates(p.config.Concurrency.Delegations)}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if c, can := asker.(interface{ Copy(string) error }); can {
		s.copy = c.Copy
	}
	s.rg = findRipgrep(ctx, p) // looks while the rest is set up
	of, err := s.pick(ctx, p, given)
	if err != nil {
		return nil, err
	}
	s.use(of)
	if s.sandbox, err = newSandbox(p); err != nil {
		return nil, err
	}
	record, err := openRecord(p, s)
	if err != nil {
		return nil, err
	}
	s.id, s.allowed, s.trust, s.memory = record.session.ID(), record.allowed, record.trust, record.memory
	tour := given != nil // which is only itself
	if !tour {
		if err := s.keep(of); err != nil {
			return nil, err
		}
	}
	left := lookForStrays(p.root) // beside the rest
	if err := s.furnish(ctx, record, attended); err != nil {
		return nil, err
	}
	if !tour {
		if s.hooks, err = newHooks(p, s.id, s.sandbox); err != nil {
			return nil, err
		}
	}
	if err := s.guard(record, asker, attended); err != nil {
		return nil, err
	}
	if err := s.rg.wait(); err != nil {
		return nil, &codedError{exitConfig, err}
	}
	s.notices = append(s.notices, <-left...)
	if !tour {
		s.reminders = record.reminders
		s.notices = append(s.notices, s.due()...)
	}
	system, err := p.system(s, s.chosen.info)
	if err != nil {
		return nil, err
	}
	past, err := record.past()
	if err != nil {
		return nil, err
	}
	if err := s.journal.Located(branchOf(s.branch)); err != nil {
		return nil, err
	}
	if !tour {
		s.brought = s.servers(p, s.allowed, attended, os.Stderr)
	}
	conf, err := s.conversation(ctx, system, past, given)
	if err != nil {
		return nil, err
	}
	conf.Effort, conf.MaxSteps = s.effort, cmp.Or(p.flags.maxSteps, p.profile.Steps)
	conf.Held, conf.Along, conf.Reports, conf.Bill = s.held, s.along, s, &s.bill
	conf.Operator, conf.Follow = s.box.operator, follow(s.after, &s.box, s.files)
	if s.hooks != nil {
		conf.Hooks = s.hooks
		s.hooks.attach(ctx, s, len(past.Messages) > 0)
	}
	if attended {
		s.inbox = &inbox{journal: record.session, expand: s.expand}
		conf.Inbox = s.inbox
		conf.Attach = func(ctx context.Context, text string) ([]llm.Part, []string) {
			return attach(ctx, s.files, p.readDiff, s.using().info, text)
		}
	}
	s.Session = loop.New(conf)
	return s, nil
}

// use takes what was picked.
func (s *session) use(of picked) {
	s.model, s.chosen, s.small, s.first = of.model.info.ID, of.model, of.small, of.model
	s.effort, s.firstEffort = cmp.Or(of.effort, s.profile.Reasoning), of.effort
	if of.notice != "" {
		s.notices = append(slices.Clone(s.notices), of.notice)
	}
}

// furnish makes the tools of a session, and the rules and switches over them.
func (s *session) furnish(ctx context.Context, r record, attended bool) (err error) {
	p := s.plan
	if s.after, err = followers(p.config); err != nil {
		return err
	}
	s.agents = &delegator{delegates: s.work, session: s, root: s}
	s.box, err = buildTools(p, s, s.rg, keeping{r.session, memory.Config{Store: r.memory, Show: agent.Escape, Attended: attended}, s.agents, remind.Config{Store: r.reminders}})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, s.work.Close)
	s.usual = s.switches
	s.switchAgents(0)
	if s.own, err = rulesOf(ctx, p.profile.Rules, s.box.tools); err != nil {
		return err
	}
	rules, err := permissionRules(ctx, p.config, s.box.tools)
	if err != nil {
		return err
	}
	s.rules = append(rules, s.own...)
	offered, unknown := builtin.Select(s.box.tools, s.switches, withoutMCP(p.profile.Tools))
	if unknown != "" {
		return configErrorf("agent %q lists the tool %q, which this version does not have", p.profile.Name, unknown)
	}
	s.offered = offered
	return nil
}

// guard makes the gate of a session, which the hooks and the classifier have
// their say in.
func (s *session) guard(r record, asker approval.Asker, attended bool) error {
	p := s.plan
	if s.hooks != nil {
		asker = hookedAsker{asker, s.hooks, attended}
	}
	gate := approval.Config{
		Policy: p.policy, Rules: append(followRules(), s.rules...), Asker: asker,
		Commands: commandList{r.allowed}, Keys: commandKeys{r.allowed, p.root}, Attended: attended,
	}
	if s.classifies() {
		gate.Classifier = s.judge
	}
	s.gate = approval.New(gate)
	for _, name := range p.flags.allowTools {
		if isMCP(name) { // which there are is known later
			s.gate.AllowTool(name)
			continue
		}
		if name, _ = builtin.Resolve(name, json.RawMessage("{}")); !slices.Contains(builtin.Names(s.box.tools), name) {
			return usageErrorf("--allow-tool %s: there is no such tool%s", name, spelling.Hint(name, builtin.Names(s.box.tools)))
		}
		s.gate.AllowTool(name)
	}
	return nil
}

// classifies makes the classifier, where there is a model for it.
func (s *session) classifies() bool {
	if s.small.Model == nil {
		return false
	}
	s.judge = newJudge(s.small, func(u llm.Usage, took time.Duration, err error) error {
		return s.Spend(loop.Cost{Purpose: "classifier", Model: s.small.info.ID, Usage: u, Price: s.small.info.Price, Took: took, Err: err})
	})
	return true
}

// conversation is what the loop of a session and that of an agent it delegates
// to have in common.
func (s *session) conversation(ctx context.Context, system string, past store.Past, given *chosen) (loop.Config, error) {
	p := s.plan
	compact, err := compacting(ctx, p, s, s.journal, s.box.tools, given)
	return loop.Config{
		Model: s.chosen.Model, Info: s.chosen.info, System: system, ID: s.id,
		Tools: s.offered, Gate: s.gate, Journal: p.flags.journal(s.journal), Resolve: builtin.Resolve,
		More: s.finds(s.box.tools), Forbids: s.forbids(), Report: s.box.report,
		ToolCalls:  p.config.Concurrency.ToolCalls,
		Output:     tools.TextLimit{MaxBytes: p.config.ToolOutput.MaxBytes, MaxLines: p.config.ToolOutput.MaxLines},
		Compaction: compact,
		History:    past.Messages, Records: past.Records, Notice: past.Notice, View: loop.View(past.View), Failed: past.Failed, Cut: past.Cut,
	}, err
}

// modelNamed returns the model of that name, with the key that is there for it.
func (p *plan) modelNamed(ctx context.Context, name string) (chosen, error) {
	keys, err := openKeyring()
	if err != nil {
		return chosen{}, &codedError{exitConfig, err}
	}
	return choose(ctx, p, keys, name)
}

// system composes the system prompt, and notes the branch for the screen.
func (p *plan) system(s *session, info llm.Info) (string, error) {
	facts := agent.Gather(p.root, p.dir, p.lookup().Shell(), time.Now())
	var notices []string
	facts.Instructions, _, notices = agent.Instructions(p.root, p.dir, p.paths.Config, agent.MaxInstructions)
	facts.Delegated = s.delegated
	s.branch, s.notices = facts.Git, append(s.notices, notices...)
	s.tellSkills(&facts, info)
	var err error
	if p.remembers() {
		facts.Memories, err = memories(s.memory)
	}
	return agent.System(p.profile, facts), err
}
