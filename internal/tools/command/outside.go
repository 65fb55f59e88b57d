package command

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// outside proposes the same command once more, not confined. Its one row is an
// option, so that nothing but a person allows it.
func (r run) outside(why string) *tools.Proposal {
	r.confine, r.bounds = nil, "none: outside of it, this once"
	spec := specOf(r.config)
	spec.Timeout = r.timeout + settleTime
	return &tools.Proposal{
		Spec: spec, Summary: "outside the sandbox: " + summary(r.line),
		Preview: append(r.preview(""), tools.Section{
			Kind: tools.Text, Body: "The sandbox probably stopped this command: " + why + ". It can run once more, as a whole, outside of it.",
		}),
		Subjects: subjects(r.line, r.seen), Readings: r.seen.Readings(r.line), Uses: r.uses(), There: r.there, Command: r.line, Dynamic: true,
		Options: []tools.Option{{ID: "outside", Label: "Run it once outside the sandbox"}},
		Do:      r.do,
	}
}

// bounded says what the confinement had to do with how a command ended.
func bounded(res shell.Result) string {
	var b strings.Builder
	if res.Stopped != "" {
		fmt.Fprintf(&b, "[it ran in the sandbox, which probably stopped it: %s. Do not look for a way around that; the user may run it outside.]\n", res.Stopped)
	}
	if len(res.Touched) > 0 {
		fmt.Fprintf(&b, "[it made or changed what is protected: %s]\n", strings.Join(res.Touched, ", "))
	}
	return b.String()
}
