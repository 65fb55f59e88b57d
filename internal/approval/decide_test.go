package approval

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMatrix prints every effect × risk × policy, attended and not, so that a
// change of the decision order is a diff that a person reads.
func TestMatrix(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "%-15s %-10s %-10s %-28s %-28s\n", "effect", "risk", "policy", "plain", "manual-only")
	for _, e := range []tools.Effect{tools.SideEffecting, tools.Delegating, tools.UserMediated, tools.ReadOnly} {
		for _, r := range []tools.Risk{tools.Unknown, tools.High, tools.Low, tools.ReadOnlyRisk} {
			for p := Strict; p <= Yolo; p++ {
				f := Facts{Effect: e, Risk: r, Policy: p}
				m := f
				m.Manual = true
				fmt.Fprintf(&b, "%-15s %-10s %-10s %-28s %-28s\n", e, r, p, describe(f), describe(m))
			}
		}
	}
	golden(t, "testdata/matrix.golden", b.String())
}

func describe(f Facts) string {
	step, by := Decide(f)
	if step != Ask {
		return fmt.Sprintf("%s (%s)", step, by)
	}
	return fmt.Sprintf("ask, headless blocks (%s)", by)
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run make golden and read the diff.\ngot:\n%s", path, got)
	}
}

func TestOrderOfDecision(t *testing.T) {
	gated := Facts{Effect: tools.SideEffecting, Risk: tools.High, Policy: LowRisk}
	with := func(change func(*Facts)) Facts { f := gated; change(&f); return f }
	for _, c := range []struct {
		name string
		f    Facts
		want Step
		by   tools.Source
	}{
		{"the denylist outranks yolo and an allow rule", with(func(f *Facts) { f.Denied, f.Policy, f.Rule = true, Yolo, RuleAllow }), Block, tools.ByDenylist},
		{"the denylist outranks a picker", with(func(f *Facts) { f.Denied, f.Options = true, true }), Block, tools.ByDenylist},
		{"a deny rule outranks yolo", with(func(f *Facts) { f.Rule, f.Policy = RuleDeny, Yolo }), Block, tools.ByRule},
		{"a deny rule stops a read", with(func(f *Facts) { f.Rule, f.Effect = RuleDeny, tools.ReadOnly }), Block, tools.ByRule},
		{"a picker asks under yolo", with(func(f *Facts) { f.Options, f.Policy = true, Yolo }), Ask, tools.ByOptions},
		{"a picker asks for a read", with(func(f *Facts) { f.Options, f.Effect = true, tools.ReadOnly }), Ask, tools.ByOptions},
		{"what a person rewrote is shown under yolo", with(func(f *Facts) { f.Edited, f.Policy = true, Yolo }), Ask, tools.ByEdit},
		{"what a person rewrote is shown though a rule allows", with(func(f *Facts) { f.Edited, f.Rule, f.Command = true, RuleAllow, true }), Ask, tools.ByEdit},
		{"the denylist outranks what a person rewrote", with(func(f *Facts) { f.Edited, f.Denied = true, true }), Block, tools.ByDenylist},
		{"a read runs under strict", with(func(f *Facts) { f.Effect, f.Policy = tools.ReadOnly, Strict }), Run, tools.ByEffect},
		{"an ask rule stops a read", with(func(f *Facts) { f.Effect, f.Rule = tools.ReadOnly, RuleAsk }), Ask, tools.ByRule},
		{"a read outside the workspace asks", with(func(f *Facts) { f.Effect, f.Manual = tools.ReadOnly, true }), Ask, tools.ByManual},
		{"strict asks though a rule allows", with(func(f *Facts) { f.Policy, f.Rule = Strict, RuleAllow }), Ask, tools.ByPolicy},
		{"strict asks though both lists allow", with(func(f *Facts) { f.Policy, f.Command, f.Tool = Strict, true, true }), Ask, tools.ByPolicy},
		{"strict asks for delegation", with(func(f *Facts) { f.Policy, f.Effect, f.Risk = Strict, tools.Delegating, tools.Low }), Ask, tools.ByPolicy},
		{"manual-only asks though a rule allows", with(func(f *Facts) { f.Manual, f.Rule = true, RuleAllow }), Ask, tools.ByManual},
		{"manual-only asks though the lists allow", with(func(f *Facts) { f.Manual, f.Command, f.Tool = true, true, true }), Ask, tools.ByManual},
		{"manual-only asks under high-risk", with(func(f *Facts) { f.Manual, f.Policy = true, HighRisk }), Ask, tools.ByManual},
		{"manual-only runs under yolo", with(func(f *Facts) { f.Manual, f.Policy = true, Yolo }), Run, tools.ByPolicy},
		{"an ask rule outranks yolo", with(func(f *Facts) { f.Rule, f.Policy = RuleAsk, Yolo }), Ask, tools.ByRule},
		{"an ask rule outranks the lists", with(func(f *Facts) { f.Rule, f.Command, f.Tool = RuleAsk, true, true }), Ask, tools.ByRule},
		{"an allow rule runs", with(func(f *Facts) { f.Rule = RuleAllow }), Run, tools.ByRule},
		{"high-risk runs unknown without a classifier", with(func(f *Facts) { f.Risk, f.Policy, f.Judgeable = tools.Unknown, HighRisk, true }), Run, tools.ByPolicy},
		{"the command list comes before the classifier", with(func(f *Facts) { f.Risk, f.Judgeable, f.Command = tools.Unknown, true, true }), Run, tools.ByCommand},
		{"the tool list comes before the classifier", with(func(f *Facts) { f.Risk, f.Judgeable, f.Tool = tools.Unknown, true, true }), Run, tools.ByTool},
		{"an unknown risk is classified", with(func(f *Facts) { f.Risk, f.Judgeable = tools.Unknown, true }), Classify, tools.ByClassifier},
		{"strict never pays a classifier", with(func(f *Facts) { f.Risk, f.Judgeable, f.Policy = tools.Unknown, true, Strict }), Ask, tools.ByPolicy},
		{"a mild verdict runs", with(func(f *Facts) { f.Risk, f.Judged, f.Verdict = tools.Unknown, true, tools.Low }), Run, tools.ByClassifier},
		{"read-only does not run a low verdict", with(func(f *Facts) { f.Risk, f.Judged, f.Verdict, f.Policy = tools.Unknown, true, tools.Low, ReadOnly }), Ask, tools.ByPolicy},
		{"a high verdict asks", with(func(f *Facts) { f.Risk, f.Judged, f.Verdict = tools.Unknown, true, tools.High }), Ask, tools.ByPolicy},
		{"an unknown risk that cannot be judged asks", with(func(f *Facts) { f.Risk = tools.Unknown }), Ask, tools.ByPolicy},
		{"the zero facts ask", Facts{}, Ask, tools.ByPolicy},
	} {
		if step, by := Decide(c.f); step != c.want || by != c.by {
			t.Errorf("%s: %v by %s, want %v by %s", c.name, step, by, c.want, c.by)
		}
	}
}
