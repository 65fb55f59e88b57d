package loop

import (
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// An Event is something that happened in a turn. A front end is a fold over
// events; resuming a session is the same fold over stored ones. Within a turn
// they come from one goroutine, in order.
type Event interface{ event() }

// The events.
type (
	// Prompted opens a turn with what the user said, or, when Operator is set,
	// with the command they typed behind an exclamation mark.
	Prompted struct {
		Text     string
		Operator bool
		// Steers says that it goes into the turn that runs, and Queued which
		// message of the inbox it was, zero for none.
		Steers bool
		Queued int64
	}
	// Delta is a piece of the answer.
	Delta struct{ Text string }
	// Thought is a piece of the model's reasoning.
	Thought struct{ Text string }
	// Stepped says that the model's message is complete: what was streamed so
	// far is final. Calls is how many calls follow.
	Stepped struct{ Calls int }
	// Proposed says what a call would do. A call that cannot be proposed has no
	// such event: it goes straight to Settled.
	Proposed struct {
		Call     tools.Call
		Proposal *tools.Proposal
	}
	// Revised says that a person rewrote a proposed call, and what it would do now.
	Revised struct {
		Call     tools.Call
		Proposal *tools.Proposal
	}
	// Classifying says that a small model is judging the call.
	Classifying struct{ Call tools.Call }
	// Classified is its verdict.
	Classified struct {
		Call    tools.Call
		Verdict tools.Risk
	}
	// Asked says that the call waits for a person.
	Asked struct {
		Call    tools.Call
		Request approval.Request
	}
	// Decided is the gate's answer.
	Decided struct {
		Call     tools.Call
		Decision tools.Decision
	}
	// Started says that the effect begins now; it is recorded already.
	Started struct{ Call tools.Call }
	// Progress is what a running call has to say.
	Progress struct {
		Call     tools.Call
		Progress tools.Progress
	}
	// Settled is how a call ended. Every call has exactly one, in call order,
	// and it is recorded already.
	Settled struct{ Record tools.Record }
	// Noticed is something the user should know: a retry, a limit, a recovery.
	Noticed struct {
		Text string
		// Retry says that the model is asked again and that what was streamed of
		// this step so far does not count.
		Retry bool
	}
	// Used is what one attempt at a model call cost. Its purpose is conversation,
	// classifier, compaction or subagent.
	Used llm.Expense
	// Compacting says that a summary of the older part is being written. The next
	// Measured says that this is over.
	Compacting struct{}
	// Measured is what the conversation takes of the model's context, in tokens.
	// Window is zero when that is not known.
	Measured struct{ Used, Window int }
	// Ended closes the turn. Err is nil, or why it did not come to its end.
	Ended struct {
		Err  error
		Took time.Duration
	}
)

func (Prompted) event()    {}
func (Delta) event()       {}
func (Thought) event()     {}
func (Stepped) event()     {}
func (Proposed) event()    {}
func (Revised) event()     {}
func (Classifying) event() {}
func (Classified) event()  {}
func (Asked) event()       {}
func (Decided) event()     {}
func (Started) event()     {}
func (Progress) event()    {}
func (Settled) event()     {}
func (Noticed) event()     {}
func (Used) event()        {}
func (Compacting) event()  {}
func (Measured) event()    {}
func (Ended) event()       {}
