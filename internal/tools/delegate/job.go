package delegate

import "time"

// A Status says how far a job got. Each job passes through queued and running
// and ends once.
type Status string

// The statuses. An uncertain job was lost, and what became of some of its calls
// is not known.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
	Uncertain Status = "uncertain"
)

// Ended reports whether the job is over.
func (s Status) Ended() bool { return s != Queued && s != Running }

// A Job is one piece of work of one agent, as it is remembered.
type Job struct {
	ID    string
	Call  string // ID of the call that delegated
	Child string // ID of the agent's session; "" for the work of several
	Agent string
	// Title says in a few words what it is about, and Prompt is what the agent
	// was told.
	Title, Prompt string
	// Several says that it is the work of several agents, each of which has a job
	// of its own under the same call.
	Several bool
	// Background jobs outlive their call. Quiet ones do not bring their report by
	// themselves.
	Background, Quiet       bool
	Status                  Status
	Report                  string // "" until it has ended
	Created, Began, Settled time.Time
	// Doubts is how many of its calls may have happened, with nobody having found
	// out.
	Doubts int
}
