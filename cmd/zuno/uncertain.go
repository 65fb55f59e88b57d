package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/command"
	"github.com/zuno-dev/zuno/internal/tools/file"
	"github.com/zuno-dev/zuno/internal/tui"
)

// doubts counts the calls of the session that may have happened and of which
// nobody found out.
func (s *session) doubts() (int, error) {
	list, err := s.journal.Uncertain()
	return len(list), err
}

// probe looks at the world for what became of calls whose traces zuno knows,
// and records what it finds. What is left stays in doubt.
func (s *session) probe() ([]store.Doubt, error) {
	list, err := s.journal.Uncertain()
	var left []store.Doubt
	for _, d := range list {
		f, seen := file.Probe(d.Touches)
		if len(d.Touches) == 0 && d.Command != "" && s.plan != nil {
			f, seen = command.Probe(d.Command, s.plan.root, workdirOf(d.Call, s.plan.root), d.Started)
		}
		if f == tools.NotFound {
			left = append(left, d)
			continue
		}
		if err := s.journal.Reconcile(d.Call.ID, f, tools.ByProbe, seen); err != nil {
			return nil, err
		}
	}
	return left, err
}

// workdirOf is the directory that a call of the shell ran in.
func workdirOf(c tools.Call, root string) string {
	var a struct{ Workdir string }
	_ = json.Unmarshal(c.Args, &a) // other arguments name none
	if filepath.IsAbs(a.Workdir) {
		return a.Workdir
	}
	return filepath.Join(root, a.Workdir)
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

// finds is what comes and goes, as the loop asks for it: the tools of servers,
// and finding.
func (s *session) finds(all []tools.Tool) func(context.Context) []tools.Tool {
	return func(ctx context.Context) []tools.Tool {
		var list []tools.Tool
		if s.brought != nil {
			list = s.brought(ctx)
		}
		return append(list, s.finding(all)...)
	}
}

// held says why p has to wait until it is known what became of an earlier call.
func (s *session) held(p *tools.Proposal) (string, error) {
	d, err := s.journal.Held(p)
	if d == nil || err != nil {
		return "", err
	}
	if _, err := s.probe(); err != nil {
		return "", err
	}
	if d, err = s.journal.Held(p); d == nil || err != nil {
		return "", err
	}
	return heldText(d), nil
}

func heldText(d *store.Doubt) string {
	return fmt.Sprintf("held back: the earlier call %s (%s: %s) may have happened, and nobody has found out. Inspect the real state, then say with %s what became of it; the user can settle it with /uncertain.",
		d.Call.ID, d.Call.Tool, tools.CleanLine(tools.Clip(d.Summary, 200)), builtin.Reconcile)
}

// inDoubt shows the calls in doubt to the screen, and takes what the person
// found out.
type inDoubt struct{ *session }

func (b inDoubt) Uncertain() ([]tui.Doubt, error) {
	list, err := b.probe()
	var shown []tui.Doubt
	for _, d := range list {
		shown = append(shown, tui.Doubt{
			ID: d.Call.ID, Tool: d.Call.Tool, Summary: tools.Clip(d.Summary, 60), Detail: tools.Clip(oneLine(d.Outcome.Text), 400),
			Sections: []tools.Section{{Kind: tools.Text, Title: "Arguments", Body: string(d.Call.Args)}},
		})
	}
	return shown, err
}

func (b inDoubt) Settle(id string, f tools.Finding, note string) error {
	return b.journal.Reconcile(id, f, tools.ByPerson, note)
}
