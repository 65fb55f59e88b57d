package loop

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
)

// writtenNote is said when an answer is a call that was written out.
const writtenNote = "the answer looks like a tool call that the model wrote out as text: nothing was run. The server does not make calls of what this model writes " +
	"(llama.cpp wants --jinja, vLLM --enable-auto-tool-choice and --tool-call-parser); another model may do"

// marks are how models begin a call in their own words, which a server should have
// read.
func marks() []string {
	return []string{"<tool_call>", "<function=", "<function_calls>", "<|tool_call", "[TOOL_CALLS]", "<｜tool▁call", "<｜DSML｜", "<|python_tag|>", "to=functions.", "<|python_start|>"}
}

// writtenOut reports whether a text is, or ends in, a call to one of the tools on
// offer that was written out. It is never taken for one: a text can come from
// anywhere, a file that was read included.
func writtenOut(text string, specs []llm.ToolSpec) bool {
	text = strings.TrimSpace(text)
	offered := func(name string) bool {
		return slices.ContainsFunc(specs, func(t llm.ToolSpec) bool { return t.Name == strings.TrimPrefix(name, "functions.") })
	}
	var call struct {
		Name                  string
		Arguments, Parameters json.RawMessage
	}
	if json.Unmarshal([]byte(text), &call) == nil && offered(call.Name) {
		return call.Arguments != nil || call.Parameters != nil
	}
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if !fenced && slices.ContainsFunc(marks(), func(m string) bool {
			return strings.HasPrefix(line, m) || strings.HasPrefix(line, "<|channel|>") && strings.Contains(line, m)
		}) {
			return true
		}
	}
	return false
}
