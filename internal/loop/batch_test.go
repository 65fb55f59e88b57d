package loop

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// rounds is a batch of fixed rounds.
type rounds struct {
	calls [][]tools.Call
	next  int
	seen  []tools.Record
}

func (r *rounds) Next(ended []tools.Record) []tools.Call {
	r.seen = ended
	if r.next == len(r.calls) {
		return nil
	}
	r.next++
	return r.calls[r.next-1]
}

func (r *rounds) Outcome(ended []tools.Record, stopped bool) tools.Outcome {
	r.seen = ended
	o := tools.Outcome{Kind: tools.OK, Started: true}
	for _, e := range ended {
		o.Text += e.Call.Tool + " " + e.Outcome.Kind.String() + "\n"
	}
	if stopped {
		o.Kind = tools.Cancelled
	}
	return o
}

func batchTool(b tools.Batch) tools.Tool {
	spec := tools.Spec{Name: "batch", Effect: tools.Delegating, Risk: tools.ReadOnlyRisk, LongRunning: true}
	return tools.New(spec, func(context.Context, tools.Spec, struct{}) (*tools.Proposal, error) {
		return &tools.Proposal{Summary: "calls", Batch: b, Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
			panic("the loop makes the calls")
		}}, nil
	})
}

func args(tool string) tools.Call { return tools.Call{Tool: tool, Args: json.RawMessage(`{}`)} }

// Every call of a batch takes the road of every call, in order: a refusal, a
// denial and a call that runs are each recorded and settled once, before the call
// that made them.
func TestTheCallsOfABatchTakeTheRoadOfEveryCall(t *testing.T) {
	ran := 0
	write := tool(writeSpec, func(context.Context) tools.Outcome {
		ran++
		return tools.Outcome{Kind: tools.OK, Text: "wrote", Changes: []tools.Change{{Path: "a", Kind: "A"}}}
	})
	rs := &rounds{calls: [][]tools.Call{{args("read"), args("nothing"), args("batch")}, {args("write")}, {args("read")}}}
	var followed []tools.Change
	b := newBench(script(calls("batch"), says("done")), approval.LowRisk, func(c *Config) {
		c.Follow = func(changed []tools.Change) []Follower { followed = changed; return nil }
	}, tool(readSpec, ok("read")), write, batchTool(rs))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	b.whole(t)
	var got []string
	for _, r := range b.settled() {
		got = append(got, strings.TrimSpace(r.Call.ID+" "+r.Call.Tool+" "+r.Outcome.Kind.String()+" "+r.Outcome.Block.String()))
	}
	want := "c0_sub1 read ok|c0_sub2 nothing blocked unavailable|c0_sub3 batch blocked invalid_arguments|c0_sub4 write blocked denied|c0_sub5 read ok|c0 batch ok"
	if strings.Join(got, "|") != want || ran != 0 || len(followed) != 0 {
		t.Errorf("settled %q, want %q; ran %d, followed %v", strings.Join(got, "|"), want, ran, followed)
	}
	log := strings.Join(b.journal.Log, ",") + ","
	for _, order := range [][2]string{{"start c0,", "request c0_sub1,"}, {"settle c0_sub1,", "request c0_sub4,"}, {"settle c0_sub5,", "settle c0,"}} {
		first, second := strings.Index(log, order[0]), strings.Index(log, order[1])
		if first < 0 || second < first {
			t.Errorf("%q does not come before %q in %s", order[0], order[1], log)
		}
	}
	var shown []string
	if err := b.Replay(func(e Event) {
		if s, ok := e.(Settled); ok {
			shown = append(shown, s.Record.Call.ID)
		}
	}); err != nil || strings.Join(shown, " ") != "c0_sub1 c0_sub2 c0_sub3 c0_sub4 c0_sub5 c0" {
		t.Errorf("a replay shows %q, %v", shown, err)
	}

	// Under a policy that lets it run, what was changed is followed once.
	rs.next = 0
	b = newBench(script(calls("batch"), says("done")), approval.Yolo, func(c *Config) {
		c.Follow = func(changed []tools.Change) []Follower { followed = changed; return nil }
	}, tool(readSpec, ok("read")), write, batchTool(rs))
	if err := b.run(t.Context(), "go"); err != nil || ran != 1 || len(followed) != 1 {
		t.Errorf("%v, ran %d, followed %v", err, ran, followed)
	}
}

// What is stopped in the middle has one outcome for every call that was begun,
// and makes no more.
func TestAnInterruptEndsABatch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := tool(readSpec, func(context.Context) tools.Outcome {
		cancel()
		return tools.Outcome{Kind: tools.OK, Text: "read"}
	})
	rs := &rounds{calls: [][]tools.Call{{args("read")}, {args("read")}}}
	b := newBench(script(calls("batch"), says("done")), approval.LowRisk, nil, stop, batchTool(rs))
	if err := b.run(ctx, "go"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	b.whole(t)
	if all := b.settled(); len(all) != 2 || all[1].Outcome.Kind != tools.Cancelled || !all[1].Outcome.Started || rs.next != 1 {
		t.Errorf("%+v, %d rounds", all, rs.next)
	}
}

// Without a record nothing is made.
func TestABatchWhoseCallsCannotBeRecordedMakesNone(t *testing.T) {
	ran := 0
	count := tool(readSpec, func(context.Context) tools.Outcome { ran++; return tools.Outcome{Kind: tools.OK} })
	rs := &rounds{calls: [][]tools.Call{{args("read")}}}
	b := newBench(script(calls("batch"), says("done")), approval.LowRisk, nil, count, batchTool(rs))
	b.journal.Fail = func(transition, _ string) error {
		if transition == "request" {
			return errors.New("disk full")
		}
		return nil
	}
	if err := b.run(t.Context(), "go"); err == nil || !strings.Contains(err.Error(), "disk full") || ran != 0 {
		t.Errorf("%v, ran %d", err, ran)
	}
}
