package main

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/command"
	"github.com/zuno-dev/zuno/internal/tools/custom"
)

// customTools returns the tools of the person's own, by name, for a session that
// has the tools in all.
func customTools(c *config.Config, run command.Config, all []tools.Tool) ([]tools.Tool, error) {
	taken := append(builtin.Names(all), followTools()...)
	for _, a := range builtin.Aliases() {
		taken = append(taken, a.Name)
	}
	conf := custom.Config{Dir: run.Workspace, Env: run.Env, Processes: run.Processes, Confine: run.Confine}
	var list []tools.Tool
	for _, name := range slices.Sorted(maps.Keys(c.CustomTools)) {
		d := c.CustomTools[name]
		if slices.Contains(taken, name) || isMCP(name) {
			return nil, configErrorf("%s: custom_tools.%s: zuno has a tool of that name, or keeps the name", d.Place, name)
		}
		t, err := custom.New(conf, definition(name, d))
		if err != nil {
			return nil, configErrorf("%s: custom_tools.%s: %w", d.Place, name, err)
		}
		list = append(list, t)
	}
	return list, nil
}

// definition is what the configuration declares. Words that are missing leave
// the zero values, which are the strictest.
func definition(name string, c config.CustomTool) custom.Definition {
	d := custom.Definition{Command: c.Command, Unconfined: c.Unconfined, Spec: tools.Spec{
		Name: name, Description: agent.Escape(c.Description), Timeout: time.Duration(c.TimeoutMS) * time.Millisecond,
	}}
	if c.Schema != "" {
		d.Spec.Schema = json.RawMessage(c.Schema)
	}
	if c.Effect == tools.ReadOnly.String() {
		d.Spec.Effect = tools.ReadOnly
	}
	if c.Replay == tools.Safe.String() {
		d.Spec.Replay = tools.Safe
	}
	if c.Concurrency == tools.ParallelSafe.String() {
		d.Spec.Concurrency = tools.ParallelSafe
	}
	for _, r := range []tools.Risk{tools.High, tools.Low, tools.ReadOnlyRisk} {
		if c.Risk == r.String() {
			d.Spec.Risk = r
		}
	}
	return d
}
