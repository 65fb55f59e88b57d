package approval

import "github.com/zuno-dev/zuno/internal/tools"

// Facts is everything a decision depends on.
type Facts struct {
	Denied    bool // a denylist or catastrophic hit
	Rule      Action
	Options   bool // the proposal is a picker
	Effect    tools.Effect
	Manual    bool // only a person may allow it
	Policy    Policy
	Risk      tools.Risk // as declared
	Judgeable bool       // a classifier could be asked about it
	Judged    bool       // it was, and
	Verdict   tools.Risk // said this
	Command   bool       // its key is on the per-command allowlist
	Tool      bool       // its tool is on the per-tool allowlist
}

// A Step is what to do with a proposal.
type Step int

// The steps. Block is the zero value.
const (
	Block Step = iota
	Run
	Ask
	Classify // ask the classifier, then decide again
)

// String names the step for the matrix and for explanations.
func (s Step) String() string { return [...]string{"block", "run", "ask", "classify"}[s] }

// Decide is the decision order; the first line that applies wins, and the
// Source names it. Invalid arguments and unavailable tools never get here:
// they have no proposal.
func Decide(f Facts) (Step, tools.Source) {
	gated := f.Effect == tools.SideEffecting || f.Effect == tools.Delegating
	judged := f.Risk
	if f.Judged {
		judged = f.Verdict
	}
	switch {
	case f.Denied:
		return Block, tools.ByDenylist
	case f.Rule == RuleDeny:
		return Block, tools.ByRule
	case f.Options:
		return Ask, tools.ByOptions
	case !gated && !f.Manual && f.Rule != RuleAsk:
		return Run, tools.ByEffect
	case f.Policy == Strict && gated:
		return Ask, tools.ByPolicy
	case f.Manual && f.Policy != Yolo:
		return Ask, tools.ByManual
	case f.Rule == RuleAsk:
		return Ask, tools.ByRule
	case f.Rule == RuleAllow:
		return Run, tools.ByRule
	case f.Policy.covers(f.Risk):
		return Run, tools.ByPolicy
	case f.Judged && f.Policy.covers(judged):
		return Run, tools.ByClassifier
	case f.Command:
		return Run, tools.ByCommand
	case f.Tool:
		return Run, tools.ByTool
	case f.Risk == tools.Unknown && f.Judgeable && !f.Judged && f.Policy.covers(tools.ReadOnlyRisk):
		return Classify, tools.ByClassifier
	}
	return Ask, tools.ByPolicy
}
