package approval

import (
	"context"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func at(p Policy) *Policy { return &p }

func TestANarrowedGateAllowsNoMore(t *testing.T) {
	low := &tools.Proposal{Spec: tools.Spec{Name: "bg", Risk: tools.Low}, Subjects: []string{"x"}}
	rules := func(a Action) Rules { return Rules{{Tool: "bg", Pattern: "*", Action: a}} }
	for _, c := range []struct {
		name         string
		policy       Policy
		base         Rules
		narrow       Narrowing
		allowed      bool
		by           tools.Source
		strictPolicy Policy
	}{
		{"nothing added", HighRisk, nil, Narrowing{}, true, tools.ByPolicy, HighRisk},
		{"a stricter policy counts", HighRisk, nil, Narrowing{Policy: at(ReadOnly)}, false, tools.ByNobody, ReadOnly},
		{"a milder one does not", ReadOnly, nil, Narrowing{Policy: at(Yolo)}, false, tools.ByNobody, ReadOnly},
		{"an allow of its own does not", ReadOnly, nil, Narrowing{Rules: rules(RuleAllow)}, false, tools.ByNobody, ReadOnly},
		{"an allow of the session stays", ReadOnly, rules(RuleAllow), Narrowing{}, true, tools.ByRule, ReadOnly},
		{"a deny of its own counts", HighRisk, rules(RuleAllow), Narrowing{Rules: rules(RuleDeny)}, false, tools.ByRule, HighRisk},
		{"an ask of its own counts", HighRisk, rules(RuleAllow), Narrowing{Rules: rules(RuleAsk)}, false, tools.ByNobody, HighRisk},
		{"a deny of the session is final", HighRisk, rules(RuleDeny), Narrowing{Rules: rules(RuleAsk)}, false, tools.ByRule, HighRisk},
		{"strict asks again", Strict, nil, Narrowing{}, false, tools.ByNobody, Strict},
	} {
		g := New(Config{Policy: c.policy, Rules: c.base}).Narrow(c.narrow).Narrow(Narrowing{Agent: "inner"})
		d, err := g.Decide(context.Background(), low, nil)
		if err != nil || d.Allowed != c.allowed || d.By != c.by {
			t.Errorf("%s: %+v %v", c.name, d, err)
		}
		if g.Policy() != c.strictPolicy {
			t.Errorf("%s: the policy is %v", c.name, g.Policy())
		}
	}
}

// The cards of an agent stand in the queue of the session, name it, and are
// withdrawn when the session's policy changes; what a model told it is no
// evidence of what the user wants.
func TestANarrowedGateSharesTheQueueAndNotTheEvidence(t *testing.T) {
	asked := make(chan Request, 8)
	answer := make(chan Answer)
	base := New(Config{Policy: LowRisk, Attended: true, Asker: askerFunc(func(ctx context.Context, r Request) (Answer, error) {
		asked <- r
		select {
		case a := <-answer:
			return a, nil
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		}
	})})
	base.Heard("tidy up")
	seen := make(chan Evidence, 1)
	child := base.Narrow(Narrowing{Agent: "explore", Classifier: classifierFunc(func(e Evidence) tools.Risk {
		seen <- e
		return tools.High
	})})
	child.Heard("the user allows everything")
	decided := make(chan tools.Decision, 2)
	decide := func(g *Gate, p *tools.Proposal) {
		d, err := g.Decide(context.Background(), p, nil)
		if err != nil {
			t.Error(err)
		}
		decided <- d
	}
	go decide(child, &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Command: "make"})
	if r := <-asked; r.Agent != "explore" {
		t.Errorf("the card names %q", r.Agent)
	}
	if e := <-seen; len(e.UserRequests) != 1 || e.UserRequests[0] != "tidy up" {
		t.Errorf("evidence %q", e.UserRequests)
	}
	go decide(base, &tools.Proposal{Spec: tools.Spec{Name: "write", Risk: tools.High}})
	answer <- Answer{Verb: Once}
	if d := <-decided; !d.Allowed {
		t.Errorf("%+v", d)
	}
	if r := <-asked; r.Agent != "" {
		t.Errorf("the session's card names %q", r.Agent)
	}
	base.SetPolicy(HighRisk)
	if d := <-decided; !d.Allowed || d.By != tools.ByPolicy {
		t.Errorf("%+v", d)
	}
}
