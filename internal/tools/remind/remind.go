// Package remind holds the tools for reminders: add_reminder, list_reminders
// and cancel_reminder. A reminder that is due is shown to the person once, at
// the start of a session or of a turn. It never does anything.
package remind

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// The bounds of what is kept.
const (
	Most     = 200 // reminders that are not shown yet
	mostText = 500 // characters of one
)

// A Reminder is a text for a moment.
type Reminder struct {
	ID   int64
	At   time.Time
	Text string
}

// A Store keeps reminders. It is called from goroutines of a turn.
type Store interface {
	// Reminders returns those that were not shown yet, the next one first.
	Reminders() ([]Reminder, error)
	// AddReminder keeps one more, and returns its ID. It fails when there are
	// [Most] already.
	AddReminder(at time.Time, text string) (int64, error)
	// CancelReminder forgets one, and reports false when it is not there any more.
	CancelReminder(id int64) (bool, error)
}

// Config is what the tools need.
type Config struct {
	Store Store // nil where there is no record: the tools refuse
	// Now returns the time, in the time zone of the person; nil means time.Now.
	Now func() time.Time
}

// New returns the tools of this family.
func New(c Config) []tools.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	return []tools.Tool{c.add(), c.list(), c.cancel()}
}

func changes(name, description string) tools.Spec {
	return tools.Spec{
		Name: name, Description: description,
		Effect: tools.SideEffecting, Replay: tools.Never, Concurrency: tools.Exclusive, Risk: tools.Low,
	}
}

// format is how moments are shown.
const format = "Mon 2006-01-02 15:04 MST"

type addArgs struct {
	When string `json:"when" doc:"When, in the user's time zone: in 20 minutes, tomorrow 9:00, friday 14:30, 17:00, 2026-12-24 18:00 or ISO 8601"`
	Text string `json:"text" doc:"What to remind of, at most 500 characters"`
}

func (c Config) add() tools.Tool {
	spec := changes("add_reminder", "Have the user reminded of something. They see the text once, when they use zuno at that time or later; nothing else happens then.")
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a addArgs) (*tools.Proposal, error) {
		a.Text = strings.TrimSpace(a.Text)
		switch n := len([]rune(a.Text)); {
		case n == 0 || n > mostText:
			return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: text must have 1 to %d characters, not %d", mostText, n)
		case c.Store == nil:
			return nil, tools.Refuse(tools.Unavailable, "reminders cannot be kept here")
		}
		at, err := momentOf(a.When, c.Now())
		if err != nil {
			return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: when: %v", err)
		}
		shown := at.Format(format)
		return &tools.Proposal{
			Summary: shown + ": " + tools.CleanLine(tools.Clip(a.Text, 80)),
			Preview: []tools.Section{{Kind: tools.Text, Title: shown, Body: tools.Clean(a.Text)}},
			Do: func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
				if ctx.Err() != nil {
					return tools.Outcome{Kind: tools.Cancelled, Text: "stopped before the reminder was kept"}
				}
				id, err := c.Store.AddReminder(at, a.Text)
				if err != nil {
					return tools.Outcome{Kind: tools.Error, Text: err.Error()}
				}
				return tools.Outcome{Kind: tools.OK, Text: fmt.Sprintf("reminder %d is set for %s", id, shown)}
			},
		}, nil
	})
}

type listArgs struct{}

func (c Config) list() tools.Tool {
	spec := tools.Spec{
		Name: "list_reminders", Description: "List the reminders that were not shown yet.",
		Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk,
	}
	return tools.New(spec, func(context.Context, tools.Spec, listArgs) (*tools.Proposal, error) {
		if c.Store == nil {
			return nil, tools.Refuse(tools.Unavailable, "reminders cannot be kept here")
		}
		return &tools.Proposal{Summary: "reminders", Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
			list, err := c.Store.Reminders()
			if err != nil {
				return tools.Outcome{Kind: tools.Error, Text: err.Error()}
			}
			return tools.Outcome{Kind: tools.OK, Text: render(list, c.Now().Location())}
		}}, nil
	})
}

// mostListed keeps a list within one result.
const mostListed = 45 << 10

func render(list []Reminder, zone *time.Location) string {
	if len(list) == 0 {
		return "there are no reminders"
	}
	var b strings.Builder
	for i, r := range list {
		line := fmt.Sprintf("%d  %s  %s\n", r.ID, r.At.In(zone).Format(format), tools.CleanLine(r.Text))
		if b.Len()+len(line) > mostListed {
			fmt.Fprintf(&b, "(truncated: %d more)\n", len(list)-i)
			break
		}
		b.WriteString(line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

type cancelArgs struct {
	ID int `json:"id" doc:"The reminder, by the number that list_reminders shows"`
}

func (c Config) cancel() tools.Tool {
	spec := changes("cancel_reminder", "Forget a reminder that was not shown yet.")
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a cancelArgs) (*tools.Proposal, error) {
		if c.Store == nil {
			return nil, tools.Refuse(tools.Unavailable, "reminders cannot be kept here")
		}
		list, err := c.Store.Reminders()
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			if r.ID == int64(a.ID) {
				return c.cancels(r), nil
			}
		}
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: there is no reminder %d; list_reminders shows them", a.ID)
	})
}

func (c Config) cancels(r Reminder) *tools.Proposal {
	shown := r.At.In(c.Now().Location()).Format(format)
	return &tools.Proposal{
		Summary: fmt.Sprintf("%d, %s: %s", r.ID, shown, tools.CleanLine(tools.Clip(r.Text, 80))),
		Preview: []tools.Section{{Kind: tools.Text, Title: shown, Body: tools.Clean(r.Text)}},
		Do: func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
			if ctx.Err() != nil {
				return tools.Outcome{Kind: tools.Cancelled, Text: "stopped before the reminder was forgotten"}
			}
			switch there, err := c.Store.CancelReminder(r.ID); {
			case err != nil:
				return tools.Outcome{Kind: tools.Error, Text: err.Error()}
			case !there:
				return tools.Outcome{Kind: tools.Blocked, Block: tools.Stale, Text: fmt.Sprintf("reminder %d was shown or cancelled meanwhile", r.ID)}
			}
			return tools.Outcome{Kind: tools.OK, Text: fmt.Sprintf("reminder %d is cancelled", r.ID)}
		},
	}
}

// Notice is what the person reads of a reminder that is due.
func Notice(r Reminder, now time.Time) string {
	return fmt.Sprintf("reminder for %s: %s", r.At.In(now.Location()).Format(format), tools.CleanLine(r.Text))
}
