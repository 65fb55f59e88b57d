// Package batch holds execute, which makes several calls in one: later ones may
// use what earlier ones returned. It only says which calls are to be made;
// whoever carries it out decides on each of them and records it, so that nothing
// can be done through it that could not be done without it.
package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// toolName is what the tool is called.
const toolName = "execute"

// maxCalls bounds the calls of a batch, as they are declared and as they are
// made.
const maxCalls = 10

type executeArgs struct {
	Calls []json.RawMessage `json:"tool_calls"`
}

const schema = `{"type":"object","additionalProperties":false,"required":["tool_calls"],"properties":{"tool_calls":{"type":"array",
"description":"1 to 10 calls, in the order in which to make them","items":{"type":"object","required":["tool","intent"],"properties":{
"tool":{"type":"string","description":"The tool; not execute itself"},
"intent":{"type":"string","description":"What the call is for, in a few words; shown to the user"},
"bind":{"type":"string","description":"A name for the result, for later calls to use; the result itself is then left out of yours"}}}}}}`

const doc = `Make several calls of tools in one go. Each entry of tool_calls has tool, intent, perhaps bind, and beside them the arguments of the tool. At most 10 calls are made.

With bind "x", an argument of a later call may be {"$ref": "x.output"}, the text of the result, {"$ref": "x.metadata.files"}, the list of the paths that it found or changed, or {"$ref": "x.metadata.files[0]"}, one of them. {"$each": "x.metadata.files[*]"} makes the call once for each path.

Calls that may overlap run together, the others one after the other, in your order. Each call is decided on like one that you make by itself, with the arguments that it then has. One whose input is missing, because the call before it failed or was refused, is not made.`

// New returns the tool.
func New() tools.Tool {
	spec := tools.Spec{
		Name: toolName, Description: doc, Schema: json.RawMessage(schema), LongRunning: true,
		Effect: tools.Delegating, Replay: tools.Never, Concurrency: tools.Exclusive, Risk: tools.ReadOnlyRisk,
	}
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a executeArgs) (*tools.Proposal, error) {
		steps, err := a.steps()
		if err != nil {
			return nil, err
		}
		return propose(steps), nil
	})
}

// A step is one declared call.
type step struct {
	tool, intent, bind string
	args               json.RawMessage // of the tool, with references in them
	refs               []reference
}

// bindName is what a result may be called.
func bindName() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,31}$`) }

// steps checks the arguments.
func (a executeArgs) steps() ([]step, error) {
	refuse := func(i int, format string, args ...any) error {
		return tools.Refuse(tools.InvalidArguments, "tool_calls[%d]: %s", i, fmt.Sprintf(format, args...))
	}
	if len(a.Calls) == 0 || len(a.Calls) > maxCalls {
		return nil, tools.Refuse(tools.InvalidArguments, "tool_calls must have 1 to %d calls, not %d", maxCalls, len(a.Calls))
	}
	var steps []step
	bound := map[string]int{}
	for i, raw := range a.Calls {
		s, err := read(raw)
		if err != nil {
			return nil, refuse(i, "%v", err)
		}
		for _, r := range s.refs {
			if _, ok := bound[r.name]; !ok {
				return nil, refuse(i, "%q uses a result that no call before it binds", r.text)
			}
		}
		_, twice := bound[s.bind]
		switch {
		case s.tool == toolName:
			return nil, refuse(i, "%s cannot be one of its own calls", toolName)
		case s.bind != "" && !bindName().MatchString(s.bind):
			return nil, refuse(i, "bind must be a letter and at most 31 letters, digits and underscores")
		case s.bind != "" && twice:
			return nil, refuse(i, "bind %q stands twice", s.bind)
		case s.bind != "":
			bound[s.bind] = i
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// read takes an entry apart.
func read(raw json.RawMessage) (s step, err error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil || all == nil {
		return s, fmt.Errorf("it must be an object")
	}
	for _, f := range []struct {
		key      string
		to       *string
		optional bool
	}{{"tool", &s.tool, false}, {"intent", &s.intent, false}, {"bind", &s.bind, true}} {
		value, given := all[f.key]
		delete(all, f.key)
		if !given && f.optional {
			continue
		}
		if err := json.Unmarshal(value, f.to); err != nil || strings.TrimSpace(*f.to) == "" {
			return s, fmt.Errorf("%s must be a text that is not blank", f.key)
		}
	}
	if s.args, err = arguments(raw, all); err != nil {
		return s, err
	}
	s.refs, err = references(s.args)
	return s, err
}

// arguments are the members of the entry that are in kept, as they were written.
func arguments(entry json.RawMessage, kept map[string]json.RawMessage) (json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(entry))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	b := []byte{'{'}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		name, _ := key.(string)
		if _, ok := kept[name]; !ok {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, encode(name)...), ':'), value...)
	}
	return append(b, '}'), nil
}

// propose says which calls are to be made.
func propose(steps []step) *tools.Proposal {
	p := &tools.Proposal{Batch: &batch{steps: steps, made: make([][]int, len(steps)), left: make([]string, len(steps))}}
	var names []string
	for i, s := range steps {
		names = append(names, tools.CleanLine(tools.Clip(s.tool, 64)))
		if !slices.Contains(p.Subjects, s.tool) {
			p.Subjects = append(p.Subjects, s.tool)
		}
		title := fmt.Sprintf("[%d] %s: %s", i+1, s.tool, s.intent)
		if s.bind != "" {
			title += " → " + s.bind
		}
		p.Preview = append(p.Preview, tools.Section{Kind: tools.Text, Title: tools.CleanLine(title), Body: tools.Clean(pretty(s.args))})
	}
	p.Summary = tools.Clip(fmt.Sprintf("%d calls: %s", len(steps), strings.Join(names, ", ")), 200)
	p.Preview = append(p.Preview, tools.Section{Kind: tools.Text, Body: "Each call is decided on by itself when its turn comes."})
	p.Do = func(context.Context, string, func(tools.Progress)) tools.Outcome {
		return p.Batch.Outcome(nil, true) // nobody made them
	}
	return p
}

// pretty is JSON over several lines.
func pretty(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return string(raw)
	}
	return b.String()
}
