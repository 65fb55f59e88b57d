package command

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// How long bg wait waits.
const (
	defaultWait = 30 * time.Second
	maxWait     = 60 * time.Second
)

type bgArgs struct {
	Action     string `json:"action" enum:"list,output,wait,cancel,artifact" doc:"list: all jobs. output: a window of a job's output. wait: the same, after the job has ended or the timeout has passed; with cursor also as soon as there is new output and then none for a moment. cancel: stop a job and everything it started. artifact: page through the file of an earlier output"`
	TaskID     string `json:"taskID,omitempty" doc:"the job, for output, wait and cancel"`
	Cursor     *int64 `json:"cursor,omitempty" doc:"byte offset at which the window begins, for output, wait and artifact; when left out, the newest output is shown (artifact: the beginning)"`
	Limit      *int   `json:"limit,omitempty" doc:"bytes in the window; 16384 when left out, at most 51200"`
	Timeout    *int   `json:"timeout,omitempty" doc:"milliseconds that wait waits; 30000 when left out, at most 60000"`
	OutputPath string `json:"outputPath,omitempty" doc:"the file, for artifact, as an earlier result named it"`
}

// A bgAction is one thing that bg does: which arguments it takes beside the
// action, the first of them required, and how it is worked out.
type bgAction struct {
	takes   []string
	propose func(c Config, a bgArgs) (*tools.Proposal, error)
}

func bgActions() map[string]bgAction {
	return map[string]bgAction{
		"list":     {nil, Config.list},
		"output":   {[]string{"taskID", "cursor", "limit"}, Config.output},
		"wait":     {[]string{"taskID", "cursor", "limit", "timeout"}, Config.wait},
		"cancel":   {[]string{"taskID"}, Config.cancel},
		"artifact": {[]string{"outputPath", "cursor", "limit"}, Config.artifact},
	}
}

func newBg(c Config) tools.Tool {
	spec := tools.Spec{
		Name: "bg",
		Description: `Follow and stop background jobs: commands of shell that were started with background, or were still running when their call ended.

Output is both streams in the order of their arrival. Each window comes with cursor=N hasMore hasEarlier windowFrom windowBytes totalBytes: to go on where it ends, give its cursor; to see what is before it, a smaller one. Prefer wait to asking again and again. Reading never runs a command again. Jobs end with zuno.`,
		Effect:      tools.SideEffecting,
		Replay:      tools.Never,
		Concurrency: tools.Exclusive,
		Risk:        tools.Low,
		Timeout:     maxWait + settleTime,
	}
	return tools.New(spec, func(_ context.Context, spec tools.Spec, a bgArgs) (*tools.Proposal, error) {
		if err := a.check(); err != nil {
			return nil, err
		}
		if a.Action != "cancel" {
			spec.Effect, spec.Risk = tools.ReadOnly, tools.ReadOnlyRisk
		}
		p, err := bgActions()[a.Action].propose(c, a)
		if err != nil {
			return nil, err
		}
		p.Spec = spec
		p.Subjects = []string{a.Action}
		return p, nil
	})
}

// check refuses what does not belong to the action and what is out of range.
func (a bgArgs) check() error {
	action := bgActions()[a.Action]
	given := map[string]bool{
		"taskID": a.TaskID != "", "cursor": a.Cursor != nil, "limit": a.Limit != nil,
		"timeout": a.Timeout != nil, "outputPath": a.OutputPath != "",
	}
	for _, name := range []string{"taskID", "cursor", "limit", "timeout", "outputPath"} {
		if given[name] && !slices.Contains(action.takes, name) {
			return tools.Refuse(tools.InvalidArguments, "%s does not belong to bg %s", name, a.Action)
		}
	}
	switch {
	case len(action.takes) > 0 && !given[action.takes[0]]:
		return tools.Refuse(tools.InvalidArguments, "bg %s needs %s", a.Action, action.takes[0])
	case a.Cursor != nil && *a.Cursor < 0:
		return tools.Refuse(tools.InvalidArguments, "cursor must not be negative, as %d is", *a.Cursor)
	case a.Limit != nil && *a.Limit <= 0:
		return tools.Refuse(tools.InvalidArguments, "limit must be at least 1, not %d", *a.Limit)
	case a.Timeout != nil && *a.Timeout <= 0:
		return tools.Refuse(tools.InvalidArguments, "timeout must be at least 1 millisecond, not %d; bg output does not wait", *a.Timeout)
	}
	return nil
}

// window is how many bytes are wanted.
func (a bgArgs) window() int {
	if a.Limit == nil {
		return defaultWindow
	}
	return min(max(*a.Limit, shell.MinWindow), maxWindow)
}

// patience is how long to wait.
func (a bgArgs) patience() time.Duration {
	if a.Timeout == nil {
		return defaultWait
	}
	return min(time.Duration(min(*a.Timeout, int(maxWait.Milliseconds())))*time.Millisecond, maxWait)
}

// job finds the job that is meant. One of another session, or of this one's
// earlier life, is as unknown as one that never was.
func (c Config) job(a bgArgs) (*shell.Job, error) {
	if c.Processes != nil {
		if j, ok := c.Processes.Job(a.TaskID); ok {
			return j, nil
		}
	}
	return nil, tools.Refuse(tools.InvalidArguments, "the job %q was not found for this session; bg list names those there are", tools.CleanLine(tools.Clip(a.TaskID, 64)))
}

func about(action string, j *shell.Job) string {
	return tools.Clip(fmt.Sprintf("%s %s: %s", action, j.ID(), tools.CleanLine(visible(j.Line()))), 200)
}
