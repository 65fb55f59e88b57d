// Package agent says who the model is asked to be: which agents there are, what
// each is told, what it is told about the machine, and what the project's own
// instruction files say. It runs no program and reads only bounded amounts of
// regular files.
package agent

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/config"
)

// Default is the name of the agent that a session has when nobody names one.
const Default = "build"

// A Profile is one agent.
type Profile struct {
	Name        string
	Description string // one line, for people and for agents that delegate
	// Mode is primary (people start it), subagent (other agents do) or all.
	Mode string
	// Prompt is what the model is told about its role; it stands after what
	// every agent is told.
	Prompt string
	// Tools is the exact list of tools. Nil means the default surface, an empty
	// list none.
	Tools []string
	// Model is "provider/model" and Policy an approval policy; "" means those of
	// the session.
	Model, Policy string
	// ReadOnly agents change nothing, whatever tools they are given: whoever
	// carries out their calls holds them to it.
	ReadOnly bool
	// Rules are permission rules on top of those of the session.
	Rules []config.Rule
	// Delegates are the agents that it may delegate to; nil means all that are not
	// only primary, an empty list none.
	Delegates []string
	// Hidden agents are left out of lists for people.
	Hidden    bool
	Reasoning string // off, low, medium or high; "" leaves it to the model
	Steps     int    // of one turn; zero means the default
}

// builtin returns the agents that need no configuration.
func builtin() []Profile {
	return []Profile{
		{
			Name: "build", Mode: "primary", Description: "Changes the project: reads, edits and runs what the task needs.",
			Prompt: buildPrompt,
		},
		{
			Name: "explore", Mode: "all", Description: "Finds out how things are and reports; changes nothing.",
			Prompt: explorePrompt, Tools: []string{"read", "glob", "grep"}, ReadOnly: true,
		},
		{
			Name: "plan", Mode: "primary", Description: "Works out with you what to do; changes nothing.",
			Prompt: planPrompt, ReadOnly: true,
			Tools: []string{"read", "glob", "grep", "task", "job", "job_cancel", "question", "plan_get", "plan_update", "goal_get"},
		},
	}
}

// All returns the agents there are, by name: the built-in ones, with what the
// configuration changes of them, and those that it adds.
func All(c *config.Config) []Profile {
	byName := map[string]Profile{}
	for _, p := range builtin() {
		byName[p.Name] = p
	}
	for name, a := range c.Agents {
		if a.Disable {
			delete(byName, name)
			continue
		}
		p, ok := byName[name]
		if !ok {
			p = Profile{Name: name, Mode: "all"}
		}
		byName[name] = override(p, a)
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b Profile) int { return strings.Compare(a.Name, b.Name) })
}

func override(p Profile, a config.Agent) Profile {
	for _, f := range []struct {
		to   *string
		from string
	}{{&p.Description, a.Description}, {&p.Mode, a.Mode}, {&p.Prompt, a.Prompt}, {&p.Model, a.Model}, {&p.Policy, a.Policy}} {
		if f.from != "" {
			*f.to = f.from
		}
	}
	if a.Tools != nil {
		p.Tools = a.Tools
	}
	if a.Delegates != nil {
		p.Delegates = a.Delegates
	}
	p.Rules, p.Hidden, p.Reasoning, p.Steps = a.Rules, a.Hidden, a.Reasoning, a.Steps
	return p
}

// Starts reports whether people start the agent.
func (p Profile) Starts() bool { return p.Mode != "subagent" }

// MayDelegateTo reports whether p may have other work.
func (p Profile) MayDelegateTo(other Profile) bool {
	return other.Mode != "primary" && (p.Delegates == nil || slices.Contains(p.Delegates, other.Name))
}

// Find returns the agent of that name; "" means the configured default, or
// [Default]. The error lists the names that there are.
func Find(c *config.Config, name string) (Profile, error) {
	where := "agent"
	if name == "" {
		name, where = c.DefaultAgent, "default_agent"
		if at, ok := c.Places[where]; ok {
			where = at.String() + ": " + where
		}
	}
	if name == "" {
		name = Default
	}
	var names []string
	for _, p := range All(c) {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("%s: there is no agent %q (there are %s)", where, name, strings.Join(names, ", "))
}

// has reports whether the agent may have the tool, as far as its list says.
func (p Profile) has(tool string) bool { return p.Tools == nil || slices.Contains(p.Tools, tool) }
