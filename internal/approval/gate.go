package approval

import (
	"context"
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
	// Waiting is how many more requests are queued behind this one.
	Waiting int
}

// A Verb is what the person chose.
type Verb int

// The verbs. Deny is the zero value.
const (
	Deny Verb = iota
	Once
	AlwaysCommand // run, and remember the request's Key
	AlwaysTool    // run, and allow this tool for the session
)

// An Answer is what the person said.
type Answer struct {
	Verb   Verb
	Reason string // for the model, of a Deny
	Choice string // the picked rows, as tools.Choose writes them
	// By is who denied, in the place of the person; it counts for Deny only.
	By tools.Source
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
	// Attended says that a person is at the keyboard: only then may the
	// classifier read what the user asked for.
	Attended bool
}

// A Gate decides on proposals. Its policy may change at any time, from any
// goroutine: calls that wait are decided again.
type Gate struct {
	conf Config

	mu      sync.Mutex // guards what follows
	policy  Policy
	changed chan struct{} // closed and replaced when the policy or a list changes
	tools   map[grant]bool
	heard   []string
	waiting int

	asking chan struct{} // holds one token while a card is open
}

// New returns a Gate.
func New(c Config) *Gate {
	return &Gate{conf: c, policy: c.Policy, changed: make(chan struct{}), tools: map[grant]bool{}, asking: make(chan struct{}, 1)}
}

// Policy returns the policy in force.
func (g *Gate) Policy() Policy {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.policy
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

// Heard notes what the user said, as evidence for the classifier.
func (g *Gate) Heard(text string) {
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
	*f = Facts{
		Denied: p.Denied != "", Rule: g.conf.Rules.Match(p), Options: len(p.Options) > 0,
		Effect: p.Spec.Effect, Manual: p.Manual != "", Policy: g.policy, Risk: p.Spec.Risk,
		Judgeable: g.conf.Classifier != nil && p.Command != "" && !p.Dynamic &&
			g.policy.covers(capped(tools.ReadOnlyRisk, p.Floor)),
		Judged: f.Judged, Verdict: f.Verdict,
		Command: command, Tool: g.allowed(p),
	}
	return g.changed, nil
}

func (g *Gate) request(p *tools.Proposal, f Facts) Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := Request{Proposal: p, Policy: f.Policy, Verdict: f.Verdict, Why: why(p, f), Waiting: g.waiting}
	if f.Policy != Strict && !f.Manual && !f.Options && f.Rule != RuleAsk {
		r.Tool = true
		if g.conf.Commands != nil {
			r.Key = p.Key
		}
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
		if err := g.conf.Commands.Allow(r.Key, p.Command); err != nil {
			return tools.Decision{}, fmt.Errorf("remember %q: %w", r.Key, err)
		}
		d.Reason = "always allow " + r.Key
	case ans.Verb == AlwaysTool && r.Tool:
		g.allow(grant{p.Spec.Name, p.Version})
		d.Reason = "always allow " + p.Spec.Name + " in this session"
	}
	return d, nil
}
