package loop

import (
	"context"
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// Hooks are what the person's configuration has to say at points of a turn. They
// are called on the goroutine of the turn; they may take a while and run
// programs. What they say tightens: a Ruling has no word that allows anything.
type Hooks interface {
	// Prompted is asked about a prompt before it is recorded or sent.
	Prompted(ctx context.Context, text string) Ruling
	// Proposed is asked about a call between its proposal and the gate's decision.
	Proposed(ctx context.Context, p *tools.Proposal) Ruling
	// Settled is told of a call that has an outcome. What it says is for the model.
	Settled(ctx context.Context, r tools.Record) Ruling
	// Stopping is asked when the model has nothing more to do; a block sends it on.
	// Again says that one did already in this turn.
	Stopping(ctx context.Context, again bool) Ruling
	// Compacting is asked before a summary takes the place of the older part.
	Compacting(ctx context.Context) Ruling
}

// A Ruling is what hooks say. The zero value lets things go on.
type Ruling struct {
	Block bool // do not go on
	Ask   bool // let a person decide on the call
	// Project says that the hook which blocks or asks is one of the project's.
	Project bool
	// Reason is why, of a block or an ask. Context is for the model.
	Reason, Context string
	// Notices are for the person.
	Notices []string
}

// hookFor marks messages that hold what hooks say. No call has it as its ID.
const hookFor = "hook:"

// maxSentOn is how often hooks send the model on in one turn.
const maxSentOn = 5

// ruled returns what hooks say, having shown what is for the person.
func (s *Session) ruled(r Ruling, emit func(Event)) Ruling {
	for _, n := range r.Notices {
		emit(Noticed{Text: n})
	}
	return r
}

// hooked lets hooks decide on p before the gate does, and reports whether they
// have. Where they ask for a person, nothing but a person allows the call.
func (s *Session) hooked(ctx context.Context, p *tools.Proposal, emit func(Event)) (tools.Decision, bool) {
	if s.conf.Hooks == nil {
		return tools.Decision{}, false
	}
	r := s.ruled(s.conf.Hooks.Proposed(ctx, p), emit)
	d := tools.Decision{By: tools.ByHook, Project: r.Project, Reason: r.Reason, At: time.Now()}
	switch {
	case ctx.Err() != nil:
		return d, false
	case r.Block:
		return d, true
	case r.Ask && s.conf.Gate.Policy() == approval.Yolo:
		d.Reason = "a hook wants a person to decide, and under yolo nobody is asked: " + r.Reason
		return d, true
	case r.Ask:
		whose := "a hook"
		if r.Project {
			whose = "a hook of the project"
		}
		if p.Manual != "" {
			p.Manual += "; "
		}
		p.Manual += whose + " asks for a person: " + r.Reason
	}
	return d, false
}

// settledHooks tells hooks of calls that have settled, and the model of what
// they say.
func (s *Session) settledHooks(ctx context.Context, records []tools.Record, emit func(Event)) error {
	if s.conf.Hooks == nil {
		return nil
	}
	var words []string
	for _, r := range records {
		if ctx.Err() != nil || r.Outcome.Kind == tools.Blocked {
			continue // of what did not run there is nothing to tell
		}
		a := s.ruled(s.conf.Hooks.Settled(ctx, r), emit)
		if text := wording(a); text != "" {
			words = append(words, fmt.Sprintf("about the call of %s (%s): %s", r.Call.Tool, r.Summary, text))
		}
	}
	return s.tell("PostToolUse", words, emit)
}

// wording is what a ruling has for the model.
func wording(r Ruling) string {
	if !r.Block {
		return r.Context
	}
	if r.Context == "" {
		return r.Reason
	}
	return r.Reason + "\n" + r.Context
}

// tell records words of hooks for the model.
func (s *Session) tell(event string, words []string, emit func(Event)) error {
	if len(words) == 0 {
		return nil
	}
	text := "<hook event=\"" + event + "\">\n"
	for _, w := range words {
		text += plain(w) + "\n"
	}
	m := llm.UserText(text + "</hook>")
	m.Parts[0].For = hookFor
	emit(Noticed{Text: goesAlong(m.Parts[0].Text)})
	return s.append(m)
}

// sentOn reports whether hooks send the model on, and tells it why.
func (s *Session) sentOn(ctx context.Context, times int, emit func(Event)) (bool, error) {
	if s.conf.Hooks == nil || times >= maxSentOn {
		return false, nil
	}
	r := s.ruled(s.conf.Hooks.Stopping(ctx, times > 0), emit)
	if !r.Block || ctx.Err() != nil {
		return false, nil
	}
	return true, s.tell("Stop", []string{wording(r)}, emit)
}
