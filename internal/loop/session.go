// Package loop carries one prompt to its end: it streams the model's answer,
// proposes the calls in it, has the gate decide on them, executes what may run,
// records every step before it shows it, and goes on until the model makes no
// more calls.
package loop

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A Journal remembers a session. Each method is durable when it returns, and
// takes no context: an interrupt must never leave a hole. Only the goroutine
// of the turn calls it. An error means that nothing was recorded, and so that
// nothing may be done. One with a method Timeout that returns true, as of a
// net.Error, took its time and says nothing of what was to be recorded.
type Journal interface {
	// Together makes what f records one commit: all of it is durable when Together
	// returns nil, and none of it is recorded when it returns an error. Within f
	// the other methods may return nil before anything is known.
	Together(f func() error) error
	// Append records a message of the user or the model. The calls of an
	// assistant message become requested calls in the same commit.
	Append(m *llm.Message) error
	// Request records a call that the call by makes, which has started.
	Request(by, c tools.Call) error
	// Propose records what a call would do. A call that no message requested is
	// the operator's.
	Propose(p *tools.Proposal) error
	// Revise records that a person rewrote the arguments of a proposed call, and
	// what it would do now. What it was before stays known.
	Revise(p *tools.Proposal) error
	// Decide records the gate's answer on a proposed call, or the refusal of one
	// that could not be proposed.
	Decide(c tools.Call, d tools.Decision) error
	// Start records that the effect may begin now. For a replay class of Never
	// it is on the disk when Start returns. A call starts at most once.
	Start(c tools.Call) error
	// Settle records the one outcome of a call, whatever its state.
	Settle(c tools.Call, o tools.Outcome, took time.Duration) error
	// Used records what an attempt at a model call came to.
	Used(x llm.Expense) error
	// Failed records what the model is to be told of the turn that ends here, which
	// did not come to its end.
	Failed(text string) error
	// Clear records that the model is not shown the large results of calls any
	// more, in all messages of the user and the model but the last keep; Compact
	// that it is shown a summary and facts in the place of these messages. Nothing
	// stored is lost. Before and after are what the conversation takes, in tokens.
	Clear(keep, before, after int) error
	Compact(summary, facts string, keep, before, after int) error
}

// A View is what the model is shown of a conversation in the place of all of it.
// Messages are counted from the start, without those of results.
type View struct {
	// Summary and Facts stand for the first Covers messages; both are "" when
	// nothing does.
	Summary, Facts string
	Covers         int
	// Cleared is how many messages are shown without the large results of their
	// calls.
	Cleared int
	// At is how many messages there were when the view last changed, and Before
	// and After what the conversation took then, in tokens.
	At, Before, After int
}

// Config is what a Session is made of.
type Config struct {
	Model  llm.Model
	Info   llm.Info // what is known of the model: price, images, context
	System string
	Effort string
	// ID names the session; it is also the key of the provider's prompt cache.
	ID    string
	Tools []tools.Tool
	// More returns tools that come and go while the session runs. It is asked
	// before each request to the model, on the goroutine of the turn; what it
	// returned counts until the next. Nil means that there are none.
	More    func(ctx context.Context) []tools.Tool
	Gate    *approval.Gate
	Journal Journal
	// Resolve turns what the model wrote into a tool's name and arguments: it
	// knows the aliases. Nil means that there are none.
	Resolve func(name string, args json.RawMessage) (string, json.RawMessage)
	// Bill collects what model calls of tools cost; nil when none make any.
	Bill *Bill
	// Operator proposes a command typed as ! cmd, and Report renders its
	// outcome as tagged data for the model. Nil when there is no such escape.
	Operator func(ctx context.Context, c tools.Call) (*tools.Proposal, error)
	Report   func(p *tools.Proposal, o tools.Outcome) string

	// Along returns what the model is given beside a prompt, such as the skill
	// that the prompt names. Its error keeps the prompt from being sent. It is called on the goroutine of the turn, and may wait as
	// long as ctx lasts. Nil means that there is never anything.
	Along func(ctx context.Context, text string) ([]Along, error)
	// Inbox holds what the person writes while a turn runs; nil when nobody does.
	Inbox Inbox
	// Reports are what work in the background came to; nil when there is none.
	Reports Reports
	// Forbids says why the agent may not do what a call would do, under whatever
	// policy; "" when it may. What the person does with their own hand is not put
	// to it. Nil forbids nothing.
	Forbids func(*tools.Proposal) (reason string)
	// Attach returns what goes along with a text of the user's, such as the files
	// that it names, and what the user is told about that. It is asked when the
	// text is taken up, on the goroutine of the turn. Nil means nothing does.
	Attach func(ctx context.Context, text string) (parts []llm.Part, notices []string)
	// Held says why a call must wait until it is known what became of an earlier
	// one; "" when it need not. Nil means that nothing is ever held back.
	Held func(*tools.Proposal) (reason string, err error)
	// Hooks are asked at points of a turn; nil when there are none.
	Hooks Hooks
	// Follow names the calls that the person's configuration attaches to changes
	// of files, such as a formatter's. Nil when there is none.
	Follow func(changed []tools.Change) []Follower

	// Purpose is what the model calls are recorded as; "" means conversation.
	Purpose string

	ToolCalls int // calls that may run together, 1 to 64
	MaxSteps  int // model steps a turn; zero means 100
	Output    tools.TextLimit

	// Compaction says when and how the conversation is made smaller.
	Compaction Compaction

	// History is the stored messages of the user and the model, Records the
	// stored calls by ID, and Notice what the next turn must be told, derived
	// from the record.
	History []*llm.Message
	Records map[string]tools.Record
	Notice  string
	// View is what the model was shown of the history last.
	View View
	// Failed is what the next prompt tells the model of the last turn of the history,
	// which did not come to its end; Cut says that it did not and that nothing is
	// recorded of why.
	Failed string
	Cut    bool
}

// An Along is what the model is given beside a prompt.
type Along struct {
	// Text is in a tag of its own that begins it, on a line of its own.
	Text string
	// Whole says that the person is shown the text, and not only that it goes
	// along: it stands for what they would have typed.
	Whole  bool
	Images []llm.Part
}

// An Inbox holds what the person writes while a turn runs. The goroutine of the
// turn calls it.
type Inbox interface {
	// Steering returns the messages that go into the turn, oldest first.
	Steering() ([]Queued, error)
	// Admit says which messages the next one recorded takes up: they leave the
	// inbox in the same commit. It takes the place of what was said before.
	Admit(ids ...int64)
}

// A Queued is a message in an Inbox.
type Queued struct {
	ID   int64
	Text string
}

// Reports are the reports of work that went on in the background. The goroutine
// of the turn calls it.
type Reports interface {
	// Untold returns the reports of which the model was not told, oldest first.
	Untold() ([]BackgroundReport, error)
	// Tell says which reports the next message recorded tells of, so that a crash
	// neither loses nor repeats one. It takes the place of what was said before.
	Tell(ids ...string)
}

// A BackgroundReport is tagged data for the model, and a line for the person.
type BackgroundReport struct{ ID, Text, Line string }

// A Role is the part of a Config that makes an agent of a session.
type Role struct {
	Model    llm.Model
	Info     llm.Info
	System   string
	Effort   string
	Tools    []tools.Tool
	More     func(ctx context.Context) []tools.Tool
	Forbids  func(*tools.Proposal) string
	MaxSteps int
}

// A Follower is a call that nobody requested: the configuration says that it
// follows a change. It is proposed under the ID that it gets, decided on by the
// gate and recorded as any other.
type Follower struct {
	Call    tools.Call
	Propose func(context.Context, tools.Call) (*tools.Proposal, error)
}

// DefaultMaxSteps is how many times a turn may ask the model before it must
// answer without tools.
const DefaultMaxSteps = 100

// ErrStepLimit is why a turn ended that used up its steps.
var ErrStepLimit = errors.New("the step limit is reached")

// ErrRepeating is why a turn ended in which the same call failed over and over.
var ErrRepeating = errors.New("the model repeats a call that fails")

// ErrEmpty is why a turn ended in which the model said nothing.
var ErrEmpty = errors.New("the model returned nothing")

// ErrCutOff is why a turn ended whose answer reached the model's output limit.
var ErrCutOff = errors.New("the answer was cut off at the model's output limit")

// ErrFull is why a turn ended whose answer found no room in the model's context.
var ErrFull = errors.New("the answer was cut off, for the model's context is full: /compact makes room, and the next prompt does where that is done by itself")

// ErrRefused is why a turn ended whose answer the provider stopped or took back.
var ErrRefused = errors.New("the provider stopped the answer: it was refused or filtered")

// A Session is one conversation. One turn runs at a time; its Gate may be used
// from anywhere.
type Session struct {
	conf     Config
	messages []*llm.Message
	ids      map[string]bool // call IDs in use
	records  map[string]tools.Record
	notice   string
	failure  string       // what the next prompt tells of the turn before it
	operator int          // operator commands so far, for their call IDs
	tools    []tools.Tool // on offer, as of the latest request
	specs    []llm.ToolSpec
	emit     func(Event) // of the turn that runs; nil between turns
	next     atomic.Pointer[Choice]
	shown    shown
	pressure pressure
	waiting  []unrecorded
}

// New returns a session that continues what conf.History and conf.Records
// hold. Calls in it that have no record become cancelled ones, so that the
// conversation is valid whatever happened.
func New(conf Config) *Session {
	if conf.MaxSteps <= 0 {
		conf.MaxSteps = DefaultMaxSteps
	}
	conf.Purpose = cmp.Or(conf.Purpose, "conversation")
	if conf.Output == (tools.TextLimit{}) {
		conf.Output = tools.DefaultTextLimit()
	}
	s := &Session{conf: conf, ids: map[string]bool{}}
	s.offerTools(conf.Tools)
	s.Restart(conf.History, conf.Records, conf.Notice, conf.View)
	if s.failure = conf.Failed; conf.Cut {
		s.failure = s.unended()
	}
	return s
}

// Restart puts another past in the place of the session's own, as New takes it:
// the record was taken back, or brought back. No turn may be running.
func (s *Session) Restart(history []*llm.Message, records map[string]tools.Record, notice string, view View) {
	s.messages, s.records, s.notice, s.failure = nil, records, notice, ""
	if s.records == nil {
		s.records = map[string]tools.Record{}
	}
	for id := range s.records {
		s.ids[id] = true
	}
	for _, m := range history {
		s.messages = append(s.messages, m)
		if calls := m.Calls(); len(calls) > 0 {
			s.messages = append(s.messages, s.answers(calls))
		}
	}
	s.look(view)
}

// Become makes another agent of the session, from the next turn. No turn may be
// running.
func (s *Session) Become(r Role) {
	s.next.Store(nil) // the role names the model
	s.sighted(r.Info)
	c := &s.conf
	c.Model, c.Info, c.System, c.Effort = r.Model, r.Info, r.System, r.Effort
	c.Tools, c.More, c.Forbids, c.MaxSteps = r.Tools, r.More, r.Forbids, r.MaxSteps
	if c.MaxSteps <= 0 {
		c.MaxSteps = DefaultMaxSteps
	}
	s.offerTools(c.Tools)
}

// offerTools makes all the tools on offer.
func (s *Session) offerTools(all []tools.Tool) {
	s.tools, s.specs = all, make([]llm.ToolSpec, len(all))
	for i, t := range all {
		sp := t.Spec()
		s.specs[i] = llm.ToolSpec{Name: sp.Name, Description: sp.Description, Schema: sp.Schema}
	}
}

// answers returns the stored results of calls as one message.
func (s *Session) answers(calls []*llm.Call) *llm.Message {
	m := &llm.Message{Role: llm.Tool}
	for _, c := range calls {
		s.ids[c.ID] = true
		r, ok := s.records[c.ID]
		if !ok {
			r = tools.Record{Call: callOf(c), State: tools.Settled, Outcome: overtaken("the session ended")}
			s.records[c.ID] = r
		}
		m.Parts = append(m.Parts, resultParts(c.ID, r.Outcome)...)
	}
	return m
}

// overtaken is the outcome of a call that had not begun when the turn ended.
func overtaken(why string) tools.Outcome {
	return tools.Outcome{Kind: tools.Cancelled, Text: why + " before this call began; nothing happened"}
}

// stopped says why the turn of ctx ends.
func stopped(ctx context.Context) string {
	switch cause := context.Cause(ctx); {
	case cause == nil, errors.Is(cause, context.Canceled):
		return "the user interrupted"
	default:
		return "the turn ended (" + cause.Error() + ")"
	}
}

func callOf(c *llm.Call) tools.Call {
	return tools.Call{ID: c.ID, Tool: c.Name, Args: c.Args}
}

// resultParts renders an outcome for the model.
func resultParts(id string, o tools.Outcome) []llm.Part {
	parts := []llm.Part{{Kind: llm.Result, For: id, Text: o.Told(), Failed: o.Kind != tools.OK}}
	for _, img := range o.Images {
		parts = append(parts, llm.Part{Kind: llm.Image, MIME: img.MIME, Data: img.Data})
	}
	return parts
}

// append records m and adds it to the conversation.
func (s *Session) append(m *llm.Message) error {
	s.note(func() error { return s.conf.Journal.Append(m) }, func() { s.add(m) })
	return s.commit()
}
