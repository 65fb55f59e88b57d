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

// A child is one started command.
type child struct {
	cmd    Cmd
	proc   *exec.Cmd
	box    *box // nil when it is not confined
	tree   tree
	cap    *capture
	exited chan struct{} // closed when the program has been waited for
}

func start(c Cmd, mark string, t *tape) (*child, error) {
	outR, outW, err := pipeFrom()
	if err != nil {
		return nil, fmt.Errorf("not started: %w", err)
	}
	errR, errW, err := pipeFrom()
	if err != nil {
		closeFiles(outR, outW)
		return nil, fmt.Errorf("not started: %w", err)
	}
	argv := c.argv()
	p := &exec.Cmd{
		Path:        argv[0],
		Args:        append([]string{filepath.Base(argv[0])}, argv[1:]...),
		Dir:         c.Dir,
		Env:         append(without(c.environ(), "PWD", markName), "PWD="+c.Dir, markName+"="+mark),
		Stdout:      outW,
		Stderr:      errW,
		SysProcAttr: sysProcAttr(),
	}
	in, err := newStdin(c.Stdin, p)
	if err != nil {
		closeFiles(outR, outW, errR, errW)
		return nil, fmt.Errorf("not started: %w", err)
	}
	b, err := c.Confine.start(p)
	closeFiles(outW, errW)
	in.started()
	if err != nil {
		closeFiles(outR, errR)
		in.close()
		return nil, startError(c, err)
	}
	ch := &child{cmd: c, proc: p, box: b, exited: make(chan struct{})}
	if ch.tree, err = newTree(p.Process, mark); err != nil {
		_ = p.Wait() // it has not run
		closeFiles(outR, errR)
		in.close()
		return nil, startError(c, err)
	}
	go func() { // it outlives Run only when the program cannot be killed
		defer close(ch.exited)
		_ = p.Wait() // the status is in ProcessState
	}()
	in.feed(ch.exited)
	ch.cap = newCapture(c, t, outR, errR)
	return ch, nil
}

var errTooLong = errors.New("the command line is too long; put it into a script file")

func startError(c Cmd, err error) error {
	if dir := CheckDir(c.Dir); dir != nil {
		return dir
	}
	if errors.Is(err, tooLong) {
		return fmt.Errorf("not started: %w", errTooLong)
	}
	return fmt.Errorf("not started: %w", err)
}

// attend waits for the command to end, or ends it. It returns the processes
// that would not die.
func (ch *child) attend(ctx context.Context, quit <-chan struct{}, res *Result) []int {
	var limit, rest <-chan time.Time
	if ch.cmd.Limits.Time > 0 {
		t := time.NewTimer(ch.cmd.Limits.Time)
		defer t.Stop()
		limit = t.C
	}
	news := ch.cap.news
	for {
		select {
		case <-ch.exited:
			return nil
		case <-news:
			ch.report()
			news, rest = nil, time.After(reportEvery)
			continue
		case <-rest:
			news, rest = ch.cap.news, nil
			continue
		case <-limit:
			res.TimedOut = true
		case <-ctx.Done():
			res.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(context.Cause(ctx), context.DeadlineExceeded)
		case <-quit:
		case <-ch.cap.enough:
		}
		res.Killed = true
		return ch.stop()
	}
}

func (ch *child) report() {
	if ch.cmd.Report != nil {
		ch.cmd.Report(ch.cap.latest())
	}
}

// stop ends the whole tree and then waits for the program itself.
func (ch *child) stop() []int {
	left := ch.tree.end(ch.cmd.Limits.Grace, ch.cmd.Force, ch.exited)
	if len(left) == 0 {
		<-ch.exited
	}
	return left
}

// collect reads what is left in the pipes and fills in res. A pipe that some
// process still holds is drained by ps when keep is set; else its holders are
// killed.
func (ch *child) collect(ps *Processes, keep bool, stuck []int, res *Result) {
	open := ch.cap.finish()
	if len(open) > 0 || ch.tree.groupAlive() {
		alive := len(ch.tree.members()) > 0
		switch {
		case keep:
			res.Left = alive
			ps.adopt(ch.tree, alive, open)
		case alive && len(stuck) == 0:
			stuck = ch.tree.end(ch.cmd.Limits.Grace, ch.cmd.Force, ch.exited)
		}
		if !keep {
			closeFiles(open...)
		}
	}
	if !res.Left {
		ch.tree.release()
	}
	if len(stuck) > 0 {
		res.Err = fmt.Errorf("could not be killed: processes %v", stuck)
	}
	ch.status(res)
	res.Stdout, res.Stderr = ch.cap.output()
	var err error
	if res.SpoolPath, res.SpoolSize, err = ch.cap.tape.close(); err != nil && res.Err == nil {
		res.Err = fmt.Errorf("keep the output: %w", err)
	}
}

func (ch *child) status(res *Result) {
	select {
	case <-ch.exited:
	default:
		return // it would not die
	}
	st := ch.proc.ProcessState
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
