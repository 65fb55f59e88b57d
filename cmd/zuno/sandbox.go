package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/zuno-dev/zuno/internal/shell"
)

// A sandbox knows what the commands of one session are confined to. What the
// machine can do is tried once, when the first command or the screen asks.
type sandbox struct {
	mode    shell.Mode
	demand  bool // the mode is configured: it is an error when it cannot be had
	usual   shell.Confinement
	ability func() shell.Ability
}

// newSandbox returns the sandbox that p configures. A mode that is configured
// and cannot be had is an error.
func newSandbox(p *plan) (*sandbox, error) {
	s := &sandbox{mode: shell.WorkspaceWrite, demand: p.config.Sandbox.Mode != ""}
	if s.demand {
		var err error
		if s.mode, err = shell.ParseMode(p.config.Sandbox.Mode); err != nil {
			return nil, &codedError{exitConfig, err}
		}
	}
	s.usual = shell.Usual(s.mode, p.root, p.environ())
	s.usual.Network = p.config.Sandbox.Network
	s.usual.Protected = append(s.usual.Protected, p.paths.Config, p.paths.Data, p.paths.State, p.paths.Cache)
	s.usual.Hidden = append(s.usual.Hidden, p.paths.Data, filepath.Join(p.paths.Config, keysFile), filepath.Join(p.paths.Config, loginsFile))
	s.ability = sync.OnceValue(func() shell.Ability { return shell.Probe(context.Background()) })
	if s.demand && s.mode != shell.Off {
		if _, _, err := s.confine(); err != nil {
			return nil, &codedError{exitConfig, err}
		}
	}
	return s, nil
}

// confine returns what a command is confined to, and in words what that is: they
// stand behind the word sandbox.
func (s *sandbox) confine() (*shell.Confinement, string, error) {
	if s.mode == shell.Off {
		return nil, "off, as configured", nil
	}
	c, err := s.ability().Confine(s.usual)
	switch {
	case err != nil && s.demand:
		return nil, "", fmt.Errorf("sandbox.mode is %s, which cannot be had here: %w (set it to off to run commands unconfined)", s.mode, err)
	case err != nil:
		return nil, "none: " + oneLine(err.Error()), nil
	}
	return c, strings.TrimPrefix(c.String(), "sandbox "), nil
}

// word is what the screen shows all the time.
func (s *sandbox) word() string {
	c, _, err := s.confine()
	word := "sandboxed"
	switch {
	case err != nil || c == nil:
		return "no sandbox"
	case s.mode == shell.ReadOnly:
		word = "read-only sandbox"
	}
	if s.usual.Network {
		word += " + network"
	}
	return word
}
