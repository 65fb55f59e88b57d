// Package journaltest holds what every loop.Journal is tested with: a journal
// in memory that is as strict as the real one, and the suite both must pass.
package journaltest

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A Memory is a journal that forgets everything with the process.
type Memory struct {
	Messages []*llm.Message
	Records  map[string]*tools.Record
	// Log is what was recorded, in order, as "transition id".
	Log []string
	// View is what stands for the messages.
	View View
	// Commits counts them.
	Commits int
	// Failure is what was to be told of the turn that failed last.
	Failure string
	// Fail, when not nil, is asked before each transition.
	Fail func(transition, id string) error

	together bool
}

// A View is loop.View, repeated so that both the loop and the store can be tested
// without importing each other.
type View struct {
	Summary, Facts    string
	Covers, Cleared   int
	At, Before, After int
}

// New returns an empty Memory.
func New() *Memory { return &Memory{Records: map[string]*tools.Record{}} }

func (m *Memory) step(transition, id string) error {
	if m.Fail != nil {
		if err := m.Fail(transition, id); err != nil {
			return err
		}
	}
	m.Log = append(m.Log, transition+" "+id)
	if !m.together {
		m.Commits++
	}
	return nil
}

// Together takes back what f did when it fails.
func (m *Memory) Together(f func() error) error {
	was, messages, log := map[string]tools.Record{}, m.Messages, m.Log
	for id, r := range m.Records {
		was[id] = *r
	}
	m.together = true
	err := f()
	m.together = false
	if err == nil && len(m.Log) > len(log) {
		m.Commits++
	}
	if err != nil {
		m.Messages, m.Log, m.Records = messages, log, map[string]*tools.Record{}
		for id, r := range was {
			m.Records[id] = &r
		}
	}
	return err
}

// Append keeps msg and makes records of its calls.
func (m *Memory) Append(msg *llm.Message) error {
	for _, c := range msg.Calls() {
		if m.Records[c.ID] != nil {
			return fmt.Errorf("call %s is recorded already", c.ID)
		}
	}
	if err := m.step("append", string(msg.Role)); err != nil {
		return err
	}
	m.Messages = append(m.Messages, msg)
	for _, c := range msg.Calls() {
		m.Records[c.ID] = &tools.Record{Call: tools.Call{ID: c.ID, Tool: c.Name, Args: c.Args}, State: tools.Requested}
	}
	return nil
}

// Request records a call that another makes.
func (m *Memory) Request(by, c tools.Call) error {
	if r := m.Records[by.ID]; r == nil || r.State != tools.Started {
		return fmt.Errorf("request %s: %s has not started, or has ended", c.ID, by.ID)
	}
	if m.Records[c.ID] != nil {
		return fmt.Errorf("call %s is recorded already", c.ID)
	}
	if err := m.step("request", c.ID); err != nil {
		return err
	}
	m.Records[c.ID] = &tools.Record{Call: c, State: tools.Requested}
	return nil
}

// Propose records what a call would do.
func (m *Memory) Propose(p *tools.Proposal) error {
	r := m.Records[p.Call.ID]
	if r != nil && r.State != tools.Requested {
		return fmt.Errorf("propose %s: it is %s", p.Call.ID, r.State)
	}
	if err := m.step("propose", p.Call.ID); err != nil {
		return err
	}
	m.Records[p.Call.ID] = &tools.Record{
		Call: p.Call, State: tools.Proposed, Summary: p.Summary, Operator: r == nil,
		Effect: p.Spec.Effect, Replay: p.Spec.Replay, Risk: p.Spec.Risk,
	}
	return nil
}

// Revise records that a person rewrote a proposed call.
func (m *Memory) Revise(p *tools.Proposal) error {
	return m.move("revise", p.Call.ID, tools.Proposed, func(r *tools.Record) {
		if r.Was == nil {
			r.Was = r.Call.Args
		}
		r.Call, r.Summary, r.Effect, r.Replay, r.Risk = p.Call, p.Summary, p.Spec.Effect, p.Spec.Replay, p.Spec.Risk
	}, tools.Proposed)
}

// Decide records the gate's answer.
func (m *Memory) Decide(c tools.Call, d tools.Decision) error {
	from := []tools.State{tools.Proposed}
	if !d.Allowed {
		from = append(from, tools.Requested)
	}
	return m.move("decide", c.ID, tools.Decided, func(r *tools.Record) { r.Decision, r.Summary = d, cmp.Or(r.Summary, d.About) }, from...)
}

// Start records that the effect may begin.
func (m *Memory) Start(c tools.Call) error {
	r := m.Records[c.ID]
	if r != nil && !r.Decision.Allowed {
		return fmt.Errorf("start %s: it was not allowed", c.ID)
	}
	return m.move("start", c.ID, tools.Started, func(*tools.Record) {}, tools.Decided)
}

// Settle records the outcome.
func (m *Memory) Settle(c tools.Call, o tools.Outcome, took time.Duration) error {
	return m.move("settle", c.ID, tools.Settled, func(r *tools.Record) { r.Outcome, r.Took = o, took },
		tools.Requested, tools.Proposed, tools.Decided, tools.Started)
}

// Clear changes the view.
func (m *Memory) Clear(keep, before, after int) error {
	return m.fold("clear", keep, before, after, func(n int) { m.View.Cleared = n })
}

// Compact changes the view.
func (m *Memory) Compact(summary, facts string, keep, before, after int) error {
	if summary == "" {
		return errors.New("the summary is empty")
	}
	return m.fold("compact", keep, before, after, func(n int) { m.View.Summary, m.View.Facts, m.View.Covers = summary, facts, n })
}

func (m *Memory) fold(transition string, keep, before, after int, change func(n int)) error {
	n := len(m.Messages) - keep
	if n < 1 {
		return fmt.Errorf("%s: there are no messages before the last %d", transition, keep)
	}
	if err := m.step(transition, fmt.Sprint(n)); err != nil {
		return err
	}
	m.View.At, m.View.Before, m.View.After = len(m.Messages), before, after
	change(n)
	return nil
}

// Used keeps nothing.
func (m *Memory) Used(x llm.Expense) error { return m.step("used", x.Purpose) }

// Failed keeps the text.
func (m *Memory) Failed(text string) error {
	if err := m.step("failed", ""); err != nil {
		return err
	}
	m.Failure = text
	return nil
}

func (m *Memory) move(transition, id string, to tools.State, change func(*tools.Record), from ...tools.State) error {
	r := m.Records[id]
	if r == nil {
		return fmt.Errorf("%s %s: no such call", transition, id)
	}
	for _, f := range from {
		if r.State == f {
			if err := m.step(transition, id); err != nil {
				return err
			}
			change(r)
			r.State = to
			return nil
		}
	}
	return fmt.Errorf("%s %s: it is %s", transition, id, r.State)
}
