package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/headless"
	"github.com/zuno-dev/zuno/internal/loop"
)

// newRun returns the headless front end.
func newRun() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "run [flags] [prompt|-]",
		Short: "Carry one prompt to its end without a screen",
		Long: `run carries one prompt to its end. The answer, or the JSON, goes to standard
output; everything else goes to standard error. Nobody can approve anything, so
what would ask is blocked, and the text says what would allow it.

A prompt of - is read from standard input. With a prompt, what is piped in is
added to it as data.

Exit codes: 0 done · 1 failed · 2 usage · 3 a call was denied because nobody
could approve it · 4 uncertain outcomes remain · 5 step limit · 6 time limit ·
75 the provider failed, retry later · 77 not authenticated · 78 configuration ·
129, 130 or 143 interrupted by a signal`,
		Example: `  zuno run "summarise what changed since yesterday"
  git diff | zuno run --output-format json "review this"
  zuno run --allow-tool shell --approval-policy high-risk "make the tests pass"`,
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), cmd.OutOrStdout(), f, args) },
	}
	shared(cmd, &f)
	fl := cmd.Flags()
	fl.StringArrayVar(&f.allowTools, "allow-tool", nil, "run the tool `NAME` without asking; may be repeated")
	fl.StringVar(&f.format, "output-format", "text", "what to print: `FORMAT` is text, json or stream-json")
	fl.StringVar(&f.onBlock, "on-block", "fail", "when a call was denied because nobody could approve it: `HOW` is fail (exit 3) or report (exit 0)")
	fl.IntVar(&f.maxSteps, "max-steps", 0, "let the model call tools in at most `N` steps; then it must answer (default 100)")
	fl.StringVar(&f.timeout, "timeout", "", "stop after `DURATION`, such as 90s or 10m")
	return cmd
}

func run(ctx context.Context, out io.Writer, f flags, args []string) (err error) {
	format, err := headless.ParseFormat(f.format)
	if err != nil {
		return &codedError{exitUsage, err}
	}
	result := headless.Options{Out: out, Err: os.Stderr, Format: format, Now: time.Now}
	ctx, stop := interruptible(ctx)
	defer stop()
	f.look = &onlooker{}
	defer func() { f.look.end(err) }()
	r, err := runSession(ctx, f, args, result)
	if r != nil {
		return finish(r, err)
	}
	if format != headless.Text {
		// A script that reads JSON gets its one object whatever happened.
		code, status := exitCode(err)
		result.Judge = func(*headless.Result, error) (string, int) { return status, code }
		if _, werr := headless.Fail(hint(err), result); werr != nil {
			err = errors.Join(err, werr)
		}
	}
	return err
}

// finish turns a printed result, and the error of printing it, into the end of
// the program.
func finish(r *headless.Result, err error) error {
	switch {
	case r.ExitCode == exitDone:
		return err
	case err != nil:
		return &codedError{r.ExitCode, err}
	}
	return &codeOnly{r.ExitCode}
}

func runSession(ctx context.Context, f flags, args []string, o headless.Options) (*headless.Result, error) {
	if f.onBlock != "fail" && f.onBlock != "report" {
		return nil, usageErrorf("--on-block %s: it must be fail or report", f.onBlock)
	}
	if f.maxSteps < 0 {
		return nil, usageErrorf("--max-steps %d: it must be a number over 0", f.maxSteps)
	}
	if f.timeout != "" {
		d, err := time.ParseDuration(f.timeout)
		if err != nil || d <= 0 {
			return nil, usageErrorf("--timeout %s: it must be a duration such as 90s or 10m", f.timeout)
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, d, errTime)
		defer cancel()
	}
	p, err := newPlan(f)
	if err != nil {
		return nil, err
	}
	prompt, err := promptOf(ctx, args, os.Stdin)
	if err != nil {
		return nil, err
	}
	s, err := open(ctx, p, headless.Nobody{}, false, nil)
	if err != nil {
		return nil, err
	}
	for _, n := range s.notices {
		fmt.Fprintln(os.Stderr, "zuno: "+oneLine(n))
	}
	o.Session, o.Judge = s.id, judge(f.onBlock == "report", s.doubts, func() int { return len(s.running()) }, s.work.deniedCalls)
	o.Explain = hint
	r, err := headless.Run(ctx, s.promptAlone, prompt, o)
	stopping(s.running())
	if cerr := s.Close(); cerr != nil {
		fmt.Fprintln(os.Stderr, "zuno: "+oneLine(cerr.Error()))
	}
	return r, err
}

// promptAlone runs the only turn of a session. What agents do in the background
// ends with it, before anybody says how the run ended.
func (s *session) promptAlone(ctx context.Context, text string, emit func(loop.Event)) error {
	emit = s.work.telling(emit)
	var ended loop.Event
	err := s.Prompt(ctx, text, func(e loop.Event) {
		if _, ok := e.(loop.Ended); ok {
			ended = e
			return
		}
		emit(e)
	})
	stopping(s.work.background())
	cerr := s.work.Close()
	if ended != nil {
		emit(ended)
	}
	return errors.Join(err, cerr)
}

// stopping tells which commands and agents end with the session.
func stopping(lines []string) {
	for _, l := range lines {
		fmt.Fprintln(os.Stderr, "zuno: still running in the background, stopped now: "+l)
	}
}

// The bounds of what is read from standard input.
const (
	maxInput  = 10 << 20
	pipeGrace = time.Second
)

// promptOf returns the prompt that the arguments and standard input make.
func promptOf(ctx context.Context, args []string, in *os.File) (string, error) {
	prompt := strings.Join(slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "-" }), " ")
	wanted := slices.Contains(args, "-") || len(args) == 0
	info, err := in.Stat()
	terminal := err != nil || info.Mode()&os.ModeCharDevice != 0
	switch {
	case wanted && terminal && len(args) == 0:
		return "", usageErrorf("there is no prompt: give one as an argument, or pipe it in")
	case wanted:
		text, err := readAll(ctx, in, 0)
		if err != nil {
			return "", err
		}
		return join(prompt, text)
	case terminal:
		return join(prompt, "")
	}
	// A prompt was given, and something may be piped in as well. A pipe on which
	// nothing comes must not hold the prompt up.
	text, err := readAll(ctx, in, pipeGrace)
	if errors.Is(err, errSilent) {
		fmt.Fprintln(os.Stderr, "zuno: nothing came on standard input, so it is not used (give - as the prompt to wait for it)")
		return join(prompt, "")
	}
	if err != nil {
		return "", err
	}
	return join(prompt, text)
}

// join puts piped text behind the prompt, marked as the data it is.
func join(prompt, text string) (string, error) {
	prompt, text = strings.ReplaceAll(prompt, "\x00", ""), strings.ReplaceAll(text, "\x00", "")
	switch {
	case strings.TrimSpace(text) == "" && strings.TrimSpace(prompt) == "":
		return "", usageErrorf("the prompt is empty: give one as an argument, or pipe it in")
	case strings.TrimSpace(text) == "":
		return prompt, nil
	case prompt == "":
		return text, nil
	}
	return prompt + "\n\n<stdin>\n" + strings.ReplaceAll(text, "</stdin", `\u003c/stdin`) + "\n</stdin>", nil
}

// errSilent says that a pipe stayed open and nothing came.
var errSilent = errors.New("standard input is silent")

// readAll reads in to its end, or until ctx ends; with a grace, only when
// something comes within it. A read that blocks is left to the end of the
// process.
func readAll(ctx context.Context, in io.Reader, grace time.Duration) (string, error) {
	r := &reading{first: make(chan struct{}), done: make(chan struct{})}
	go r.run(in)
	var silent <-chan time.Time
	if grace > 0 {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		silent = timer.C
	}
	for first := r.first; ; {
		select {
		case <-r.done:
			return string(r.text), r.err
		case <-first:
			silent, first = nil, nil
		case <-silent:
			return "", errSilent
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// A reading is standard input on its way.
type reading struct {
	first, done chan struct{} // closed at the first byte, and at the end
	text        []byte        // readable after done, as is err
	err         error
}

func (r *reading) run(in io.Reader) {
	defer close(r.done)
	buf := make([]byte, 64<<10)
	for {
		n, err := in.Read(buf)
		if n > 0 && len(r.text) == 0 {
			close(r.first)
		}
		r.text = append(r.text, buf[:n]...)
		switch {
		case len(r.text) > maxInput:
			r.err = usageErrorf("standard input has more than %d MiB, which no model takes: pipe in a part of it, or put it into a file and name that", maxInput>>20)
			return
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			r.err = fmt.Errorf("read standard input: %w", err)
			return
		}
	}
}
