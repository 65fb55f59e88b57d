package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A job is one started command.
type job struct {
	cmd    Cmd
	proc   *exec.Cmd
	tree   tree
	cap    *capture
	exited chan struct{} // closed when the program has been waited for
}

func start(c Cmd, mark string) (*job, error) {
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("not started: %w", err)
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		closeFiles(outR, outW)
		return nil, fmt.Errorf("not started: %w", err)
	}
	argv := c.argv()
	p := &exec.Cmd{
		Path:        argv[0],
		Args:        append([]string{filepath.Base(argv[0])}, argv[1:]...),
		Dir:         c.Dir,
		Env:         append(without(c.Env, "PWD", markName), "PWD="+c.Dir, markName+"="+mark),
		Stdout:      outW,
		Stderr:      errW,
		SysProcAttr: sysProcAttr(),
	}
	err = p.Start()
	closeFiles(outW, errW)
	if err != nil {
		closeFiles(outR, errR)
		return nil, startError(c, err)
	}
	pid := p.Process.Pid
	j := &job{cmd: c, proc: p, tree: tree{leader: pid, mark: mark, since: startTime(pid)}, exited: make(chan struct{})}
	go func() { // it outlives Run only when the program cannot be killed
		defer close(j.exited)
		_ = p.Wait() // the status is in ProcessState
	}()
	j.cap = newCapture(c, outR, errR)
	return j, nil
}

func startError(c Cmd, err error) error {
	if dir := CheckDir(c.Dir); dir != nil {
		return dir
	}
	if errors.Is(err, syscall.E2BIG) {
		return errors.New("not started: the command line is too long; put it into a script file")
	}
	return fmt.Errorf("not started: %w", err)
}

// attend waits for the command to end, or ends it. It returns the processes
// that would not die.
func (j *job) attend(ctx context.Context, quit <-chan struct{}, res *Result) []int {
	var limit, rest <-chan time.Time
	if j.cmd.Limits.Time > 0 {
		t := time.NewTimer(j.cmd.Limits.Time)
		defer t.Stop()
		limit = t.C
	}
	news := j.cap.news
	for {
		select {
		case <-j.exited:
			return nil
		case <-news:
			j.report()
			news, rest = nil, time.After(reportEvery)
			continue
		case <-rest:
			news, rest = j.cap.news, nil
			continue
		case <-limit:
			res.TimedOut = true
		case <-ctx.Done():
			res.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
		case <-quit:
		case <-j.cap.enough:
		}
		res.Killed = true
		return j.stop()
	}
}

func (j *job) report() {
	if j.cmd.Report != nil {
		j.cmd.Report(j.cap.latest())
	}
}

// stop ends the whole tree and then waits for the program itself.
func (j *job) stop() []int {
	left := j.tree.end(j.cmd.Limits.Grace, j.cmd.Force, j.exited)
	if len(left) == 0 {
		<-j.exited
	}
	return left
}

// collect reads what is left in the pipes and fills in res. A pipe that some
// process still holds is drained by ps when keep is set; else its holders are
// killed.
func (j *job) collect(ps *Processes, keep bool, stuck []int, res *Result) {
	open := j.cap.finish()
	if len(open) > 0 || j.tree.groupAlive() {
		alive := len(j.tree.members()) > 0
		switch {
		case keep:
			res.Left = alive
			ps.adopt(j.tree.leader, alive, open)
		case alive && len(stuck) == 0:
			stuck = j.tree.end(j.cmd.Limits.Grace, j.cmd.Force, j.exited)
		}
		if !keep {
			closeFiles(open...)
		}
	}
	if len(stuck) > 0 {
		res.Err = fmt.Errorf("could not be killed: processes %v", stuck)
	}
	j.status(res)
	res.Stdout, res.Stderr = j.cap.output()
	var err error
	if res.SpoolPath, res.SpoolSize, err = j.cap.spool.close(); err != nil && res.Err == nil {
		res.Err = fmt.Errorf("keep the output: %w", err)
	}
}

func (j *job) status(res *Result) {
	select {
	case <-j.exited:
	default:
		return // it would not die
	}
	st := j.proc.ProcessState
	if st == nil {
		return
	}
	if ws, ok := st.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		res.Exit, res.Signal = 128+int(ws.Signal()), signalName(int(ws.Signal()))
		return
	}
	res.Exit = st.ExitCode()
}

func without(env []string, names ...string) []string {
	kept := make([]string, 0, len(env)+len(names))
next:
	for _, e := range env {
		for _, n := range names {
			if strings.HasPrefix(e, n+"=") {
				continue next
			}
		}
		kept = append(kept, e)
	}
	return kept
}

func closeFiles(fs ...*os.File) {
	for _, f := range fs {
		f.Close()
	}
}
