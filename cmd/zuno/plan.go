package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/config"
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
}

// newPlan reads the configuration and checks the flags against it.
func newPlan(f flags) (*plan, error) {
	dir, err := workingDir(f.cwd)
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // the configuration says what needs one
	}
	in := config.Input{Env: os.Getenv, Home: home, Dir: dir, Root: config.Root(dir), File: f.config}
	p := &plan{flags: f, dir: dir, root: in.Root}
	if p.paths, err = in.Paths(); err != nil {
		return nil, &codedError{exitConfig, err}
	}
	if home := os.Getenv("ZUNO_HOME"); home != "" {
		if info, err := os.Stat(filepath.Dir(p.paths.Config)); err == nil && !info.IsDir() {
			return nil, configErrorf("ZUNO_HOME is %s, which is not a directory", home)
		}
	}
	c, notices, err := config.Load(in)
	if err != nil {
		return nil, &codedError{exitConfig, err}
	}
	p.config = c
	for _, n := range notices {
		p.notices = append(p.notices, n.String())
	}
	if p.profile, err = agent.Find(c, f.agent); err != nil {
		return nil, &codedError{exitConfig, err}
	}
	for _, name := range []string{f.policy, p.profile.Policy, c.Policy} {
		if name != "" {
			if p.policy, err = approval.ParsePolicy(name); err != nil {
				return nil, &codedError{exitUsage, err}
			}
			return p, nil
		}
	}
	p.policy = approval.LowRisk
	return p, nil
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

// plainError is an error of the file system without the path, which its
// message has already.
func plainError(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
