package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/spelling"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/command"
	"github.com/zuno-dev/zuno/internal/tools/delegate"
	"github.com/zuno-dev/zuno/internal/tools/file"
	"github.com/zuno-dev/zuno/internal/tools/memory"
	"github.com/zuno-dev/zuno/internal/tools/page"
	"github.com/zuno-dev/zuno/internal/tools/remind"
	"github.com/zuno-dev/zuno/internal/tools/skills"
	"github.com/zuno-dev/zuno/internal/tools/work"
)

// A toolbox is the tools and the two halves of the operator's escape.
type toolbox struct {
	tools    []tools.Tool
	command  command.Config
	operator func(context.Context, tools.Call) (*tools.Proposal, error)
	report   func(*tools.Proposal, tools.Outcome) string
}

// keeping is what tools keep things in. The zero value keeps nothing.
type keeping struct {
	work   work.Store
	memory memory.Config
	agents delegate.Runner
	remind remind.Config
}

func buildTools(p *plan, s *session, rg *ripgrep, keep keeping) (toolbox, error) {
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
	if s.sandbox == nil { // else an agent's, which is that of who delegates
		if s.sandbox, err = newSandbox(p); err != nil {
			return toolbox{}, err
		}
	}
	limit := tools.TextLimit{MaxBytes: p.config.ToolOutput.MaxBytes, MaxLines: p.config.ToolOutput.MaxLines}
	conf := command.Config{
		Workspace: p.root, Env: p.environ(), Shell: p.lookup().Shell(), Spool: spool,
		Limit: limit, Processes: procs, Confine: s.sandbox.confine, Analyze: p.analyze,
	}
	internet, err := p.web(s, spool, limit)
	if err != nil {
		return toolbox{}, err
	}
	ws = ws.Readable(spool)
	if s.skills = p.usableSkills(); len(s.skills) == 0 {
		s.switches[skillTool] = false
	}
	s.prompts = p.usableCommands()
	s.notices = slices.Concat(s.notices, p.skills().notices, p.commands().notices)
	s.files = file.New(ws)
	languages, err := p.languages(s.files, procs, p.environ())
	if err != nil {
		return toolbox{}, err
	}
	s.closers = append(s.closers, languages.Close)
	all := builtin.New(builtin.Config{
		Workspace: ws, Files: s.files, Command: conf, Rg: rg.path, Ledger: s, Work: keep.work, Memory: keep.memory, Web: internet, Delegate: keep.agents,
		Recall: s.recalls(limit), PDF: pdfReader(procs), Media: p.media(s), Page: p.pages(keep.memory.Attended), Remind: keep.remind, LSP: languages,
		Skills: skills.Config{Skills: s.skills, Show: agent.Escape, Limit: limit},
	})
	own, err := customTools(p.config, conf, all)
	if err == nil {
		err = checkSwitches(p.config, append(slices.Clone(all), own...))
	}
	if err != nil {
		return toolbox{}, err
	}
	return toolbox{
		command: conf, tools: append(all, own...),
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
			switch {
			case op.Call.Tool == store.Restoring:
				return restoredContext(o)
			case slices.Contains(followTools(), op.Call.Tool):
				return command.FollowerContext(op.Command, p.root, o)
			case op.Call.Tool == page.Name:
				return page.Context(o)
			case len(op.Options) == 0:
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

// lookForStrays sends what strays returns, which looks at every process of the
// machine while the record is opened.
func lookForStrays(root string) <-chan []string {
	lines := make(chan []string, 1)
	go func() { lines <- strays(root) }()
	return lines
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

// permissionRules turns what is configured into the gate's rules, and refuses
// a rule that could never match and one that its examples contradict.
func permissionRules(ctx context.Context, c *config.Config, all []tools.Tool) (approval.Rules, error) {
	return rulesOf(ctx, c.Rules, all)
}

func rulesOf(ctx context.Context, list []config.Rule, all []tools.Tool) (approval.Rules, error) {
	var rules approval.Rules
	for _, r := range list {
		action, err := approval.ParseAction(r.Action)
		if err != nil {
			return nil, configErrorf("%s: %w", r.Place, err)
		}
		rule := approval.Rule{Tool: mcpSpelling(r.Tool), Pattern: r.Pattern, Action: action}
		if err := (approval.Rules{rule}).Check(append(builtin.Names(all), followTools()...)); err != nil {
			return nil, configErrorf("%s: %w", r.Place, err)
		}
		if err := examples(ctx, rule, r, all); err != nil {
			return nil, configErrorf("%s: permission.rules: %w", r.Place, err)
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

// checkSwitches refuses a switch of a tool that there is not. Which tools MCP
// servers have is known later.
func checkSwitches(c *config.Config, all []tools.Tool) error {
	names := builtin.Names(all)
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		if strings.HasPrefix(name, "mcp") || slices.Contains(names, name) {
			continue
		}
		hint := spelling.Hint(name, names)
		if real, _ := builtin.Resolve(name, json.RawMessage("{}")); real != name {
			hint = spelling.DidYouMean(real)
		}
		return configErrorf("%s: tools.%s: there is no such tool%s", c.Places["tools."+name], tools.CleanLine(name), hint)
	}
	return nil
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
