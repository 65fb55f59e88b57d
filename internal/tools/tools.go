// Package tools defines the vocabulary that the rest of zuno is written in:
// what a tool is, what it proposes, what a decision permits and how a call
// ends. A tool never acts on its own: it returns a [Proposal] whose effect is
// a closure that only [Proposal.Execute] calls, under a [Decision].
//
// Every zero value is the strict one. A tool that forgets to declare an effect
// is gated, one that forgets its concurrency runs alone, an empty Decision
// permits nothing. The package imports the standard library only.
package tools

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// DefaultTimeout bounds the execution of a call whose tool names no other.
const DefaultTimeout = 3 * time.Minute

// An Effect says what a call does to the world.
type Effect int

// The effects. SideEffecting is the zero value, so that an undeclared effect
// is gated.
const (
	SideEffecting Effect = iota // changes state or reaches outside
	Delegating                  // runs child work that carries its own effects
	UserMediated                // needs human input by design
	ReadOnly                    // observes state without changing it
)

// String returns the name used in events, receipts and the database.
func (e Effect) String() string {
	return name(int(e), "side-effecting", "delegating", "user-mediated", "read-only")
}

// A Replay says whether a call may be attempted again after a failure.
type Replay int

// The replay classes.
const (
	Never Replay = iota // at most once: a lost result is uncertain
	Safe                // may be attempted again after backoff
)

// String returns the name used in the database.
func (r Replay) String() string { return name(int(r), "never", "safe") }

// A Concurrency says whether a call may overlap with others.
type Concurrency int

// The concurrency classes.
const (
	Exclusive          Concurrency = iota // a two-sided barrier
	ParallelSafe                          // may overlap with other non-exclusive calls
	IsolatedBackground                    // may overlap while outside the foreground path
)

// String returns the name used in docs.
func (c Concurrency) String() string {
	return name(int(c), "exclusive", "parallel-safe", "isolated-background")
}

// A Risk is the tier that an approval policy is compared with.
type Risk int

// The risk tiers. Unknown asks the classifier; High is what every failure to
// classify becomes.
const (
	Unknown Risk = iota
	High
	Low
	ReadOnlyRisk
)

// String returns the word shown to people and stored.
func (r Risk) String() string { return name(int(r), "unknown", "high-risk", "low-risk", "read-only") }

func name(i int, names ...string) string {
	if i < 0 || i >= len(names) {
		return "invalid"
	}
	return names[i]
}

// A Spec is what a tool declares about itself before any call.
type Spec struct {
	// Name is the wire name: ^[a-zA-Z0-9_-]{1,64}$.
	Name string
	// Description tells the model what the tool does and when to use it.
	Description string
	// Schema is the JSON Schema of the arguments. [New] fills it in from the
	// argument type when it is empty.
	Schema      json.RawMessage
	Effect      Effect
	Replay      Replay
	Concurrency Concurrency
	Risk        Risk
	// Timeout bounds execution; zero means [DefaultTimeout].
	Timeout time.Duration
	// LongRunning tools have no timeout: they wait for a person or a child.
	LongRunning bool
}

// Limit returns how long one execution may take, and zero for no limit.
func (s Spec) Limit() time.Duration {
	switch {
	case s.LongRunning:
		return 0
	case s.Timeout > 0:
		return s.Timeout
	}
	return DefaultTimeout
}

// A Call is one request by the model to use a tool. Its ID is unique within
// the session.
type Call struct {
	ID string
	// Tool is the canonical name; Requested is what the model wrote when that
	// was an alias, else "".
	Tool, Requested string
	Args            json.RawMessage
}

// A Tool describes itself and turns calls into proposals.
type Tool interface {
	Spec() Spec
	// Propose works out what call would do. It may read; it changes nothing.
	// A call that cannot be proposed returns a *[Refusal]; any other error is
	// a failure of the tool itself. It runs on the turn's goroutine.
	Propose(ctx context.Context, call Call) (*Proposal, error)
}

// A SectionKind says how a front end draws a Section.
type SectionKind string

// The section kinds.
const (
	Text    SectionKind = "text"
	Diff    SectionKind = "diff"    // Body is a unified diff
	Command SectionKind = "command" // Body is a shell command, verbatim
	Table   SectionKind = "table"   // Body is lines of tab-separated cells
	Address SectionKind = "address" // Body is the address of a page, verbatim
)

// A Section is one piece of a preview or of a result shown to the person.
// It is data, so that no front end needs to know a tool by name.
type Section struct {
	Kind  SectionKind `json:"kind"`
	Title string      `json:"title,omitempty"`
	Body  string      `json:"body"`
}

// An Option is one row of a picker.
type Option struct {
	ID     string `json:"id"` // without newline or colon
	Label  string `json:"label"`
	Detail string `json:"detail,omitempty"`
	// Group is the question that the row answers. Rows of one group stand
	// together; a picker of several groups is answered one group at a time.
	Group string `json:"group,omitempty"`
	// Many says that several rows of the group may be chosen.
	Many bool `json:"many,omitempty"`
	// Write says that the row asks for a line of text.
	Write bool `json:"write,omitempty"`
}

// Choose returns the choice of the one row o, with what was typed for it. A
// choice of several rows is theirs, one a line: the ID of each, with a colon
// and the text behind it where the row asks for text.
func Choose(o Option, text string) string {
	if !o.Write {
		return o.ID
	}
	return o.ID + ":" + strings.ReplaceAll(text, "\n", " ")
}

// Offered reports whether choice is made of rows of options, and of one at
// least.
func Offered(options []Option, choice string) bool {
	for _, line := range strings.Split(choice, "\n") {
		ok := false
		for _, o := range options {
			id, _, text := strings.Cut(line, ":")
			ok = ok || o.ID == id && text == o.Write
		}
		if !ok {
			return false
		}
	}
	return true
}

// A Proposal is an action that has been worked out but not taken.
type Proposal struct {
	Call Call
	// At is when the call was worked out. The loop fills it in.
	At time.Time
	// Spec is the tool's declaration. A tool may set effect, risk and the like
	// per call here, from the validated arguments.
	Spec Spec
	// Summary is one line: the card's title and the receipt's subject.
	Summary string
	// Preview shows what will happen, complete.
	Preview []Section
	// Subjects are what the patterns of permission rules are matched with: the
	// paths, simple commands or addresses the call touches.
	Subjects []string
	// Readings are other texts of what the call touches, as far as that may be.
	// Rules that deny or ask are matched with them too, an allow never is.
	Readings []string
	// Uses are what the call does as other tools would, whose rules it is bound
	// by. There reports whether a path of that kind, without a pattern in it,
	// exists; nil is yes.
	Uses  []Use
	There func(path string) bool
	// Key is what "always allow this command" would remember; "" when nothing
	// honest can be remembered.
	Key string
	// Version tells this definition of the tool from others of the same name,
	// for tools that somebody else defines: a grant for the tool counts for one
	// version only. "" for tools that have no other.
	Version string
	// Command is what the classifier judges when Risk is Unknown. When it is
	// empty, or Dynamic is set, an unknown risk counts as High.
	Command string
	// Dynamic says that Command could not be reduced to plain words.
	Dynamic bool
	// Floor, when not Unknown, is the mildest risk that a verdict may come to:
	// what is known for certain outranks a model.
	Floor Risk
	// Denied, when not "", blocks the call under every policy: the reason of a
	// denylist or catastrophic hit.
	Denied string
	// Manual, when not "", says why only a person may allow the call.
	Manual string
	// Options, when not empty, turn the card into a picker.
	Options []Option
	// Unbound names what standing consent would make the picker unnecessary.
	Unbound string
	// Edit, when not nil, is what a person may rewrite of the call before they
	// allow it, and Edited says that this proposal is what came of that: it is
	// shown before it runs, whatever the policy.
	Edit   *Edit
	Edited bool
	// Rejected, when not "", says why what a person last made of the call cannot
	// run: they are asked about this proposal again, whatever the policy.
	Rejected string
	// Touches are the files, links and folders that the call would change, in
	// the order in which it does. Before must hold the content where it is to be
	// possible to take the change back; After need not.
	Touches []Touch
	// Batch, when not nil, is calls that the call makes: whoever carries it out
	// makes them, each with a proposal and a decision of its own, instead of
	// calling Do.
	Batch Batch
	// Do carries the proposal out. The choice is the picked row's ID, "" without
	// Options. It calls report, from one goroutine, with what it has to say
	// meanwhile. It answers Blocked/Stale if the world changed since Propose.
	Do func(ctx context.Context, choice string, report func(Progress)) Outcome
}

// A Batch is calls that one call makes. One goroutine uses it.
type Batch interface {
	// Next returns the calls that can be made now, in order, given how all calls
	// that it returned before have ended, in that order; none when there are no
	// more. A call has a tool, as a model would name it, and arguments.
	Next(ended []Record) []Call
	// Outcome returns how the call that made them ended. Stopped says that calls
	// were left out because the turn ended.
	Outcome(ended []Record, stopped bool) Outcome
}

// A Progress is what a running call has to say before it ends.
type Progress struct {
	Text  string `json:"text,omitempty"`  // the latest line of output
	Bytes int64  `json:"bytes,omitempty"` // output captured so far
}

// A Source names the step of the decision order that decided.
type Source string

// The sources, in decision order, then who was asked, and what stands outside
// of the order.
const (
	ByArguments  Source = "arguments"
	ByAvailable  Source = "availability"
	ByStale      Source = "stale" // the model's view of a file is old
	ByDenylist   Source = "denylist"
	ByRule       Source = "rule"
	ByOptions    Source = "options"
	ByEdit       Source = "edited" // a person rewrote the call and sees what it is now
	ByEffect     Source = "effect"
	ByManual     Source = "manual-only"
	ByPolicy     Source = "policy"
	ByClassifier Source = "classifier"
	ByCommand    Source = "allowed-command"
	ByTool       Source = "allowed-tool"
	ByPerson     Source = "you"
	ByNobody     Source = "nobody"
	ByOperator   Source = "operator" // typed as ! cmd
	ByInterrupt  Source = "interrupt"
	ByHook       Source = "hook"      // a program of the person's configuration
	ByUncertain  Source = "uncertain" // an earlier call may have done it already
	ByAgent      Source = "agent"     // the agent may not do such things
)

// A Decision says whether a proposal may be executed, and who said so. The
// zero Decision permits nothing.
type Decision struct {
	Allowed bool
	By      Source
	// Reason says why; when a person refused it is their own words, or "".
	Reason string
	// Project says, of [ByHook], that the hook is one of the project's.
	Project bool
	// Choice is the picked rows (see [Choose]). The model cannot write it.
	Choice string
	// Verdict is the classifier's, when it was asked; else Unknown.
	Verdict Risk
	At      time.Time
	// About is what the call is about, when it was refused before there was a
	// proposal that says so.
	About string
}

// refusal is what the model reads when d permits nothing.
func (d Decision) refusal() string {
	switch d.By {
	case ByHook:
		whose := "user's"
		if d.Project {
			whose = "project"
		}
		return "a hook of the " + whose + " blocks this call: nothing ran. Do not try the same effect another way. The hook says: " + d.Reason
	case ByPerson:
	default:
		return d.Reason
	}
	s := "denied by the user: nothing ran. Do not try the same effect another way."
	if d.Reason != "" {
		s += " The user says: " + d.Reason
	}
	return s
}

// Execute carries p out under d. Without an allowing decision, and without a
// choice where there are options, it does nothing and answers blocked.
func (p *Proposal) Execute(ctx context.Context, d Decision, report func(Progress)) Outcome {
	switch {
	case !d.Allowed:
		return Outcome{Kind: Blocked, Block: Denied, Text: d.refusal()}
	case len(p.Options) > 0 && !Offered(p.Options, d.Choice):
		return Outcome{Kind: Blocked, Block: Denied, Text: "no row was chosen"}
	case p.Denied != "":
		return Outcome{Kind: Blocked, Block: Denied, Text: p.Denied}
	}
	if report == nil {
		report = func(Progress) {}
	}
	return p.Do(ctx, d.Choice, report)
}
