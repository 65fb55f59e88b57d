package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/command"
)

// The calls that follow a change of files have the names of these tools, which
// no model can call.
const (
	formatterTool = "formatter"
	checkTool     = "check"
)

// followTools names them for permission rules.
func followTools() []string { return []string{formatterTool, checkTool} }

// followRules lets run what the configuration attaches to changes. It stands
// before the person's own rules, which may say otherwise.
func followRules() approval.Rules {
	var rules approval.Rules
	for _, name := range followTools() {
		rules = append(rules, approval.Rule{Tool: name, Pattern: "*", Action: approval.RuleAllow})
	}
	return rules
}

// A follower is one configured command.
type follower struct {
	tool, name string
	config.Follower
}

// followers returns the configured commands, formatters first, each kind by
// name.
func followers(c *config.Config) ([]follower, error) {
	var list []follower
	for _, k := range []struct {
		tool string
		all  map[string]config.Follower
	}{{formatterTool, c.Formatters}, {checkTool, c.Checks}} {
		for _, name := range slices.Sorted(maps.Keys(k.all)) {
			f := follower{k.tool, name, k.all[name]}
			if len(f.Command) == 0 {
				return nil, configErrorf("%s.%s has no command: give the program and its arguments as a list", k.tool, name)
			}
			list = append(list, f)
		}
	}
	return list, nil
}

// follow returns what the loop asks for the calls that follow a change.
func follow(list []follower, t *toolbox) func([]tools.Change) []loop.Follower {
	if len(list) == 0 {
		return nil
	}
	return func(changed []tools.Change) []loop.Follower {
		var calls []loop.Follower
		for _, f := range list {
			paths := f.paths(changed)
			if len(paths) == 0 {
				continue
			}
			args, err := json.Marshal(map[string][]string{"files": paths})
			if err != nil {
				panic(err) // strings always encode
			}
			calls = append(calls, loop.Follower{
				Call: tools.Call{ID: f.tool + "_" + f.name, Tool: f.tool, Args: args},
				Propose: func(_ context.Context, c tools.Call) (*tools.Proposal, error) {
					line, err := f.line(paths)
					if err != nil {
						return nil, err
					}
					p, err := command.Follower(t.command, f.tool, line)
					if err != nil {
						return nil, err
					}
					p.Call = c
					if f.Command[0] != f.name {
						p.Summary = f.name + ": " + p.Summary
					}
					return p, nil
				},
			})
		}
		return calls
	}
}

// paths are the files among those changed that are still there and that f is
// for.
func (f follower) paths(changed []tools.Change) []string {
	var paths []string
	for _, c := range changed {
		fits := len(f.Extensions) == 0 || slices.ContainsFunc(f.Extensions, func(e string) bool { return strings.HasSuffix(c.Path, e) })
		if c.Kind != "D" && fits && !slices.Contains(paths, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// line is the command line for paths. A path never looks like an option.
func (f follower) line(paths []string) (string, error) {
	var words []string
	for _, arg := range f.Command {
		if arg != "$FILE" {
			words = append(words, arg)
			continue
		}
		for _, p := range paths {
			if !filepath.IsAbs(p) {
				p = "./" + p
			}
			words = append(words, p)
		}
	}
	for i, w := range words {
		q, err := syntax.Quote(w, syntax.LangBash)
		if err != nil {
			return "", fmt.Errorf("%s %s: write %q for a shell: %w", f.tool, f.name, w, err)
		}
		words[i] = q
	}
	return strings.Join(words, " "), nil
}
