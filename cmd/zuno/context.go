package main

import (
	"context"
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/compaction"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/recall"
)

// recalls is the conversation as tools look at it. They are only called when it
// is there.
func (s *session) recalls(limit tools.TextLimit) recall.Config {
	return recall.Config{
		Record: func(id string) (tools.Record, bool) { return s.Recall(id) },
		Context: func() (int, int) {
			c := s.Session.Context()
			return c.Used, c.Window
		},
		Summarize: func() { s.Summarize() },
		Limit:     limit,
		Zone:      zoneName(time.Local.String(), localTime),
	}
}

// compacting says when and how the conversation of s is made smaller. A given
// model writes its own summaries.
func compacting(ctx context.Context, p *plan, s *session, record *store.Session, all []tools.Tool, given *chosen) (loop.Compaction, error) {
	conf := p.config.Compaction
	c := loop.Compaction{
		Limits:  compaction.Limits{Auto: conf.Auto, Warn: conf.Warn, Clear: conf.Clear, Compact: conf.Threshold, Tail: conf.Tail},
		Running: s.running, WorkState: record.WorkState,
		Uncertain: func() ([]tools.Record, error) {
			doubts, err := record.Uncertain()
			var list []tools.Record
			for _, d := range doubts {
				list = append(list, d.Record)
			}
			return list, err
		},
	}
	// Switched off means off: what was left out cannot be read back then, and the
	// model is told so.
	if on, switched := s.switches[compaction.Recaller]; on || !switched {
		list, _ := builtin.Select(all, map[string]bool{compaction.Recaller: true}, []string{compaction.Recaller})
		c.Recall = list[0]
	}
	if conf.Model == "" || given != nil {
		return c, nil
	}
	model, err := p.modelNamed(ctx, conf.Model)
	if err != nil {
		return c, fmt.Errorf("compaction.model: %w", err)
	}
	c.Model, c.Info = model.Model, model.info
	return c, nil
}

// A roomOf is what the screen shows of a session's context.
type roomOf struct {
	*session
	conf config.Compaction
}

// Context says what takes how much, a line each.
func (r roomOf) Context() []string {
	c := r.Session.Context()
	counted := "estimated"
	if c.Counted {
		counted = "as the provider counts"
	}
	head := fmt.Sprintf("context: %s tokens, %s; the size of the model's context is not known", loop.Tokens(c.Used), counted)
	if c.Window > 0 {
		head = fmt.Sprintf("context: %s of %s tokens (%d %%), %s", loop.Tokens(c.Used), loop.Tokens(c.Window), c.Percent(), counted)
	}
	lines := []string{head}
	row := func(name string, n int) {
		if n > 0 {
			lines = append(lines, fmt.Sprintf("  %-10s %7s%s", name, loop.Tokens(n), share(n, c.Window)))
		}
	}
	row("system", c.System)
	row("tools", c.Tools)
	row("summary", c.Summary)
	row("messages", c.Messages)
	row("results", c.Results)
	row("free", c.Window-c.Used)
	if c.Reserve > 0 {
		lines = append(lines, fmt.Sprintf("kept for the answer: %s", loop.Tokens(c.Reserve)))
	}
	if c.Named > 0 {
		lines = append(lines, fmt.Sprintf("the provider said itself that the model takes %s tokens, when a request was too long", loop.Tokens(c.Named)))
	}
	if c.Cleared > 0 {
		lines = append(lines, fmt.Sprintf("left out of old results: %s; they stay recorded", loop.Tokens(c.Cleared)))
	}
	return append(lines, r.automatic(c.Window > 0))
}

func share(n, window int) string {
	if window <= 0 {
		return ""
	}
	return fmt.Sprintf("  %3d %%", n*100/window)
}

// automatic says what happens without being asked.
func (r roomOf) automatic(known bool) string {
	switch {
	case !r.conf.Auto:
		return "nothing is left out by itself; /compact puts a summary in the place of the older part"
	case !known:
		return "older parts are left out when the provider says that it is too long; /compact does it now"
	}
	return fmt.Sprintf("at %d %% old results are left out, at %d %% a summary takes the place of the older part; /compact does it now", r.conf.Clear, r.conf.Threshold)
}
