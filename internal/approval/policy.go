// Package approval decides whether a proposal may be executed: by denylist,
// rules, policy, allowlists, a classifier and, last, a person. One function
// holds the whole order; everything else here feeds it or carries out what it
// says.
package approval

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Policy is the highest risk tier that runs without asking.
type Policy int

// The policies. Strict is the zero value: an unset Policy asks for everything
// that has an effect. (An unset policy in the configuration means LowRisk.)
const (
	Strict   Policy = iota // every effect asks, fresh
	ReadOnly               // what only looks runs
	LowRisk                // the default
	HighRisk               // all but manual-only commands run
	Yolo                   // manual-only ones too
)

// policyNames is indexed by Policy.
var policyNames = [...]string{"strict", "read-only", "low-risk", "high-risk", "yolo"}

// String returns the name used in flags, configuration and the status line.
func (p Policy) String() string {
	if p < 0 || int(p) >= len(policyNames) {
		return "invalid"
	}
	return policyNames[p]
}

// ParsePolicy returns the policy of that name; "" means LowRisk.
func ParsePolicy(name string) (Policy, error) {
	if name == "" {
		return LowRisk, nil
	}
	for i, n := range policyNames {
		if n == name {
			return Policy(i), nil
		}
	}
	return Strict, fmt.Errorf("unknown approval policy %q (one of %s)", name, strings.Join(policyNames[:], ", "))
}

// Next returns the policy that Shift+Tab switches to. Yolo is not on the
// wheel; from it the wheel goes back to strict.
func (p Policy) Next() Policy {
	if p >= HighRisk {
		return Strict
	}
	return p + 1
}

// covers reports whether p runs a call of risk r without asking.
func (p Policy) covers(r tools.Risk) bool {
	switch p {
	case ReadOnly:
		return r == tools.ReadOnlyRisk
	case LowRisk:
		return r == tools.ReadOnlyRisk || r == tools.Low
	case HighRisk, Yolo:
		return true
	}
	return false
}
