//go:build unix

package config

import (
	"strings"
	"testing"
)

func TestWhatIsWrongWithHooksAndToolsIsSaidAtItsPlace(t *testing.T) {
	for file, want := range map[string]string{
		`{"hooks": {"PreTool": []}}`: `"PreTool" is no event of hooks`,
		`{"hooks": {"Stop": {}}}`:    "hooks.Stop must be a list of",
		`{"hooks": {"Stop": [{"hooks": [{"type": "prompt", "command": "x"}]}]}}`:                  "not of the type command",
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": " "}]}]}}`:                 "hook without a command",
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 601}]}]}}`: "0 to 600 seconds",
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "async": true}]}]}}`:  `unknown field "async"`,
		`{"hooks": {"Stop": [{"matchers": "x"}]}}`:                                                `unknown field "matchers"`,
		`{"custom_tools": {"a b": {}}}`:                                                           "is not a tool's name",
		`{"custom_tools": {"a": {"schema": {"type": "array"}}}}`:                                  `is not "object"`,
		`{"custom_tools": {"a": {"schema": []}}}`:                                                 "must be the JSON schema of an object",
		`{"custom_tools": {"a": {"effect": "none"}}}`:                                             "must be one of read-only, side-effecting",
		`{"custom_tools": {"a": {"command": "x"}}}`:                                               "must be a list of strings",
	} {
		b := newBench(t)
		b.write(user, file)
		if _, _, err := Load(b.input()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}

func TestAProjectsHooksAndToolsNeedTrust(t *testing.T) {
	const theirs = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}, "custom_tools": {"x": {"command": ["x"], "sandbox": false}}}`
	for _, trusted := range []bool{false, true} {
		b := newBench(t)
		b.write(user, `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}`)
		b.write(project, theirs)
		if trusted {
			b.trust = all
		}
		c, _ := b.load()
		var got []string
		for _, h := range c.Hooks {
			got = append(got, h.Command)
		}
		want := "mine"
		if trusted {
			want = "mine theirs"
		}
		if _, there := c.CustomTools["x"]; strings.Join(got, " ") != want || there != trusted || c.CustomTools["x"].Unconfined {
			t.Errorf("trusted %v: hooks %q, tools %v", trusted, got, c.CustomTools)
		}
	}
}
