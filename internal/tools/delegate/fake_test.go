package delegate

import (
	"context"
	"slices"
	"sync"

	"github.com/zuno-dev/zuno/internal/tools"
)

// fake is a runner whose agents say what they are told to.
type fake struct {
	agents []Agent
	refuse error
	says   func(ctx context.Context, t Task) Report

	mu     sync.Mutex // guards what follows
	tasks  []Task
	jobs   []Job
	waited []string
}

func newFake() *fake {
	return &fake{agents: []Agent{{"explore", "looks", true}, {"worker", "works", false}}}
}

func (f *fake) Agents() []Agent        { return f.agents }
func (f *fake) Check(Task, bool) error { return f.refuse }
func (f *fake) Jobs() ([]Job, error)   { return slices.Clone(f.jobs), nil }
func (f *fake) Launch(t Task) (Job, error) {
	j := Job{ID: "job_1", Child: "c1", Agent: t.Agent, Title: t.Title, Status: Running, Background: true, Quiet: t.Quiet}
	f.jobs = append(f.jobs, j)
	return j, nil
}

func (f *fake) Convene(t Task, hold func(context.Context, func(tools.Progress)) Report) (Job, error) {
	r := hold(context.Background(), func(tools.Progress) {})
	j := Job{ID: "job_9", Several: true, Agent: t.Agent, Title: t.Title, Status: r.Status, Report: r.Render(), Background: true, Quiet: t.Quiet}
	f.jobs = append(f.jobs, j)
	return j, nil
}

func (f *fake) Run(ctx context.Context, t Task, say func(tools.Progress)) Report {
	f.mu.Lock()
	f.tasks = append(f.tasks, t)
	f.mu.Unlock()
	say(tools.Progress{Text: "at work"})
	if f.says == nil {
		return Report{Job: "job_1", Session: "c1", Agent: t.Agent, Status: Completed, Text: "found it"}
	}
	return f.says(ctx, t)
}

func (f *fake) Receipts(Job) ([]tools.Record, error) {
	return []tools.Record{{Call: tools.Call{Tool: "read"}, Summary: "a.txt", State: tools.Started}}, nil
}

func (f *fake) Await(_ context.Context, id string) { f.waited = append(f.waited, id) }

func (f *fake) Cancel(id string) {
	for i := range f.jobs {
		if f.jobs[i].ID == id {
			f.jobs[i].Status, f.jobs[i].Report = Cancelled, "stopped"
		}
	}
}
