package remind

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

// A fake keeps reminders in memory.
type fake struct {
	list []Reminder
	full bool
}

func (f *fake) Reminders() ([]Reminder, error) { return f.list, nil }

func (f *fake) AddReminder(at time.Time, text string) (int64, error) {
	if f.full {
		return 0, errors.New("there are 200 reminders already")
	}
	f.list = append(f.list, Reminder{int64(len(f.list) + 1), at, text})
	return int64(len(f.list)), nil
}

func (f *fake) CancelReminder(id int64) (bool, error) {
	for i, r := range f.list {
		if r.ID == id {
			f.list = append(f.list[:i:i], f.list[i+1:]...)
			return true, nil
		}
	}
	return false, nil
}

func bench(f *fake) map[string]tools.Tool {
	m := map[string]tools.Tool{}
	for _, t := range New(Config{Store: f, Now: func() time.Time { return time.Date(2026, 3, 25, 10, 30, 0, 0, time.UTC) }}) {
		m[t.Spec().Name] = t
	}
	return m
}

func propose(t *testing.T, tool tools.Tool, args string) (*tools.Proposal, error) {
	t.Helper()
	return tool.Propose(t.Context(), tools.Call{ID: "1", Tool: tool.Spec().Name, Args: json.RawMessage(args)})
}

func ok(t *testing.T, tool tools.Tool, args, want string) {
	t.Helper()
	p, err := propose(t, tool, args)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	if out := p.Execute(t.Context(), tools.Decision{Allowed: true}, nil); out.Kind != tools.OK || out.Text != want {
		t.Errorf("%s: %v %q, want %q", args, out.Kind, out.Text, want)
	}
}

func TestRemindersAreAddedListedAndCancelled(t *testing.T) {
	b := bench(&fake{})
	ok(t, b["list_reminders"], `{}`, "there are no reminders")
	ok(t, b["add_reminder"], `{"when":"tomorrow 9:00","text":" call \u001b[31mBob\nnow"}`, "reminder 1 is set for Thu 2026-03-26 09:00 UTC")
	ok(t, b["list_reminders"], `{}`, `1  Thu 2026-03-26 09:00 UTC  call \x1b[31mBob\nnow`)
	ok(t, b["cancel_reminder"], `{"id":1}`, "reminder 1 is cancelled")
	ok(t, b["list_reminders"], `{}`, "there are no reminders")
}

func TestWhatCannotBeKeptIsSaid(t *testing.T) {
	f := &fake{full: true}
	b := bench(f)
	for tool, list := range map[string][]string{
		"add_reminder":    {`{"when":"soon","text":"x"}`, `{"when":"17:00","text":" "}`, `{"when":"17:00","text":"` + strings.Repeat("ä", 501) + `"}`},
		"cancel_reminder": {`{"id":7}`},
	} {
		for _, args := range list {
			if _, err := propose(t, b[tool], args); tools.OutcomeOf(err).Block != tools.InvalidArguments {
				t.Errorf("%s %s: %v", tool, args, err)
			}
		}
	}
	p, err := propose(t, b["add_reminder"], `{"when":"17:00","text":"`+strings.Repeat("ä", 500)+`"}`)
	if err != nil {
		t.Fatal(err)
	}
	if out := p.Execute(t.Context(), tools.Decision{Allowed: true}, nil); out.Kind != tools.Error || !strings.Contains(out.Text, "200 reminders") {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	for range Most {
		f.list = append(f.list, Reminder{1, time.Unix(0, 0), strings.Repeat("ä", mostText)})
	}
	if s := render(f.list, time.UTC); len(s) > tools.DefaultTextLimit().MaxBytes || !strings.Contains(s, "(truncated: ") {
		t.Errorf("a long list has %d bytes", len(s))
	}
	for _, tool := range New(Config{}) {
		if _, err := propose(t, tool, map[string]string{"add_reminder": `{"when":"in 1h","text":"x"}`, "list_reminders": `{}`, "cancel_reminder": `{"id":1}`}[tool.Spec().Name]); tools.OutcomeOf(err).Block != tools.Unavailable {
			t.Errorf("%s without a record: %v", tool.Spec().Name, err)
		}
	}
}

func TestEveryToolKeepsThePromises(t *testing.T) {
	for name, args := range map[string]string{"add_reminder": `{"when":"17:00","text":"x"}`, "list_reminders": `{}`, "cancel_reminder": `{"id":3}`} {
		t.Run(name, func(t *testing.T) {
			var f *fake
			c := toolstest.Case{Args: args, New: func(string) tools.Tool {
				f = &fake{list: []Reminder{{3, time.Unix(2e9, 0), "x"}}}
				return bench(f)[name]
			}}
			if name == "cancel_reminder" {
				c.Mutate = func(string) { f.list = nil }
			}
			toolstest.Run(t, c)
		})
	}
}
