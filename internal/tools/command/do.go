package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// do runs what was proposed, or refuses because the world is another by now.
func (r run) do(ctx context.Context, _ string, report func(tools.Progress)) tools.Outcome {
	if out, ok := r.still(); !ok {
		return out
	}
	switch c := r.command(); {
	case r.jobs:
		return r.attend(ctx, c, report)
	case r.config.Processes == nil:
		c.Report = func(line string, n int64) { report(progress(line, n)) }
		return r.outcome(ctx, shell.Run(ctx, c))
	default:
		c.Report = func(line string, n int64) { report(progress(line, n)) }
		return r.outcome(ctx, r.config.Processes.Run(ctx, c))
	}
}

// command is what the shell package runs.
func (r run) command() shell.Cmd {
	limit := r.config.limit()
	c := shell.Cmd{
		Line: r.line, Shell: r.config.Shell, Dir: r.dir.real, Env: r.config.Env, Spool: r.config.Spool, Confine: r.confine,
		// Cleaning makes text up to four times as long, and what is cut from it
		// must be in the spool.
		Limits: shell.Limits{Time: r.timeout, SpoolFrom: limit.MaxBytes / 4, SpoolLines: limit.MaxLines / 2},
	}
	if r.jobs {
		c.Limits.Time = r.config.ceiling()
	}
	if r.config.Force != nil {
		c.Force = r.config.Force()
	}
	return c
}

func progress(line string, n int64) tools.Progress {
	return tools.Progress{Text: tools.CleanLine(line), Bytes: n}
}

// still says no when the command would not do any more what was shown: the
// directory is another, a rule denies it, or it would touch something new.
func (r run) still() (tools.Outcome, bool) {
	stale := func(format string, a ...any) (tools.Outcome, bool) {
		text := fmt.Sprintf(format, a...) + "; nothing was run"
		return tools.Outcome{Kind: tools.Blocked, Block: tools.Stale, Text: text}, false
	}
	if err := r.dir.check(); err != nil {
		return stale("%v", err)
	}
	now := r.analyze()
	if now.Denied != nil {
		return tools.Outcome{Kind: tools.Blocked, Block: tools.Denied, Text: now.Denied.Error()}, false
	}
	for _, t := range now.Manual {
		if !slices.Contains(r.seen.Manual, t) {
			return stale("since the preview things have changed: it now %s", t)
		}
	}
	for _, u := range now.Uses { // rules were asked about what it used then
		if !slices.Contains(r.seen.Uses, u) {
			return stale("since the preview things have changed: it now uses %s", cmp.Or(u.Path, "files that are not known"))
		}
	}
	if r.seen.Mild && !now.Mild {
		return stale("since the preview things have changed: it may no longer be read-only")
	}
	return tools.Outcome{}, true
}

// outcome says what became of the command, to the model and to the person.
func (r run) outcome(ctx context.Context, res shell.Result) tools.Outcome {
	out := tools.Outcome{Kind: tools.OK, Started: res.Started}
	switch {
	case !res.Started && ctx.Err() != nil && errors.Is(res.Err, ctx.Err()):
		out.Kind = tools.Cancelled
	case !res.Started:
		out.Kind = tools.Error
	case res.TimedOut:
		out.Kind = tools.Uncertain
	case res.Killed:
		out.Kind = tools.Cancelled
	default:
		out.ExitCode = &res.Exit
	}
	limit := r.config.limit()
	body, cut := res.Text(max(limit.MaxBytes-1024, 1024), max(limit.MaxLines-16, 16))
	out.Text, out.Truncated = r.text(res, body), cut
	if res.Stopped != "" {
		out.Again = r.outside(res.Stopped)
	}
	show, _ := res.Text(4<<10, 40)
	out.Show = []tools.Section{{Kind: tools.Text, Title: tools.CleanLine(res.Status()), Body: tools.Clean(strings.TrimRight(show, "\n"))}}
	if res.Left {
		out.Show = append(out.Show, tools.Section{Kind: tools.Text, Title: left})
	}
	return out
}

// left says that a command left something behind.
const left = "something it started is still running in the background; it ends with the session"

// text frames the output with what the model has to know first and last.
func (r run) text(res shell.Result, body string) string {
	var b strings.Builder
	switch {
	case res.TimedOut:
		fmt.Fprintf(&b, "%s. What it did until then is done: look at the state of things before doing more.\n", res.Status())
	case !res.Started, res.Killed, res.Exit != 0:
		b.WriteString(res.Status() + "\n")
	}
	if r.clamped && res.TimedOut {
		b.WriteString("More time was asked for than the 600000 ms that are allowed.\n")
	}
	b.WriteString(body)
	if res.Started && body == "" {
		b.WriteString("(no output)\n")
	}
	if !strings.HasSuffix(b.String(), "\n") {
		b.WriteByte('\n')
	}
	if res.Left {
		b.WriteString("[" + left + "]\n")
	}
	if res.Started && res.Err != nil {
		fmt.Fprintf(&b, "[%v]\n", res.Err)
	}
	b.WriteString(bounded(res))
	return tools.Clean(strings.TrimSuffix(b.String(), "\n"))
}
