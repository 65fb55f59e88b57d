package loop

import (
	"fmt"

	"github.com/zuno-dev/zuno/internal/tools"
)

// How often the same call may fail in a turn before the model is told, and
// before the turn ends.
const (
	repeatWarn = 3
	repeatStop = 5
)

// A guard notices a model that repeats what does not work: the same call with
// the same arguments, the same tool with the same failure, or the same subject
// with the same end.
type guard struct{ failures map[string]int }

func newGuard() *guard { return &guard{map[string]int{}} }

// note counts a settled call. It returns a warning to add to the result, and
// ErrRepeating when the turn must end.
func (g *guard) note(r tools.Record) (string, error) {
	o := r.Outcome
	if o.Kind == tools.OK && (o.ExitCode == nil || *o.ExitCode == 0) || o.Kind == tools.Cancelled {
		return "", nil
	}
	keys := []string{"args\x00" + r.Call.Tool + "\x00" + string(r.Call.Args)}
	switch {
	case o.Kind == tools.Error:
		// Different calls that are refused alike, or commands that only differ in
		// what they look at, are not a loop; the same failure is.
		keys = append(keys, "text\x00"+r.Call.Tool+"\x00"+o.Text)
	case o.Block != tools.Denied && r.Summary != "":
		// Nor is it another call when what differs is an argument that changes
		// neither what the call is about nor how it ends.
		keys = append(keys, "same\x00"+r.Call.Tool+"\x00"+r.Summary+"\x00"+o.Text)
	}
	n := 0
	for _, key := range keys {
		g.failures[key]++
		n = max(n, g.failures[key])
	}
	switch {
	case n >= repeatStop:
		return "", fmt.Errorf("%w: %s, %d times in this turn", ErrRepeating, tools.CleanLine(tools.Clip(r.Call.Tool+" "+r.Summary, 200)), n)
	case n >= repeatWarn:
		return "\n[this has now failed the same way several times in this turn; do something else, or say what stops you]", nil
	}
	return "", nil
}
