package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// attend starts the command and waits for it. When the time is over and it is
// still running, it becomes a job as it is; an end of ctx before that stops it.
func (r run) attend(ctx context.Context, c shell.Cmd, report func(tools.Progress)) tools.Outcome {
	j, err := r.config.Processes.Start(ctx, c)
	if err != nil {
		return r.outcome(ctx, shell.Result{Exit: -1, Err: err})
	}
	over := time.NewTimer(r.timeout)
	defer over.Stop()
	told := int64(0)
	for {
		line, n, news := j.Progress()
		if n > told {
			report(progress(line, n))
			told = n
		}
		select {
		case <-j.Done():
			return r.outcome(ctx, j.Result())
		case <-ctx.Done():
			j.Stop(ctx.Err())
			return r.outcome(ctx, j.Result())
		case <-news:
		case <-over.C:
			if ctx.Err() == nil && j.HandOver() {
				return r.handedOver(j)
			}
		}
	}
}

// handedOver says that the command runs on, and how to follow it from what the
// result shows.
func (r run) handedOver(j *shell.Job) tools.Outcome {
	id := j.ID()
	var b strings.Builder
	if r.back {
		fmt.Fprintf(&b, "It runs in the background as the job %s.", id)
	} else {
		fmt.Fprintf(&b, "It is still running after %s. It was not killed: it goes on as the job %s.", r.timeout, id)
	}
	if r.clamped {
		b.WriteString(" (More time was asked for than the 600000 ms that are allowed.)")
	}
	view := r.config.newest(j)
	fmt.Fprintf(&b, ` Do not start it again. To wait for its end, call bg with {"action":"wait","taskID":"%s"}; with "cursor":%d it gives what comes after the output below, and returns once there is any. bg cancel stops it. It may run for %s in all and ends with zuno.`,
		id, view.Next(), minutes(r.config.ceiling()))
	fmt.Fprintf(&b, "\n%s\n%s\n%s", kept(j), view.header(), view.body())
	return tools.Outcome{
		Kind: tools.OK, Started: true, Truncated: view.From > 0, Text: tools.Clean(strings.TrimSuffix(b.String(), "\n")),
		Show: []tools.Section{r.config.glimpse(j, "goes on in the background as "+id)},
	}
}

// kept says where the output of j is.
func kept(j *shell.Job) string {
	switch path, err := j.File(); {
	case path == "" && err == nil:
		return "Only the end of its output is kept, in memory."
	case path == "":
		return fmt.Sprintf("Only the end of its output is kept, in memory: %v.", err)
	case err != nil:
		return fmt.Sprintf("Its output is in %s, but not all of it: %v.", path, err)
	default:
		return fmt.Sprintf("Its output is in %s.", path)
	}
}
