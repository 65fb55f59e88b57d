package main

import (
	"fmt"

	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
)

// doubts counts the calls of the session that may have happened and of which
// nobody found out.
func (s *session) doubts() (int, error) {
	list, err := s.journal.Uncertain()
	return len(list), err
}

// Reconcile records what became of an uncertain call.
func (s *session) Reconcile(call string, f tools.Finding, by tools.Source, note string) error {
	return s.journal.Reconcile(call, f, by, note)
}

// finding is the tool to say with what became of an uncertain call, while there
// is one.
func (s *session) finding(all []tools.Tool) []tools.Tool {
	if n, err := s.doubts(); err != nil || n == 0 {
		return nil
	}
	for _, t := range all {
		if t.Spec().Name == builtin.Reconcile {
			return []tools.Tool{t}
		}
	}
	return nil
}

// held says why p has to wait until it is known what became of an earlier call.
func (s *session) held(p *tools.Proposal) (string, error) {
	d, err := s.journal.Held(p)
	if d == nil || err != nil {
		return "", err
	}
	return heldText(d), nil
}

func heldText(d *store.Doubt) string {
	return fmt.Sprintf("held back: the earlier call %s (%s: %s) may have happened, and nobody has found out. Inspect the real state, then say with %s what became of it; the user can settle it with /uncertain.",
		d.Call.ID, d.Call.Tool, tools.CleanLine(tools.Clip(d.Summary, 200)), builtin.Reconcile)
}
