package tools

import (
	"errors"
	"fmt"
)

// A Kind says how a call ended.
type Kind int

// The kinds. Error is the zero value: an outcome that nobody filled in is
// never taken for success.
const (
	Error     Kind = iota // it ran and failed, or a read-only call failed
	OK                    // it ran and succeeded
	Blocked               // nothing happened
	Cancelled             // stopped by the user; Started says whether it had begun
	Uncertain             // it may have happened
)

// String returns the word shown, stored and printed in JSON.
func (k Kind) String() string {
	return name(int(k), "error", "ok", "blocked", "cancelled", "uncertain")
}

// A Block says why nothing happened.
type Block int

// The block kinds.
const (
	NotBlocked Block = iota
	InvalidArguments
	Unavailable
	Denied
	Stale // the world changed after the preview
)

// String returns the word stored and printed in JSON; "" when not blocked.
func (b Block) String() string {
	return name(int(b), "", "invalid_arguments", "unavailable", "denied", "stale")
}

// Source names the step of the decision order that blocks a call before there
// is a proposal of it.
func (b Block) Source() Source {
	switch b {
	case InvalidArguments:
		return ByArguments
	case Unavailable:
		return ByAvailable
	case Stale:
		return ByStale
	}
	return ByDenylist
}

// An Outcome is how a call ended.
type Outcome struct {
	Kind  Kind
	Block Block
	// Text is what the model reads. The loop bounds it and fills in a
	// placeholder where it is blank.
	Text string
	// Show is what the person sees, when that is not Text.
	Show []Section
	// Images go to the model where it accepts them.
	Images []Image
	// Truncated says that Text is not all there was.
	Truncated bool
	// Started says, of a cancelled call, whether its effect had begun.
	Started bool
	// ExitCode is a command's exit status; nil when no command ran to an end.
	ExitCode *int
	// Again, when not nil, is what a person may be offered now that the call
	// could not do its work: the same under other conditions, such as outside of
	// the sandbox. It has Options, so that nothing but a person allows it.
	Again *Proposal
	// Files are the paths that a search found, for calls that are made with them. They
	// are not recorded.
	Files []string
	// Changes lists the files the call changed, in the order they were changed.
	Changes []Change
	// Reports are the IDs of the jobs whose reports Text has. The commit that settles
	// the call says that the model was told of them, so that it is not told again.
	Reports []string
	// Touches are changes of files that only showed when it had run, such as those
	// of a formatter. Those that the proposal named are not repeated.
	Touches []Touch
}

// Told is the outcome for a model. It says in words what could be mistaken: that
// blocked means nothing happened, and uncertain that it may have.
func (o Outcome) Told() string {
	switch o.Kind {
	case Blocked:
		return "[blocked: " + o.Block.String() + "; nothing happened] " + o.Text
	case Cancelled:
		return "[cancelled] " + o.Text
	case Uncertain:
		return "[uncertain: it may have happened. Inspect the real state before any further change; do not simply repeat the call] " + o.Text
	case Error:
		return "[error] " + o.Text
	}
	return o.Text
}

// An Image is a picture for the model.
type Image struct {
	MIME string `json:"mime"` // image/png, image/jpeg, image/gif or image/webp
	Data []byte `json:"data"`
}

// A Change is one file that a call changed.
type Change struct {
	Path string `json:"path"`
	// Kind is A (added), M (modified), D (deleted) or R (renamed from From).
	Kind    string `json:"kind"`
	From    string `json:"from,omitempty"`
	Added   int    `json:"added"`   // lines
	Removed int    `json:"removed"` // lines
}

// A Refusal is the error of a Propose that cannot become a proposal. It is an
// outcome, not a failure: nothing happened.
type Refusal struct {
	Block  Block
	Reason string
	// Summary is the subject for the receipt, when it is known.
	Summary string
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

// Refuse returns a Refusal with a formatted reason.
func Refuse(b Block, format string, args ...any) error {
	return &Refusal{Block: b, Reason: fmt.Sprintf(format, args...)}
}

// OutcomeOf turns the error of a Propose into the outcome of the call.
func OutcomeOf(err error) Outcome {
	var r *Refusal
	if errors.As(err, &r) {
		return Outcome{Kind: Blocked, Block: r.Block, Text: r.Reason}
	}
	return Outcome{Kind: Error, Text: err.Error()}
}
