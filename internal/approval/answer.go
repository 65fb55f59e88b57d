package approval

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zuno-dev/zuno/internal/tools"
)

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
	// Project says, of a hook that denied, that it is one of the project's.
	Project bool
}

// A Rewrite is the error of a decision that was not made: the person wants the
// call worked out again, with other arguments.
type Rewrite struct{ Args json.RawMessage }

// Error says what is to be done.
func (r *Rewrite) Error() string { return "the person rewrote the call: propose it again" }

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
			d.By, d.Project = ans.By, ans.Project
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
			return notRemembered(f, err), nil
		}
		err = g.conf.Commands.Allow(key, p.Command)
		var no *tools.Refusal
		switch {
		case errors.As(err, &no):
			return notRemembered(f, no), nil
		case err != nil:
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

// notRemembered is the decision on a call whose key cannot be remembered.
func notRemembered(f Facts, why error) tools.Decision {
	return tools.Decision{By: tools.ByPerson, Verdict: f.Verdict, Reason: "the key was not remembered, and nothing ran: " + why.Error()}
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
