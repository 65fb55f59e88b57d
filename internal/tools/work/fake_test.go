package work

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A fake keeps the work in memory.
type fake struct {
	work     Work
	receipts []Receipt
	full     bool // the disk is
}

func (f *fake) Work() (Work, error) { return f.work.clone(), nil }

func (f *fake) ChangeWork(change func(*Work) error) error {
	w := f.work.clone()
	if err := change(&w); err != nil {
		return err
	}
	if f.full {
		return errors.New("the disk is full")
	}
	w.Revision++
	f.work = w
	return nil
}

func (f *fake) Receipts() ([]Receipt, error) { return f.receipts, nil }

// call proposes and carries out one call, as far as it gets.
func (f *fake) call(t *testing.T, tool, args string) tools.Outcome {
	t.Helper()
	for _, x := range New(f) {
		if x.Spec().Name != tool {
			continue
		}
		p, err := x.Propose(t.Context(), tools.Call{ID: "1", Tool: tool, Args: json.RawMessage(args)})
		if err != nil {
			return tools.OutcomeOf(err)
		}
		return p.Execute(t.Context(), tools.Decision{Allowed: true}, nil)
	}
	t.Fatalf("there is no tool %s", tool)
	return tools.Outcome{}
}
