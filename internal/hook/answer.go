package hook

import (
	"encoding/json"
	"strings"
)

// A reply is the JSON that a hook may print. Other fields are ignored, and so is
// every word that would allow something.
type reply struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Continue *bool  `json:"continue"`
	Stop     string `json:"stopReason"`
	Message  string `json:"systemMessage"`
	Specific struct {
		Decision json.RawMessage `json:"decision"`
		Word     string          `json:"permissionDecision"`
		Reason   string          `json:"permissionDecisionReason"`
		Context  string          `json:"additionalContext"`
	} `json:"hookSpecificOutput"`
}

// read takes what a hook that succeeded has printed: JSON, or a text, which is
// context for the events that take some.
func (h Hook) read(out string) Answer {
	if !strings.HasPrefix(out, "{") {
		if h.Event == "UserPromptSubmit" || h.Event == "SessionStart" {
			return Answer{Context: out}
		}
		return Answer{}
	}
	var r reply
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		return h.trouble("its answer is no JSON that is understood: %v", err)
	}
	a := Answer{Context: clip(r.Specific.Context, maxText)}
	if r.Message != "" {
		a.Say = []string{clip(r.Message, 500)}
	}
	var inner struct{ Behavior, Message string }
	_ = json.Unmarshal(r.Specific.Decision, &inner) // of PermissionRequest; missing elsewhere
	for _, w := range []struct{ word, reason string }{{r.Decision, r.Reason}, {r.Specific.Word, first(r.Specific.Reason, r.Reason)}, {inner.Behavior, inner.Message}} {
		switch w.word {
		case "block", "deny":
			a.Block, a.Reason = true, w.reason
		case "ask":
			if !a.Block {
				a.Ask, a.Reason = true, w.reason
			}
		}
	}
	if r.Continue != nil && !*r.Continue && !a.Block {
		a.Block, a.Reason = true, first(r.Stop, r.Reason)
	}
	if a.Block {
		a.Ask = false
	}
	if (a.Block || a.Ask) && strings.TrimSpace(a.Reason) == "" {
		a.Reason = "a hook says so: " + clip(h.Command, 200)
	}
	return a
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
