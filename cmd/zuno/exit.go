package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"syscall"

	"github.com/zuno-dev/zuno/internal/headless"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/reach"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tui"
)

// The exit codes. They are part of the contract with scripts.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitBlocked     = 3  // finished, but a call was denied because nobody could approve it
	exitUncertain   = 4  // uncertain outcomes remain
	exitSteps       = 5  // the step limit
	exitBudget      = 6  // the time or money allowed is used up
	exitUnavailable = 75 // the provider failed: retry later (EX_TEMPFAIL of sysexits.h)
	exitAuth        = 77 // not authenticated (EX_NOPERM)
	exitConfig      = 78 // configuration (EX_CONFIG)
	exitSignal      = 128
)

// An exitMeaning says what a code tells a script, and what to do.
type exitMeaning struct {
	code          int
	means, advice string
}

// exitMeanings is every code that zuno ends with; signals add their number to
// the last.
func exitMeanings() []exitMeaning {
	return []exitMeaning{
		{exitDone, "done", ""},
		{exitFailed, "failed", "read the message; of `zuno doctor`: something is wrong"},
		{exitUsage, "usage: the command line cannot be used", "see `--help`"},
		{exitBlocked, "finished, but a call was denied because nobody could approve it", "`--approval-policy`, `--allow-tool` or a rule; 0 with `--on-block=report`"},
		{exitUncertain, "uncertain outcomes remain", "look before you run it again: it comes before 75"},
		{exitSteps, "the step limit", "`--max-steps`"},
		{exitBudget, "the time limit", "`--timeout`"},
		{exitUnavailable, "the provider failed", "retry later"},
		{exitAuth, "not authenticated", "set the provider's key"},
		{exitConfig, "configuration, of zuno or of the machine's proxy and certificates, or a record that cannot be used", "the message has file, line and column, or names the variable; `zuno config edit`"},
		{exitSignal + 1, "interrupted by a hang-up", ""},
		{exitSignal + 2, "interrupted by Ctrl+C", ""},
		{exitSignal + 3, "interrupted by Ctrl+\\ or a request to quit", ""},
		{exitSignal + 15, "interrupted by a request to end", ""},
	}
}

// A codedError is an error whose exit code its maker knows.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

func usageErrorf(format string, args ...any) error {
	return &codedError{exitUsage, fmt.Errorf(format, args...)}
}

func configErrorf(format string, args ...any) error {
	return &codedError{exitConfig, fmt.Errorf(format, args...)}
}

func authErrorf(format string, args ...any) error {
	return &codedError{exitAuth, fmt.Errorf(format, args...)}
}

// A signalError is the cause of a context that a signal ended.
type signalError struct {
	name   string
	number int
}

func (e *signalError) Error() string { return "interrupted by " + e.name }

// errTime is the cause of a context whose --timeout has passed.
var errTime = errors.New("the time that --timeout allows is used up")

// exitCode maps an error to the process's exit code and to the status word of
// the JSON result.
func exitCode(err error) (int, string) {
	var coded *codedError
	var sig *signalError
	var ui *tui.SignalError
	var model *llm.Error
	switch {
	case err == nil:
		return exitDone, "done"
	case errors.As(err, &sig):
		return exitSignal + sig.number, "interrupted"
	case errors.As(err, &ui):
		return exitSignal + signalNumber(ui.Signal), "interrupted"
	case errors.Is(err, errTime):
		return exitBudget, "budget"
	case errors.As(err, &coded):
		return coded.code, map[int]string{exitUsage: "usage", exitConfig: "configuration", exitAuth: "unauthenticated"}[coded.code]
	case errors.Is(err, loop.ErrStepLimit):
		return exitSteps, "step_limit"
	case errors.Is(err, store.ErrNoSession):
		return exitUsage, "usage"
	case errors.Is(err, store.ErrUnusable):
		return exitConfig, "configuration"
	case errors.Is(err, context.Canceled):
		return exitSignal + 2, "interrupted"
	case errors.As(err, &model):
		switch model.Kind {
		case llm.Auth:
			return exitAuth, "unauthenticated"
		case llm.NoModel, llm.Barred:
			return exitConfig, "configuration"
		case llm.RateLimit, llm.Overloaded, llm.Transport, llm.Incomplete, llm.Stalled, llm.Quota:
			return exitUnavailable, "unavailable"
		}
	}
	return exitFailed, "failed"
}

// signalNumber is the number of s, and that of SIGTERM for one without.
func signalNumber(s os.Signal) int {
	if n, ok := s.(syscall.Signal); ok {
		return int(n)
	}
	return int(syscall.SIGTERM)
}

// judge returns what headless.Run asks for: the status and the exit code of a
// run. Uncertain outcomes come before a provider's failure, which invites a
// script to try again; an interrupt comes before all.
//
// Open counts the uncertain calls of the session of which nobody found out, and
// running the commands that still run in the background: they are stopped with
// the run, so that what became of them is not known. Refused counts the calls of
// agents that were denied because nobody could approve them.
func judge(report bool, open func() (int, error), running, refused func() int) func(*headless.Result, error) (string, int) {
	return func(r *headless.Result, err error) (string, int) {
		code, status := exitCode(err)
		uncertain, denied := 0, refused()
		for _, t := range r.Tools {
			switch {
			case t.Outcome == "uncertain":
				uncertain++
			case t.Outcome == "blocked" && t.DecidedBy == "nobody":
				denied++
			}
		}
		if n, err := open(); err == nil { // else the record cannot be read, and this run's count stands
			uncertain = n
		}
		uncertain += running()
		switch {
		case code >= exitSignal:
			return status, code
		case uncertain > 0:
			return "uncertain", exitUncertain
		case code != exitDone:
			return status, code
		case denied > 0 && !report:
			return "blocked", exitBlocked
		}
		return status, code
	}
}

// hint adds to an error of the provider what the user can do about it at the
// command line.
func hint(err error) error {
	return advise(err, "zuno models lists others; --model PROVIDER/MODEL names one", "name another model with --model")
}

// hintOnScreen is hint for those who sit at the screen.
func hintOnScreen(err error) error {
	return advise(err, "/model lists others, and changes to one", "change to another model with /model")
}

// advise is hint, with how models are found, and changed to, where the user is.
func advise(err error, find, change string) error {
	var e *llm.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Kind {
	case llm.Auth:
		name := keyVariable(e.Provider)
		if keys, e := openKeyring(); e == nil && keys.from(name) == keys.path {
			return fmt.Errorf("%w (check the key for %s in %s, or remove the file and paste another)", err, name, keys.path)
		}
		if e.Status == http.StatusForbidden {
			return fmt.Errorf("%w (check the key in %s, and what it may do)", err, name)
		}
		return fmt.Errorf("%w (check the key in %s)", err, name)
	case llm.Quota:
		return fmt.Errorf("%w (the account of the key in %s has no credit or quota left: see there, or %s)", err, keyVariable(e.Provider), change)
	case llm.RateLimit, llm.Overloaded:
		return fmt.Errorf("%w (try again later, or %s)", err, change)
	case llm.BadThought: // what there was of it is left out already
		return fmt.Errorf("%w (%s)", err, change)
	case llm.Incomplete, llm.Stalled:
		return fmt.Errorf("%w (try again; if that stays so, something on the way may cut answers off, such as a proxy)", err)
	case llm.NoModel:
		if name := e.Provider + "/" + e.Model; e.Model != "" && !strings.Contains(err.Error(), e.Model) {
			err = fmt.Errorf("%w, asked for %s", err, tools.CleanLine(tools.Clip(name, 120)))
		}
		return fmt.Errorf("%w (%s%s)", err, nearModel(e.Provider, e.Model), find)
	case llm.Transport:
		if p := (*reach.Problem)(nil); errors.As(err, &p) {
			return err // it says what to do
		}
		return fmt.Errorf("%w (is the provider's address right, and the network there?)", err)
	}
	return err
}

// complain prints err as the one line it is.
func complain(err error) { fmt.Fprintln(os.Stderr, "zuno: "+oneLine(err.Error())) }
