//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// A cost is what a process took, with all that it started and waited for.
type cost struct {
	Wall, CPU time.Duration
	RSS       int64 // the most memory that one of them had, in bytes
	Exit      int
}

func (c cost) wallMS() float64 { return ms(c.Wall) }
func (c cost) cpuMS() float64  { return ms(c.CPU) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

const mega = 1e6

// launchWord as the first argument makes the program a launcher.
const launchWord = "launch"

// launch runs args as a command and reports its cost as JSON on descriptor 3.
//
// It exists for the memory: a process begins with its parent's, and Linux
// counts that as its own (getrusage(2), ru_maxrss). A launcher has next to none.
func launch(args []string) int {
	began := time.Now()
	p, err := os.StartProcess(args[0], args, &os.ProcAttr{Env: os.Environ(), Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	state, err := p.Wait()
	wall := time.Since(began)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	c := cost{Wall: wall, CPU: state.UserTime() + state.SystemTime(), Exit: state.ExitCode()}
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		c.RSS = int64(u.Maxrss) << 10
	}
	if err := json.NewEncoder(os.NewFile(3, "report")).Encode(c); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// runTime bounds every run, however slow the machine.
const runTime = 3 * time.Minute

// run runs a command in dir and returns its cost and what it wrote. An exit
// code other than zero is an error.
func (l *lab) run(dir string, env []string, command ...string) (c cost, stdout, stderr string, err error) {
	self, err := os.Executable()
	if err != nil {
		return c, "", "", err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return c, "", "", err
	}
	defer func() { _ = r.Close() }()
	ctx, cancel := context.WithTimeout(l.ctx, runTime)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, self, append([]string{launchWord}, command...)...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = dir, env, &out, &errs, []*os.File{w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Start()
	_ = w.Close() // the launcher has its own
	if err != nil {
		return c, "", "", err
	}
	report, rerr := io.ReadAll(r)
	if err = errors.Join(cmd.Wait(), rerr); err == nil {
		err = json.Unmarshal(report, &c)
	}
	if err == nil && c.Exit != 0 {
		err = fmt.Errorf("it ended with %d", c.Exit)
	}
	if err != nil {
		err = fmt.Errorf("run %v: %w\n%s", command, err, tail(errs.Bytes(), 1000))
	}
	return c, out.String(), errs.String(), err
}

// tail is the last n bytes of b, for an error.
func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }
