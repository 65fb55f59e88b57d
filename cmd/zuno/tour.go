package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tour"
	"github.com/zuno-dev/zuno/internal/tui"
)

// newTour returns the tour: the real screen, gate, tools and record around a
// scripted model.
func newTour() *cobra.Command {
	return &cobra.Command{
		Use:   "tour",
		Short: "Watch one real task, offline and without a key",
		Long: `tour plays one real task in a scratch repository: a test fails, the model reads,
searches, proposes a patch and runs the test. The model is a script and says so;
everything else is the real thing, and you decide on every card.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := newPlan(flags{})
			if err != nil {
				return err
			}
			p.policy = approval.LowRisk
			return show(cmd.Context(), p, "", func(ctx context.Context, asker approval.Asker, left *[]string) (tui.Ready, error) {
				return startTour(ctx, flags{}, asker, left)
			})
		},
	}
}

// startTour opens a session in a scratch repository, which goes away with it.
func startTour(ctx context.Context, f flags, asker approval.Asker, left *[]string) (_ tui.Ready, err error) {
	dir, err := os.MkdirTemp("", "zuno-tour-")
	if err != nil {
		return tui.Ready{}, fmt.Errorf("make a scratch repository: %w", err)
	}
	remove := func() error { return os.RemoveAll(dir) }
	defer func() {
		if err != nil {
			err = errors.Join(err, remove())
		}
	}()
	if err := tour.Unpack(dir); err != nil {
		return tui.Ready{}, fmt.Errorf("make a scratch repository: %w", err)
	}
	model, err := tour.Model()
	if err != nil {
		return tui.Ready{}, err
	}
	p, err := newPlan(flags{cwd: dir, config: f.config})
	if err != nil {
		return tui.Ready{}, err
	}
	p.policy = approval.LowRisk
	s, err := open(ctx, p, asker, true, &chosen{model, llm.Info{ID: tour.Name, Tools: true}})
	if err != nil {
		return tui.Ready{}, err
	}
	s.closers = append([]func() error{remove}, s.closers...)
	r := ready(ctx, p, s, asker, left)
	r.Sessions, r.Init = nil, nil // its model is a script of one session
	r.Notices = append(r.Notices, tour.Welcome)
	r.Prompt = tour.Prompt
	return r, nil
}
