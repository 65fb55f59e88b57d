// Package scripted is a model whose answers are written down beforehand, for
// the built-in tour and for tests. A [Scenario] is a list of steps; each model
// call takes the next one. [New] plays a scenario in process; the child package
// serve plays it over HTTP, in the wire format of every provider.
//
// # Scenario files
//
// A scenario is JSON with comments and trailing commas:
//
//	{
//	  "model": "m1",            // requests must name it; default: any
//	  "key": "sk-1",            // requests must carry it; default: any
//	  "steps": [
//	    {"think": "Look first.", "calls": [{"name": "read", "args": {"path": "a.txt"}}]},
//	    {"expect": ["hello"], "text": "It says hello."}
//	  ],
//	  "classifier": {"default": "high-risk", "rules": [{"contains": "git log", "reply": "read-only"}]}
//	}
//
// "tasks" holds steps for other conversations, see [Task]. The fields of a step
// are those of [Step], of a call [Call], of a fault
// [Fault]. Texts, arguments, call ids and expectations may hold {{n}}, which
// counts the repetitions of the step from 1. What a named group of an expectation
// matched, as in "re:as (?P<job>job_\\w+)", stands in texts and arguments from then
// on for {{job}}; it should need no escape in JSON.
package scripted

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
)

// DefaultChunk is how many runes one delta has where a step names no other.
const DefaultChunk = 16

// A Scenario is what a scripted model says.
type Scenario struct {
	// Model and Key, when not "", are what requests over HTTP must name and carry.
	Model string `json:"model"`
	Key   string `json:"key"`
	Steps []Step `json:"steps"`
	// Tasks are conversations of their own, such as those of agents that are
	// delegated to: they may go on at the same time.
	Tasks      []Task     `json:"tasks"`
	Classifier Classifier `json:"classifier"`
}

// A Task is the steps of the conversations that open with a text.
type Task struct {
	// Opening must occur in the first thing that the user says. The first task for
	// which it does is meant, and Steps of the scenario where there is none.
	Opening string `json:"opening"`
	Steps   []Step `json:"steps"`
}

// A Step is one answer: thinking, then text, then calls.
type Step struct {
	// Expect lists what must occur in the newest input, which is everything said
	// after the last assistant message: user texts and tool results. An entry
	// "re:X" is the regular expression X, any other a plain substring. Nothing of
	// ExpectNot may occur there. Only the first request that meets a step is
	// checked, not those that follow a fault.
	Expect    []string `json:"expect"`
	ExpectNot []string `json:"expect_not"`

	Think string `json:"think"`
	// Redacted adds a block of unreadable thinking, on the one wire that has such.
	Redacted bool   `json:"redacted"`
	Text     string `json:"text"`
	Calls    []Call `json:"calls"`
	// Stop overrides the stop reason that follows from the calls.
	Stop llm.Stop `json:"stop"`
	// Usage is reported as it is; default: 100 tokens of input and 20 of output.
	Usage llm.Usage `json:"usage"`
	// Chunk is the number of runes in a delta; zero means [DefaultChunk].
	Chunk int `json:"chunk"`
	// Delay is waited before each delta.
	Delay Duration `json:"delay"`
	// Repeat is how many requests the step answers; zero means one.
	Repeat int    `json:"repeat"`
	Fault  *Fault `json:"fault"`
}

// A Call is a tool call of a step.
type Call struct {
	// ID is the call's id; "" makes the wire number one, as providers do.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Args is the text of the arguments exactly as it is sent; "" means {}. In a
	// file it is an object, or a string that holds the (perhaps broken) text.
	Args Args `json:"args"`
}

// Args is the text of a call's arguments.
type Args string

// UnmarshalJSON takes the content of a string and the text of anything else.
func (a *Args) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, (*string)(a))
	}
	var out bytes.Buffer
	err := json.Compact(&out, b)
	*a = Args(out.String())
	return err
}

// A Duration is a time.Duration, written like 20ms in a file.
type Duration time.Duration

// UnmarshalText parses a duration that is not negative.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err == nil && v < 0 {
		err = errors.New("a duration must not be negative")
	}
	*d = Duration(v)
	return err
}

// A Classifier answers the requests of the command classifier, which use no
// steps. A request is one when it offers no tools and its newest input holds a
// <command> tag.
type Classifier struct {
	// Model, when not "", is what these requests must name.
	Model string `json:"model"`
	// Default is the reply where no rule applies; "" means high-risk.
	Default string `json:"default"`
	Rules   []Rule `json:"rules"`
}

// A Rule is the reply to the commands that contain a text. The first that
// applies wins.
type Rule struct {
	Contains string   `json:"contains"`
	Reply    string   `json:"reply"`
	Delay    Duration `json:"delay"`
	// Fault, when set, shows every time the rule applies.
	Fault *Fault `json:"fault"`
}

func expand(s string, n int) string {
	if !strings.Contains(s, "{{n}}") {
		return s
	}
	return strings.ReplaceAll(s, "{{n}}", strconv.Itoa(n))
}
