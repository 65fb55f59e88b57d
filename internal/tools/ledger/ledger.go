// Package ledger holds the tool with which a model says what became of a call
// whose outcome was uncertain: reconcile. What it says is recorded beside the
// call, as the model's finding; it changes nothing that was recorded.
package ledger

import (
	"context"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Ledger takes findings. It may be called from any goroutine.
type Ledger interface {
	// Reconcile records what became of an uncertain call. It refuses a call that
	// is not uncertain, and a finding without anything having been looked at
	// since the call.
	Reconcile(call string, f tools.Finding, by tools.Source, note string) error
}

// New returns the tools of this family.
func New(l Ledger) []tools.Tool { return []tools.Tool{reconcile(l)} }

type args struct {
	Call     string `json:"call_id" doc:"ID of the uncertain call, as the notice or the refusal names it"`
	Finding  string `json:"finding" doc:"What became of it" enum:"happened,did-not-happen,in-part"`
	Evidence string `json:"evidence" doc:"What you looked at and what it showed, in one or two sentences"`
}

func reconcile(l Ledger) tools.Tool {
	spec := tools.Spec{
		Name: "reconcile",
		Description: "Say what became of a call whose outcome was uncertain, after you have inspected the real state with reading calls. " +
			"Until somebody has, calls that would touch the same are held back. Do not guess: when you cannot find out, tell the user.",
		Replay: tools.Never, Concurrency: tools.Exclusive, Risk: tools.Low,
	}
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a args) (*tools.Proposal, error) {
		a.Call, a.Evidence = strings.TrimSpace(a.Call), strings.TrimSpace(a.Evidence)
		if a.Call == "" || a.Evidence == "" {
			return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: call_id and evidence must not be blank")
		}
		p := &tools.Proposal{
			Summary:  tools.CleanLine(tools.Clip(a.Call, 64)) + ": " + a.Finding,
			Preview:  []tools.Section{{Kind: tools.Text, Body: a.Evidence}},
			Subjects: []string{a.Call},
		}
		p.Do = func(context.Context, string, func(tools.Progress)) tools.Outcome {
			if err := l.Reconcile(a.Call, tools.Finding(a.Finding), tools.ByModel, a.Evidence); err != nil {
				return tools.Outcome{Kind: tools.Error, Text: err.Error()}
			}
			return tools.Outcome{Kind: tools.OK, Text: "recorded: " + a.Call + " " + a.Finding}
		}
		return p, nil
	})
}
