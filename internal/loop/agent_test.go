package loop

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// What an agent may not do is refused before the gate is asked, under whatever
// policy and rules; the person's own hand is not held.
func TestAnAgentIsHeldToWhatItMayDo(t *testing.T) {
	ran := 0
	write := tool(writeSpec, func(context.Context) tools.Outcome { ran++; return tools.Outcome{Kind: tools.OK} })
	b := newBench(script(calls("write", "read"), says("done")), approval.Yolo, func(c *Config) {
		c.Forbids = func(p *tools.Proposal) string {
			if p.Spec.Effect != tools.ReadOnly {
				return "it only reads"
			}
			return ""
		}
		c.Held = func(*tools.Proposal) (string, error) { return "", nil }
		c.Gate = approval.New(approval.Config{Policy: approval.Yolo, Rules: approval.Rules{{Tool: "*", Pattern: "*", Action: approval.RuleAllow}}})
	}, write, tool(readSpec, ok("text")))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	rs := b.settled()
	if ran != 0 || rs[0].Outcome.Kind != tools.Blocked || rs[0].Decision.By != tools.ByAgent || rs[0].Decision.Reason != "it only reads" || rs[1].Outcome.Kind != tools.OK {
		t.Errorf("ran %d times: %+v", ran, rs)
	}
	b.whole(t)
	// A change of files has nothing to offer and nothing to follow it here, but
	// the same holds for what the configuration would have follow.
	follower := func(ctx context.Context, c tools.Call) (*tools.Proposal, error) { return write.Propose(ctx, c) }
	b.conf.Report = func(*tools.Proposal, tools.Outcome) string { return "followed" }
	if err := b.follow(t.Context(), Follower{Call: tools.Call{ID: "f", Tool: "write"}, Propose: follower}, func(Event) {}); err != nil || ran != 0 {
		t.Errorf("ran %d times, %v", ran, err)
	}
}

// reports are reports that come while a turn runs.
type reports struct {
	left []BackgroundReport
	told []string
	err  error
}

func (r *reports) Untold() ([]BackgroundReport, error) {
	list := r.left
	r.left = nil
	return list, r.err
}
func (r *reports) Tell(ids ...string) { r.told = append(r.told, ids...) }

func TestReportsEnterAtTheNextStep(t *testing.T) {
	r := &reports{left: []BackgroundReport{{"job_1", "<r>first</r>", "job_1 completed"}}}
	late := tool(readSpec, func(context.Context) tools.Outcome {
		r.left = append(r.left, BackgroundReport{"job_2", "<r>second</r>", "job_2 failed"})
		return tools.Outcome{Kind: tools.OK}
	})
	m := script(calls("read"), says("half"), says("whole"))
	answer := m.answer
	m.answer = func(n int, req llm.Request) (llm.Message, error) {
		if n == 1 { // comes too late for this answer
			r.left = append(r.left, BackgroundReport{"job_3", "<r>third</r>", "job_3 completed"})
		}
		return answer(n, req)
	}
	b := newBench(m, approval.LowRisk, func(c *Config) { c.Reports = r }, late)
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"first", "second", "third"} {
		last := m.requests[i].Messages[len(m.requests[i].Messages)-1]
		if !strings.Contains(last.Text(), want) || last.Role != llm.User || last.Parts[0].For == "" {
			t.Errorf("request %d ends with %q", i, last.Text())
		}
	}
	if strings.Join(r.told, " ") != "job_1 job_2 job_3" {
		t.Errorf("told %v", r.told)
	}
	// What the screen shows of it is the same when it is replayed.
	prompts, notices := 0, 0
	if err := b.Replay(func(e Event) {
		switch e := e.(type) {
		case Prompted:
			prompts++
		case Noticed:
			if strings.Contains(e.Text, "job_") {
				notices++
			}
		}
	}); err != nil || prompts != 1 || notices != 3 {
		t.Errorf("%d prompts and %d notices, %v", prompts, notices, err)
	}
	r.err = errors.New("the disk is gone")
	if err := b.run(t.Context(), "more"); !errors.Is(err, r.err) {
		t.Errorf("%v", err)
	}
}

func TestASessionBecomesAnotherAgentBetweenTurns(t *testing.T) {
	first, second := script(says("one")), script(calls("write"), says("two"))
	b := newBench(first, approval.Yolo, nil, tool(readSpec, ok("")))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	b.Become(Role{Model: second, System: "another", Tools: []tools.Tool{tool(writeSpec, ok("written"))}, MaxSteps: 3})
	if err := b.run(t.Context(), "on"); err != nil {
		t.Fatal(err)
	}
	req := second.requests[0]
	if req.System != "another" || len(req.Tools) != 1 || req.Tools[0].Name != "write" || len(req.Messages) != 3 {
		t.Errorf("%+v", req)
	}
}

// Changes of an agent were followed by the agent.
func TestChangesOfAnAgentAreNotFollowedTwice(t *testing.T) {
	followed := 0
	spec := tools.Spec{Name: "task", Effect: tools.Delegating, Concurrency: tools.IsolatedBackground, Risk: tools.Low}
	b := newBench(script(calls("task"), says("done")), approval.LowRisk, func(c *Config) {
		c.Follow = func([]tools.Change) []Follower { followed++; return nil }
	}, tool(spec, func(context.Context) tools.Outcome {
		return tools.Outcome{Kind: tools.OK, Changes: []tools.Change{{Path: "a", Kind: "A"}}}
	}))
	if err := b.run(t.Context(), "go"); err != nil || followed != 0 {
		t.Errorf("followed %d times, %v", followed, err)
	}
}
