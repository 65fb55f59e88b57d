package anthropic

import (
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
)

// A mode is how a generation of models is told to think.
// https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking and
// the migration guides of the models.
type mode struct {
	// adaptive models take an effort, the others a budget of tokens.
	adaptive bool
	// unasked models think when the request does not say.
	unasked bool
	// always models cannot be told not to think.
	always bool
	// fixed models refuse a temperature.
	fixed bool
	// bound models check that nothing before a thinking block has changed; they
	// are asked to drop a block that fails instead of refusing the request.
	bound bool
}

// modes maps beginnings of model names to modes; the longest match wins. Names
// that are not here and begin with "claude-" are newer than this table.
func modes() map[string]mode {
	return map[string]mode{
		"":                {},
		"claude-3":        {},
		"claude-opus-4":   {},
		"claude-sonnet-4": {},
		"claude-haiku-4":  {},

		"claude-opus-4-6":   {adaptive: true},
		"claude-sonnet-4-6": {adaptive: true},
		"claude-opus-4-7":   {adaptive: true, fixed: true},
		"claude-opus-4-8":   {adaptive: true, fixed: true},
		"claude-opus-5":     {adaptive: true, unasked: true, fixed: true},
		"claude-sonnet-5":   {adaptive: true, unasked: true, fixed: true},
		"claude-sonnet-5-5": {adaptive: true, unasked: true, fixed: true, bound: true},
		"claude-haiku-5":    {adaptive: true, unasked: true, fixed: true, bound: true},
		"claude-fable-5":    {adaptive: true, unasked: true, always: true, fixed: true},
		"claude-mythos":     {adaptive: true, unasked: true, always: true, fixed: true},
		"claude-fable-5-1":  {adaptive: true, unasked: true, always: true, fixed: true, bound: true},
		"claude-mythos-5-1": {adaptive: true, unasked: true, always: true, fixed: true, bound: true},
		"claude-opus-5-5":   {adaptive: true, unasked: true, always: true, fixed: true, bound: true},
		"claude-":           {adaptive: true, unasked: true, always: true, fixed: true, bound: true},
	}
}

func modeOf(name string) mode {
	best, found := "", mode{}
	for prefix, m := range modes() {
		if strings.HasPrefix(name, prefix) && len(prefix) >= len(best) {
			best, found = prefix, m
		}
	}
	return found
}

type thinking struct {
	Type    string   `json:"type"`
	Budget  int      `json:"budget_tokens,omitempty"`
	Display string   `json:"display,omitempty"`
	Binding *binding `json:"block_binding,omitempty"`
}

type binding struct {
	OnMismatch string `json:"prefix_mismatch_behavior"`
}

type outputConfig struct {
	Effort string `json:"effort"`
}

// think sets how much the model thinks, and reports whether it may.
func (m *model) think(head *request, req llm.Request) bool {
	if !m.e.Info.Reasoning {
		return true
	}
	effort := req.Effort
	switch {
	case effort == "off" && m.mode.always:
		effort = "low"
		head.MaxTokens += llm.ReasoningRoom
	case effort == "off":
		if m.mode.unasked {
			head.Thinking = &thinking{Type: "disabled"}
		}
		return false
	case effort == "" && !m.mode.unasked:
		return true
	}
	if !m.mode.adaptive {
		m.budget(head, effort, req.Messages)
		return true
	}
	head.Thinking = &thinking{Type: "adaptive", Display: "summarized"}
	if m.mode.bound {
		head.Thinking.Binding = &binding{"drop_block"}
	}
	if effort != "" {
		head.OutputConfig = &outputConfig{effort}
	}
	head.Temperature = nil
	return true
}

// budget asks for a budget below the answer's limit, of 1,024 tokens at least,
// or for none when there is no room for it, or when the steps of the turn so far
// were not thought through by this model: it refuses to begin in their middle.
func (m *model) budget(head *request, effort string, ms []*llm.Message) {
	b := min(llm.ReasoningBudget(effort), head.MaxTokens/2)
	if b < 1024 || !m.led(ms) {
		return
	}
	head.Thinking = &thinking{Type: "enabled", Budget: b}
	head.Temperature = nil
}

// led reports whether the newest message of the model that made calls begins with
// thinking that can be sent back, or there is none.
func (m *model) led(ms []*llm.Message) bool {
	for _, msg := range slices.Backward(ms) {
		switch {
		case msg.Role != llm.Assistant:
		case len(msg.Calls()) == 0:
			return true
		default:
			return msg.Model == m.e.Name() && msg.Parts[0].Kind == llm.Thinking && thought(msg.Parts[0]) != nil
		}
	}
	return true
}
