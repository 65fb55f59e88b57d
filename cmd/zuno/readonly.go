package main

import (
	"slices"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
)

// keepsOnly are the tools that change nothing but what zuno keeps of the session
// itself, so that a read-only agent may have them.
func keepsOnly() []string {
	return []string{"plan_update", "todo_update", "goal_update", "job_cancel", builtin.Reconcile}
}

// readOnly says why a read-only agent may not do what p does. It judges the
// proposal and not the tool, so that it holds for every tool there is: what
// asks a person or only observes, commands that are known for certain to only
// read, and work for agents, which are read-only then as well.
func readOnly(p *tools.Proposal) string {
	switch s := p.Spec; {
	case s.Effect == tools.ReadOnly, s.Effect == tools.UserMediated, s.Effect == tools.Delegating:
		return ""
	case s.Risk == tools.ReadOnlyRisk && p.Command != "" && len(p.Touches) == 0 && p.Manual == "":
		return ""
	case slices.Contains(keepsOnly(), s.Name):
		return ""
	}
	return "this agent is read-only: it may do only what is known for certain to change nothing, and nothing ran. Say what would have to be changed, or have the user switch to another agent (/agents)"
}
