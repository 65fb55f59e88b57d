package store

import (
	"fmt"

	"github.com/zuno-dev/zuno/internal/tools"
)

// word returns the value among values that is written s. What is not known is
// the zero value, which is the strict one everywhere.
func word[T fmt.Stringer](s string, values ...T) T {
	for _, v := range values {
		if v.String() == s {
			return v
		}
	}
	var strict T
	return strict
}

func effectOf(s string) tools.Effect {
	return word(s, tools.SideEffecting, tools.Delegating, tools.UserMediated, tools.ReadOnly)
}

func replayOf(s string) tools.Replay { return word(s, tools.Never, tools.Safe) }

func riskOf(s string) tools.Risk {
	return word(s, tools.Unknown, tools.High, tools.Low, tools.ReadOnlyRisk)
}

func kindOf(s string) tools.Kind {
	return word(s, tools.Error, tools.OK, tools.Blocked, tools.Cancelled, tools.Uncertain)
}

func blockOf(s string) tools.Block {
	return word(s, tools.NotBlocked, tools.InvalidArguments, tools.Unavailable, tools.Denied, tools.Stale)
}
