//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

const workerAgent = `{"agents": {"worker": {"mode": "subagent"}}}`

// sleeping returns a command that no other test has, and what matches it.
func sleeping() (line, mark string) {
	line = fmt.Sprintf("sleep 600.%09d", rand.IntN(1e9))
	return line, "^" + regexp.QuoteMeta(line)
}

// agentScript is a session that has an agent run a line, in the background or
// not, and itself waits for a while.
func agentScript(t *testing.T, line string, background bool) []byte {
	t.Helper()
	shell := func(args map[string]any) map[string]any { return map[string]any{"name": "shell", "args": args} }
	task := map[string]any{"subagent_type": "worker", "prompt": "run these"}
	steps := []any{map[string]any{"calls": []any{map[string]any{"name": "task", "args": task}}}}
	if background {
		task["background"] = true
		steps = append(steps, map[string]any{"calls": []any{map[string]any{"name": "job", "args": map[string]any{"wait": 60000}}}})
	}
	script, err := json.Marshal(map[string]any{
		"steps": append(steps, map[string]any{"text": "I go on."}),
		"tasks": []any{map[string]any{"opening": "run these", "steps": []any{
			map[string]any{"calls": []any{shell(map[string]any{"command": line, "background": true}), shell(map[string]any{"command": line + " & touch began; setsid " + line + " & wait"})}},
			map[string]any{"text": "they run."},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// The other half of C026: whatever ends zuno, nothing of what an agent started
// is left, in the foreground and in the background.
func TestNothingIsLeftOfWhatAnAgentStarted(t *testing.T) {
	if _, err := exec.LookPath("pgrep"); err != nil {
		t.Skip("no pgrep")
	}
	for _, background := range []bool{false, true} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(fmt.Sprintf("%v/%v", background, sig), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, nil)
				w.configure(workerAgent)
				line, mark := sleeping()
				w.point(w.play(agentScript(t, line, background)))
				cmd, end := w.begin("run", "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "high-risk", "go")
				await(t, "all of its processes", func() bool { return processes(mark) >= 3 })
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				out := end()
				if got := cmd.ProcessState.ExitCode(); got != exitSignal+int(sig) {
					t.Errorf("exit code %d:\n%s", got, out)
				}
				if n := processes(mark); n != 0 {
					t.Errorf("%d processes are left:\n%s", n, out)
				}
				w.point(play(t, `{"steps":[{"text":"I go on."}]}`))
				stdout, stderr, code := w.zuno("run", "--model", "anthropic/claude-haiku-4-5", "-c", "go on")
				if stdout != "I go on.\n" || code != 0 {
					t.Errorf("the next prompt: exit %d, %q\n%s", code, stdout, stderr)
				}
			})
		}
	}
}

// What an agent leaves running ends with the agent, and its report says so.
func TestWhatAnAgentLeavesRunningEndsWithIt(t *testing.T) {
	if _, err := exec.LookPath("pgrep"); err != nil {
		t.Skip("no pgrep")
	}
	w := newWorld(t, nil)
	w.configure(workerAgent)
	line, mark := sleeping()
	script := `{"steps":[{"calls":[{"name":"task","args":{"subagent_type":"worker","prompt":"serve it"}}]},
	 {"expect":["stopped then: ","` + line + `"],"calls":[{"name":"shell","args":{"command":"pgrep -fc '` + mark + `' > left; true"}}]},{"text":"done"}],
	 "tasks":[{"opening":"serve it","steps":[{"calls":[{"name":"shell","args":{"command":"` + line + `","background":true}}]},{"text":"it is up"}]}]}`
	w.point(w.play([]byte(strings.ReplaceAll(script, `\.`, `[.]`))))
	if _, stderr, code := w.zuno("run", "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "high-risk", "go"); code != 0 {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	if n := processes(mark); n != 0 {
		t.Errorf("%d are left", n)
	}
}

// An earlier task is gone on with, by the agent and the session that had it.
func TestATaskIsGoneOnWith(t *testing.T) {
	w := newWorld(t, nil)
	w.point(play(t, `{"steps":[{"calls":[{"name":"task","args":{"prompt":"first question"}}]},{"text":"one"}],
	 "tasks":[{"opening":"first question","steps":[{"text":"first answer"}]}]}`))
	stdout, _, code := w.zuno("run", "--model", "anthropic/claude-haiku-4-5", "--output-format", "json", "go")
	if code != 0 {
		t.Fatal(stdout)
	}
	child := w.query(`SELECT child FROM job`)
	w.point(play(t, `{"steps":[{"calls":[{"name":"task","args":{"prompt":"second question","task_id":"`+child+`"}}]},{"expect":["second answer","session=\"`+child+`\""],"text":"two"}],
	 "tasks":[{"opening":"first question","steps":[{"expect":["second question"],"text":"second answer"}]}]}`))
	if stdout, stderr, code := w.zuno("run", "-c", "--model", "anthropic/claude-haiku-4-5", "go on"); code != 0 || stdout != "two\n" {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	// Not by another session.
	w.point(play(t, `{"steps":[{"calls":[{"name":"task","args":{"prompt":"third","task_id":"`+child+`"}}]},{"expect":["this session has no task"],"text":"no"}]}`))
	if stdout, stderr, code := w.zuno("run", "--model", "anthropic/claude-haiku-4-5", "go on"); code != 0 || stdout != "no\n" {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}
