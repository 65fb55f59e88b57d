package approval

import "github.com/zuno-dev/zuno/internal/tools"

// Facts is everything a decision depends on.
type Facts struct {
	Denied    bool // a denylist or catastrophic hit
	Rule      Action
	Use       string // which use of the call the rule is about, "" for none
	Options   bool   // the proposal is a picker
	Edited    bool   // a person rewrote the call
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

// A row is one line of the decision order.
type row struct {
	name    string
	step    Step
	by      tools.Source
	applies func(f Facts) bool
}

// order is the decision order: the first row that applies wins, and its source
// names it. The last applies always. Invalid arguments and unavailable tools
// never get here: they have no proposal.
var order = [...]row{
	{"denylist", Block, tools.ByDenylist, func(f Facts) bool { return f.Denied }},
	{"deny rule", Block, tools.ByRule, func(f Facts) bool { return f.Rule == RuleDeny }},
	{"picker", Ask, tools.ByOptions, func(f Facts) bool { return f.Options }},
	{"edited", Ask, tools.ByEdit, func(f Facts) bool { return f.Edited }},
	{"no effect", Run, tools.ByEffect, func(f Facts) bool { return !f.gated() && !f.Manual && f.Rule != RuleAsk }},
	{"strict policy", Ask, tools.ByPolicy, func(f Facts) bool { return f.Policy == Strict && f.gated() }},
	{"manual-only", Ask, tools.ByManual, func(f Facts) bool { return f.Manual && f.Policy != Yolo }},
	{"ask rule", Ask, tools.ByRule, func(f Facts) bool { return f.Rule == RuleAsk }},
	{"allow rule", Run, tools.ByRule, func(f Facts) bool { return f.Rule == RuleAllow }},
	{"policy", Run, tools.ByPolicy, func(f Facts) bool { return f.Policy.covers(f.Risk) }},
	{"verdict", Run, tools.ByClassifier, func(f Facts) bool { return f.Judged && f.Policy.covers(f.Verdict) }},
	{"allowed command", Run, tools.ByCommand, func(f Facts) bool { return f.Command }},
	{"allowed tool", Run, tools.ByTool, func(f Facts) bool { return f.Tool }},
	{"classifier", Classify, tools.ByClassifier, func(f Facts) bool { return f.undecided() && f.Policy.covers(tools.ReadOnlyRisk) }},
	{"nothing allows it", Ask, tools.ByPolicy, func(Facts) bool { return true }},
}

// gated says that the call does something.
func (f Facts) gated() bool { return f.Effect == tools.SideEffecting || f.Effect == tools.Delegating }

// undecided says that a classifier is still to be heard.
func (f Facts) undecided() bool { return f.Risk == tools.Unknown && f.Judgeable && !f.Judged }

// Decide returns what the first row of the decision order that applies says,
// and the row's source.
func Decide(f Facts) (Step, tools.Source) {
	last := len(order) - 1
	for _, r := range order[:last] {
		if r.applies(f) {
			return r.step, r.by
		}
	}
	return order[last].step, order[last].by
}
