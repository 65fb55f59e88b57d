// Package llm is the conversation with a language model: messages, tools,
// streaming, usage and the errors that matter to a caller. One child package
// speaks each wire format; the rest of zuno sees only [Model].
package llm

import (
	"context"
	"encoding/json"
	"time"
)

// A Role says who speaks.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool" // results of calls
)

// A PartKind says what a Part is.
type PartKind string

// The part kinds.
const (
	Text     PartKind = "text"
	Thinking PartKind = "thinking" // reasoning, to be replayed as the provider demands
	CallPart PartKind = "call"
	Result   PartKind = "result"
	Image    PartKind = "image"
)

// A Part is one piece of a message, in the order the model produced it.
type Part struct {
	Kind PartKind `json:"kind"`
	// Text is the text of a Text, Thinking or Result part.
	Text string `json:"text,omitempty"`
	// Call is set on a CallPart.
	Call *Call `json:"call,omitempty"`
	// For is the ID of the call that a Result answers, and Failed whether the
	// result is an error.
	For    string `json:"for,omitempty"`
	Failed bool   `json:"failed,omitempty"`
	// MIME and Data are an image's, on an Image part or beside a Result.
	MIME string `json:"mime,omitempty"`
	Data []byte `json:"data,omitempty"`
	// Opaque is reasoning state exactly as the provider sent it (a signature, a
	// redacted block, an encrypted item). It is replayed byte for byte to the
	// model that made it and dropped, with its part, for every other.
	Opaque json.RawMessage `json:"opaque,omitempty"`
}

// A Call is one tool call by the model.
type Call struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"` // as sent; may be broken
	// Broken, when not "", says why the call must never run: its arguments were
	// cut off or it lacks a name.
	Broken string `json:"broken,omitempty"`
	// Opaque is state that must come back with the call (Gemini's thought
	// signature), for the same model only.
	Opaque json.RawMessage `json:"opaque,omitempty"`
}

// A Stop says why a message ended.
type Stop string

// The stop reasons.
const (
	StopEnd     Stop = "end"
	StopCalls   Stop = "calls"
	StopLength  Stop = "length"
	StopRefusal Stop = "refusal" // content filter or refusal
	StopFull    Stop = "full"    // the context has no room for the rest
)

// Cut reports whether the model had more to say.
func (s Stop) Cut() bool { return s == StopLength || s == StopFull }

// A Message is one turn of speech. It is immutable once it has been appended
// to a conversation, so that a wire may keep its encoded form.
type Message struct {
	Role  Role   `json:"role"`
	Parts []Part `json:"parts"`
	// Model is the "provider/model" that produced an assistant message.
	Model string `json:"model,omitempty"`
	Stop  Stop   `json:"stop,omitempty"`
	Usage Usage  `json:"usage,omitzero"`
}

// UserText returns a user message of one text.
func UserText(text string) *Message {
	return &Message{Role: User, Parts: []Part{{Kind: Text, Text: text}}}
}

// Text returns the texts of m, joined.
func (m *Message) Text() string {
	var s string
	for _, p := range m.Parts {
		if p.Kind == Text {
			s += p.Text
		}
	}
	return s
}

// Calls returns the calls of m in order.
func (m *Message) Calls() []*Call {
	var cs []*Call
	for _, p := range m.Parts {
		if p.Kind == CallPart {
			cs = append(cs, p.Call)
		}
	}
	return cs
}

// Usage counts tokens as the provider reported them. Input does not contain
// the cached ones.
type Usage struct {
	Input      int `json:"input"`
	CacheRead  int `json:"cache_read,omitempty"`
	CacheWrite int `json:"cache_write,omitempty"`
	Output     int `json:"output"` // including reasoning
	Reasoning  int `json:"reasoning,omitempty"`
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite, u.Output + v.Output, u.Reasoning + v.Reasoning}
}

// An Expense is what one attempt at a model call came to.
type Expense struct {
	Purpose, Model string
	Usage          Usage
	Cost           float64 // US dollars; zero when the price is not known
	Took           time.Duration
	// Unreported says that the provider did not report the usage, or not to its
	// end: Usage is then what is known, which may be nothing, and not what it was.
	Unreported bool
	// Failure is why there is no answer, "" when there is one.
	Failure string
}

// A ToolSpec is a tool as offered to the model.
type ToolSpec struct {
	Name, Description string
	Schema            json.RawMessage
}

// A Request is everything one model call depends on.
type Request struct {
	System   string
	Messages []*Message
	Tools    []ToolSpec
	// NoTools forbids calls while the tools stay declared (text-only turn).
	NoTools bool
	// MaxTokens bounds the output; zero means the model's own limit.
	MaxTokens int
	// Temperature is sent when not nil.
	Temperature *float64
	// Effort is off, low, medium or high; "" leaves the model's default.
	Effort string
	// CacheKey names the conversation for providers with keyed prompt caches.
	CacheKey string
}

// A Delta is a piece of an answer as it arrives. Exactly one field is set.
type Delta struct {
	Text    string
	Thought string
	// Retry announces that what was streamed so far does not count and that
	// another attempt follows.
	Retry *Retry
}

// A Retry announces a further attempt at a model call.
type Retry struct {
	Attempt, Of int // the attempt that follows, counted from 1
	Wait        time.Duration
	Reason      string
	// Failed is what came of the attempt that failed, Err why it did, and Took how
	// long it was.
	Failed Message
	Err    error
	Took   time.Duration
}

// A Model answers requests.
type Model interface {
	// Stream sends req and returns the complete message. It calls delta in
	// order from the calling goroutine. An error is a context error or an
	// *[Error]; the message then holds what had arrived, and none of its calls
	// may run.
	Stream(ctx context.Context, req Request, delta func(Delta)) (Message, error)
}

// Info is what zuno knows about a model. The zero value of a field means not
// known, except Tools, which defaults to true where models are looked up.
type Info struct {
	ID      string // provider/model
	Context int    // tokens of input and output
	Output  int    // most tokens of output
	Tools   bool
	Images  bool
	// Reasoning says that the model accepts an effort.
	Reasoning bool
	Price     Price
}

// Reserve returns how much of the context is left for an answer, in tokens: a
// sixth, but room for a short one where the output is that long, and never more
// than half.
func (i Info) Reserve() int {
	n := i.Context / 6
	if i.Output > 0 {
		n = min(i.Output, max(4096, n))
	}
	return min(n, i.Context/2)
}

// Window returns how many tokens a request may have, zero when that is not
// known.
func (i Info) Window() int { return i.Context - i.Reserve() }

// A Price is in US dollars per million tokens.
type Price struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cache_read,omitempty"`
	CacheWrite float64 `json:"cache_write,omitempty"`
}

// Cost returns what u costs in US dollars.
func (p Price) Cost(u Usage) float64 {
	return (float64(u.Input)*p.Input + float64(u.CacheRead)*p.CacheRead +
		float64(u.CacheWrite)*p.CacheWrite + float64(u.Output)*p.Output) / 1e6
}
