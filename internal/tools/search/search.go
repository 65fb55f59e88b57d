// Package search finds files by name and lines by content, for a model: the
// glob and grep tools. Both drive ripgrep, with arguments that cannot become
// options, a bounded decoding of what it prints and an order that does not
// depend on its threads.
package search

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

const (
	// maxResults is how many files or lines one call lists.
	maxResults = 100
	// maxLine is how many characters of a line are shown.
	maxLine = 500
	// timeLimit bounds one search.
	timeLimit = time.Minute
)

// A Config says where to search and with what.
type Config struct {
	// Resolve returns the absolute path, without symbolic links, that a name
	// given by the model stands for, "." being the workspace, and whether it
	// lies outside the workspace.
	Resolve func(path string) (abs string, outside bool, err error)
	// Rg returns the absolute path of ripgrep, or an error that names the fix;
	// see shell.FindRipgrep. It is called for every call of a tool, perhaps from
	// several goroutines.
	Rg func(ctx context.Context) (string, error)
	// Env is the environment of ripgrep, from shell.Environ.
	Env []string
}

// New returns the glob and the grep tool.
func New(c Config) []tools.Tool { return []tools.Tool{c.glob(), c.grep()} }

func spec(name, description string) tools.Spec {
	return tools.Spec{
		Name: name, Description: description,
		Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk,
		Timeout: timeLimit + 10*time.Second,
	}
}

// A root is where a search begins.
type root struct {
	abs     string
	name    string // relative to the workspace, absolute outside of it
	outside bool
	file    bool // one file instead of a directory
}

// find works out where a search begins; path "" is the workspace.
func (c Config) find(path string) (root, error) {
	if path == "" {
		path = "."
	}
	abs, outside, err := c.Resolve(path)
	if err != nil {
		return root{}, tools.Refuse(tools.InvalidArguments, "path: %v", err)
	}
	abs = filepath.ToSlash(abs) // as patterns and results have it
	r := root{abs: abs, name: abs, outside: outside}
	if ws, _, err := c.Resolve("."); err == nil && !outside {
		if rel, err := filepath.Rel(ws, abs); err == nil {
			r.name = filepath.ToSlash(rel)
		}
	}
	if r.file, err = check(abs); err != nil {
		return root{}, tools.Refuse(tools.InvalidArguments, "path %s: %v", tools.CleanLine(path), err)
	}
	return r, nil
}

// propose fills in what both tools have in common.
func (r root) propose(what string) *tools.Proposal {
	p := &tools.Proposal{
		Summary:  tools.Clip(tools.CleanLine(what+" in "+r.name), 200),
		Subjects: []string{r.name},
		Preview:  []tools.Section{{Kind: tools.Text, Body: tools.CleanLine(what + " in " + r.abs)}},
	}
	if r.outside {
		p.Manual = "searches outside the workspace: " + r.abs
	}
	return p
}

// check says whether abs is a file, and why it cannot be searched: opening a
// pipe or a device may block or never end, and /proc has other processes'
// secrets.
func check(abs string) (file bool, err error) {
	if abs == "/proc" || strings.HasPrefix(abs, "/proc/") {
		return false, errString("what is in /proc is not searched")
	}
	fi, err := os.Stat(abs)
	switch {
	case os.IsNotExist(err):
		return false, errString("it does not exist")
	case err != nil:
		return false, err
	case fi.IsDir():
		return false, nil
	case !fi.Mode().IsRegular():
		return false, errString("it is neither a file nor a directory")
	}
	return true, nil
}

type errString string

func (e errString) Error() string { return string(e) }
