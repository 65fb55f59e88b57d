package main

import (
	"context"
	"errors"
	"time"

	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tui"
)

// askTrust is the question that comes before a session in a folder that brings
// along what is not trusted. Nothing is chosen beforehand, and trust is taken
// only once all of it was in sight. A no is not remembered: the next start asks
// again. After a yes everything is read anew, so that what acts is what was
// shown; what changed meanwhile is asked about again.
func askTrust(p *plan, items []trustItem, begin func(context.Context, *plan) (tui.Ready, error), without func(context.Context) (tui.Ready, error)) tui.Ready {
	return tui.Ready{Dir: p.dir, Root: p.root, Offer: &tui.Offer{
		Title: "Trust what this folder brings along?",
		Text: tools.CleanLine(p.root) + " has what follows, and none of it acts before you say so. " +
			"It counts for exactly these texts; one that changes is asked about again.",
		Exact: trustSections(p, items),
		Choices: []tools.Option{
			{ID: "trust", Label: "Trust these and go on", Detail: "scroll to the end first"},
			{ID: "without", Label: "Go on without them", Detail: "the next start asks again"},
			{ID: "leave", Label: "Leave"},
		},
		Whole: "trust",
		Choose: func(ctx context.Context, id string) (tui.Ready, error) {
			switch id {
			case "trust":
				if err := p.trust(items); err != nil {
					return tui.Ready{}, err
				}
				again, err := newPlan(p.flags)
				if err != nil {
					return tui.Ready{}, err
				}
				return begin(ctx, again)
			case "without":
				return without(ctx)
			}
			return tui.Ready{}, tui.ErrLeave
		},
	}}
}

func trustSections(p *plan, items []trustItem) []tools.Section {
	var list []tools.Section
	for _, i := range items {
		list = append(list, tools.Section{Kind: tools.Text, Title: i.heading(p), Body: i.Text})
	}
	return list
}

// heading is what stands above the text of an item.
func (i trustItem) heading(p *plan) string {
	if words := trustWords(p, i); words != "" {
		return i.String() + ": " + words
	}
	return i.String()
}

// trust remembers items as trusted in p's project. It is on the disk when it
// returns.
func (p *plan) trust(items []trustItem) error {
	db, err := store.Open(p.recordPath(), time.Now)
	if err != nil {
		return err
	}
	list := make([]store.Item, len(items))
	for i, x := range items {
		list[i] = store.Item(x)
	}
	return errors.Join(db.Trust(p.root).Add(list...), db.Close())
}
