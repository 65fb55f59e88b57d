package approval

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

// everyFact calls f with every combination of facts there is.
func everyFact(f func(Facts)) {
	for bits := range 1 << 8 {
		on := func(i int) bool { return bits>>i&1 == 1 }
		for rule := NoRule; rule <= RuleDeny; rule++ {
			for effect := tools.SideEffecting; effect <= tools.ReadOnly; effect++ {
				for risk := tools.Unknown; risk <= tools.ReadOnlyRisk; risk++ {
					for verdict := tools.Unknown; verdict <= tools.ReadOnlyRisk; verdict++ {
						for policy := Strict; policy <= Yolo; policy++ {
							f(Facts{
								Denied: on(0), Options: on(1), Manual: on(2), Judgeable: on(3), Judged: on(4), Command: on(5), Tool: on(6), Edited: on(7),
								Rule: rule, Effect: effect, Risk: risk, Verdict: verdict, Policy: policy,
							})
						}
					}
				}
			}
		}
	}
}

func TestTheFirstStepThatAppliesIsTheDecision(t *testing.T) {
	everyFact(func(f Facts) {
		step, by := Decide(f)
		rows := Explain(f)
		i := slices.IndexFunc(rows, func(r StepResult) bool { return r.Applies })
		if i < 0 || rows[i].Step != step || rows[i].By != by {
			t.Fatalf("%+v: decided %v by %s, explained by row %d of %+v", f, step, by, i, rows)
		}
	})
}

// A policy that lets more through never stops what a stricter one runs.
func TestALooserPolicyIsNeverStricter(t *testing.T) {
	everyFact(func(f Facts) {
		if f.Policy == Yolo {
			return
		}
		looser := f
		looser.Policy++
		here, _ := Decide(f)
		there, _ := Decide(looser)
		if here == Run && there != Run || (here == Block) != (there == Block) {
			t.Fatalf("%+v: %v, and with %s %v", f, here, looser.Policy, there)
		}
	})
}

func TestTheStepsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Explain(Facts{}) {
		if r.Name == "" || seen[r.Name] {
			t.Errorf("the name %q", r.Name)
		}
		seen[r.Name] = true
	}
	if !seen["denylist"] || !Explain(Facts{})[len(seen)-1].Applies {
		t.Errorf("rows %v", seen)
	}
}

func TestAnExplanationAgreesWithTheGateAndAsksNobody(t *testing.T) {
	nobodyCalls := classifierFunc(func(Evidence) tools.Risk { t.Error("the classifier was asked"); return tools.Low })
	for _, c := range []struct {
		name     string
		policy   Policy
		p        *tools.Proposal
		step     Step
		by       tools.Source
		reason   string
		verdicts []tools.Risk
	}{
		{"a read", LowRisk, &tools.Proposal{Spec: tools.Spec{Name: "read", Effect: tools.ReadOnly}}, Run, tools.ByEffect, "read-only", nil},
		{"denied", Yolo, &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Denied: "no"}, Block, tools.ByDenylist, "no", nil},
		{"a rule", Yolo, shell("rm x", ""), Block, tools.ByRule, "a deny rule of permission.rules forbids this; nothing ran", nil},
		{"manual", HighRisk, &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Manual: "it pushes"}, Ask, tools.ByManual, "it pushes", nil},
		{"strict", Strict, shell("make", "make"), Ask, tools.ByPolicy, "the policy is strict: every effect asks", nil},
		{"a key", LowRisk, shell("go test ./...", "go test"), Run, tools.ByCommand, "an allowed command", nil},
		{"a picker", Yolo, &tools.Proposal{Options: []tools.Option{{ID: "a"}}}, Ask, tools.ByOptions, "one of these must be chosen", nil},
		{"unknown", LowRisk, shell("make", ""), Classify, tools.ByClassifier, "its risk is unknown, and the policy is low-risk", []tools.Risk{tools.ReadOnlyRisk, tools.Low}},
		{"unknown under read-only", ReadOnly, shell("make", ""), Classify, tools.ByClassifier, "its risk is unknown, and the policy is read-only", []tools.Risk{tools.ReadOnlyRisk}},
		{"a floor that no verdict gets under", ReadOnly, &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Command: "touch x", Floor: tools.Low}, Ask, tools.ByPolicy, "its risk is unknown, and the policy is read-only", nil},
	} {
		g := New(Config{
			Policy: c.policy, Classifier: nobodyCalls, Commands: memoryList{"go test": ""}, Rules: Rules{{"shell", "rm *", RuleDeny}},
			Asker: askerFunc(func(context.Context, Request) (Answer, error) { t.Error("a person was asked"); return Answer{}, nil }),
		})
		e, err := g.Explain(c.p)
		if err != nil || e.Step != c.step || e.By != c.by || e.Reason != c.reason || !slices.Equal(e.Verdicts, c.verdicts) {
			t.Errorf("%s: %+v, %v", c.name, e, err)
		}
		if asks := e.Step == Ask || e.Step == Classify; asks != (e.Nobody != "") {
			t.Errorf("%s: without anybody: %q", c.name, e.Nobody)
		}
		if step, by := Decide(e.Facts); step != e.Step || by != e.By {
			t.Errorf("%s: its facts decide %v by %s", c.name, step, by)
		}
		if c.step == Classify {
			continue
		}
		d, err := New(Config{Policy: c.policy, Commands: memoryList{"go test": ""}, Rules: Rules{{"shell", "rm *", RuleDeny}}}).Decide(context.Background(), c.p, nil)
		if err != nil || d.Allowed != (e.Step == Run) || e.Step == Ask && d.Reason != e.Nobody || e.Step != Ask && (d.Reason != e.Reason || d.By != e.By) {
			t.Errorf("%s: the gate says %+v, %v", c.name, d, err)
		}
	}
}

func TestARefusalNamesTheKeyThatWouldAllowIt(t *testing.T) {
	for p, want := range map[*tools.Proposal]string{
		shell("go test ./...", "go test"): "an allow rule in permission.rules, or zuno rules add with its key: go test",
		shell("a && b", ""):               "or an allow rule in permission.rules.",
	} {
		e, err := New(Config{Policy: LowRisk}).Explain(p)
		if err != nil || !strings.HasSuffix(e.Nobody, want) {
			t.Errorf("%s: %q, %v", p.Command, e.Nobody, err)
		}
	}
}

func TestAnAllowlistThatCannotBeReadIsAnError(t *testing.T) {
	g := New(Config{Policy: LowRisk, Commands: brokenList{}})
	if _, err := g.Explain(shell("make", "make")); !errors.Is(err, errBroken) {
		t.Errorf("err = %v", err)
	}
}

var errBroken = errors.New("broken")

type brokenList struct{}

func (brokenList) Allowed(string) (bool, error) { return false, errBroken }
func (brokenList) Allow(string, string) error   { return errBroken }
