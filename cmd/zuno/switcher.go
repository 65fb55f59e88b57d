package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tui"
)

// efforts are what a model that reasons can be asked for.
func efforts() []string { return []string{"off", "low", "medium", "high"} }

// modelsTime bounds the search for models.
const modelsTime = 2 * time.Second

// switcher changes the model of a session while it runs.
type switcher struct {
	p *plan
	s *session
}

// using returns the model of the next request.
func (s *session) using() chosen {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.chosen
}

// List returns the models that can be used: those that answered last, those
// that are configured, those of local servers, and those that are known of the
// providers with a key.
func (w *switcher) List() ([]tools.Option, error) {
	recent, err := w.s.journal.Models()
	if err != nil {
		return nil, err
	}
	now := w.s.using().info.ID
	var list []tools.Option
	add := func(id, detail string) {
		if slices.ContainsFunc(list, func(o tools.Option) bool { return o.ID == id }) {
			return
		}
		if id == now {
			detail = "now"
		}
		list = append(list, tools.Option{ID: id, Label: id, Detail: detail})
	}
	for _, id := range recent {
		add(id, "used before")
	}
	add(now, "")
	for id, conf := range w.p.config.Providers {
		for m := range conf.Models {
			add(id+"/"+m, "configured")
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), modelsTime)
	defer cancel()
	for _, l := range llm.Discover(ctx, llm.HTTPClient(), llm.DefaultProbes()) {
		for _, m := range l.Models {
			add(l.Provider+"/"+m.ID, "on this machine")
		}
	}
	for _, info := range llm.Catalogue() {
		if _, err := w.p.modelNamed(ctx, info.ID); err == nil {
			add(info.ID, contextWord(info))
		}
	}
	return list, nil
}

func contextWord(i llm.Info) string {
	if i.Context == 0 {
		return ""
	}
	return fmt.Sprintf("%dk context", i.Context/1000)
}

// Use has the next request go to a model with an effort. Agents that name none
// have them too.
func (w *switcher) Use(model, effort string) (tui.InUse, error) {
	s := w.s
	var named chosen
	if model != "" { // this may take its time, which nobody should wait for
		var err error
		if named, err = w.p.modelNamed(context.Background(), model); err != nil {
			return tui.InUse{}, err
		}
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	next, nextEffort := s.chosen, s.effort
	if model != "" {
		next = named
	}
	in := tui.InUse{Model: next.info.ID}
	if next.info.Reasoning {
		in.Efforts = efforts()
	}
	if effort != "" {
		if !slices.Contains(in.Efforts, effort) {
			return in, fmt.Errorf("%s cannot be asked for the effort %q (%s)", in.Model, effort, effortWords(in))
		}
		nextEffort = effort
	}
	if model != "" || effort != "" {
		first, firstEffort := s.first, cmp.Or(effort, s.firstEffort)
		if model != "" {
			first = next
		}
		if err := s.journal.Choose(first.info.ID, firstEffort); err != nil {
			return in, err
		}
		s.model, s.chosen, s.effort, s.first, s.firstEffort = next.info.ID, next, nextEffort, first, firstEffort
		s.Use(loop.Choice{Model: next.Model, Info: next.info, Effort: nextEffort})
	}
	in.Effort = nextEffort
	return in, nil
}

func effortWords(in tui.InUse) string {
	if len(in.Efforts) == 0 {
		return "it takes none"
	}
	return fmt.Sprintf("it takes %v", in.Efforts)
}
