// Package hook runs the programs that people attach to points of a session, by
// the names and in the format that other agents use. A hook can block and can
// ask; nothing that it says allows anything.
package hook

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
)

// defaultTimeout bounds a hook that names no other time.
const defaultTimeout = time.Minute

// maxText bounds what a hook says, in bytes.
const maxText = 8 << 10

// Events are the points at which hooks can run.
func Events() []string {
	return []string{"PreToolUse", "PostToolUse", "PermissionRequest", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop", "PreCompact", "Notification"}
}

// A Hook is one program.
type Hook struct {
	Event string
	// Matcher is a regular expression for what the event is about, such as the
	// name of a tool, as a whole; "" and * match everything.
	Matcher string
	Command string        // a line for the shell
	Timeout time.Duration // 0 means DefaultTimeout
	// Confined hooks run as the Runner's Confine says.
	Confined bool
	// Source names the file of a hook that is not the person's own; "" for theirs.
	// What it blocks or asks about says so.
	Source string
}

// CheckMatcher says what is wrong with a matcher, "" when nothing is.
func CheckMatcher(m string) string {
	if _, err := compile(m); err != nil {
		return "is no regular expression: " + strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	}
	return ""
}

func compile(m string) (*regexp.Regexp, error) {
	if m == "" || m == "*" {
		m = ".*"
	}
	return regexp.Compile("^(?:" + m + ")$")
}

// matches reports whether h is for one of names.
func (h Hook) matches(names []string) bool {
	re, err := compile(h.Matcher)
	return err == nil && slices.ContainsFunc(names, re.MatchString)
}

// A Runner runs hooks. Its methods may be called from any goroutine.
type Runner struct {
	Hooks []Hook
	// Shell is the absolute path of the interpreter, Dir the folder in which hooks
	// run, and Env their whole environment.
	Shell, Dir string
	Env        []string
	// Confine returns what confined hooks are held to, nil for nothing. Its error
	// says why they cannot run.
	Confine func() (*shell.Confinement, error)
	// Common is what every hook is told, beside what is the event's.
	Common map[string]any
	// Ran, when it is not nil, is told how each hook that ran came out, by its
	// place in Hooks; from the goroutine that called Run.
	Ran func(i int, a Answer, took time.Duration)
}

// An Answer is what the hooks of one event say together.
type Answer struct {
	Block bool // do not go on
	Ask   bool // let a person decide
	// Source is that of the hook which blocks or asks.
	Source string
	// Reason is why, of a block or an ask. Context is for the model.
	Reason, Context string
	// Say is for the person, a line each; Troubles are what went wrong with hooks
	// and changes nothing.
	Say, Troubles []string
}

// Run runs the hooks of event that are for one of names ("" for an event that is
// about nothing), in their order, and stops at the first that blocks. A context
// that ends is no trouble: the caller sees it.
func (r *Runner) Run(ctx context.Context, event string, names []string, about map[string]any) Answer {
	var all Answer
	if r == nil {
		return all
	}
	for i, h := range r.Hooks {
		if h.Event != event || !h.matches(names) {
			continue
		}
		began := time.Now()
		a := r.one(ctx, h, about)
		if r.Ran != nil && ctx.Err() == nil {
			r.Ran(i, a, time.Since(began))
		}
		if h.Source != "" && (a.Block || a.Ask) && len(a.Troubles) == 0 { // a trouble names it
			a.Reason += fmt.Sprintf(" [%s of %s]", h.Name(), h.Source)
		}
		all.Say, all.Troubles = append(all.Say, a.Say...), append(all.Troubles, a.Troubles...)
		all.Context = join(all.Context, a.Context)
		if a.Ask && !all.Ask || a.Block {
			all.Ask, all.Reason, all.Source = a.Ask, a.Reason, h.Source
		}
		if all.Block = a.Block; a.Block || ctx.Err() != nil {
			break
		}
	}
	return all
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// one runs h.
func (r *Runner) one(ctx context.Context, h Hook, about map[string]any) Answer {
	told := map[string]any{"hook_event_name": h.Event}
	for _, m := range []map[string]any{r.Common, about} {
		for k, v := range m {
			told[k] = v
		}
	}
	in, err := json.Marshal(told)
	if err != nil {
		return h.trouble("it cannot be told about the event: %v", err)
	}
	limit := h.Timeout
	if limit <= 0 {
		limit = defaultTimeout
	}
	cmd := shell.Cmd{
		Line: h.Command, Shell: r.Shell, Dir: r.Dir, Env: r.Env, Stdin: append(in, '\n'), Limits: shell.Limits{Time: limit, Memory: maxText},
	}
	if h.Confined && r.Confine != nil {
		if cmd.Confine, err = r.Confine(); err != nil {
			return h.kept("%v", err)
		}
	}
	res := shell.Run(ctx, cmd)
	out, stderr := text(res.Stdout), text(res.Stderr)
	switch {
	case ctx.Err() != nil:
		return Answer{}
	case !res.Started:
		return h.trouble("it could not be started: %v", res.Err)
	case res.TimedOut:
		return h.trouble("it took longer than %s", limit)
	case res.Exit == 2:
		if stderr == "" {
			stderr = "a hook blocks it: " + clip(h.Command, 200)
		}
		return Answer{Block: true, Reason: stderr}
	case res.Exit != 0 && res.Stopped != "":
		return h.kept("the sandbox probably stopped it: %s", res.Stopped)
	case res.Exit != 0:
		return h.trouble("it ended with exit status %d: %s", res.Exit, clip(stderr, 500))
	}
	return h.read(out)
}

// text is what a stream says.
func text(o shell.Output) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(o.Head)+string(o.Tail), "�"))
}

// Name names the hook to a person, as in "hook Stop `make check`".
func (h Hook) Name() string { return fmt.Sprintf("hook %s `%s`", h.Event, clip(h.Command, 200)) }

func (h Hook) trouble(format string, a ...any) Answer {
	return Answer{Troubles: []string{h.Name() + ": " + strings.TrimSuffix(strings.TrimSpace(fmt.Sprintf(format, a...)), ":")}}
}

// kept is the trouble of a hook that its confinement kept from deciding: what it
// was to decide is left to a person, for it might have said no.
func (h Hook) kept(format string, a ...any) Answer {
	all := h.trouble(format, a...)
	all.Ask, all.Reason = true, all.Troubles[0]
	return all
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
