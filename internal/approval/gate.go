package approval

import (
	"slices"
	"sync"

	"github.com/zuno-dev/zuno/internal/tools"
)

// An Allowlist remembers command keys beyond the session.
type Allowlist interface {
	Allowed(key string) (bool, error)
	Allow(key, command string) error
}

// Config is what a Gate is made of. Nil ports mean that there is none.
type Config struct {
	Policy     Policy
	Rules      Rules
	Asker      Asker
	Classifier Classifier
	Commands   Allowlist
	// Keys checks a key that the person edited; without it none can be.
	Keys Keys
	// Attended says that a person is at the keyboard: only then may the
	// classifier read what the user asked for.
	Attended bool
}

// A Gate decides on proposals. Its policy may change at any time, from any
// goroutine: calls that wait are decided again.
type Gate struct {
	conf Config
	*shared
	narrow Narrowing // what this gate adds to the one that it came from
	base   *Gate     // that one, nil for none
}

// shared is what a gate and those that were made from it have in common: one
// policy, one list of allowed tools and one queue of cards.
type shared struct {
	mu      sync.Mutex // guards what follows
	policy  Policy
	rules   Rules
	changed chan struct{} // closed and replaced when the policy or a list changes
	tools   map[grant]bool
	heard   []string
	waiting int

	asking chan struct{} // holds one token while a card is open
}

// New returns a Gate.
func New(c Config) *Gate {
	return &Gate{conf: c, shared: &shared{
		policy: c.Policy, rules: c.Rules, changed: make(chan struct{}), tools: map[grant]bool{}, asking: make(chan struct{}, 1),
	}}
}

// Policy returns the policy in force.
func (g *Gate) Policy() Policy {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.inForce()
}

// inForce is the strictest of the session's policy and of those on the way to
// this gate; g.mu is held.
func (g *Gate) inForce() Policy {
	p := g.policy
	for ; g.base != nil; g = g.base {
		if n := g.narrow.Policy; n != nil {
			p = min(p, *n)
		}
	}
	return p
}

// SetRules changes the permission rules. An open card is withdrawn and decided
// again.
func (g *Gate) SetRules(rs Rules) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules = rs
	g.wake()
}

// Attended reports whether a person is at the keyboard.
func (g *Gate) Attended() bool { return g.conf.Attended }

// SetPolicy changes the policy. An open card is withdrawn and decided again.
func (g *Gate) SetPolicy(p Policy) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.policy = p
	g.wake()
}

// AllowTool puts a tool on the allowlist of this session, whatever its version.
func (g *Gate) AllowTool(name string) { g.allow(grant{name, ""}) }

// A grant is one version of a tool, or with "" all of them.
type grant struct{ tool, version string }

func (g *Gate) allow(x grant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tools[x] = true
	g.wake()
}

// allowed reports whether the tool of p is on the allowlist; g.mu is held.
func (g *Gate) allowed(p *tools.Proposal) bool {
	return g.tools[grant{p.Spec.Name, ""}] || p.Version != "" && g.tools[grant{p.Spec.Name, p.Version}]
}

// Tools returns the tools on the allowlist of this session, sorted.
func (g *Gate) Tools() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var names []string
	for x := range g.tools {
		names = append(names, x.tool)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// wake withdraws an open card; g.mu is held.
func (g *Gate) wake() {
	close(g.changed)
	g.changed = make(chan struct{})
}
