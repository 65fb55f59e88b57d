// Package command lets a model, and the person at the terminal, run command
// lines: the shell tool and the operator's "! command". Both take the same
// road, from the analysis of the line to the process tree that is stopped. A
// command that outlives its call is a job, which the bg tool follows.
package command

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// How long a call waits for its command, which then becomes a job. A model may
// ask for any time up to the largest. That is the operator's, who can
// interrupt; after it the operator's command is killed.
const (
	defaultTimeout = 2 * time.Minute
	maxTimeout     = 10 * time.Minute
)

// moment is how long a command that is to run in the background is watched, so
// that one which fails at once says so.
const moment = 500 * time.Millisecond

// defaultCeiling is how long a job may run.
const defaultCeiling = 30 * time.Minute

// settleTime is what a command may take beyond its limit to be stopped.
const settleTime = 15 * time.Second

// A Config says where and how commands run.
type Config struct {
	// Workspace is the absolute path of the folder that zuno works in.
	Workspace string
	// Temp is the absolute path of the temporary directory, "" for the system's.
	Temp string
	// Env is the environment of the commands, from shell.Environ.
	Env []string
	// Shell is the absolute path of the interpreter, from shell.Lookup; "" for
	// /bin/sh.
	Shell string
	// Spool is the directory for output that is too long, "" to not keep it.
	Spool string
	// Limit bounds what the model sees; zero means the default.
	Limit tools.TextLimit
	// Processes owns the jobs, and what commands leave running. Without it
	// nothing is left, and a command is killed when its time is over.
	Processes *shell.Processes
	// Ceiling is how long a job may run, from the start of its command; zero
	// means 30 minutes.
	Ceiling time.Duration
	// Analyze stands in for shell.Analyze, to lift rules of the denylist.
	Analyze func(line string, at shell.Place) shell.Analysis
	// Confine, when set, returns what commands are confined to, nil for nothing,
	// and in words what that is or why it is nothing. Its error says why a
	// confinement that is demanded cannot be had; then nothing runs.
	Confine func() (c *shell.Confinement, words string, err error)
	// Force, when set, is asked when a command starts for the channel whose
	// closing kills it at once while it is being stopped.
	Force func() <-chan struct{}
}

// New returns the shell tool and the bg tool.
func New(c Config) []tools.Tool {
	return []tools.Tool{
		tools.New(specOf(c), func(_ context.Context, spec tools.Spec, a args) (*tools.Proposal, error) {
			return propose(c, spec, a, c.Processes != nil)
		}),
		newBg(c),
	}
}

func specOf(c Config) tools.Spec {
	return tools.Spec{
		Name: "shell",
		Description: fmt.Sprintf(`Run a command line in the workspace with bash (with sh where there is no bash).

Each call is a new shell without start-up files, without a terminal and with standard input closed; pagers, editors and prompts are off. Nothing is remembered between calls: use workdir instead of cd. pipefail is on in bash: a pipeline fails when any part of it fails (141 means that its reader stopped early, as head does). A non-zero exit code is an ordinary result. Output over %d bytes or %d lines is cut in the middle, and the whole is kept in a file that is named.

A command that is still running at the timeout is not killed: it goes on as a background job, and the result names the job for bg. Never start it a second time; follow it with bg wait. Set background for what is meant to keep running, such as a server: the call then returns after a moment. A job may run for %s in all and ends with zuno. What a command leaves running with & also goes on until then, but its later output is lost.

Use read, glob and grep to look at files, write and apply_patch to change them.`, c.limit().MaxBytes, c.limit().MaxLines, minutes(c.ceiling())),
		Effect:      tools.SideEffecting,
		Replay:      tools.Never,
		Concurrency: tools.Exclusive,
		Risk:        tools.Unknown,
		Timeout:     maxTimeout + settleTime,
	}
}

func (c Config) limit() tools.TextLimit {
	if c.Limit.MaxBytes <= 0 || c.Limit.MaxLines <= 0 {
		return tools.DefaultTextLimit()
	}
	return c.Limit
}

// ceiling is how long a command may run in all.
func (c Config) ceiling() time.Duration {
	if c.Ceiling <= 0 {
		return defaultCeiling
	}
	return c.Ceiling
}

// minutes writes d as people do.
func minutes(d time.Duration) string {
	if d%time.Minute == 0 {
		return fmt.Sprintf("%d minutes", d/time.Minute)
	}
	return d.String()
}

type args struct {
	Command     string `json:"command" doc:"the command line"`
	Description string `json:"description,omitempty" doc:"what it is for, in a few words; shown to the person who is asked"`
	Workdir     string `json:"workdir,omitempty" doc:"directory to run in, relative to the workspace; the workspace itself when left out"`
	Timeout     *int   `json:"timeout,omitempty" doc:"milliseconds to wait for its end; 120000 when left out, at most 600000; it then goes on as a job"`
	Background  bool   `json:"background,omitempty" doc:"true to let it run as a job from the start, without waiting for its end"`
}

// A run is a command that has been worked out.
type run struct {
	config  Config
	line    string
	dir     place
	at      shell.Place // the same, for the analysis
	timeout time.Duration
	clamped bool // more was asked for
	jobs    bool // it may become a job
	back    bool // it is to be one from the start
	seen    shell.Analysis
	confine *shell.Confinement // nil for nothing
	bounds  string             // what that means, in words; "" when nobody asked
}

// propose works a command out; jobs says that it may become a job.
func propose(c Config, spec tools.Spec, a args, jobs bool) (*tools.Proposal, error) {
	switch {
	case strings.TrimSpace(a.Command) == "":
		return nil, tools.Refuse(tools.InvalidArguments, "command is empty")
	case strings.ContainsRune(a.Command, 0):
		return nil, tools.Refuse(tools.InvalidArguments, "command contains a NUL byte")
	case a.Background && a.Timeout != nil:
		return nil, tools.Refuse(tools.InvalidArguments, "timeout is how long to wait, and background is not to wait: leave one of them out")
	case a.Background && !jobs:
		return nil, tools.Refuse(tools.Unavailable, "there are no background jobs here; leave background out")
	}
	if why := shell.NoShell(c.Shell); why != "" {
		return nil, tools.Refuse(tools.Unavailable, "%s", why)
	}
	r := run{config: c, line: a.Command, jobs: jobs, back: a.Background}
	var err error
	if r.timeout, r.clamped, err = timeout(a.Timeout); err != nil {
		return nil, err
	}
	if r.back {
		r.timeout = moment
	}
	if r.dir, err = c.resolve(a.Workdir); err != nil {
		return nil, err
	}
	r.at = shell.Place{
		Dir: r.dir.real, Workspace: c.root(), Home: cmp.Or(c.env("HOME"), c.env("USERPROFILE")), Temp: c.Temp, Own: c.own(),
		Secrets: shell.Secrets(c.Env),
	}
	if c.Confine != nil {
		if r.confine, r.bounds, err = c.Confine(); err != nil {
			return nil, tools.Refuse(tools.Unavailable, "%v", err)
		}
	}
	r.seen = r.analyze()
	if why := r.unusable(); why != "" {
		return nil, &tools.Refusal{Block: tools.InvalidArguments, Reason: why, Summary: summary(a.Command)}
	}
	p := &tools.Proposal{
		Spec:     spec,
		Summary:  summary(a.Command),
		Preview:  r.preview(a.Description),
		Subjects: subjects(a.Command, r.seen),
		Readings: r.seen.Readings(a.Command),
		Uses:     r.uses(),
		There:    r.there,
		Key:      r.seen.Key,
		Command:  a.Command,
		Dynamic:  r.seen.Dynamic || !r.seen.Parsed,
		Floor:    floor(r.seen),
		Manual:   strings.Join(r.manual(), "; "),
		Edit:     &tools.Edit{Arg: "command", What: "the command line", Name: "command.sh"},
		Do:       r.do,
	}
	p.Spec.Timeout = r.timeout + settleTime
	if r.seen.Denied != nil {
		p.Denied = r.seen.Denied.Error()
	}
	if r.dir.outside {
		p.Key = "" // what is allowed in the workspace is not allowed elsewhere
	} else if r.seen.Mild {
		p.Spec.Risk = tools.ReadOnlyRisk
	}
	return p, nil
}

// floor is the mildest verdict that what is known for certain leaves.
func floor(a shell.Analysis) tools.Risk {
	switch tier, _ := a.Tier(); tier {
	case shell.StaticReadOnly:
		return tools.ReadOnlyRisk
	case shell.StaticLow:
		return tools.Low
	}
	return tools.High
}

func timeout(ms *int) (d time.Duration, clamped bool, err error) {
	switch {
	case ms == nil:
		return defaultTimeout, false, nil
	case *ms <= 0:
		return 0, false, tools.Refuse(tools.InvalidArguments, "timeout must be at least 1 millisecond, not %d", *ms)
	case *ms > int(maxTimeout/time.Millisecond):
		return maxTimeout, true, nil
	}
	return time.Duration(*ms) * time.Millisecond, false, nil
}

func (r run) analyze() shell.Analysis {
	analyze := r.config.Analyze
	if analyze == nil {
		analyze = shell.Analyze
	}
	at := r.at
	at.Earlier = r.seen
	return analyze(r.line, at)
}

// own are zuno's folders where the environment moves them: a command could
// write there what the next zuno obeys.
func (c Config) own() []string {
	var all []string
	if home := c.env("ZUNO_HOME"); home != "" {
		if !filepath.IsAbs(home) {
			home = filepath.Join(c.root(), home)
		}
		return append(all, filepath.Join(home, "config"), filepath.Join(home, "data"), filepath.Join(home, "state"))
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		if base := c.env(name); filepath.IsAbs(base) {
			all = append(all, filepath.Join(base, "zuno"))
		}
	}
	return all
}

// manual lists why only a person may allow the command.
func (r run) manual() []string {
	var why []string
	if r.dir.outside {
		why = append(why, "runs outside the workspace, in "+r.dir.real)
	}
	for _, t := range r.seen.Manual {
		why = append(why, t.String())
	}
	return why
}

// subjects lists the simple commands, as written and as the shell reads them,
// so that a rule holds however a word is quoted.
func subjects(line string, a shell.Analysis) []string {
	all := a.Texts()
	if len(all) == 0 || !a.Parsed && !slices.Contains(all, line) {
		all = append(all, line)
	}
	return all
}

func (c Config) env(name string) string {
	for i := len(c.Env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(c.Env[i], name+"="); ok {
			return v
		}
	}
	return ""
}
