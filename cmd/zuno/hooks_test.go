//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/hook"
)

// /hooks lists what is in force and from where, how each came out last, and what
// of the project does not act.
func TestHooksAreListedOnTheScreen(t *testing.T) {
	url := play(t, `{"steps":[{"calls":[{"id":"w","name":"write","args":{"filePath":"no.txt","content":"x"}}]},{"text":"Not written."}]}`)
	dir, env := t.TempDir(), zunoEnv(t, url)
	for file, text := range map[string]string{
		filepath.Join(homeOf(t, env), "config", "zuno.json"): `{"hooks": {"PreToolUse": [{"matcher": "write", "hooks": [{"type": "command", "command": "echo not that >&2; exit 2", "timeout": 9}]}],
			"Stop": [{"hooks": [{"type": "command", "command": "true"}]}], "PreCompact": [{"hooks": [{"type": "command", "command": "true"}]}]}}`,
		filepath.Join(dir, "zuno.json"): `{"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "touch theirs"}]}]}}`,
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := openPaneOf(t, 50, env, dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "high-risk")
	p.await("Go on without them")
	p.answer("2", "Go on without them")
	p.await("ask zuno")
	p.keys("-l", "/hooks")
	p.keys("Enter")
	p.await("PreToolUse write: echo not that", "did not run in this session yet", "SessionEnd in zuno.json: not trusted, does not act")
	p.keys("-l", "do it")
	p.keys("Enter")
	p.await("Not written.")
	p.keys("-l", "/hooks")
	p.keys("Enter")
	p.await("blocked: not that", "let it pass", "at most 9s")
}

// The configuration names the events by itself; it may import nobody.
func TestTheConfigurationKnowsTheEventsThatHooksRunAt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "zuno.json")
	if err := os.WriteFile(file, []byte(`{"hooks": {"Nosuch": []}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := config.Load(config.Input{Home: t.TempDir(), Dir: t.TempDir(), File: file})
	if err == nil || !strings.HasSuffix(err.Error(), "there are "+strings.Join(hook.Events(), ", ")) {
		t.Errorf("got %v", err)
	}
}
