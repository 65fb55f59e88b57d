package delegate

import (
	"context"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// defaultAgent is who a task is for that names nobody.
const defaultAgent = "explore"

// maxPrompt bounds what an agent is told, in bytes.
const maxPrompt = 64 << 10

type taskArgs struct {
	Description string `json:"description,omitempty" doc:"what it is about, in a few words, for the person"`
	Prompt      string `json:"prompt" doc:"the whole task: the agent sees nothing of this conversation. Say what to find out or do, what is known, what not to touch, and what the report has to contain"`
	Agent       string `json:"subagent_type,omitempty" doc:"the agent; explore when left out"`
	Effort      string `json:"effort,omitempty" enum:"off,low,medium,high" doc:"reasoning effort; the agent's own when left out"`
	Background  bool   `json:"background,omitempty" doc:"true to go on at once; job follows it"`
	Delivery    string `json:"reportDelivery,omitempty" enum:"nextStep,quiet" doc:"with background: nextStep (when left out) gives you the report when it is there, quiet leaves it to job"`
	TaskID      string `json:"task_id,omitempty" doc:"session of an earlier task of yours, to go on with it, as its report names it"`
}

func task(r Runner) tools.Tool {
	agents := agentsOf(r)
	spec := delegating("task", `Have another agent carry out a piece of work on its own, and get its report.

The agent has a session of its own: it sees nothing of this conversation, nobody answers its questions to you, and its calls are decided on like yours. It can do no more than you can. The report ends with a receipt of every call that it made: believe the receipts before the text. Several tasks in one answer run together. In the background the call returns a job at once, and the report comes by itself later; do not wait for it by asking again and again.

`+listed(agents))
	return tools.New(spec, func(_ context.Context, spec tools.Spec, a taskArgs) (*tools.Proposal, error) {
		t, err := a.task()
		if err != nil {
			return nil, err
		}
		who, err := named(agents, t.Agent)
		if err != nil {
			return nil, err
		}
		if err := r.Check(t, a.Background); err != nil {
			return nil, err
		}
		if who.ReadOnly {
			spec.Risk = tools.ReadOnlyRisk
		}
		p := &tools.Proposal{
			Spec: spec, Summary: tools.CleanLine(t.Agent + ": " + t.Title), Subjects: []string{t.Agent},
			Preview: []tools.Section{
				{Kind: tools.Text, Title: "Have " + t.Agent + " do this", Body: t.Prompt},
				{Kind: tools.Table, Body: a.facts(who)},
			},
		}
		p.Do = func(ctx context.Context, _ string, report func(tools.Progress)) tools.Outcome {
			t.Call = p.Call.ID
			if ctx.Err() != nil {
				return tools.Outcome{Kind: tools.Cancelled, Text: "it was stopped before the agent began; nothing was done"}
			}
			if a.Background {
				return launch(r, t)
			}
			return r.Run(ctx, t, report).Outcome()
		}
		return p, nil
	})
}

// task checks the arguments.
func (a taskArgs) task() (Task, error) {
	t := Task{
		Agent: strings.TrimSpace(a.Agent), Title: strings.TrimSpace(a.Description), Prompt: strings.TrimSpace(a.Prompt),
		Effort: a.Effort, Resume: strings.TrimSpace(a.TaskID), Quiet: a.Delivery == "quiet",
	}
	if t.Agent == "" {
		t.Agent = defaultAgent
	}
	if t.Title == "" {
		t.Title, _, _ = strings.Cut(t.Prompt, "\n")
	}
	t.Title = tools.Clip(t.Title, 80)
	switch {
	case t.Prompt == "":
		return t, tools.Refuse(tools.InvalidArguments, "prompt is blank: say what the agent is to do")
	case len(t.Prompt) > maxPrompt:
		return t, tools.Refuse(tools.InvalidArguments, "prompt has %d bytes, at most %d are allowed: name files for the agent to read", len(t.Prompt), maxPrompt)
	case a.Delivery != "" && !a.Background:
		return t, tools.Refuse(tools.InvalidArguments, "reportDelivery goes with background: without it the report is the result")
	}
	return t, nil
}

// facts is the table of the card.
func (a taskArgs) facts(who Agent) string {
	can := "reads and acts; each of its calls is decided on like yours"
	if who.ReadOnly {
		can = "reads only"
	}
	rows := []string{"agent\t" + who.Name + ", " + can}
	if a.TaskID != "" {
		rows = append(rows, "goes on\tsession "+tools.CleanLine(a.TaskID))
	}
	if a.Background {
		rows = append(rows, "background\tyes; it ends with zuno")
	}
	return strings.Join(rows, "\n")
}

func launch(r Runner, t Task) tools.Outcome {
	j, err := r.Launch(t)
	if err != nil {
		return tools.OutcomeOf(err)
	}
	return begun(t, "The agent "+t.Agent+" works on it as "+j.ID+", in session "+j.Child+". ", "report", j.ID)
}

// begun is the outcome of what goes on in the background as job id: text, and how
// the model comes by what it is to bring.
func begun(t Task, text, brings, id string) tools.Outcome {
	if t.Quiet {
		text += "Look at it with job."
	} else {
		text += "You are given its " + brings + " when it is there; go on with what does not depend on it."
	}
	return tools.Outcome{Kind: tools.OK, Text: text, Show: []tools.Section{{Kind: tools.Text, Title: "goes on in the background as " + id}}}
}
