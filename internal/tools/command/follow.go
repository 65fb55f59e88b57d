package command

import (
	"github.com/zuno-dev/zuno/internal/tools"
)

// Follower works out a command line that the person's configuration has run
// after a change of files, under the name of a tool of its own. It is the shell
// tool's proposal, confined like the model's commands; at its time limit it is
// stopped, for nobody would follow it as a job.
func Follower(c Config, name, line string) (*tools.Proposal, error) {
	spec := specOf(c)
	spec.Name, spec.Description = name, ""
	return propose(c, spec, args{Command: line}, false)
}

// FollowerContext renders what became of such a command for the model.
func FollowerContext(line, dir string, o tools.Outcome) string {
	return tagged(line, dir, o, "The user's configuration has this run after a change of files; you did not ask for it.")
}
