//go:build unix

package shell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if SandboxMain(os.Args) {
		return
	}
	if os.Getenv("ZUNO_TEST_PARENT") != "" {
		beParent()
		return
	}
	beConfined()
	goleak.VerifyTestMain(m)
}

// testCmd returns a command line to run in a directory of its own.
func testCmd(t testing.TB, line string) Cmd {
	t.Helper()
	env, _ := Environ(os.Environ(), nil)
	return Cmd{Line: line, Shell: Lookup{Env: env}.Shell(), Dir: t.TempDir(), Env: env}
}

// eventually polls until ok, and fails the test when that takes ten seconds.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not in 10 s", what)
		}
	}
}

// running lists the live processes whose arguments contain word.
func running(word string) (pids []int) {
	for _, p := range processTable() {
		if !p.zombie && strings.Contains(commandLine(p.pid), word) {
			pids = append(pids, p.pid)
		}
	}
	return pids
}

// sleeping lists the live processes that sleep for n seconds.
func sleeping(n string) (pids []int) {
	for _, p := range processTable() {
		if !p.zombie && commandLine(p.pid) == "sleep "+n {
			pids = append(pids, p.pid)
		}
	}
	return pids
}

// unique returns a number of seconds that no other test sleeps.
func unique(t testing.TB) string {
	t.Helper()
	return fmt.Sprintf("3%09d", time.Now().UnixNano()%1e9)
}

func TestExitStatusIsTold(t *testing.T) {
	for _, c := range []struct {
		line   string
		exit   int
		signal string
		status string
		out    string
	}{
		{"echo before; exit 7", 7, "", "exit code 7", "before\n"},
		{"true", 0, "", "exit code 0", ""},
		{"echo before; kill -9 $$", 137, "SIGKILL", "killed by SIGKILL (exit code 137)", "before\n"},
		{"sh -c 'kill -9 $$'; exit $?", 137, "", "exit code 137 (as after SIGKILL)", ""},
		{"false | cat", 1, "", "exit code 1", ""},
		{"-x", 127, "", "exit code 127", ""},
		{"echo out; echo err >&2", 0, "", "exit code 0", "out\n"},
	} {
		res := Run(t.Context(), testCmd(t, c.line))
		if !res.Started || res.Err != nil || res.Exit != c.exit || res.Signal != c.signal || res.Status() != c.status {
			t.Errorf("%s: %+v, %s", c.line, res, res.Status())
		}
		if got := string(res.Stdout.Head); got != c.out {
			t.Errorf("%s: output %q", c.line, got)
		}
	}
}

func TestWithoutBashTheLineRunsInSh(t *testing.T) {
	c := testCmd(t, "echo $0; false | true")
	c.Shell = ""
	if res := Run(t.Context(), c); res.Exit != 0 || string(res.Stdout.Head) != "sh\n" {
		t.Errorf("%+v", res)
	}
}

func TestArgumentsAreNotParsedByAShell(t *testing.T) {
	c := testCmd(t, "")
	c.Argv = []string{"/bin/echo", "$(touch OUT)", ";touch OUT", "-rf", "a\nb"}
	c.Dir = filepath.Join(t.TempDir(), "a$(touch OUT)b")
	if err := os.Mkdir(c.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	res := Run(t.Context(), c)
	if got := string(res.Stdout.Head); got != "$(touch OUT) ;touch OUT -rf a\nb\n" {
		t.Errorf("%q %+v", got, res)
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "OUT")); err == nil {
		t.Error("a shell saw the arguments")
	}
}

func TestTheDirectoryIsToldAndUsed(t *testing.T) {
	c := testCmd(t, `pwd; echo "$PWD"`)
	res := Run(t.Context(), c)
	if got := string(res.Stdout.Head); got != c.Dir+"\n"+c.Dir+"\n" {
		t.Errorf("%q", got)
	}
}

func TestWhatCannotStartSaysWhy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		edit func(*Cmd)
		want string
	}{
		"a deleted directory": {t.Context(), func(c *Cmd) { os.Remove(c.Dir) }, "does not exist"},
		"a file as directory": {t.Context(), func(c *Cmd) { c.Dir = file }, "is not a directory"},
		"no directory":        {t.Context(), func(c *Cmd) { c.Dir = "" }, "not an absolute path"},
		"a NUL byte":          {t.Context(), func(c *Cmd) { c.Line = "echo a\x00b" }, "NUL"},
		"a missing program":   {t.Context(), func(c *Cmd) { c.Argv = []string{"/no/such/program"} }, "no such file"},
		"a relative program":  {t.Context(), func(c *Cmd) { c.Argv = []string{"./x"} }, "not an absolute path"},
		"too long a line":     {t.Context(), func(c *Cmd) { c.Line = ": " + strings.Repeat("x", 3<<20) }, "script file"},
		"a cancelled context": {ended, func(*Cmd) {}, "canceled"},
	} {
		cmd := testCmd(t, "echo hi")
		c.edit(&cmd)
		res := Run(c.ctx, cmd)
		if res.Started || res.Exit != -1 || res.Err == nil || !strings.Contains(res.Err.Error(), c.want) {
			t.Errorf("%s: %+v", name, res)
		}
		if s := res.Status(); !strings.HasPrefix(s, "did not start: ") || strings.Contains(s, "\n") {
			t.Errorf("%s: status %q", name, s)
		}
	}
}

func TestStandardInputIsClosedAndThereIsNoTerminal(t *testing.T) {
	res := Run(t.Context(), testCmd(t, `cat; read x; echo "got:$x $?"; (: </dev/tty) 2>/dev/null || echo no terminal`))
	if got := string(res.Stdout.Head); got != "got: 1\nno terminal\n" {
		t.Errorf("%q", got)
	}
}

func TestACommandLeadsItsOwnSession(t *testing.T) {
	res := Run(t.Context(), testCmd(t, `read -r _ _ _ _ pgrp session _ </proc/self/stat; echo $$ $pgrp $session`))
	f := strings.Fields(string(res.Stdout.Head))
	if len(f) != 3 || f[0] != f[1] || f[1] != f[2] || f[0] == strconv.Itoa(os.Getpid()) {
		t.Errorf("%q", f)
	}
}

// C021, for each way of leaving something running.
func TestABackgroundJobDoesNotHoldTheCommandBack(t *testing.T) {
	n := unique(t)
	var ps Processes
	for _, line := range []string{
		"sleep " + n + " & echo done",
		"(while :; do echo x; sleep 0.01; done; : " + n + ") & echo done",
		"setsid sleep " + n + " & echo done",
		"(sleep " + n + " >/dev/null 2>&1 &) ; echo done",
	} {
		res := ps.Run(t.Context(), testCmd(t, line))
		if res.Exit != 0 || res.Err != nil || !strings.Contains(string(res.Stdout.Head), "done\n") {
			t.Errorf("%s: %+v", line, res)
		}
		if !res.Left && !strings.Contains(line, "setsid") {
			t.Errorf("%s: it is not said that something runs on", line)
		}
		if res.Duration > 5*time.Second {
			t.Errorf("%s: took %s", line, res.Duration)
		}
		kept := len(res.Stdout.Head)
		eventually(t, "the job runs on", func() bool { return len(running(n)) > 0 })
		if len(res.Stdout.Head) != kept {
			t.Error("later output reached the result")
		}
	}
	if err := ps.Close(); err != nil {
		t.Fatal(err)
	}
	if left := running(n); len(left) > 0 {
		t.Errorf("left after Close: %v", left)
	}
	if res := ps.Run(t.Context(), testCmd(t, "true")); res.Started || res.Err == nil {
		t.Errorf("started after Close: %+v", res)
	}
}

func TestALeftJobThatWritesIsNotKilledByItsPipe(t *testing.T) {
	c := testCmd(t, "(for i in 1 2 3 4 5 6; do echo x; sleep 0.05; done; touch survived) & echo done")
	var ps Processes
	defer ps.Close()
	if res := ps.Run(t.Context(), c); !res.Left {
		t.Errorf("%+v", res)
	}
	eventually(t, "the job ends by itself", func() bool {
		_, err := os.Stat(filepath.Join(c.Dir, "survived"))
		return err == nil
	})
}

func TestWhatAnEndedCommandLeftRunningIsNamed(t *testing.T) {
	n := unique(t)
	var ps Processes
	if left := ps.Left(); len(left) > 0 {
		t.Errorf("before anything: %v", left)
	}
	if res := ps.Run(t.Context(), testCmd(t, "sleep "+n+" & echo done")); !res.Left {
		t.Fatalf("%+v", res)
	}
	if left := ps.Left(); len(left) != 1 || left[0].Command != "sleep "+n || left[0].PID == 0 {
		t.Errorf("left: %v", left)
	}
	if err := ps.Close(); err != nil {
		t.Error(err)
	}
	if left := ps.Left(); len(left) > 0 {
		t.Errorf("after Close: %v", left)
	}
}

func TestRunAloneLeavesNothing(t *testing.T) {
	n := unique(t)
	res := Run(t.Context(), testCmd(t, "sleep "+n+" & echo done"))
	if res.Exit != 0 || res.Err != nil || res.Left {
		t.Errorf("%+v", res)
	}
	if left := running(n); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// cancelled runs c until count processes sleep for n seconds, cancels it and
// returns the result.
func cancelled(t *testing.T, c Cmd, n string, count int) Result {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got := make(chan Result)
	var ps Processes
	go func() { got <- ps.Run(ctx, c) }()
	eventually(t, "the command runs", func() bool { return len(sleeping(n)) >= count })
	cancel()
	res := <-got
	if left := running(n); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if err := ps.Close(); err != nil {
		t.Error(err)
	}
	return res
}

func TestCancelReachesTheWholeTree(t *testing.T) {
	for name, line := range map[string]string{
		"children":         "echo before; bash -c 'sleep N & sleep N & wait'",
		"an own session":   "echo before; setsid sleep N & setsid -w sleep N",
		"an orphan daemon": "echo before; (setsid sleep N >/dev/null 2>&1 &); sleep N",
		"an own group":     "echo before; set -m; sleep N & sleep N",
	} {
		n := unique(t)
		c := testCmd(t, strings.ReplaceAll(line, "N", n))
		res := cancelled(t, c, n, 2)
		if !res.Started || !res.Killed || res.TimedOut || res.Err != nil || string(res.Stdout.Head) != "before\n" {
			t.Errorf("%s: %+v", name, res)
		}
	}
}

// C027: the grace does not end with the one that was told.
func TestWhatIgnoresSIGTERMIsKilledAfterTheGrace(t *testing.T) {
	n := unique(t)
	c := testCmd(t, `(trap "" TERM HUP INT; sleep `+n+`) & trap "exit 0" TERM; wait`)
	c.Limits.Grace = 50 * time.Millisecond
	if res := cancelled(t, c, n, 1); !res.Killed || res.Err != nil {
		t.Errorf("%+v", res)
	}
}

func TestForceEndsTheGrace(t *testing.T) {
	n := unique(t)
	c := testCmd(t, `trap "" TERM; echo up; sleep `+n)
	c.Limits.Grace = time.Hour
	force := make(chan struct{})
	close(force)
	c.Force = force
	if res := cancelled(t, c, n, 1); !res.Killed || res.Signal != "SIGKILL" {
		t.Errorf("%+v", res)
	}
}

func TestTheTimeLimitKeepsTheOutput(t *testing.T) {
	c := testCmd(t, "echo before; sleep "+unique(t))
	byLimit := func(d time.Duration) Result {
		c.Limits.Time = d
		return Run(t.Context(), c)
	}
	byDeadline := func(d time.Duration) Result {
		ctx, cancel := context.WithTimeout(t.Context(), d)
		defer cancel()
		c.Limits.Time = 0
		return Run(ctx, c)
	}
	for name, run := range map[string]func(time.Duration) Result{"limit": byLimit, "deadline": byDeadline} {
		res := run(50 * time.Millisecond)
		for d := 100 * time.Millisecond; string(res.Stdout.Head) != "before\n" && d < time.Minute; d *= 2 {
			res = run(d) // a busy machine had not come to it yet
		}
		if !res.TimedOut || !res.Killed || res.Exit == 0 || string(res.Stdout.Head) != "before\n" {
			t.Errorf("%s: %+v", name, res)
		}
		if !strings.HasPrefix(res.Status(), "timed out after ") {
			t.Error(name, res.Status())
		}
	}
}

func TestCloseStopsWhatIsRunning(t *testing.T) {
	n := unique(t)
	var ps Processes
	got := make(chan Result)
	go func() { got <- ps.Run(context.Background(), testCmd(t, "sleep "+n)) }()
	eventually(t, "the command runs", func() bool { return len(running(n)) > 0 })
	if err := ps.Close(); err != nil {
		t.Error(err)
	}
	if res := <-got; !res.Killed || len(running(n)) > 0 {
		t.Errorf("%+v", res)
	}
}

// beParent is the body of a zuno that will be killed: it runs a program and a
// background job.
func beParent() {
	env, _ := Environ(os.Environ(), nil)
	n := os.Getenv("ZUNO_TEST_PARENT")
	var ps Processes
	ps.Run(context.Background(), Cmd{Line: "sleep 1" + n + " & exec sleep 2" + n, Dir: "/", Env: env})
}

func TestKillingZunoTakesTheProgramAlongAndTheRestIsFound(t *testing.T) {
	n := unique(t)
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "ZUNO_TEST_PARENT="+n)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both run", func() bool { return len(sleeping("1"+n)) == 1 && len(sleeping("2"+n)) == 1 })
	for _, s := range Strays() {
		if strings.Contains(s.Command, n) {
			t.Errorf("a stray while its zuno lives: %+v", s)
		}
	}
	parent.Process.Kill()
	parent.Wait()
	eventually(t, "the program is gone", func() bool { return len(sleeping("2"+n)) == 0 })
	var found int
	for _, s := range Strays() {
		if s.Command == "sleep 1"+n {
			found = s.PID
		}
	}
	if found == 0 {
		t.Fatalf("not among the strays: %+v", Strays())
	}
	syscall.Kill(found, syscall.SIGKILL)
}

func TestProgressTellsTheLatestLine(t *testing.T) {
	c := testCmd(t, `printf 'one\n\033[31mtwo\033[0m\n'; while [ ! -e seen ]; do sleep 0.01; done`)
	var lines []string
	c.Report = func(line string, n int64) {
		lines = append(lines, fmt.Sprint(line, " ", n))
		os.WriteFile(filepath.Join(c.Dir, "seen"), nil, 0o600)
	}
	Run(t.Context(), c)
	if len(lines) == 0 || !strings.HasPrefix(lines[len(lines)-1], "two ") && !strings.HasPrefix(lines[0], "one ") {
		t.Errorf("%q", lines)
	}
}

func TestASinkGetsTheOutputAndMayStopIt(t *testing.T) {
	c := testCmd(t, "yes; touch after")
	var got bytes.Buffer
	c.Sink = func(p []byte) bool { got.Write(p); return got.Len() < 100_000 }
	res := Run(t.Context(), c)
	if !res.Killed || res.TimedOut || res.Stdout.Total != 0 || got.Len() < 100_000 {
		t.Errorf("%+v, %d bytes", res, got.Len())
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "after")); err == nil {
		t.Error("it went on")
	}
}

func TestCommandsRunSideBySide(t *testing.T) {
	var ps Processes
	defer ps.Close()
	got := make(chan error)
	for i := range 8 {
		go func() {
			res := ps.Run(t.Context(), testCmd(t, fmt.Sprintf("echo %d; exit %d", i, i)))
			if res.Exit != i || string(res.Stdout.Head) != fmt.Sprintln(i) {
				got <- fmt.Errorf("%d: %+v", i, res)
				return
			}
			got <- nil
		}()
	}
	var errs []error
	for range 8 {
		errs = append(errs, <-got)
	}
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}
