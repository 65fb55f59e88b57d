package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ReadAgent returns the agent that fields describe, which are those of
// agents.NAME: texts, whole numbers, booleans and lists of texts. It checks them
// as Load does; the error is one line and has no place.
func ReadAgent(name string, fields map[string]any) (Agent, error) {
	text, err := json.Marshal(map[string]any{"agents": map[string]any{name: fields}})
	if err != nil {
		return Agent{}, fmt.Errorf("read agent %q: %w", clip(name), err)
	}
	settings, err := decode(newSource("", text))
	var wrong *Error
	if errors.As(err, &wrong) {
		var texts []string
		for _, p := range wrong.Problems {
			texts = append(texts, strings.ReplaceAll(p.Text, "agents."+name+".", ""))
		}
		return Agent{}, errors.New(strings.Join(texts, "; "))
	}
	if err != nil {
		return Agent{}, err
	}
	c := &Config{Agents: map[string]Agent{}}
	for _, s := range settings {
		switch {
		case s.key.refuse != nil:
			return Agent{}, errors.New(s.key.refuse(s.value))
		case s.key.set != nil:
			s.key.set(c, s.names, s.value)
		}
	}
	return c.Agents[name], nil
}

// Over returns a with what b says in the place of what a says.
func (b Agent) Over(a Agent) Agent {
	for _, f := range []struct {
		to   *string
		from string
	}{
		{&a.Description, b.Description},
		{&a.Mode, b.Mode},
		{&a.Prompt, b.Prompt},
		{&a.Model, b.Model},
		{&a.Policy, b.Policy},
		{&a.Reasoning, b.Reasoning},
	} {
		if f.from != "" {
			*f.to = f.from
		}
	}
	if b.Tools != nil {
		a.Tools = b.Tools
	}
	if b.Delegates != nil {
		a.Delegates = b.Delegates
	}
	if b.Steps != 0 {
		a.Steps = b.Steps
	}
	a.Rules = append(a.Rules[:len(a.Rules):len(a.Rules)], b.Rules...)
	a.Disable, a.Hidden = a.Disable || b.Disable, a.Hidden || b.Hidden
	return a
}
