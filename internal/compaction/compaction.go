// Package compaction makes a long conversation fit into a model's context: how
// much it takes, what of it can be left out, where it can be cut, what a model
// is asked for that stands in the place of the old part, and what is taken from
// the record rather than from a model.
//
// It is pure: it changes no message and asks no model. Package loop decides when
// and carries it out.
package compaction

import "github.com/zuno-dev/zuno/internal/llm"

// Limits say when a conversation is made smaller, in percent of the window.
type Limits struct {
	Auto    bool
	Warn    int // the person is told
	Clear   int // old results are left out
	Compact int // a summary takes the place of the old part
	Tail    int // turns that stay verbatim
}

// Defaults returns the documented limits.
func Defaults() Limits { return Limits{Auto: true, Warn: 70, Clear: 65, Compact: 80, Tail: 2} }

// bytesPerToken is few, so that what the provider has not counted yet is taken
// for more than it is. Prose has four, code three.
const bytesPerToken = 3

// What a part and an image take beside their text, in tokens.
const (
	perPart  = 8
	perImage = 1600
)

// Text estimates the tokens of s. It is for what no provider has counted yet.
func Text(s string) int { return (len(s) + bytesPerToken - 1) / bytesPerToken }

// Bytes returns how many bytes of text are safe to be n tokens.
func Bytes(n int) int { return n * bytesPerToken }

// Size estimates the tokens of a message.
func Size(m *llm.Message) int {
	n := 0
	for _, p := range m.Parts {
		n += perPart + Text(p.Text) + (len(p.Opaque)+bytesPerToken-1)/bytesPerToken
		if p.Kind == llm.Image {
			n += perImage
		}
		if c := p.Call; c != nil {
			n += Text(c.Name) + (len(c.Args)+bytesPerToken-1)/bytesPerToken
		}
	}
	return n
}

// Sizes estimates the tokens of messages.
func Sizes(ms []*llm.Message) int {
	n := 0
	for _, m := range ms {
		n += Size(m)
	}
	return n
}

// Specs estimates the tokens of tools as they are declared to a model.
func Specs(list []llm.ToolSpec) int {
	n := 0
	for _, t := range list {
		n += perPart + Text(t.Name) + Text(t.Description) + (len(t.Schema)+bytesPerToken-1)/bytesPerToken
	}
	return n
}
