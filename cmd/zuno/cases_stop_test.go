//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// C026, C027, C035: whatever ends zuno, nothing of what it started is left: not the command that
// runs, not what that has put into the background, not a process that ignores
// signals or has a session of its own, and no background job. A second signal
// does not get in the way.
func TestNothingIsLeftWhenASignalEndsZuno(t *testing.T) {
	if _, err := exec.LookPath("pgrep"); err != nil {
		t.Skip("no pgrep")
	}
	for _, c := range []struct {
		line    string
		want    int // processes, with the job
		signals []syscall.Signal
	}{
		{`SLEEP & SLEEP & touch began; wait`, 3, []syscall.Signal{syscall.SIGINT}},
		{`(trap "" TERM HUP INT; touch began; SLEEP; SLEEP) & trap "exit 0" TERM; wait`, 2, []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}},
		{`setsid SLEEP & touch began; wait`, 2, []syscall.Signal{syscall.SIGTERM}},
		{`touch began; SLEEP | cat`, 2, []syscall.Signal{syscall.SIGHUP}},
		// Nobody is left to look after more than the command itself.
		{`touch began; exec SLEEP`, 2, []syscall.Signal{syscall.SIGKILL}},
	} {
		for _, sig := range c.signals {
			if sig == syscall.SIGKILL && runtime.GOOS != "linux" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", c.line, sig), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, nil)
				sleep := fmt.Sprintf("sleep 600.%09d", rand.IntN(1e9)) // the number tells it from all others
				call := func(id string, args map[string]any) map[string]any {
					args["command"] = strings.ReplaceAll(args["command"].(string), "SLEEP", sleep)
					return map[string]any{"id": id, "name": "shell", "args": args}
				}
				script, err := json.Marshal(map[string]any{"steps": []any{
					map[string]any{"calls": []any{
						call("job", map[string]any{"command": "SLEEP", "background": true}),
						call("now", map[string]any{"command": c.line}),
					}},
					map[string]any{"text": "I go on."},
				}})
				if err != nil {
					t.Fatal(err)
				}
				w.point(w.play(script))
				cmd, end := w.begin("run", "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "high-risk", "go")
				await(t, "the command", func() bool { _, err := os.Stat(filepath.Join(w.dir, "began")); return err == nil })
				mark := "^" + regexp.QuoteMeta(sleep)
				await(t, "all of its processes", func() bool { return processes(mark) >= c.want })
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Process.Signal(sig) // an impatient person; it may be gone by now
				out := end()
				if sig != syscall.SIGKILL {
					if got := cmd.ProcessState.ExitCode(); got != exitSignal+int(sig) {
						t.Errorf("exit code %d:\n%s", got, out)
					}
					if n := processes(mark); n != 0 {
						t.Errorf("%d processes are left:\n%s", n, out)
					}
				}
				await(t, "the end of what it started", func() bool { return processes(mark) == 0 })
				w.point(play(t, `{"steps":[{"text":"I go on."}]}`))
				stdout, stderr, code := w.zuno("run", "--model", "anthropic/claude-haiku-4-5", "-c", "go on")
				if stdout != "I go on.\n" || code != 0 && code != exitUncertain {
					t.Errorf("the next prompt: exit %d, %q\n%s", code, stdout, stderr)
				}
			})
		}
	}
}

// Two Escs among the calls of one message are C089: each call has one result, in
// order, and what was not begun does not begin; so too while the classifier is
// asked.
func TestEscEscAmongCallsLeavesOneResultForEach(t *testing.T) {
	for name, c := range map[string]struct{ classifier, shows, policy, outcomes string }{
		"a command runs":         {`{"default":"read-only"}`, "running", "high-risk", "a ok,b blocked,c cancelled,d cancelled"},
		"the classifier thinks":  {`{"rules":[{"contains":"sleep","reply":"read-only","delay":"1h"}]}`, "sleep 97.1", "low-risk", "a ok,b blocked,c cancelled,d cancelled"},
		"a card is denied first": {`{"default":"high-risk"}`, "approve · shell", "low-risk", "a ok,b blocked,c blocked,d cancelled"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			s, url := serveLax(t, `{"classifier":`+c.classifier+`,"steps":[{"calls":[
				{"id":"a","name":"read","args":{"filePath":"a.txt"}},
				{"id":"b","name":"nosuch","args":{}},
				{"id":"c","name":"shell","args":{"command":"sleep 97.1"}},
				{"id":"d","name":"write","args":{"filePath":"c.txt","content":"c"}}]},
				{"expect":["re:(?s)alpha.*no tool.*go on"],"text":"I went on."}]}`)
			env, dir := zunoEnv(t, url), t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("alpha\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			p := openPane(t, env, dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", c.policy)
			p.await(c.policy)
			p.typed("go")
			p.keys("Enter")
			p.await(c.shows)
			if c.shows == "approve · shell" {
				p.answer("n", "Don't run")
				p.typed("not now")
				p.keys("Enter")
				p.await("approve · write")
			}
			p.keys("Escape")
			p.await("again")
			p.keys("Escape")
			p.await("interrupted")
			p.typed("go on")
			p.keys("Enter")
			p.await("I went on.")
			p.leave()
			if v := s.Violations(); len(v) > 0 {
				t.Errorf("the strict server refused: %v", v)
			}
			if !inOrder(string(s.Requests()[len(s.Requests())-1].Body), `"tool_use_id":"a"`, `"tool_use_id":"b"`, `"tool_use_id":"c"`, `"tool_use_id":"d"`, "go on") {
				t.Error("the results are not in order")
			}
			got := outcomesIn(t, recordOf(t, env))
			for _, want := range strings.Split(c.outcomes, ",") {
				if id, is, _ := strings.Cut(want, " "); got[id] != is {
					t.Errorf("%s is %q, want %s", id, got[id], is)
				}
			}
			if exists(filepath.Join(dir, "c.txt")) {
				t.Error("what was not begun was done")
			}
		})
	}
}
