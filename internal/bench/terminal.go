//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// A terminal is zuno running on a pseudo-terminal of 80 columns and 24 rows.
type terminal struct {
	ctx   context.Context
	cmd   *exec.Cmd
	tty   *os.File
	began time.Time // when it was started

	mu       sync.Mutex // guards what follows
	out      []byte     // all that was written so far
	arrivals []arrival
	ended    error // why nothing more comes; nil before

	more chan struct{} // holds one when something came
	done chan struct{}
}

// An arrival says when the output up to a place was there.
type arrival struct {
	end int
	at  time.Time
}

// open starts zuno with args in dir. The prompt may not be there yet.
func (l *lab) open(dir, url string, args ...string) (*terminal, error) {
	t := &terminal{ctx: l.ctx, cmd: exec.Command(l.zuno, args...), more: make(chan struct{}, 1), done: make(chan struct{})}
	t.cmd.Dir, t.cmd.Env = dir, l.environ(url)
	t.began = time.Now()
	tty, err := pty.StartWithSize(t.cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		return nil, fmt.Errorf("start zuno on a pseudo-terminal: %w", err)
	}
	t.tty = tty
	go t.read()
	return t, nil
}

func (t *terminal) read() {
	defer close(t.done)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.tty.Read(buf)
		now := time.Now()
		t.mu.Lock()
		t.out = append(t.out, buf[:n]...)
		t.arrivals = append(t.arrivals, arrival{len(t.out), now})
		t.ended = err
		t.mu.Unlock()
		select {
		case t.more <- struct{}{}:
		default:
		}
		if err != nil {
			return // the program is gone
		}
	}
}

// close ends zuno and waits for it.
func (t *terminal) close() error {
	_ = t.cmd.Process.Signal(syscall.SIGTERM) // it may be gone
	select {
	case <-t.done:
	case <-time.After(5 * time.Second):
		_ = t.cmd.Process.Kill() // as above
	}
	var failed *exec.ExitError
	err := t.cmd.Wait() // ended by a signal, it exits with a code
	if errors.As(err, &failed) {
		err = nil
	}
	return errors.Join(err, t.tty.Close())
}

// send types keys and returns the place in the output behind which their effect
// comes, and the time.
func (t *terminal) send(keys string) (from int, at time.Time, err error) {
	from, at = t.written(), time.Now()
	_, err = t.tty.WriteString(keys)
	return from, at, err
}

// written returns how many bytes zuno wrote so far.
func (t *terminal) written() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.out)
}

// awaitTime bounds every wait.
const awaitTime = 2 * time.Minute

// await returns when text was first written whole behind the place from.
func (t *terminal) await(from int, text string) (time.Time, error) {
	limit := time.NewTimer(awaitTime)
	defer limit.Stop()
	for {
		t.mu.Lock()
		at, ok := t.arrived(from, text)
		from = max(from, len(t.out)-len(text)+1)
		last, ended := string(tail(t.out, 500)), t.ended
		t.mu.Unlock()
		switch {
		case ok:
			return at, nil
		case ended != nil:
			return at, fmt.Errorf("zuno ended before it wrote %q; the last it wrote is %q", text, last)
		}
		select {
		case <-t.more:
		case <-t.ctx.Done():
			return at, t.ctx.Err()
		case <-limit.C:
			return at, fmt.Errorf("zuno did not write %q; the last it wrote is %q", text, last)
		}
	}
}

func (t *terminal) arrived(from int, text string) (time.Time, bool) {
	i := bytes.Index(t.out[min(from, len(t.out)):], []byte(text))
	if i < 0 {
		return time.Time{}, false
	}
	end := from + i + len(text)
	for n := len(t.arrivals) - 1; n > 0; n-- {
		if t.arrivals[n-1].end < end {
			return t.arrivals[n].at, true
		}
	}
	return t.arrivals[0].at, true
}

// quiet waits until nothing was written for d.
func (t *terminal) quiet(d time.Duration) error {
	limit := time.NewTimer(awaitTime)
	defer limit.Stop()
	for {
		select {
		case <-t.more:
		case <-time.After(d):
			return nil
		case <-t.ctx.Done():
			return t.ctx.Err()
		case <-limit.C:
			return errors.New("zuno does not stop writing")
		}
	}
}

// pause lets d pass.
func (t *terminal) pause(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}
