package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tui"
)

// interactive runs the screen. Only the configuration is read before the first
// frame; the database, the model and the rest come after it.
func interactive(ctx context.Context, f flags, prompt string) error {
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
	start := func(ctx context.Context) (tui.Ready, error) {
		s, err := open(ctx, p, asker, true, nil)
		if errors.Is(err, errNoProvider) {
			return offerTour(p, asker, left), nil
		}
		if err != nil {
			return tui.Ready{}, hint(err)
		}
		return ready(p, s, asker, left), nil
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
		return usageErrorf("zuno needs a terminal; without one use `zuno run PROMPT`")
	}
	var left []string
	err := tui.New(tui.Options{
		In: os.Stdin, Out: os.Stdout, Env: os.Environ(), Version: versionText(),
		Boot: func(ctx context.Context, asker approval.Asker) (tui.Ready, error) {
			return boot(ctx, asker, &left)
		},
		Policy: p.policy, Prompt: prompt,
	}).Run(ctx)
	stopping(left)
	return err
}

func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), ioctlTermios)
	return err == nil
}

func ready(p *plan, s *session, asker approval.Asker, left *[]string) tui.Ready {
	inDoubtNow, err := s.doubts()
	if err != nil {
		s.notices = append(s.notices, "it is not known how many calls are uncertain: "+err.Error())
	}
	return tui.Ready{
		Past: &past{s, time.Now}, Doubts: inDoubt{s}, InDoubt: inDoubtNow,
		Session: s, Gate: s.gate, Model: s.model, Branch: s.branch, Dir: p.dir, Root: p.root, Agent: p.profile.Name,
		Sessions: &shelf{p, s, asker, left}, Title: s.journal.Meta().Title,
		Sandbox: s.sandbox.word(), Permissions: func() ([]string, error) { return permissions(p, s) },
		Trust:    func() ([]string, error) { return whatIsTrusted(p, s) },
		Skills:   func() ([]string, error) { return skillLines(p, s) },
		Commands: s.commands(),
		Memory:   func(arg string) ([]string, error) { return memoryLines(p, s, arg) },
		Work:     func(part, arg string) ([]string, error) { return workLines(s.journal, part, arg) },
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

// offerTour is what the screen shows when there is no model to talk to.
func offerTour(p *plan, asker approval.Asker, left *[]string) tui.Ready {
	return tui.Ready{Dir: p.dir, Notices: p.notices, Offer: &tui.Offer{
		Title: "No model is configured",
		Text: "Set one of ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY and start zuno again, " +
			"or start a local server (Ollama, LM Studio, llama.cpp, vLLM). The tour needs none of that: a scripted model plays one real task in a scratch repository.",
		Choices: []tools.Option{
			{ID: "tour", Label: "Take the tour", Detail: "offline, without a key"},
			{ID: "leave", Label: "Leave"},
		},
		Choose: func(ctx context.Context, id string) (tui.Ready, error) {
			if id != "tour" {
				return tui.Ready{}, tui.ErrLeave
			}
			return startTour(ctx, p.flags, asker, left)
		},
	}}
}
