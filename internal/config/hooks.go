package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/spelling"
)

// A Hook is a program that runs at a point of a session.
type Hook struct {
	Event string
	// Matcher is a regular expression for the whole of what the event is about;
	// "" and * are everything.
	Matcher string
	Command string
	Timeout time.Duration // 0 is the default
	// Sandbox says whether it is confined like commands are; nil is the default of
	// the file that it stands in.
	Sandbox *bool
	Place   Place
}

// hookEvents are the events that a hook can be for. A test holds them to those
// that there are.
func hookEvents() []string {
	return []string{"PreToolUse", "PostToolUse", "PermissionRequest", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop", "PreCompact", "Notification"}
}

func hookEvent(s string) string {
	if !slices.Contains(hookEvents(), s) {
		return "is no event of hooks" + spelling.Hint(s, hookEvents()) + ": there are " + strings.Join(hookEvents(), ", ")
	}
	return ""
}

// A hookGroup is hooks as other agents write them.
type hookGroup struct {
	Matcher string `json:"matcher"`
	Hooks   []struct {
		Type    string  `json:"type"`
		Command string  `json:"command"`
		Timeout float64 `json:"timeout"` // seconds
		Sandbox *bool   `json:"sandbox"`
	} `json:"hooks"`
}

// maxHookTime is the longest that a hook may be given, in seconds.
const maxHookTime = 600

func hookGroups(text []byte) string {
	groups, err := parseHooks(text)
	if err != nil {
		return "must be a list of {\"matcher\", \"hooks\": [{\"type\": \"command\", \"command\", \"timeout\"}]}: " + err.Error()
	}
	for _, g := range groups {
		for _, h := range g.Hooks {
			switch {
			case h.Type != "command":
				return "has a hook that is not of the type command, which is the only one there is"
			case strings.TrimSpace(h.Command) == "":
				return "has a hook without a command"
			case h.Timeout < 0 || h.Timeout > maxHookTime:
				return fmt.Sprintf("has a timeout that is not 0 to %d seconds", maxHookTime)
			}
		}
	}
	return ""
}

func parseHooks(text []byte) (groups []hookGroup, err error) {
	return groups, strict(text, &groups)
}

// strict decodes JSON of which nothing may be unknown.
func strict(text []byte, to any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	err := dec.Decode(to)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = fmt.Errorf("there is more after it")
		}
	}
	return err
}

// addHooks adds what was judged already.
func (c *Config) addHooks(event string, v value) {
	groups, err := parseHooks([]byte(v.text))
	if err != nil {
		return
	}
	for _, g := range groups {
		for _, h := range g.Hooks {
			c.Hooks = append(c.Hooks, Hook{event, g.Matcher, h.Command, time.Duration(h.Timeout * float64(time.Second)), h.Sandbox, v.place})
		}
	}
}

// A CustomTool is a program that is a tool. Fields that are empty have the
// strictest meaning.
type CustomTool struct {
	Description string
	Command     []string
	Schema      string // JSON, "" for no arguments
	// Effect, Replay, Concurrency and Risk are as declared.
	Effect, Replay, Concurrency, Risk string
	TimeoutMS                         int // 0 is the default
	// Unconfined says that the sandbox does not hold it.
	Unconfined bool
	Place      Place
}

func (c *Config) custom(name string, change func(*CustomTool)) {
	t := c.CustomTools[name]
	change(&t)
	c.CustomTools[name] = t
}

func objectSchema(text []byte) string {
	var s map[string]any
	if err := json.Unmarshal(text, &s); err != nil || s == nil {
		return "must be the JSON schema of an object"
	}
	if s["type"] != "object" {
		return `must be the JSON schema of an object: "type" is not "object"`
	}
	return ""
}
