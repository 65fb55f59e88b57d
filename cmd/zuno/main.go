// Command zuno is an interactive coding agent for the terminal: it shows what
// every action of the model would do, asks where asking is right, does it once
// and remembers what happened. This package parses flags, wires values, runs
// one front end and maps errors to exit codes.
package main

import (
	"context"
	"fmt"
	"io"
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
	collectLater()
	os.Exit(zuno(os.Args[1:]))
}

// zuno runs the program and returns its exit code.
func zuno(args []string) int {
	out := &output{to: os.Stdout}
	root := newRoot(out)
	root.SetArgs(args)
	return ended(root.ExecuteContext(context.Background()), out)
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

// newRoot returns the command tree; what its commands print goes to out.
func newRoot(out io.Writer) *cobra.Command {
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
		Version: versionLine(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if means := meant(cmd, args); means != "" {
				return usageErrorf("there is no command %q (%s); to say it to the model, write more than that", tools.CleanLine(args[0]), means)
			}
			return interactive(cmd.Context(), f, strings.Join(args, " "))
		},
	}
	root.SetOut(out)
	root.SetVersionTemplate("zuno {{.Version}}\n")
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(flagError)
	shared(root, &f)
	root.AddCommand(newRun(), newTour(), newDoctor(), newModels(), newConfig(), newRules(), newTrust(), newUndo(), newMemory(), newMCPCommand(),
		newSessions(), newShow(), newExport(), newLedger())
	helpAndCompletion(root)
	return root
}

// shared adds the flags that the screen and run have in common.
func shared(cmd *cobra.Command, f *flags) {
	fl := cmd.Flags()
	fl.StringVar(&f.model, "model", "", "model to use, as `PROVIDER/MODEL` (default that of a continued session, else the configured one)")
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

// oneLine is s as one line that cannot drive a terminal.
func oneLine(s string) string {
	return tools.CleanLine(strings.ReplaceAll(strings.TrimSpace(s), "\n", "; "))
}
