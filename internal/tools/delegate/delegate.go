// Package delegate holds the tools that have other agents work: task runs one,
// job and job_cancel follow what runs in the background, and council_run puts
// one question to several. The tools only say what is to be done and what came
// of it; whoever builds them brings a [Runner], which has the agent's own calls
// decided and recorded like all others.
package delegate

import (
	"context"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// An Agent is one that may be delegated to.
type Agent struct {
	Name, Description string
	// ReadOnly agents change nothing.
	ReadOnly bool
}

// A Task is what an agent is to do.
type Task struct {
	Call  string // ID of the call that delegates
	Agent string
	// Title says in a few words what it is about, and Prompt is all that the agent
	// is told.
	Title, Prompt string
	Effort        string // off, low, medium or high; "" leaves it to the agent
	// Resume is the session of an agent that is to go on, "" for a new one.
	Resume string
	// Quiet, in the background, is not to bring the report by itself.
	Quiet bool
	// Bare takes all tools away.
	Bare bool
}

// A Runner has agents work for one session. It is called from any goroutine. A
// job of another session is as unknown to it as one that never was.
type Runner interface {
	// Agents returns those that may be delegated to, none where nobody may be.
	Agents() []Agent
	// Check returns a [tools.Refusal] when a task cannot be begun; nothing has
	// happened then.
	Check(t Task, background bool) error
	// Run carries a task out and returns when it is over; a context that ends stops
	// it. It calls say from the goroutine that it was called on.
	Run(ctx context.Context, t Task, say func(tools.Progress)) Report
	// Launch begins a task in the background.
	Launch(t Task) (Job, error)
	// Convene begins work of several agents in the background: hold has them work,
	// each by Run, until ctx ends. Title and prompt say what it is about.
	Convene(t Task, hold func(ctx context.Context, say func(tools.Progress)) Report) (Job, error)
	// Jobs returns what was delegated, oldest first.
	Jobs() ([]Job, error)
	// Receipts returns the calls of a job so far.
	Receipts(j Job) ([]tools.Record, error)
	// Await returns when the job has ended or ctx has; with "", when any of those
	// that run has.
	Await(ctx context.Context, id string)
	// Cancel tells a job to stop.
	Cancel(id string)
}

// New returns the tools of this family over r. With a nil r their calls are
// refused.
func New(r Runner) []tools.Tool {
	return []tools.Tool{task(r), job(r), jobCancel(r), council(r)}
}

// delegating is what task and council_run declare.
func delegating(name, description string) tools.Spec {
	return tools.Spec{
		Name: name, Description: description, LongRunning: true,
		Effect: tools.Delegating, Replay: tools.Never, Concurrency: tools.IsolatedBackground, Risk: tools.Low,
	}
}

// agentsOf returns the agents of r, by name.
func agentsOf(r Runner) []Agent {
	if r == nil {
		return nil
	}
	return slices.SortedFunc(slices.Values(r.Agents()), func(a, b Agent) int { return strings.Compare(a.Name, b.Name) })
}

// named returns the agent of that name.
func named(agents []Agent, name string) (Agent, error) {
	var names []string
	for _, a := range agents {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return Agent{}, tools.Refuse(tools.Unavailable, "there is no agent here that may be delegated to")
	}
	return Agent{}, tools.Refuse(tools.InvalidArguments, "there is no agent %q that may be delegated to (there are %s)", tools.CleanLine(tools.Clip(name, 64)), strings.Join(names, ", "))
}

// listed describes the agents to a model.
func listed(agents []Agent) string {
	if len(agents) == 0 {
		return "The agents are those of the configuration."
	}
	var b strings.Builder
	b.WriteString("Agents:")
	for _, a := range agents {
		b.WriteString("\n- " + a.Name)
		if a.Description != "" {
			b.WriteString(": " + tools.CleanLine(a.Description))
		}
	}
	return b.String()
}
