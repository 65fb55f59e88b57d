package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// withJobs returns a config whose commands can become jobs.
func withJobs(t testing.TB) Config {
	t.Helper()
	c := newConfig(t)
	c.Processes = &shell.Processes{}
	t.Cleanup(func() {
		if err := c.Processes.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// waitFor is a line that waits for a file in the workspace.
func waitFor(name string) string { return "until [ -e " + name + " ]; do sleep 0.01; done" }

func touch(t testing.TB, c Config, name string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.Workspace, name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// runShell runs line, waits ms for it and returns the outcome and the job.
func runShell(t testing.TB, c Config, line string, ms int) (tools.Outcome, *shell.Job) {
	t.Helper()
	p, err := proposed(t.Context(), c, map[string]any{"command": line, "timeout": ms})
	if err != nil {
		t.Fatal(err)
	}
	out := execute(t, t.Context(), p)
	jobs := c.Processes.Jobs()
	if len(jobs) == 0 {
		return out, nil
	}
	return out, jobs[len(jobs)-1]
}

// startJob has line become a job at once.
func startJob(t testing.TB, c Config, line string) *shell.Job {
	t.Helper()
	out, j := runShell(t, c, line, 1)
	if out.Kind != tools.OK || j == nil || out.ExitCode != nil {
		t.Fatalf("%s: %+v", line, out)
	}
	return j
}

// wrote waits until line is the latest that the job wrote.
func wrote(j *shell.Job, line string) {
	for {
		last, _, next := j.Progress()
		if last == line {
			return
		}
		<-next
	}
}

func proposeBg(c Config, args string) (*tools.Proposal, error) {
	return New(c)[1].Propose(context.Background(), tools.Call{ID: "1", Tool: "bg", Args: json.RawMessage(args)})
}

// bg calls the tool.
func bg(t testing.TB, c Config, format string, a ...any) tools.Outcome {
	t.Helper()
	p, err := proposeBg(c, fmt.Sprintf(format, a...))
	if err != nil {
		return tools.OutcomeOf(err)
	}
	return execute(t, t.Context(), p)
}

func TestAtItsTimeoutACommandGoesOnAsAJob(t *testing.T) {
	c := withJobs(t)
	out, j := runShell(t, c, "echo $$ >> pids; echo one; "+waitFor("go")+"; echo two; exit 3", 1)
	if out.Kind != tools.OK || !out.Started || out.ExitCode != nil || j == nil || j.Ended() {
		t.Fatalf("%+v", out)
	}
	for _, said := range []string{
		"still running after 1ms", "was not killed", "as the job " + j.ID(), "Do not start it again", "30 minutes in all and ends with zuno",
		`{"action":"wait","taskID":"` + j.ID() + `"}`, `"cursor":`, c.Spool + "/output-", "totalBytes=",
	} {
		if !strings.Contains(out.Text, said) {
			t.Errorf("%q is not in %s", said, out.Text)
		}
	}
	if len(out.Show) != 1 || out.Show[0].Title != "goes on in the background as "+j.ID() {
		t.Errorf("%+v", out.Show)
	}
	touch(t, c, "go")
	end := bg(t, c, `{"action":"wait","taskID":%q,"timeout":60000}`, j.ID())
	if end.Kind != tools.OK || end.ExitCode == nil || *end.ExitCode != 3 || !strings.HasPrefix(end.Text, j.ID()+" ended: exit code 3: echo $$") || !strings.HasSuffix(end.Text, "\none\ntwo") {
		t.Errorf("%+v", end)
	}
	if b, err := os.ReadFile(c.Workspace + "/pids"); err != nil || strings.Count(string(b), "\n") != 1 {
		t.Errorf("it was started again: %q, %v", b, err)
	}
}

func TestACommandThatEndsInTimeIsNoJob(t *testing.T) {
	c := withJobs(t)
	out, j := runShell(t, c, "echo out; echo err >&2; exit 7", 600_000)
	if out.Kind != tools.OK || *out.ExitCode != 7 || out.Text != "exit code 7\nout\nstderr:\nerr" || j != nil {
		t.Errorf("%+v", out)
	}
	if out, j := runShell(t, c, "seq 20000", 600_000); !out.Truncated || !strings.Contains(out.Text, "all of it is in "+c.Spool) || j != nil {
		t.Errorf("%.300s", out.Text)
	}
}

func TestAnInterruptInTheForegroundKillsAsBefore(t *testing.T) {
	c := withJobs(t)
	ctx, cancel := context.WithCancel(t.Context())
	p := mustPropose(t, c, "echo before; setsid sleep 61 & sleep 61")
	out := p.Execute(ctx, tools.Decision{Allowed: true}, func(pr tools.Progress) {
		if pr.Text == "before" {
			cancel()
		}
	})
	if out.Kind != tools.Cancelled || !out.Started || !strings.HasPrefix(out.Text, "was stopped after ") || !strings.HasSuffix(out.Text, "\nbefore") || len(c.Processes.Jobs()) != 0 {
		t.Errorf("%+v", out)
	}
	if out := execute(t, ctx, mustPropose(t, c, "touch OUT")); out.Kind != tools.Cancelled || out.Started {
		t.Errorf("%+v", out)
	}
	late, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	<-late.Done()
	if out := execute(t, late, mustPropose(t, c, "touch OUT")); out.Kind != tools.Cancelled || out.Started {
		t.Errorf("%+v", out)
	}
	if _, err := os.Stat(c.Workspace + "/OUT"); err == nil {
		t.Error("it ran")
	}
}

func TestTheCeilingKillsAJobAndTheJobSaysSo(t *testing.T) {
	c := withJobs(t)
	c.Ceiling = 1
	out, j := runShell(t, c, "sleep 62", 600_000)
	if out.Kind != tools.Uncertain || j != nil {
		t.Errorf("%+v", out)
	}
	for c.Ceiling = 100 * time.Millisecond; ; c.Ceiling *= 2 { // a busy machine may not come to it
		out, j = runShell(t, c, "echo up; sleep 62", 1)
		if j == nil || out.Kind != tools.OK {
			continue
		}
		out = bg(t, c, `{"action":"wait","taskID":%q,"timeout":60000}`, j.ID())
		if strings.HasSuffix(out.Text, "\nup") || c.Ceiling > time.Minute {
			break
		}
	}
	if out.Kind != tools.OK || out.ExitCode != nil || !strings.Contains(out.Text, "ended: timed out after ") || !strings.HasSuffix(out.Text, "\nup") {
		t.Errorf("%+v", out)
	}
}

func TestABackgroundCommandReturnsItsJobOrItsFailure(t *testing.T) {
	c := withJobs(t)
	back := func(line string) tools.Outcome {
		p, err := proposed(t.Context(), c, map[string]any{"command": line, "background": true})
		if err != nil {
			t.Fatal(err)
		}
		if want := "background\truns on as a job, for 30 minutes at most"; !strings.Contains(p.Preview[1].Body, want) {
			t.Errorf("%q", p.Preview[1].Body)
		}
		return execute(t, t.Context(), p)
	}
	out := back("echo up; " + waitFor("go"))
	jobs := c.Processes.Running()
	if len(jobs) != 1 || out.Kind != tools.OK || !strings.HasPrefix(out.Text, "It runs in the background as the job "+jobs[0].ID()) || !strings.Contains(out.Text, "Do not start it again") {
		t.Fatalf("%+v", out)
	}
	touch(t, c, "go")
	if end := bg(t, c, `{"action":"wait","taskID":%q}`, jobs[0].ID()); *end.ExitCode != 0 || !strings.HasSuffix(end.Text, "\nup") {
		t.Errorf("%+v", end)
	}
	out = back("no-such-program")
	for try := 0; out.ExitCode == nil && try < 20; try++ { // on a busy machine a moment is not enough
		out = back("no-such-program")
	}
	if out.ExitCode == nil || *out.ExitCode != 127 || !strings.Contains(out.Text, "not found") {
		t.Errorf("%+v", out)
	}
	c.Processes = nil
	_, err := proposed(t.Context(), c, map[string]any{"command": "true", "background": true})
	if out := tools.OutcomeOf(err); out.Block != tools.Unavailable {
		t.Errorf("%+v", out)
	}
}

func TestTheOperatorsCommandIsKilledAtItsLimitAsBefore(t *testing.T) {
	c := withJobs(t)
	p, err := Operator(c, "sleep 63")
	if err != nil || !strings.Contains(p.Preview[1].Body, "time limit\t10m0s") {
		t.Fatalf("%+v, %v", p, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	if out := p.Execute(ctx, tools.Decision{Allowed: true, By: tools.ByOperator}, nil); len(c.Processes.Jobs()) != 0 || out.Kind == tools.OK {
		t.Errorf("%+v", out)
	}
	if _, err := Operator(c, "sleep 63 &"); err != nil {
		t.Error(err)
	}
}

func TestTheCardSaysThatACommandMayGoOn(t *testing.T) {
	c := withJobs(t)
	p := mustPropose(t, c, "make")
	if want := "waits\t2m0s, then it runs on as a job, for 30 minutes in all"; !strings.Contains(p.Preview[1].Body, want) || p.Spec.Timeout != defaultTimeout+settleTime {
		t.Errorf("%q, %s", p.Preview[1].Body, p.Spec.Timeout)
	}
}

// cursors are the numbers of a header.
type cursors struct{ cursor, from, bytes, total int64 }

func header(t testing.TB, text string) (h cursors, more, earlier bool) {
	t.Helper()
	m := regexp.MustCompile(`(?m)^cursor=(\d+) hasMore=(true|false) hasEarlier=(true|false) windowFrom=(\d+) windowBytes=(\d+) totalBytes=(\d+)$`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no header in %s", text)
	}
	fmt.Sscan(m[1]+" "+m[4]+" "+m[5]+" "+m[6], &h.cursor, &h.from, &h.bytes, &h.total)
	return h, m[2] == "true", m[3] == "true"
}

// pages reads an output by its cursors and returns it.
func pages(t testing.TB, c Config, first, next string) string {
	t.Helper()
	var all strings.Builder
	for at, calls := int64(0), 0; calls < 1000; calls++ {
		args := first
		if calls > 0 {
			args = fmt.Sprintf(next, at)
		}
		out := bg(t, c, "%s", args)
		h, more, earlier := header(t, out.Text)
		if out.Kind != tools.OK || h.from != at || h.cursor != at+h.bytes || earlier != (at > 0) || more != (h.cursor < h.total) || out.Truncated != more {
			t.Fatalf("at %d: %+v %v %v, truncated %v", at, h, more, earlier, out.Truncated)
		}
		_, text, _ := strings.Cut(out.Text[strings.Index(out.Text, "cursor="):], "\n")
		all.WriteString(text + "\n")
		if at = h.cursor; !more {
			break
		}
	}
	return all.String()
}

func numbers(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintln(&b, i)
	}
	return b.String()
}

func TestCursorsPageThroughTheWholeOutput(t *testing.T) {
	c := withJobs(t)
	j := startJob(t, c, "seq 60000; "+waitFor("go")) // more than memory holds
	wrote(j, "60000")
	args := fmt.Sprintf(`"taskID":%q,"limit":9999999`, j.ID())
	if got := pages(t, c, `{"action":"output",`+args+`,"cursor":0}`, `{"action":"output",`+args+`,"cursor":%d}`); got != numbers(60000) {
		t.Errorf("%d bytes of %d", len(got), len(numbers(60000)))
	}
	path, err := j.File()
	if err != nil {
		t.Fatal(err)
	}
	args = fmt.Sprintf(`{"action":"artifact","outputPath":%q`, path)
	if got := pages(t, c, args+"}", args+`,"cursor":%d}`); got != numbers(60000) {
		t.Errorf("%d bytes of %d", len(got), len(numbers(60000)))
	}
	out := bg(t, c, `{"action":"output","taskID":%q}`, j.ID())
	h, more, earlier := header(t, out.Text)
	if more || !earlier || h.cursor != h.total || h.bytes > defaultWindow || h.bytes < defaultWindow/2 || !out.Truncated || !strings.HasSuffix(out.Text, "\n59999\n60000") {
		t.Errorf("%+v %v %v", h, more, earlier)
	}
	out = bg(t, c, `{"action":"output","taskID":%q,"cursor":%d}`, j.ID(), h.total)
	if h, _, _ := header(t, out.Text); h.bytes != 0 || !strings.HasSuffix(out.Text, "(no output in this window)") {
		t.Errorf("%s", out.Text)
	}
	out = bg(t, c, `{"action":"output","taskID":%q,"cursor":%d}`, j.ID(), h.total+1)
	if out.Block != tools.InvalidArguments || !strings.Contains(out.Text, "past the end") {
		t.Errorf("%+v", out)
	}
}

func TestAWindowFitsWhatAResultMayHave(t *testing.T) {
	c := withJobs(t)
	c.Limit = tools.TextLimit{MaxBytes: 4096, MaxLines: 100}
	for _, line := range []string{"yes | head -n 20000", `head -c 5000 /dev/zero | tr '\0' '\377'; seq 3000`, "yes \u202e | head -n 5000", "head -c 99999 /dev/zero"} {
		j := startJob(t, c, line+"; echo; echo END; "+waitFor("go"))
		wrote(j, "END")
		for _, cursor := range []string{"", `,"cursor":0`} {
			out := bg(t, c, `{"action":"output","taskID":%q,"limit":51200%s}`, j.ID(), cursor)
			if out.Kind != tools.OK || len(out.Text) > c.Limit.MaxBytes || strings.Count(out.Text, "\n") >= c.Limit.MaxLines {
				t.Errorf("%s: %d bytes, %d lines: %s", line, len(out.Text), strings.Count(out.Text, "\n"), out.Text)
			}
			header(t, out.Text)
		}
	}
}
