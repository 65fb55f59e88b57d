package approval

import (
	"context"
	"errors"

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
