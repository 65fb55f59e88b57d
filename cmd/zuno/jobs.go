package main

import (
	"context"
	"strings"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tui"
)

// jobTail is how much of a job's output is looked at for its last lines.
const jobTail = 16 << 10

// jobList returns the session's background jobs as the screen shows them:
// commands, and the agents that are at work. It takes locks and reads nothing.
func jobList(procs *shell.Processes, work *delegates) []tui.Job {
	var list []tui.Job
	for _, j := range procs.Jobs() {
		last, _, _ := j.Progress()
		status, runs := "running", !j.Ended()
		if !runs {
			status = j.Status()
		}
		list = append(list, tui.Job{
			Kind: "bg", ID: j.ID(), Command: j.Line(), Status: status, Running: runs, Began: j.Began(), Last: last,
			Output: func(n int) ([]string, error) { return lastLines(j, n), nil },
			Stop: func() {
				j.Stop(context.Canceled)
				<-j.Done()
			},
		})
	}
	return append(list, agentJobs(work)...)
}

// agentJobs returns the agents that are at work in the background.
func agentJobs(work *delegates) []tui.Job {
	if work == nil {
		return nil
	}
	var list []tui.Job
	for _, w := range work.atWork() {
		list = append(list, tui.Job{
			Kind: w.job.Agent, ID: w.job.ID, Command: w.job.Title, Status: "running", Running: true, Began: w.began, Last: w.said,
			Output: func(int) ([]string, error) {
				if w.said == "" {
					return nil, nil
				}
				return []string{w.said}, nil
			},
			Stop: func() {
				w.cancel()
				work.Await(context.Background(), w.job.ID)
			},
		})
	}
	return list
}

// lastLines returns the last n lines that a job printed.
func lastLines(j *shell.Job, n int) []string {
	w := j.Window(-1, jobTail)
	text := strings.TrimRight(strings.ReplaceAll(string(w.Data), "\r\n", "\n"), "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	return lines[max(0, len(lines)-n):]
}
