package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tui"
	"github.com/zuno-dev/zuno/internal/watch"
)

// A plan is what the command line and the configuration say, checked: all that
// is known before anything is opened, started or asked.
type plan struct {
	flags   flags
	config  *config.Config
	paths   config.Paths
	notices []string
	profile agent.Profile
	policy  approval.Policy
	dir     string // working directory, absolute
	root    string // workspace
	in      config.Input
	watch   *watch.Watch // nil when nobody looks on
	// trusted reads what a person has trusted in the project; see [plan.trusts].
	trusted func() ([]store.Trusted, error)
	// skills and commands look for them the first time that they are called.
	skills   func() foundSkills
	commands func() foundCommands
}

// newPlan reads the configuration and checks the flags against it.
func newPlan(f flags) (*plan, error) {
	p, err := locate(f)
	if err != nil {
		return nil, err
	}
	if err := f.look.begin(f, p.paths); err != nil {
		return nil, err
	}
	if err := p.read(func(path, text string) bool { return p.trusts("config", p.inProject(path), text) }); err != nil {
		return nil, err
	}
	p.findAgents()
	p.notices = append(p.notices, p.trustNotices()...)
	p.watch = f.look.read(p)
	err = p.settle()
	if err != nil && slices.ContainsFunc(p.config.Files, func(f config.File) bool { return f.Project && f.Trusted }) {
		err = fmt.Errorf("%w (the project's settings are trusted; zuno trust --remove takes that back)", err)
	}
	return p, err
}

// locate finds the folders that a plan is about.
func locate(f flags) (*plan, error) {
	dir, err := workingDir(f.cwd)
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // the configuration says what needs one
	}
	in := config.Input{Env: os.Getenv, Home: home, Dir: dir, Root: config.Root(dir), File: f.config}
	p := &plan{flags: f, dir: dir, root: in.Root, in: in}
	p.trusted = p.readTrusted()
	p.skills, p.commands = sync.OnceValue(p.findSkills), sync.OnceValue(p.findCommands)
	if p.paths, err = in.Paths(); err != nil {
		return nil, &codedError{exitConfig, err}
	}
	if home := os.Getenv("ZUNO_HOME"); home != "" {
		if info, err := os.Stat(filepath.Dir(p.paths.Config)); err == nil && !info.IsDir() {
			return nil, configErrorf("ZUNO_HOME is %s, which is not a directory", home)
		}
	}
	return p, nil
}

// read reads the configuration; trust says which of the project's files are
// trusted, nil that none is.
func (p *plan) read(trust func(path, text string) bool) error {
	p.in.Trust = trust
	c, notices, err := config.Load(p.in)
	if err != nil {
		return &codedError{exitConfig, err}
	}
	p.config = c
	for _, n := range notices {
		p.notices = append(p.notices, n.String())
	}
	return nil
}

// settle finds the agent and the policy that the configuration and the flags
// come to.
func (p *plan) settle() (err error) {
	if len(p.config.Keys) > 0 { // the usual ones are tested
		if name, problem := tui.CheckKeys(p.config.Keys); problem != "" {
			return configErrorf("%s: keys.%s: %s", p.config.Places["keys."+name], tools.CleanLine(name), problem)
		}
	}
	if p.profile, err = agent.Find(p.config, p.flags.agent); err != nil {
		return &codedError{exitConfig, err}
	}
	if !p.profile.Starts() {
		return configErrorf("the agent %q is one that other agents start (mode subagent): name another one", p.profile.Name)
	}
	for _, name := range []string{p.flags.policy, p.profile.Policy, p.config.Policy} {
		if name != "" {
			if p.policy, err = approval.ParsePolicy(name); err != nil {
				return &codedError{exitUsage, err}
			}
			return nil
		}
	}
	p.policy = approval.LowRisk
	return nil
}

// workingDir is the folder that zuno works in, without symbolic links.
func workingDir(cwd string) (string, error) {
	if cwd == "" {
		cwd = "."
	}
	abs, err := filepath.Abs(cwd)
	if err != nil {
		return "", usageErrorf("the working directory is gone: cd to one that exists, or name one with -C DIR")
	}
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		return "", usageErrorf("-C %s: %s", cwd, plainError(err))
	case !info.IsDir():
		return "", usageErrorf("-C %s: it is not a directory", cwd)
	}
	return filepath.EvalSymlinks(abs)
}

// environ is what children get of zuno's own environment.
func (p *plan) environ() []string {
	env, _ := shell.Environ(os.Environ(), p.config.EnvAllowlist)
	return env
}

// lookup is how programs are found: never in the workspace.
func (p *plan) lookup() shell.Lookup {
	l := shell.Lookup{Env: os.Environ(), Workspace: p.root}
	if exe, err := os.Executable(); err == nil {
		l.Beside = filepath.Dir(exe)
	}
	return l
}

// plainError is an error of the file system without the path, which its
// message has already.
func plainError(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
