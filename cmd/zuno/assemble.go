package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/classifier"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/command"
	"github.com/zuno-dev/zuno/internal/tools/file"
)

// A plan is what the command line and the configuration say, checked: all that
// is known before anything is opened, started or asked.
type plan struct {
	flags   flags
	config  *config.Config
	paths   config.Paths
	notices []string
	profile agent.Profile
	policy  approval.Policy
	dir     string // working directory, absolute
	root    string // workspace
}

// newPlan reads the configuration and checks the flags against it.
func newPlan(f flags) (*plan, error) {
	dir, err := workingDir(f.cwd)
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // the configuration says what needs one
	}
	in := config.Input{Env: os.Getenv, Home: home, Dir: dir, Root: config.Root(dir), File: f.config}
	p := &plan{flags: f, dir: dir, root: in.Root}
	if p.paths, err = in.Paths(); err != nil {
		return nil, &codedError{exitConfig, err}
	}
	if home := os.Getenv("ZUNO_HOME"); home != "" {
		if info, err := os.Stat(filepath.Dir(p.paths.Config)); err == nil && !info.IsDir() {
			return nil, configErrorf("ZUNO_HOME is %s, which is not a directory", home)
		}
	}
	c, notices, err := config.Load(in)
	if err != nil {
		return nil, &codedError{exitConfig, err}
	}
	p.config = c
	for _, n := range notices {
		p.notices = append(p.notices, n.String())
	}
	if p.profile, err = agent.Find(c, f.agent); err != nil {
		return nil, &codedError{exitConfig, err}
	}
	for _, name := range []string{f.policy, p.profile.Policy, c.Policy} {
		if name != "" {
			if p.policy, err = approval.ParsePolicy(name); err != nil {
				return nil, &codedError{exitUsage, err}
			}
			return p, nil
		}
	}
	p.policy = approval.LowRisk
	return p, nil
}

// workingDir is the folder that zuno works in, without symbolic links.
func workingDir(cwd string) (string, error) {
	if cwd == "" {
		cwd = "."
	}
	abs, err := filepath.Abs(cwd)
	if err != nil {
		return "", usageErrorf("the working directory is gone: cd to one that exists, or name one with -C DIR")
	}
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		return "", usageErrorf("-C %s: %s", cwd, plainError(err))
	case !info.IsDir():
		return "", usageErrorf("-C %s: it is not a directory", cwd)
	}
	return filepath.EvalSymlinks(abs)
}

// plainError is an error of the file system without the path, which its
// message has already.
func plainError(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// A session is everything that one conversation holds open.
type session struct {
	*loop.Session
	gate    *approval.Gate
	id      string
	model   string
	branch  string
	notices []string
	// recovered is how many uncertain calls of an earlier run the next turn is
	// told of.
	recovered int
	judge     *judgeOf // nil when no model classifies
	procs     *shell.Processes
	sandbox   *sandbox
	allowed   *store.Allowlist
	closers   []func() error
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
	s.model = model.info.ID
	all, err := buildTools(p, s, rg)
	if err != nil {
		return nil, err
	}
	record, past, err := openRecord(p, s)
	if err != nil {
		return nil, err
	}
	rules, err := permissionRules(ctx, p.config, all.tools)
	if err != nil {
		return nil, err
	}
	offered, unknown := builtin.Select(all.tools, p.config.Tools, p.profile.Tools)
	if unknown != "" {
		return nil, configErrorf("agent %q lists the tool %q, which this version does not have", p.profile.Name, unknown)
	}
	gate := approval.Config{Policy: p.policy, Rules: rules, Asker: asker, Commands: commandList{record.allowed}, Attended: attended}
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
	s.recovered, s.allowed = record.recovered, record.allowed
	s.Session = loop.New(loop.Config{
		Model: model.Model, Info: model.info, System: p.system(s), ID: s.id,
		Tools: offered, Gate: s.gate, Journal: record.session, Resolve: builtin.Resolve,
		Operator: all.operator, Report: all.report,
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
	name := first(p.flags.model, p.profile.Model, p.config.Model)
	if model, err = choose(ctx, p.config, os.Getenv, name); err != nil {
		return model, small, err
	}
	if p.config.SmallModel == "" {
		return model, model, nil
	}
	small, err = choose(ctx, p.config, os.Getenv, p.config.SmallModel)
	return model, small, err
}

func first(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return ""
}

// A record is the store's side of a session.
type record struct {
	session   *store.Session
	allowed   *store.Allowlist
	recovered int
}

// openRecord opens the database and in it the session that the flags name, or
// a new one.
func openRecord(p *plan, s *session) (record, store.Past, error) {
	db, err := store.Open(filepath.Join(p.paths.Data, "zuno.db"), time.Now)
	if err != nil {
		return record{}, store.Past{}, &codedError{exitConfig, err}
	}
	s.closers = append(s.closers, db.Close)
	id := p.flags.session
	if p.flags.cont {
		latest, ok, err := db.Latest(p.dir)
		if err != nil {
			return record{}, store.Past{}, err
		}
		if !ok {
			return record{}, store.Past{}, usageErrorf("--continue: there is no earlier session in %s", p.dir)
		}
		id = latest
	}
	r := record{allowed: db.Allowlist(p.root)}
	if id == "" {
		r.session, err = db.NewSession(store.Meta{Dir: p.dir, Repo: p.root, Model: s.model, Agent: p.profile.Name})
	} else {
		r.session, err = db.OpenSession(id)
	}
	if err != nil {
		if errors.Is(err, store.ErrNoSession) {
			return record{}, store.Past{}, usageErrorf("--session %s: %w", id, err)
		}
		return record{}, store.Past{}, err
	}
	s.closers = append(s.closers, r.session.Close)
	r.allowed.Session = r.session.ID()
	if id == "" {
		return r, store.Past{}, nil
	}
	past, err := r.session.Load()
	if err != nil || past.Notice == "" {
		return r, past, err
	}
	uncertain, err := r.session.Uncertain()
	r.recovered = len(uncertain)
	return r, past, err
}

// A toolbox is the tools and the two halves of the operator's escape.
type toolbox struct {
	tools    []tools.Tool
	operator func(context.Context, tools.Call) (*tools.Proposal, error)
	report   func(*tools.Proposal, tools.Outcome) string
}

func buildTools(p *plan, s *session, rg *ripgrep) (toolbox, error) {
	ws, err := file.NewWorkspace(p.root, p.paths.Config, p.paths.Data, p.paths.State)
	if err != nil {
		return toolbox{}, fmt.Errorf("open the workspace %s: %w", p.root, err)
	}
	spool := filepath.Join(p.paths.Cache, "spool")
	procs := &shell.Processes{}
	s.procs = procs
	s.closers = append(s.closers, func() error { return sweep(spool, time.Now().Add(-spoolAge)) }, procs.Close)
	if err := checkLifted(p.config); err != nil {
		return toolbox{}, err
	}
	env, _ := shell.Environ(os.Environ(), p.config.EnvAllowlist)
	if s.sandbox, err = newSandbox(p, env); err != nil {
		return toolbox{}, err
	}
	limit := tools.TextLimit{MaxBytes: p.config.ToolOutput.MaxBytes, MaxLines: p.config.ToolOutput.MaxLines}
	conf := command.Config{
		Workspace: p.root, Env: env, Shell: p.lookup().Shell(), Spool: spool,
		Limit: limit, Processes: procs, Confine: s.sandbox.confine, Analyze: p.analyze,
	}
	return toolbox{
		tools: builtin.New(builtin.Config{Workspace: ws.Readable(spool), Command: conf, Rg: rg.path}),
		operator: func(_ context.Context, c tools.Call) (*tools.Proposal, error) {
			var a struct{ Command string }
			if err := json.Unmarshal(c.Args, &a); err != nil {
				return nil, fmt.Errorf("read the command: %w", err)
			}
			op, err := command.Operator(conf, a.Command)
			if err != nil {
				return nil, err
			}
			op.Call = c
			return op, nil
		},
		report: func(op *tools.Proposal, o tools.Outcome) string {
			if len(op.Options) == 0 {
				return command.OperatorContext(op.Command, p.root, o)
			}
			var a struct{ Workdir string }
			if err := json.Unmarshal(op.Call.Args, &a); err != nil || a.Workdir == "" {
				a.Workdir = "."
			}
			dir := a.Workdir
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(p.root, dir)
			}
			return command.OfferContext(op.Command, dir, o)
		},
	}, nil
}

// analyze is shell.Analyze with the denylist rows lifted that the user's
// configuration lifts.
func (p *plan) analyze(line string, at shell.Place) shell.Analysis {
	return shell.Analyze(line, at).Lift(p.config.Lift...)
}

// checkLifted refuses ids that no row has, and rows that no configuration can
// lift.
func checkLifted(c *config.Config) error {
	for _, id := range c.Lift {
		i := slices.IndexFunc(shell.Denylist(), func(r shell.Rule) bool { return r.ID == id })
		switch {
		case i < 0:
			return configErrorf("%s: permission.lift: the denylist has no row %q (zuno rules check names the row that blocks a command)", c.Places["permission.lift"], id)
		case shell.Denylist()[i].Fixed:
			return configErrorf("%s: permission.lift: the row %q cannot be lifted", c.Places["permission.lift"], id)
		}
	}
	return nil
}

// spoolAge is how long output that was too long to show can be read back.
const spoolAge = 7 * 24 * time.Hour

// sweep removes the files of dir that were last written before t.
func sweep(dir string, t time.Time) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if info, ierr := e.Info(); ierr == nil && info.Mode().IsRegular() && info.ModTime().Before(t) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// strays says which commands of a zuno that was killed are still running in
// the workspace.
func strays(root string) []string {
	var lines []string
	for _, s := range shell.Strays() {
		if rel, err := filepath.Rel(root, s.Dir); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		lines = append(lines, fmt.Sprintf("a command of a zuno that was killed is still running: %s (kill %d ends it)", tools.CleanLine(tools.Clip(s.Command, 200)), s.PID))
	}
	return lines
}

func (p *plan) lookup() shell.Lookup {
	l := shell.Lookup{Env: os.Environ(), Workspace: p.root}
	if exe, err := os.Executable(); err == nil {
		l.Beside = filepath.Dir(exe)
	}
	return l
}

// system composes the system prompt, and notes the branch for the screen.
func (p *plan) system(s *session) string {
	facts := agent.Gather(p.root, p.dir, p.lookup().Shell(), time.Now())
	var notices []string
	facts.Instructions, _, notices = agent.Instructions(p.root, p.dir, p.paths.Config, agent.MaxInstructions)
	s.branch, s.notices = facts.Git, append(s.notices, notices...)
	return agent.System(p.profile, facts)
}

// permissionRules turns what is configured into the gate's rules, and refuses
// a rule that could never match and one that its examples contradict.
func permissionRules(ctx context.Context, c *config.Config, all []tools.Tool) (approval.Rules, error) {
	var rules approval.Rules
	for _, r := range c.Rules {
		action, err := approval.ParseAction(r.Action)
		if err != nil {
			return nil, configErrorf("%s: %w", r.Place, err)
		}
		rule := approval.Rule{Tool: r.Tool, Pattern: r.Pattern, Action: action}
		if err := (approval.Rules{rule}).Check(builtin.Names(all)); err != nil {
			return nil, configErrorf("%s: %w", r.Place, err)
		}
		if err := examples(ctx, rule, r, all); err != nil {
			return nil, configErrorf("%s: permission.rules: %w", r.Place, err)
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

// newJudge returns the classifier over small.
func newJudge(small chosen, spend func(llm.Usage, time.Duration) error) *judgeOf {
	j := &judgeOf{}
	j.c = classifier.New(small.Model, func(u llm.Usage, took time.Duration) { j.err = errors.Join(j.err, spend(u, took)) })
	return j
}

// A judgeOf adapts the classifier to what the gate asks for.
type judgeOf struct {
	c   *classifier.Classifier
	err error // of recording what it cost
}

// Classify returns the verdict; one whose cost could not be recorded does not
// count.
func (j *judgeOf) Classify(ctx context.Context, e approval.Evidence) tools.Risk {
	j.err = nil
	r := j.c.Judge(ctx, e.Command, e.UserRequests)
	if j.err != nil {
		return tools.High
	}
	return r
}

// A ripgrep is being looked for.
type ripgrep struct {
	done  chan struct{}
	found string
	err   error
}

func findRipgrep(ctx context.Context, p *plan) *ripgrep {
	r := &ripgrep{done: make(chan struct{})}
	go func() {
		defer close(r.done)
		r.found, _, r.err = shell.FindRipgrep(ctx, p.lookup())
	}()
	return r
}

func (r *ripgrep) wait() error {
	<-r.done
	return r.err
}

func (r *ripgrep) path(context.Context) (string, error) { return r.found, r.wait() }

// version is set by the Makefile.
var version string

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
