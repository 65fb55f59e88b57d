package approval

import "github.com/zuno-dev/zuno/internal/tools"

// A Narrowing is what an agent that was delegated to may do less than whoever
// delegates.
type Narrowing struct {
	// Agent is its name, for the cards.
	Agent string
	// Policy counts where it is stricter than the session's; nil is none.
	Policy *Policy
	// Rules come on top of those of the session: of them only ask and deny count.
	Rules Rules
	// Classifier stands in for the session's, which reports to the goroutine of
	// another turn.
	Classifier Classifier
}

// Narrow returns a gate that allows no more than g does. Both have one policy,
// one list of allowed tools and one queue of cards, and the classifier reads
// what the user said to g.
func (g *Gate) Narrow(n Narrowing) *Gate {
	c := g.conf
	c.Classifier = n.Classifier
	return &Gate{conf: c, shared: g.shared, narrow: n, base: g}
}

// match returns what the rules say of p: those of the session, and those on the
// way to this gate where they are stricter; and which use of p that is due to,
// "" for none. g.mu is held.
func (g *Gate) match(p *tools.Proposal) (Action, string) {
	a, use := g.rules.judge(p)
	for ; g.base != nil; g = g.base {
		own, due := g.narrow.Rules.judge(p)
		if own == RuleDeny && a != RuleDeny || own == RuleAsk && a != RuleDeny && a != RuleAsk {
			a, use = own, due
		}
	}
	return a, use
}
