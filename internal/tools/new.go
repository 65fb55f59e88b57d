package tools

import (
	"context"
)

// New makes a Tool from a spec and a typed propose function. The arguments are
// decoded once, strictly (see [Decode]); the schema is derived from Args when
// the spec has none (see [SchemaOf]). Propose need not set Call and Spec, but
// may set a Spec of its own, begun from the one it was given.
func New[Args any](spec Spec, propose func(ctx context.Context, spec Spec, args Args) (*Proposal, error)) Tool {
	if spec.Schema == nil {
		spec.Schema = SchemaOf[Args]()
	}
	return &tool[Args]{spec, propose}
}

type tool[Args any] struct {
	spec    Spec
	propose func(context.Context, Spec, Args) (*Proposal, error)
}

func (t *tool[Args]) Spec() Spec { return t.spec }

func (t *tool[Args]) Propose(ctx context.Context, call Call) (*Proposal, error) {
	var args Args
	if err := Decode(call.Args, &args); err != nil {
		return nil, &Refusal{Block: InvalidArguments, Reason: err.Error()}
	}
	p, err := t.propose(ctx, t.spec, args)
	if err != nil {
		return nil, err
	}
	p.Call = call
	if p.Spec.Name == "" {
		p.Spec = t.spec
	}
	return p, nil
}
