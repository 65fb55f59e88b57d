package delegate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// How long job waits at most, and job_cancel for the agent to stop.
const (
	maxWait    = 60 * time.Second
	cancelWait = 25 * time.Second
)

type jobArgs struct {
	ID   string `json:"jobID,omitempty" doc:"the job; when left out, all of this session are listed"`
	Wait *int   `json:"wait,omitempty" doc:"milliseconds to wait for its end, or for that of any job, at most 60000; it does not wait when left out"`
}

func job(r Runner) tools.Tool {
	spec := tools.Spec{
		Name:        "job",
		Description: "Look at what was delegated: the status of a job, what its agent has done so far, and its report once it has ended. Without jobID it lists the jobs of this session.",
		Effect:      tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk,
	}
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a jobArgs) (*tools.Proposal, error) {
		switch {
		case r == nil:
			return nil, tools.Refuse(tools.Unavailable, "nothing is delegated here")
		case a.Wait != nil && *a.Wait <= 0:
			return nil, tools.Refuse(tools.InvalidArguments, "wait must be at least 1 millisecond, not %d", *a.Wait)
		}
		p := &tools.Proposal{Summary: "all", Subjects: []string{"all"}}
		show := list
		if a.ID != "" {
			j, err := find(r, a.ID)
			if err != nil {
				return nil, err
			}
			p.Summary, p.Subjects = about(j), []string{j.ID}
			show = func(r Runner) tools.Outcome { return inspect(r, j.ID) }
		}
		p.Do = func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
			if a.Wait != nil {
				waited, cancel := context.WithTimeout(ctx, min(time.Duration(*a.Wait)*time.Millisecond, maxWait))
				defer cancel()
				r.Await(waited, strings.TrimSpace(a.ID))
			}
			return show(r)
		}
		return p, nil
	})
}

// find returns a job of the session.
func find(r Runner, id string) (Job, error) {
	if r == nil {
		return Job{}, tools.Refuse(tools.Unavailable, "nothing is delegated here")
	}
	jobs, err := r.Jobs()
	if err != nil {
		return Job{}, err
	}
	for _, j := range jobs {
		if j.ID == strings.TrimSpace(id) {
			return j, nil
		}
	}
	return Job{}, tools.Refuse(tools.InvalidArguments, "the job %q was not found for this session; job without jobID lists those there are", tools.CleanLine(tools.Clip(id, 64)))
}

func about(j Job) string { return tools.CleanLine(j.ID + " " + j.Agent + ": " + j.Title) }

// Line says in one line how a job stands.
func (j Job) Line() string {
	s := fmt.Sprintf("%s %s: %s (%s)", j.ID, j.Status, j.Title, j.Agent)
	if j.Background {
		s += ", in the background"
	}
	if j.Doubts > 0 {
		s += fmt.Sprintf(", %d of its calls uncertain", j.Doubts)
	} else if j.Status == Uncertain {
		s += ", what became of its calls was found out"
	}
	return tools.CleanLine(s)
}

func list(r Runner) tools.Outcome {
	jobs, err := r.Jobs()
	if err != nil {
		return tools.OutcomeOf(err)
	}
	if len(jobs) == 0 {
		return tools.Outcome{Kind: tools.OK, Text: "nothing was delegated in this session"}
	}
	var lines []string
	for _, j := range jobs {
		lines = append(lines, j.Line())
	}
	return tools.Outcome{Kind: tools.OK, Text: strings.Join(lines, "\n")}
}

func inspect(r Runner, id string) tools.Outcome {
	j, err := find(r, id)
	if err != nil {
		return tools.OutcomeOf(err)
	}
	if j.Status.Ended() {
		return tools.Outcome{Kind: tools.OK, Text: j.Line() + "\n" + j.Report, Reports: []string{j.ID}}
	}
	calls, err := r.Receipts(j)
	if err != nil {
		return tools.OutcomeOf(err)
	}
	return tools.Outcome{Kind: tools.OK, Text: j.Line() + "\n" + receiptLines(calls)}
}

type cancelArgs struct {
	ID string `json:"jobID" doc:"the job"`
}

func jobCancel(r Runner) tools.Tool {
	spec := tools.Spec{
		Name:        "job_cancel",
		Description: "Stop a job of the background and everything that its agent started. What it has done stays, and its receipts say what that is.",
		Replay:      tools.Never, Concurrency: tools.Exclusive, Risk: tools.Low, Timeout: cancelWait + 5*time.Second,
	}
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a cancelArgs) (*tools.Proposal, error) {
		j, err := find(r, a.ID)
		if err != nil {
			return nil, err
		}
		return &tools.Proposal{
			Summary: about(j), Subjects: []string{j.ID},
			Do: func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
				if ctx.Err() != nil {
					return tools.Outcome{Kind: tools.Cancelled, Text: "it was stopped before it began; the job goes on"}
				}
				r.Cancel(j.ID)
				waited, cancel := context.WithTimeout(ctx, cancelWait)
				defer cancel()
				r.Await(waited, j.ID)
				o := inspect(r, j.ID)
				if now, err := find(r, j.ID); err == nil && !now.Status.Ended() {
					o.Kind, o.Text = tools.Error, "it was told to stop and has not yet; look again with job\n"+o.Text
				}
				return o
			},
		}, nil
	})
}
