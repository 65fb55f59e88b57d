package command

import (
	"context"
	"fmt"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

func (c Config) cancel(a bgArgs) (*tools.Proposal, error) {
	j, err := c.job(a)
	if err != nil {
		return nil, err
	}
	if j.Ended() {
		return nil, &tools.Refusal{Block: tools.Stale, Reason: already(j).Text, Summary: about("cancel", j)}
	}
	return &tools.Proposal{
		Summary: about("cancel", j),
		Preview: []tools.Section{
			{Kind: tools.Command, Body: visible(j.Line())},
			{Kind: tools.Table, Body: "stops\t" + j.ID() + " and everything it started\nis\t" + j.Status() + "\nruns in\t" + tools.CleanLine(j.Dir())},
		},
		Do: func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome { return stop(ctx, j) },
	}, nil
}

// already is the outcome of cancelling what has ended already.
func already(j *shell.Job) tools.Outcome {
	text := fmt.Sprintf("%s has ended already (%s); nothing was done.", j.ID(), j.Status())
	return tools.Outcome{Kind: tools.Blocked, Block: tools.Stale, Text: text}
}

func stop(ctx context.Context, j *shell.Job) tools.Outcome {
	switch {
	case ctx.Err() != nil:
		return stopped(false, "%s was not stopped: the call was.", j.ID())
	case j.Ended():
		return already(j)
	}
	j.Stop(context.Canceled)
	select {
	case <-j.Done():
	case <-ctx.Done():
		return stopped(true, "%s is being stopped; bg list says when it has ended.", j.ID())
	}
	res := j.Result()
	out := tools.Outcome{Kind: tools.OK, Started: true, Text: fmt.Sprintf("%s %s, with everything it started.", j.ID(), res.Status())}
	switch {
	case res.Err != nil:
		out.Kind, out.Text = tools.Error, fmt.Sprintf("%s %s, but: %v", j.ID(), res.Status(), res.Err)
	case !res.Killed:
		out.Text = fmt.Sprintf("%s ended by itself just before: %s", j.ID(), res.Status())
	}
	out.Text = tools.Clean(out.Text)
	return out
}

// stopped is the outcome of a call whose context ended.
func stopped(started bool, format string, a ...any) tools.Outcome {
	return tools.Outcome{Kind: tools.Cancelled, Started: started, Text: fmt.Sprintf(format, a...)}
}
