package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// A picked is who a session talks to.
type picked struct {
	model, small chosen // small has no model where none classifies
	// effort is the one that was chosen in the session, "" for none.
	effort string
	// named says that the model is not that of an agent: the session is gone on
	// with it.
	named  bool
	notice string // what the person is told about it, "" for nothing
}

// pick finds the model of the conversation and the one that classifies. A
// session that is gone on with keeps its model and effort, unless the command
// line names a model or an agent that has one, or it cannot be used any more.
func (s *session) pick(ctx context.Context, p *plan, given *chosen) (picked, error) {
	if given != nil {
		return picked{model: *given}, nil
	}
	keys, err := openKeyring()
	if err != nil {
		return picked{}, &codedError{exitConfig, err}
	}
	of := picked{named: p.flags.model != "" || p.profile.Model == ""}
	kept, effort, err := s.kept(p)
	if err != nil {
		return picked{}, err
	}
	if kept == "" || p.flags.model != "" && p.flags.model != kept || p.flags.model == "" && p.flags.agent != "" && p.profile.Model != "" {
		of.model, err = choose(ctx, p, keys, cmp.Or(p.flags.model, p.profile.Model, p.config.Model))
	} else if of.model, err = choose(ctx, p, keys, kept); err == nil {
		of.effort, of.named = effort, true
	} else if p.flags.model == "" {
		gone := err
		of.model, err = choose(ctx, p, keys, cmp.Or(p.profile.Model, p.config.Model))
		if errors.Is(err, errNoProvider) && exitOf(gone) == exitAuth {
			err = gone // its key is what is missing
		}
		if err == nil {
			of.notice = fmt.Sprintf("the session's model %s cannot be used (%s); it goes on with %s", oneLine(kept), oneLine(gone.Error()), of.model.info.ID)
		}
	}
	if err != nil {
		return picked{}, err
	}
	if !of.model.info.Reasoning || !slices.Contains(efforts(), of.effort) {
		of.effort = ""
	}
	of.small = of.model
	if p.config.SmallModel != "" {
		of.small, err = choose(ctx, p, keys, p.config.SmallModel)
	}
	return of, err
}

func exitOf(err error) int {
	code, _ := exitCode(err)
	return code
}

// kept is the model and the effort of the session that the command line goes on
// with, "" for none.
func (s *session) kept(p *plan) (model, effort string, err error) {
	if !p.goesOn() {
		return "", "", nil
	}
	if err := s.openStore(p); err != nil || s.goesOnWith == "" {
		return "", "", err
	}
	return s.db.Chosen(s.goesOnWith)
}

// keep notes what the session is gone on with, so that it is said only once that
// a model is gone.
func (s *session) keep(of picked) error {
	if !of.named { // it is the agent's
		return nil
	}
	return s.journal.Choose(of.model.info.ID, of.effort)
}
