package main

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tui"
)

// interactive runs the screen. Only the configuration is read before the first
// frame; the database, the model and the rest come after it.
func interactive(ctx context.Context, f flags, prompt string) (err error) {
	f.look = &onlooker{}
	defer func() { f.look.end(err) }()
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	return show(ctx, p, prompt, func(ctx context.Context, asker approval.Asker, left *[]string) (tui.Ready, error) {
		return begin(ctx, p, asker, left)
	})
}

// begin asks about what of the project is not trusted, and then opens the
// session.
func begin(ctx context.Context, p *plan, asker approval.Asker, left *[]string) (tui.Ready, error) {
	var start func(ctx context.Context) (tui.Ready, error)
	start = func(ctx context.Context) (tui.Ready, error) {
		s, err := open(ctx, p, asker, true, nil)
		if problem, is := noModel(err); is {
			return offerSetup(ctx, p, asker, left, problem, start), nil
		}
		if err != nil {
			return tui.Ready{}, hint(err)
		}
		return ready(ctx, p, s, asker, left), nil
	}
	items := p.untrusted()
	if len(items) == 0 {
		return start(ctx)
	}
	again := func(ctx context.Context, p *plan) (tui.Ready, error) { return begin(ctx, p, asker, left) }
	return askTrust(p, items, again, start), nil
}

// show runs the screen over what boot opens. Boot's list collects the commands
// that end with the session; they are named when the terminal is free again.
func show(ctx context.Context, p *plan, prompt string, boot func(context.Context, approval.Asker, *[]string) (tui.Ready, error)) error {
	if !isTerminal(os.Stdin) || !isTerminal(os.Stdout) {
		return usageErrorf("the screen needs a terminal; without one use zuno run PROMPT")
	}
	var left []string
	o := tui.Options{
		In: os.Stdin, Out: os.Stdout, Env: os.Environ(), Version: versionText(),
		Boot: func(ctx context.Context, asker approval.Asker) (tui.Ready, error) {
			return boot(ctx, asker, &left)
		},
		Policy: p.policy, Prompt: prompt, Keys: p.config.Keys, Vim: p.config.UI.Vim, Editor: p.edit, Advise: hintOnScreen,
	}
	if err := p.appearance(&o); err != nil {
		return err
	}
	err := tui.New(o).Run(ctx)
	stopping(left)
	return err
}

func ready(ctx context.Context, p *plan, s *session, asker approval.Asker, left *[]string) tui.Ready {
	inDoubtNow, err := s.doubts()
	if err != nil {
		s.notices = append(s.notices, "it is not known how many calls are uncertain: "+err.Error())
	}
	waiting, err := s.inbox.waiting()
	if err != nil {
		s.notices = append(s.notices, err.Error())
	}
	kept := p.history()
	return tui.Ready{
		Models: &switcher{p, s},
		Queue:  s.inbox, Waiting: waiting, History: kept.load(),
		Remember:  func(text string) { _ = kept.add(text) }, // a history that cannot be written is no reason to stop
		Elsewhere: kept.elsewhere,
		Files:     func() ([]string, error) { return p.listFiles(ctx, s.rg) },
		Picture:   func(path string) (string, string, error) { return p.picture(s, path) },
		Past:      &past{s, time.Now}, Doubts: inDoubt{s}, InDoubt: inDoubtNow,
		Session: s, Gate: s.gate, Model: s.model, Effort: s.effort, Branch: s.branch, Dir: p.dir, Root: p.root, Agent: p.profile.Name,
		Sessions: &shelf{p, s, asker, left}, Title: s.journal.Meta().Title,
		Sandbox: s.sandbox.word, Permissions: func() ([]string, error) { return permissions(p, s) },
		Difference: p.difference,
		Trust:      func() ([]string, error) { return whatIsTrusted(p, s) },
		Skills:     func() ([]string, error) { return skillLines(p, s) },
		Commands:   s.slashCommands(), More: s.promptCommands, Init: s.canInit,
		Memory:   func(arg string) ([]string, error) { return memoryLines(p, s, arg) },
		Agents:   func(arg string) ([]string, error) { return agentLines(context.Background(), s, arg) },
		Active:   s.active,
		Work:     func(part, arg string) ([]string, error) { return workLines(s.journal, part, arg) },
		Pages:    func(name, _ string) ([]string, error) { return pageLines(p, s, name) },
		Jobs:     func() []tui.Job { return jobList(s.procs, s.work) },
		Complete: func(word string) []string { return completePaths(p.root, word) },
		Room:     roomOf{s, p.config.Compaction},
		Notices:  slices.Concat(s.notices, s.briefing), Close: func() error {
			if !s.told {
				*left = append(*left, s.running()...)
			}
			return s.Close()
		},
	}
}
