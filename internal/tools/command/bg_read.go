package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// quiet is how long a job must have been silent for bg wait to take what it
// wrote for all there is for now.
const quiet = 500 * time.Millisecond

func (c Config) list(bgArgs) (*tools.Proposal, error) {
	return &tools.Proposal{
		Summary: "list",
		Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
			return tools.Outcome{Kind: tools.OK, Text: c.listing()}
		},
	}, nil
}

func (c Config) listing() string {
	var jobs []*shell.Job
	if c.Processes != nil {
		jobs = c.Processes.Jobs()
	}
	if len(jobs) == 0 {
		return "There are no background jobs in this session."
	}
	var b strings.Builder
	for _, j := range jobs {
		fmt.Fprintf(&b, "%s  %s, %d bytes of output: %s\n", j.ID(), state(j), j.Window(-1, 0).Total, tools.Clip(tools.CleanLine(visible(j.Line())), 200))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// state says in a few words how j is.
func state(j *shell.Job) string {
	if !j.Ended() {
		return j.Status()
	}
	return "ended: " + j.Status()
}

func (c Config) output(a bgArgs) (*tools.Proposal, error) {
	j, err := c.readable(a)
	if err != nil {
		return nil, err
	}
	return &tools.Proposal{
		Summary: about("output", j),
		Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
			return c.reading(j, a)
		},
	}, nil
}

func (c Config) wait(a bgArgs) (*tools.Proposal, error) {
	j, err := c.readable(a)
	if err != nil {
		return nil, err
	}
	return &tools.Proposal{
		Summary: about("wait", j),
		Do: func(ctx context.Context, _ string, report func(tools.Progress)) tools.Outcome {
			if !follow(ctx, j, a, report) {
				return stopped(false, "The waiting was stopped; nothing was done to %s, which is %s.", j.ID(), state(j))
			}
			return c.reading(j, a)
		},
	}, nil
}

// readable finds the job and checks the cursor: output only grows.
func (c Config) readable(a bgArgs) (*shell.Job, error) {
	j, err := c.job(a)
	if err != nil {
		return nil, err
	}
	if total := j.Window(-1, 0).Total; a.Cursor != nil && *a.Cursor > total {
		return nil, tools.Refuse(tools.InvalidArguments, "cursor %d is past the end of the output, which has %d bytes", *a.Cursor, total)
	}
	return j, nil
}

// follow waits until the job has ended or the time is over; with a cursor also
// until the window after it is full, or has something and the job is quiet. It
// reports false when ctx ended first.
func follow(ctx context.Context, j *shell.Job, a bgArgs, report func(tools.Progress)) bool {
	over := time.NewTimer(a.patience())
	defer over.Stop()
	told := int64(0)
	for {
		line, n, news := j.Progress()
		if n > told {
			report(progress(line, n))
			told = n
		}
		var calm <-chan time.Time
		if a.Cursor != nil && n > *a.Cursor {
			if n-*a.Cursor >= int64(a.window()) {
				return true
			}
			calm = time.After(quiet)
		}
		select {
		case <-j.Done():
			return true
		case <-ctx.Done():
			return j.Ended()
		case <-over.C:
			return true
		case <-calm:
			return true
		case <-news:
		}
	}
}

// reading is the outcome of looking at the output of j.
func (c Config) reading(j *shell.Job, a bgArgs) tools.Outcome {
	from := int64(-1)
	if a.Cursor != nil {
		from = *a.Cursor
	}
	n := a.window()
	v := c.view(j.Window(from, int64(n)), n, a.Cursor == nil)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n", j.ID(), state(j), tools.Clip(tools.CleanLine(visible(j.Line())), 200))
	out := tools.Outcome{Kind: tools.OK, Truncated: v.HasMore() || a.Cursor == nil && v.From > 0}
	if j.Ended() {
		res := j.Result()
		if !res.Killed {
			out.ExitCode = &res.Exit
		}
		if res.Left {
			b.WriteString("[something it started is still running; it ends with zuno, and its output is lost]\n")
		}
		b.WriteString(bounded(res))
		if res.Err != nil {
			fmt.Fprintf(&b, "[%v]\n", res.Err)
		}
	}
	fmt.Fprintf(&b, "%s\n%s\n%s", kept(j), v.header(), v.body())
	out.Text = tools.Clean(strings.TrimSuffix(b.String(), "\n"))
	out.Show = []tools.Section{c.glimpse(j, j.ID()+" "+state(j))}
	return out
}
