// Command zuno is an interactive coding agent for the terminal: it shows what
// every action of the model would do, asks where asking is right, does it once
// and remembers what happened. This package parses flags, wires values, runs
// one front end and maps errors to exit codes.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/pdf"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

func main() {
	shell.SandboxMain(os.Args) // does not return where zuno confines a command
	harden()
	pdf.Main(os.Args) // nor where zuno reads a document
	os.Exit(zuno(os.Args[1:]))
}

// zuno runs the program and returns its exit code.
func zuno(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	var done *codeOnly
	if errors.As(err, &done) {
		return done.code
	}
	code, _ := exitCode(err)
	if err != nil {
		complain(hint(err))
	}
	return code
}

// A codeOnly ends the program with a code, everything having been said.
type codeOnly struct{ code int }

func (c *codeOnly) Error() string { return fmt.Sprintf("exit %d", c.code) }

// interruptible returns a context that the signals which end a program end,
// with the signal as its cause. A signal that whoever started zuno had ignored,
// as nohup does, stays ignored. A pipe that nobody reads any more becomes an
// error of writing, so that what runs is settled first. The screen has signals
// of its own.
func interruptible(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, pipe := make(chan os.Signal, 1), make(chan os.Signal, 1)
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	signal.Notify(pipe, syscall.SIGPIPE)
	done := make(chan struct{})
	go func() {
		select {
		case s := <-signals:
			cancel(&signalError{s.String(), signalNumber(s)})
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel(nil)
	}
}

// flags are those of the command line.
type flags struct {
	model, policy, session, cwd, agent, config string
	cont, debug                                bool
	// of run only
	allowTools      []string
	format, onBlock string
	maxSteps        int
	timeout         string
	// record stands between the loop and the record, for tests of crashes; no
	// flag sets it.
	record func(loop.Journal) loop.Journal
	// look looks on at the run; nil when nobody does.
	look *onlooker
}

// journal is j, with what a test puts before it.
func (f *flags) journal(j loop.Journal) loop.Journal {
	if f.record == nil {
		return j
	}
	return f.record(j)
}

// newRoot returns the command tree.
func newRoot() *cobra.Command {
	var f flags
	root := &cobra.Command{
		Use:   "zuno [flags] [prompt]",
		Short: "A coding agent for the terminal that shows what it does before it does it",
		Long: `zuno is a coding agent for the terminal. You type what you want; a model answers
with tool calls; zuno shows what each call would do, asks where asking is right,
does it once and remembers what happened.`,
		Example: `  zuno                                  start here
  zuno tour                             see it work, offline and without a key
  zuno run "why does the test fail?"    one prompt, answer on standard output`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true, SilenceUsage: true,
		Version: versionText(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if means := meant(cmd, args[0]); means != "" {
					return usageErrorf("there is no command %q (%s); to say it to the model, write more than the one word", tools.CleanLine(args[0]), means)
				}
			}
			return interactive(cmd.Context(), f, strings.Join(args, " "))
		},
	}
	root.SetVersionTemplate("zuno {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageErrorf("%w (see %s --help)", err, cmd.CommandPath())
	})
	shared(root, &f)
	root.AddCommand(newRun(), newTour(), newDoctor(), newModels(), newConfig(), newRules(), newTrust(), newUndo(), newMemory(), newMCPCommand(),
		newSessions(), newShow(), newExport(), newLedger())
	return root
}

// meant says what somebody wants who gives only a word that is no command, but
// would be taken for one: what other programs have, and a command misspelt. It
// is "" for a prompt.
func meant(root *cobra.Command, word string) string {
	switch word {
	case "update", "upgrade":
		return "get a newer zuno the way you got this one"
	case "version":
		return "zuno --version says which this is"
	case "login", "auth":
		return "zuno doctor says which keys there are, and the first screen takes one"
	case "resume", "continue":
		return "zuno -c continues the newest session of this folder"
	}
	if len(word) < 5 { // short words are too close to each other
		return ""
	}
	for _, name := range root.SuggestionsFor(word) {
		if name != "help" && name[0] == word[0] {
			return "did you mean zuno " + name + "?"
		}
	}
	return ""
}

// shared adds the flags that the screen and run have in common.
func shared(cmd *cobra.Command, f *flags) {
	fl := cmd.Flags()
	fl.StringVar(&f.model, "model", "", "model to use, as `PROVIDER/MODEL`")
	fl.StringVar(&f.policy, "approval-policy", "", "what runs without asking: `POLICY` is strict, read-only, low-risk, high-risk or yolo (default low-risk)")
	fl.BoolVarP(&f.cont, "continue", "c", false, "continue the newest session of this folder")
	fl.StringVar(&f.session, "session", "", "continue the session with this `ID`")
	fl.StringVarP(&f.cwd, "cwd", "C", "", "work in `DIR`")
	fl.StringVar(&f.agent, "agent", "", "agent to be, by `NAME` (default build)")
	fl.StringVar(&f.config, "config", "", "read `FILE` over the user's configuration")
	fl.BoolVar(&f.debug, "debug", false, "write a log of what zuno does, without secrets, into a file that is named at the start")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		switch named := fl.Changed("session"); {
		case named && f.session == "": // a variable that is not set, as a rule
			return usageErrorf("--session names no session: it is empty; leave it out to begin a new one")
		case named && f.cont:
			return usageErrorf("-c and --session name two sessions: give one of them")
		}
		return nil
	}
}

// noArgs refuses arguments. Where a command has commands of its own, the first
// was meant for one.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasSubCommands():
		return usageErrorf("there is no command %q (see %s --help)", tools.CleanLine(tools.Clip(args[0], 64)), cmd.CommandPath())
	}
	return usageErrorf("%s takes no arguments (see %[1]s --help)", cmd.CommandPath())
}

// oneLine is s as one line that cannot drive a terminal.
func oneLine(s string) string {
	return tools.CleanLine(strings.ReplaceAll(strings.TrimSpace(s), "\n", "; "))
}
