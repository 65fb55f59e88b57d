package llm

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// SyntheticID begins the call IDs that zuno makes up for servers that send
// none, or one that was used before.
const SyntheticID = "zuno_"

// A Draft is an answer as it arrives. Wires fill it part by part; [Draft.Message]
// applies the rules that hold for every provider: nothing blank, nothing half,
// and no call that could run with arguments it was not given.
type Draft struct {
	Usage Usage
	// Stop is set by the wire when the provider said why it stopped.
	Stop  Stop
	parts []*DraftPart
	delta func(Delta)
	size  int // bytes of texts and thoughts
}

// A DraftPart is one part of a Draft. A wire keeps the pointer for as long as
// pieces of the part may follow.
type DraftPart struct {
	Kind     PartKind // "" is left out of the message
	ID, Name string   // of a call
	Args     bytes.Buffer
	Opaque   json.RawMessage
	// Whole says that the provider marked the end of the part.
	Whole bool
	// Cut says that the provider called the part incomplete in an answer that is not.
	Cut  bool
	text strings.Builder
}

// NewDraft returns an empty draft that passes text and thoughts to delta,
// which may be nil.
func NewDraft(delta func(Delta)) *Draft {
	if delta == nil {
		delta = func(Delta) {}
	}
	return &Draft{delta: delta}
}

// Add begins a part.
func (d *Draft) Add(kind PartKind) *DraftPart {
	p := &DraftPart{Kind: kind}
	d.parts = append(d.parts, p)
	return p
}

// Last returns the latest part when it is of kind, else a new one.
func (d *Draft) Last(kind PartKind) *DraftPart {
	if n := len(d.parts); n > 0 && d.parts[n-1].Kind == kind {
		return d.parts[n-1]
	}
	return d.Add(kind)
}

// Write appends s to the text of p and streams it.
func (d *Draft) Write(p *DraftPart, s string) {
	if s == "" {
		return
	}
	p.text.WriteString(s)
	d.size += len(s)
	if p.Kind == Thinking {
		d.delta(Delta{Thought: s})
	} else if p.Kind == Text {
		d.delta(Delta{Text: s})
	}
}

// maxAnswer bounds the texts and the thoughts of an answer, in bytes. No model is
// allowed as much: a server that goes on has lost its way.
const maxAnswer = 16 << 20

// Bounded returns handle with an end to answers that have none.
func (d *Draft) Bounded(e *Endpoint, handle func(Event) (Step, error)) func(Event) (Step, error) {
	return func(ev Event) (Step, error) {
		step, err := handle(ev)
		if err == nil && d.size > maxAnswer {
			err = &Error{Kind: Rejected, Provider: e.Provider, Message: fmt.Sprintf("the answer does not end: it was stopped after %d MiB of text", maxAnswer>>20)}
		}
		return step, err
	}
}

// Text returns what was written to p.
func (p *DraftPart) Text() string { return p.text.String() }

// Message returns the draft as a message of e. When err is not nil the answer
// is incomplete: only text and whole parts are kept, and every call is broken.
// The history gives the call IDs that are taken.
func (d *Draft) Message(e *Endpoint, history []*Message, err error) Message {
	m := Message{Role: Assistant, Model: e.Name(), Usage: d.Usage}
	if err == nil {
		m.Stop = d.Stop
	}
	ids := callIDs{history: history}
	for i, p := range d.parts {
		switch p.Kind {
		case Text:
			if s := p.Text(); strings.TrimSpace(s) != "" {
				m.Parts = append(m.Parts, Part{Kind: Text, Text: s})
			}
		case Thinking:
			if (err == nil || p.Whole) && (p.text.Len() > 0 || p.Opaque != nil) {
				m.Parts = append(m.Parts, Part{Kind: Thinking, Text: p.Text(), Opaque: p.Opaque})
			}
		case CallPart:
			c := &Call{ID: ids.unique(p.ID), Name: strings.TrimSpace(p.Name), Args: once(p.Args.Bytes()), Opaque: p.Opaque}
			c.Broken = d.broken(c, p, i == len(d.parts)-1, err)
			if len(bytes.TrimSpace(c.Args)) == 0 {
				c.Args = json.RawMessage("{}")
			}
			m.Parts = append(m.Parts, Part{Kind: CallPart, Call: c})
		}
	}
	if err == nil {
		m.Stop = settle(m)
	}
	return m
}

// once returns args, or what they hold where a gateway has sent it more than
// once: the whole again after its pieces, or an empty object before it. Nothing is
// guessed: objects that differ stay what they are, which is not JSON.
func once(args []byte) []byte {
	if len(args) == 0 || json.Valid(args) {
		return args
	}
	var only json.RawMessage
	for d := json.NewDecoder(bytes.NewReader(args)); ; {
		var next json.RawMessage
		switch err := d.Decode(&next); {
		case errors.Is(err, io.EOF) && only != nil:
			return only
		case err != nil || next[0] != '{':
			return args
		case only == nil || string(only) == "{}":
			only = next
		case !bytes.Equal(only, next):
			return args
		}
	}
}

// broken says why the call c, which p became, must never run. Arguments that were
// cut off are not JSON, except when nothing had arrived yet: a tool without
// required arguments would take that for a call.
func (d *Draft) broken(c *Call, p *DraftPart, last bool, err error) string {
	args := bytes.TrimSpace(c.Args)
	switch {
	case err != nil:
		return "the answer ended before it was complete"
	case d.Stop == StopRefusal:
		return "the provider took the answer back: it was refused or filtered"
	case p.Cut:
		return "the provider says that the call is not complete"
	case c.Name == "":
		return "the call names no tool"
	case len(args) == 0 && last && (d.Stop.Cut() || d.Stop == ""):
		return "its arguments never came"
	case d.Stop.Cut() && len(args) > 0 && !json.Valid(args):
		return map[Stop]string{StopLength: "its arguments were cut off at the output limit", StopFull: "its arguments were cut off, for the context is full"}[d.Stop]
	case len(args) > 0:
		return notJSON(args)
	}
	return ""
}

// notJSON says where args stop being JSON, "" when they do not: what is broken is
// not sent back to the model, which could not find out otherwise.
func notJSON(args []byte) string {
	var v json.RawMessage
	err := json.Unmarshal(args, &v)
	var bad *json.SyntaxError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &bad) && bad.Offset < int64(len(args)):
		return fmt.Sprintf("its arguments are not valid JSON: %s (byte %d)", bad, bad.Offset)
	}
	return "its arguments are not valid JSON: " + err.Error()
}

// settle makes the stop reason agree with the parts: servers say "stop" after
// calls and "tool_calls" after none.
func settle(m Message) Stop {
	calls := len(m.Calls()) > 0
	switch {
	case calls && (m.Stop == StopEnd || m.Stop == ""):
		return StopCalls
	case !calls && (m.Stop == StopCalls || m.Stop == ""):
		return StopEnd
	}
	return m.Stop
}

// callIDs makes IDs unique within a conversation: some servers count from zero
// in every answer.
type callIDs struct {
	history []*Message
	given   []string // of this message
}

func (c *callIDs) unique(id string) string {
	if id == "" || slices.Contains(c.given, id) || c.inHistory(id) {
		id = SyntheticID + rand.Text()
	}
	c.given = append(c.given, id)
	return id
}

// inHistory looks from the newest message on, without allocating: it is asked
// once a call, however long the conversation is.
func (c *callIDs) inHistory(id string) bool {
	for i := len(c.history) - 1; i >= 0; i-- {
		for j := range c.history[i].Parts {
			if p := &c.history[i].Parts[j]; p.Kind == CallPart && p.Call != nil && p.Call.ID == id {
				return true
			}
		}
	}
	return false
}
