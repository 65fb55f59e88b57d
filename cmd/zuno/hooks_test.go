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
	p.line("/hooks")
	p.await("PreToolUse write: echo not that", "did not run in this session yet", "SessionEnd in zuno.json: not trusted, does not act")
	p.line("do it")
	p.await("Not written.")
	p.line("/hooks")
	p.await("blocked: not that", "let it pass", "at most 9s")
}

// The list names each hook once: how it came out does not say again which it is.
func TestHowAHookCameOutIsSaidWithoutItsName(t *testing.T) {
	one := hook.Hook{Event: "PreToolUse", Command: "scripts/check"}
	h := &hooks{run: &hook.Runner{Hooks: []hook.Hook{one}}, last: map[int]hookRun{}}
	for want, a := range map[string]hook.Answer{
		"failed: no such file":          {Troubles: []string{one.Name() + ": no such file"}},
		"asked for a person: kept":      {Ask: true, Reason: one.Name() + ": kept", Troubles: []string{one.Name() + ": kept"}},
		"asked for a person: look":      {Ask: true, Reason: "look"},
		"blocked: not that one":         {Block: true, Reason: "not that one"},
		"told the model something":      {Context: "more"},
		"let it pass":                   {},
		"failed: hook X `y`: odd words": {Troubles: []string{"hook X `y`: odd words"}},
	} {
		if h.ran(0, a, 0); h.last[0].says != want {
			t.Errorf("says %q, want %q", h.last[0].says, want)
		}
	}
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
