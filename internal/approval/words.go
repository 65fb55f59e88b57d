package approval

import (
	"fmt"

	"github.com/zuno-dev/zuno/internal/tools"
)

// explain says why a call runs, for the receipt.
func explain(by tools.Source, f Facts) string {
	switch by {
	case tools.ByEffect:
		return f.Effect.String()
	case tools.ByRule:
		return "an allow rule"
	case tools.ByPolicy:
		return "policy " + f.Policy.String()
	case tools.ByClassifier:
		return "classified " + f.Verdict.String()
	case tools.ByCommand:
		return "an allowed command"
	case tools.ByTool:
		return "an allowed tool"
	}
	return string(by)
}

func blockReason(by tools.Source, p *tools.Proposal, f Facts) string {
	switch {
	case by == tools.ByDenylist:
		return p.Denied
	case f.Use != "":
		return f.Use + " (permission.rules); nothing ran"
	}
	return "a deny rule of permission.rules forbids this; nothing ran"
}

// why says, for the card, what makes it ask.
func why(p *tools.Proposal, f Facts) string {
	switch {
	case f.Options:
		return "one of these must be chosen"
	case p.Rejected != "":
		return "what you made of it cannot run, so this is as it was before"
	case f.Edited && p.Manual != "":
		return "you changed it: this is what would run now; " + p.Manual
	case f.Edited:
		return "you changed it: this is what would run now"
	case f.Policy == Strict:
		return "the policy is strict: every effect asks"
	case f.Manual:
		return p.Manual
	case f.Rule == RuleAsk && f.Use != "":
		return f.Use + " (permission.rules)"
	case f.Rule == RuleAsk:
		return "a rule of permission.rules says ask"
	case f.Judged:
		return fmt.Sprintf("classified %s, and the policy is %s", f.Verdict, f.Policy)
	case f.Risk == tools.Unknown && p.Dynamic:
		return fmt.Sprintf("the command cannot be reduced to plain words, and the policy is %s", f.Policy)
	case f.Risk == tools.Unknown:
		return fmt.Sprintf("its risk is unknown, and the policy is %s", f.Policy)
	}
	return fmt.Sprintf("it is %s, and the policy is %s", f.Risk, f.Policy)
}

// nobody is what the model and the log read when there was nobody to ask; it
// names what would allow the call.
func nobody(p *tools.Proposal, f Facts) string {
	s := "nobody is here to approve this, so nothing ran (" + why(p, f) + "). "
	switch {
	case f.Options && p.Unbound != "":
		return s + "To allow it: bind " + p.Unbound + "."
	case f.Options:
		return s + "It needs a person."
	case f.Edited:
		return s + "It needs the person who changed it."
	case f.Policy == Strict:
		return s + "To allow it: --approval-policy with another policy than strict."
	case f.Manual:
		return s + "To allow it: --approval-policy yolo, or do it yourself."
	case f.Rule == RuleAsk:
		return s + "To allow it: change the rule in permission.rules."
	}
	s += fmt.Sprintf("To allow it: --approval-policy high-risk, --allow-tool %s, ", p.Spec.Name)
	if p.Key != "" {
		return s + "an allow rule in permission.rules, or zuno rules add with its key: " + p.Key
	}
	return s + "or an allow rule in permission.rules."
}
