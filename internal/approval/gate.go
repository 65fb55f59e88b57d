package approval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Request is a question put to whoever can answer it. A request for a
// proposal with Options is answered by a row of the picker, and nothing else.
type Request struct {
	Proposal *tools.Proposal
	Policy   Policy
	Verdict  tools.Risk // the classifier's, when it was asked; else Unknown
	Why      string     // why it asks, for the card
	// Key is what "always allow this command" would remember, and "" when that
	// cannot be offered. Tool says whether "always allow this tool" can.
	Key  string
	Tool bool
	// By is the step of the decision order that asks.
	By tools.Source
	// CheckKey says what a key that the person wrote in the place of Key would
	// cover, or why it cannot be remembered for this command. It reads the record;
	// nil when Key is "" or nothing can be said.
	CheckKey func(key string) (Coverage, error)
	// Edit is what the person may rewrite before it runs; nil for nothing. Note,
	// when not "", says why what they wrote last cannot run.
	Edit *tools.Edit
	Note string
	// Waiting is how many more requests are queued behind this one.
	Waiting int
	// Agent names who asks when that is not the session's own agent but one that
	// it delegated to; else "".
	Agent string
}

// A Verb is what the person chose.
type Verb int

// The verbs. Deny is the zero value.
const (
	Deny Verb = iota
	Once
	AlwaysCommand // run, and remember the request's Key
	AlwaysTool    // run, and allow this tool for the session
	Edit          // run nothing yet: the call has other arguments now
)

// An Answer is what the person said.
type Answer struct {
	Verb   Verb
	Reason string // for the model, of a Deny
	Choice string // the picked rows, as tools.Choose writes them
	Key    string // of an AlwaysCommand, in the place of the request's; "" for that
	Args   string // of an Edit: the call's new arguments, as JSON
	// By is who denied, in the place of the person; it counts for Deny only.
	By tools.Source
}

// A Rewrite is the error of a decision that was not made: the person wants the
// call worked out again, with other arguments.
type Rewrite struct{ Args json.RawMessage }

// Error says what is to be done.
func (r *Rewrite) Error() string { return "the person rewrote the call: propose it again" }

// A Coverage is what a key would let run without asking.
type Coverage struct {
	Key string // in the form in which it is remembered
	// Commands are those among the earlier commands of this repository that it
	// would have covered, the newest first, and Of how many there are in all.
	Commands []string
	Of       int
}

// Keys knows what the key of a command covers.
type Keys interface {
	// Check returns what key would cover, or why it cannot be remembered for p.
	Check(key string, p *tools.Proposal) (Coverage, error)
}

// ErrNobody is the error of an Asker that has nobody to ask.
var ErrNobody = errors.New("nobody is here to approve this")

// An Asker puts a question to someone. It returns when it is answered or ctx
// ends; a context that ends withdraws the question. It is called from one
// goroutine at a time.
type Asker interface {
	Ask(ctx context.Context, r Request) (Answer, error)
}

// Evidence is what a classifier may read. Words of the assistant or of tools
// cannot be put into it.
type Evidence struct {
	Command string
	// UserRequests are the newest user messages, oldest first; empty when nobody
	// is at the keyboard.
	UserRequests []string
}

// A Classifier judges the risk of a command. It has no error: every failure
// is High.
type Classifier interface {
	Classify(ctx context.Context, e Evidence) tools.Risk
}

// An Allowlist remembers command keys beyond the session.
type Allowlist interface {
	Allowed(key string) (bool, error)
	Allow(key, command string) error
}

// A Stage tells whoever watches a decision how far it got.
type Stage struct {
	Classifying bool
	Classified  bool       // with
	Verdict     tools.Risk // this verdict
	Asking      *Request
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

// evidence is bounded as the contract says: the last five messages, 800
// characters in all, newest kept first.
const (
	evidenceMessages = 5
	evidenceRunes    = 800
)

// Heard notes what the user said, as evidence for the classifier. What an agent
// is told that another one delegates to was written by a model: it is none.
func (g *Gate) Heard(text string) {
	if g.base != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.heard = append(g.heard, text)
	if n := len(g.heard) - evidenceMessages; n > 0 {
		g.heard = append([]string(nil), g.heard[n:]...)
	}
}

func (g *Gate) evidence(command string) Evidence {
	e := Evidence{Command: command}
	if !g.conf.Attended {
		return e
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	left := evidenceRunes
	for i := len(g.heard) - 1; i >= 0 && left > 0; i-- {
		r := []rune(g.heard[i])
		if len(r) > left {
			r = append(r[:max(0, left-1)], '…')
		}
		left -= len(r)
		e.UserRequests = append([]string{string(r)}, e.UserRequests...)
	}
	return e
}

// Decide returns the decision on p: it reads the policy afresh each time, asks
// the classifier only when that could change the answer, and asks a person
// last. Watch, which may be nil, is told of each stage from the calling
// goroutine. The error is ctx's, or the allowlist's.
func (g *Gate) Decide(ctx context.Context, p *tools.Proposal, watch func(Stage)) (tools.Decision, error) {
	d, err := g.settle(ctx, p, watch)
	d.At = time.Now()
	return d, err
}

func (g *Gate) settle(ctx context.Context, p *tools.Proposal, watch func(Stage)) (tools.Decision, error) {
	if watch == nil {
		watch = func(Stage) {}
	}
	f := Facts{}
	mine := false // this call holds g.asking
	defer func() {
		if mine {
			<-g.asking
		}
	}()
	for {
		changed, err := g.facts(p, &f)
		if err != nil {
			return tools.Decision{}, err
		}
		step, by := Decide(f)
		d := tools.Decision{By: by, Verdict: f.Verdict}
		switch step {
		case Run:
			d.Allowed, d.Reason = true, explain(by, f)
			return d, nil
		case Block:
			d.Reason = blockReason(by, p)
			return d, nil
		case Classify:
			watch(Stage{Classifying: true})
			f.Judged, f.Verdict = true, capped(g.conf.Classifier.Classify(ctx, g.evidence(p.Command)), p.Floor)
			if err := ctx.Err(); err != nil {
				return tools.Decision{}, err
			}
			watch(Stage{Classified: true, Verdict: f.Verdict})
			continue
		}
		if !mine {
			// The queue: wait for the card to be free, then decide again with what
			// has changed meanwhile.
			if err := g.await(ctx); err != nil {
				return tools.Decision{}, err
			}
			mine = true
			continue
		}
		r := g.request(p, f)
		r.By = by
		watch(Stage{Asking: &r})
		ans, err := g.ask(ctx, changed, r)
		if errors.Is(err, errChanged) {
			continue
		}
		return g.answered(p, f, r, ans, err)
	}
}

// capped is the verdict, no milder than floor.
func capped(verdict, floor tools.Risk) tools.Risk {
	if floor != tools.Unknown && verdict > floor {
		return floor
	}
	return verdict
}

// await takes g.asking, counting as waiting meanwhile.
func (g *Gate) await(ctx context.Context) error {
	g.count(1)
	defer g.count(-1)
	select {
	case g.asking <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *Gate) count(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting += n
}

// facts fills in f for p, keeping a verdict that was already given, and
// returns the channel that is closed when one of them changes.
func (g *Gate) facts(p *tools.Proposal, f *Facts) (<-chan struct{}, error) {
	command := false
	if p.Key != "" && g.conf.Commands != nil {
		var err error
		if command, err = g.conf.Commands.Allowed(p.Key); err != nil {
			return nil, fmt.Errorf("read the allowlist: %w", err)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	policy := g.inForce()
	*f = Facts{
		Denied: p.Denied != "", Rule: g.match(p), Options: len(p.Options) > 0, Edited: p.Edited || p.Rejected != "",
		Effect: p.Spec.Effect, Manual: p.Manual != "", Policy: policy, Risk: p.Spec.Risk,
		Judgeable: g.conf.Classifier != nil && p.Command != "" && !p.Dynamic &&
			policy.covers(capped(tools.ReadOnlyRisk, p.Floor)),
		Judged: f.Judged, Verdict: f.Verdict,
		Command: command, Tool: g.allowed(p),
	}
	return g.changed, nil
}

func (g *Gate) request(p *tools.Proposal, f Facts) Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := Request{Proposal: p, Policy: f.Policy, Verdict: f.Verdict, Why: why(p, f), Waiting: g.waiting, Agent: g.narrow.Agent}
	if f.Policy != Strict && !f.Manual && !f.Options && f.Rule != RuleAsk {
		r.Tool = true
		if g.conf.Commands != nil {
			r.Key = p.Key
		}
	}
	if r.Key != "" && g.conf.Keys != nil {
		r.CheckKey = func(key string) (Coverage, error) { return g.conf.Keys.Check(key, p) }
	}
	if !f.Options && p.Edit != nil {
		r.Edit, r.Note = p.Edit, p.Rejected
	}
	return r
}

var errChanged = errors.New("the policy changed")

func (g *Gate) ask(ctx context.Context, changed <-chan struct{}, r Request) (Answer, error) {
	if g.conf.Asker == nil {
		return Answer{}, ErrNobody
	}
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-changed:
			cancel(errChanged)
		case <-done:
		}
	}()
	ans, err := g.conf.Asker.Ask(ctx, r)
	close(done)
	<-watched
	cause := context.Cause(ctx)
	cancel(nil)
	if err != nil && errors.Is(cause, errChanged) {
		return Answer{}, errChanged
	}
	return ans, err
}

func (g *Gate) answered(p *tools.Proposal, f Facts, r Request, ans Answer, err error) (tools.Decision, error) {
	d := tools.Decision{By: tools.ByPerson, Verdict: f.Verdict}
	switch {
	case errors.Is(err, ErrNobody):
		d.By, d.Reason = tools.ByNobody, nobody(p, f)
		return d, nil
	case err != nil:
		return tools.Decision{}, err
	case ans.Verb == Edit && r.Edit != nil:
		return tools.Decision{}, &Rewrite{json.RawMessage(ans.Args)}
	case ans.Verb == Edit:
		d.Reason = "nothing of this call can be rewritten"
		return d, nil
	case ans.Verb == Deny:
		d.Reason = ans.Reason
		if ans.By != "" {
			d.By = ans.By
		}
		return d, nil
	case len(p.Options) > 0 && !tools.Offered(p.Options, ans.Choice):
		d.Reason = "no row was chosen: nothing ran"
		return d, nil
	}
	d.Allowed, d.Choice, d.Reason = true, ans.Choice, "run once"
	switch {
	case ans.Verb == AlwaysCommand && r.Key != "":
		key, err := r.keyOf(ans)
		if err != nil {
			return tools.Decision{By: tools.ByPerson, Verdict: f.Verdict, Reason: "the key was not remembered, and nothing ran: " + err.Error()}, nil
		}
		if err := g.conf.Commands.Allow(key, p.Command); err != nil {
			return tools.Decision{}, fmt.Errorf("remember %q: %w", key, err)
		}
		d.Reason = "always allow " + key
	case ans.Verb == AlwaysTool && r.Tool:
		g.allow(grant{p.Spec.Name, p.Version})
		d.Reason = "always allow " + p.Spec.Name + " in this session"
	}
	if p.Edited {
		d.Reason = "changed by you, then " + d.Reason
	}
	return d, nil
}

// keyOf returns the key that an answer has remembered: the request's, or what
// the person made of it, which is looked at again.
func (r Request) keyOf(ans Answer) (string, error) {
	switch {
	case ans.Key == "" || ans.Key == r.Key:
		return r.Key, nil
	case r.CheckKey == nil:
		return "", errors.New("only " + r.Key + " can be")
	}
	c, err := r.CheckKey(ans.Key)
	return c.Key, err
}
