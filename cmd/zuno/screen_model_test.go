//go:build unix

package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm/scripted/serve"
)

// What was chosen on the screen holds when the session is gone on with, on the
// screen and without one.
func TestAModelChosenOnTheScreenIsKept(t *testing.T) {
	t.Parallel()
	var sent *serve.Server
	sent, url := serveLax(t, `{"steps":[`+strings.Repeat(`{"text":"one answer"},`, 5)+`{"text":"the last"}]}`)
	env, dir := zunoEnv(t, url), t.TempDir()
	p := openPane(t, env, dir, "hello")
	p.await("one answer")
	p.line("/model anthropic/claude-opus-5")
	p.await("claude-opus-5")
	p.line("/effort low")
	p.await("effort low")
	p.leave()

	p = openPane(t, env, dir, "-c", "again")
	p.await("claude-opus-5 low", "again")
	last := func() string {
		all := sent.Requests()
		return string(all[len(all)-1].Body)
	}
	p.until("the second request", func() bool {
		return len(sent.Requests()) > 1 && strings.Contains(last(), `"claude-opus-5"`) && strings.Contains(last(), `"effort":"low"`)
	})
	p.leave()

	cmd := exec.CommandContext(t.Context(), "zuno", "run", "-c", "and again")
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(last(), `"claude-opus-5"`) || !strings.Contains(last(), `"effort":"low"`) {
		t.Errorf("the last request is not for the model that was chosen: %.300s", last())
	}
}
