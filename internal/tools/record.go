package tools

import (
	"encoding/json"
	"time"
)

// A State is how far a call got. Each call passes through them in order and
// leaves each of them once.
type State string

// The states. A blocked call goes from where it was blocked to settled.
const (
	Requested State = "requested" // the model asked for it
	Proposed  State = "proposed"  // it was worked out
	Decided   State = "decided"   // the gate answered
	Started   State = "started"   // its effect may have begun
	Settled   State = "settled"   // it has its one outcome
)

// A Record is what is remembered of one call.
type Record struct {
	Call    Call
	State   State
	Summary string // the receipt's subject
	Effect  Effect
	Replay  Replay
	Risk    Risk
	// Operator says that the person typed it as ! cmd: it answers no request of
	// the model.
	Operator bool
	// Was is what the model asked for where a person rewrote the arguments before
	// they were decided on; Call has those that count. Nil where nobody did.
	Was      json.RawMessage
	Decision Decision
	Outcome  Outcome
	Took     time.Duration // from start to outcome; zero when it never started
}
