package approval

import "github.com/zuno-dev/zuno/internal/tools"

// A StepResult is one row of the decision order, held against some facts.
type StepResult struct {
	Name string // of the row, in words
	By   tools.Source
	Step Step // what is done where the row applies
	// Applies says that the facts meet the row. Only the first that does counts.
	Applies bool
}

// Explain returns every row of the decision order, in order. The first that
// applies is the answer of [Decide], and there always is one.
func Explain(f Facts) []StepResult {
	rows := make([]StepResult, len(order))
	for i, r := range order {
		rows[i] = StepResult{Name: r.name, By: r.by, Step: r.step, Applies: r.applies(f)}
	}
	return rows
}

// An Explanation is how a Gate would decide on a proposal.
type Explanation struct {
	Facts Facts
	Steps []StepResult
	Step  Step
	By    tools.Source
	// Reason says why it runs, is blocked or asks, as the receipt, the refusal or
	// the card would.
	Reason string
	// Nobody is what is said where it would ask and nobody is there; else "".
	Nobody string
	// Verdicts are those of the classifier with which it would run, where Step is
	// Classify. With none of them it asks whatever the classifier says.
	Verdicts []tools.Risk
}

// Explain says how g would decide on p now. It asks nobody, neither the
// classifier nor a person. The error is the allowlist's.
func (g *Gate) Explain(p *tools.Proposal) (Explanation, error) {
	e := Explanation{}
	if _, err := g.facts(p, &e.Facts); err != nil {
		return Explanation{}, err
	}
	e.Steps = Explain(e.Facts)
	e.Step, e.By = Decide(e.Facts)
	switch e.Step {
	case Run:
		e.Reason = explain(e.By, e.Facts)
	case Block:
		e.Reason = blockReason(e.By, p, e.Facts)
	case Ask, Classify:
		e.Reason, e.Nobody = why(p, e.Facts), nobody(p, e.Facts)
	}
	if e.Step == Classify {
		e.Verdicts = verdicts(p, e.Facts)
	}
	return e, nil
}

// verdicts lists those with which p runs.
func verdicts(p *tools.Proposal, f Facts) []tools.Risk {
	var runs []tools.Risk
	f.Judged = true
	for _, v := range []tools.Risk{tools.ReadOnlyRisk, tools.Low, tools.High} {
		f.Verdict = capped(v, p.Floor)
		if step, _ := Decide(f); step == Run {
			runs = append(runs, v)
		}
	}
	return runs
}
