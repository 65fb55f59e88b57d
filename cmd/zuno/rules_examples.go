package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
)

// examples holds a rule to the examples that stand with it.
func examples(ctx context.Context, rule approval.Rule, r config.Rule, all []tools.Tool) error {
	for _, text := range r.Match {
		p, err := exampleOf(ctx, rule, text, all)
		if err != nil {
			return fmt.Errorf("match: read the example %q: %w", text, err)
		}
		if !rule.Decides(p) {
			return fmt.Errorf("match: the pattern %q does not match the example %q", rule.Pattern, text)
		}
	}
	for _, text := range r.NotMatch {
		p, err := exampleOf(ctx, rule, text, all)
		if err != nil {
			return fmt.Errorf("not_match: read the example %q: %w", text, err)
		}
		if rule.Decides(p) {
			return fmt.Errorf("not_match: the pattern %q matches the example %q", rule.Pattern, text)
		}
	}
	return nil
}

// exampleOf returns a call that a rule may be about: of the shell with a
// command line, of another tool with what it touches.
func exampleOf(ctx context.Context, rule approval.Rule, text string, all []tools.Tool) (*tools.Proposal, error) {
	about := rule.Tools(builtin.Names(all))
	switch {
	case len(about) == 1 && about[0] == "shell":
		return proposeLine(ctx, all, text)
	case len(about) == 0:
		about = []string{rule.Tool} // a server's tool, which is not known before it is asked
	}
	return &tools.Proposal{Spec: tools.Spec{Name: about[0]}, Subjects: []string{text}}, nil
}

// proposeLine returns what the shell tool would do with a line.
func proposeLine(ctx context.Context, all []tools.Tool, line string) (*tools.Proposal, error) {
	for _, t := range all {
		if t.Spec().Name != "shell" {
			continue
		}
		args, err := json.Marshal(map[string]string{"command": line})
		if err != nil {
			return nil, fmt.Errorf("encode the command: %w", err)
		}
		return t.Propose(ctx, tools.Call{ID: "check", Tool: "shell", Args: args})
	}
	return nil, tools.Refuse(tools.Unavailable, "there is no shell tool")
}
