package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/zuno-dev/zuno/internal/headless"
)

// C028: however much a command prints, in lines or in none, as text or not, zuno takes
// no more memory for it, the command is not held up, and the model gets a part
// of it that says so.
func TestAFloodOfOutputIsBounded(t *testing.T) {
	const more = 64 << 10 // KiB
	peak := func(t *testing.T, line string) (kib int64, r headless.ToolResult) {
		t.Helper()
		w := newWorld(t, nil)
		script, err := json.Marshal(map[string]any{"steps": []any{
			map[string]any{"calls": []any{map[string]any{"name": "shell", "args": map[string]string{"command": line}}}},
			map[string]any{"text": "ok"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		w.point(play(t, string(script)))
		cmd := exec.Command("zuno", "run", "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "high-risk", "--output-format", "json", "--timeout", "60s", "go")
		cmd.Dir, cmd.Env = w.dir, w.env
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err = cmd.Run()
		var res headless.Result
		if jerr := json.Unmarshal(out.Bytes(), &res); jerr != nil || err != nil || len(res.Tools) != 1 {
			t.Fatalf("%v, %v:\n%s%s", err, jerr, out.String(), errs.String())
		}
		return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss, res.Tools[0]
	}
	still, _ := peak(t, "true")
	for _, line := range []string{
		`head -c 150000000 /dev/zero | tr '\0' x`, `yes | head -n 20000000`, `yes 1 | head -n 20000000 1>&2`, `head -c 20000000 /dev/urandom`, `head -c 100000000 /dev/zero`,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			kib, r := peak(t, line)
			// yes ends by SIGPIPE, which pipefail makes the result.
			if want := map[bool]int{true: 141}[strings.HasPrefix(line, "yes")]; r.Outcome != "ok" || r.ExitCode == nil || *r.ExitCode != want || !r.Truncated {
				t.Errorf("%+v", r)
			}
			if kib > still+more {
				t.Errorf("%d KiB, and %d KiB for a command without output", kib, still)
			}
		})
	}
}

// C028: nor by what is searched, and a command that would go on for ever ends at
// its limit with the part that it printed.
func TestAFloodWithoutAnEndAndABigFileAreBounded(t *testing.T) {
	const more = 64 << 10 // KiB; zuno itself takes about as much
	for name, call := range map[string]string{
		"lines":             `{"name":"shell","args":{"command":"yes","timeout":1000}}`,
		"errors":            `{"name":"shell","args":{"command":"yes 1>&2","timeout":1000}}`,
		"bytes":             `{"name":"shell","args":{"command":"cat /dev/urandom","timeout":1000}}`,
		"a search":          `{"name":"grep","args":{"pattern":"."}}`,
		"a search in files": `{"name":"grep","args":{"pattern":".","path":"lines"}}`,
		"a file":            `{"name":"read","args":{"filePath":"lines"}}`,
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			fill := exec.Command("sh", "-c", "yes 'a line of it' | head -c 100000000 > lines")
			fill.Dir = w.dir
			if out, err := fill.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			w.point(play(t, `{"steps":[{"calls":[`+call+`]},{"text":"ok"}]}`))
			cmd := exec.Command("zuno", "run", "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "high-risk", "--output-format", "json", "--timeout", "60s", "go")
			cmd.Dir, cmd.Env = w.dir, w.env
			out, _ := cmd.Output() // what timed out is uncertain, which has a code of its own
			var res headless.Result
			if err := json.Unmarshal(out, &res); err != nil || len(res.Tools) != 1 || !res.Tools[0].Truncated {
				t.Errorf("%v: %s", err, out)
			}
			if kib := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; kib > 3*more {
				t.Errorf("%d KiB", kib)
			}
		})
	}
}

// A line of a stream that never ends is C097: it is given up at a limit that is
// named, is not taken for the end of an answer, and takes no memory beyond that.
func TestAnEndlessLineOfAStreamIsBounded(t *testing.T) {
	const more = 96 << 10 // KiB; the limit of a line is 16 MiB
	peak := func(script string) (kib int64, out string, code int) {
		s, url := serveLax(t, script)
		cmd := exec.Command("zuno", "run", "--model", "mine/m", "--approval-policy", "yolo", "go")
		cmd.Dir, cmd.Env = t.TempDir(), zunoEnv(t, url)
		b, _ := cmd.CombinedOutput() // the code tells how it ended
		if n := len(s.Requests()); n != 1 {
			t.Errorf("%d requests", n)
		}
		return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss, string(b), cmd.ProcessState.ExitCode()
	}
	still, _, _ := peak(`{"steps":[{"text":"short"}]}`)
	kib, out, code := peak(`{"steps":[{"text":"Begun.","calls":[{"name":"write","args":{"filePath":"x","content":"y"}}],"fault":{"cut":"endless","after":1}}]}`)
	if code != exitFailed || !strings.Contains(out, "16 MiB") {
		t.Errorf("exit %d: %.2000s", code, out)
	}
	if kib > still+more {
		t.Errorf("%d KiB, and %d KiB for a short answer", kib, still)
	}
}
