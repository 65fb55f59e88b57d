//go:build unix

package main

import (
	"fmt"
	"slices"
	"syscall"
	"time"
)

// escape measures how long a command that runs takes to be stopped.
func (l *lab) escape() error {
	return l.on("escape", nil, func(t *terminal) error {
		if err := t.ready(); err != nil {
			return err
		}
		if _, _, err := t.submit("! sleep 1000"); err != nil {
			return err
		}
		tree, err := t.below("sleep")
		if err != nil {
			return err
		}
		if err := t.pause(l.size.calm); err != nil {
			return err
		}
		from, sent, err := t.send("\x1b\x1b")
		if err != nil {
			return err
		}
		gone, left, err := t.end(tree)
		if err != nil {
			return err
		}
		said, err := t.await(from, stopMark)
		if err != nil {
			return err
		}
		l.add("escape.gone", ms(gone.Sub(sent)))
		l.add("escape.said", ms(said.Sub(sent)))
		l.add("escape.left", float64(left))
		return nil
	})
}

// below waits until a process of that name runs below zuno and returns all that
// do.
func (t *terminal) below(name string) ([]child, error) {
	limit := time.NewTimer(awaitTime)
	defer limit.Stop()
	for {
		all, err := children(t.cmd.Process.Pid)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(c child) bool { return c.name == name }) {
			return all, nil
		}
		if err := t.pause(5 * time.Millisecond); err != nil {
			return nil, err
		}
		select {
		case <-limit.C:
			return nil, fmt.Errorf("no %s came to run below zuno", name)
		default:
		}
	}
}

// stopTime is how long a command has to end.
const stopTime = 10 * time.Second

// end waits for processes to end. It returns when the last did, and how many
// did not; these are killed.
func (t *terminal) end(tree []child) (at time.Time, left int, err error) {
	every := time.NewTicker(200 * time.Microsecond)
	defer every.Stop()
	limit := time.Now().Add(stopTime)
	for {
		tree = slices.DeleteFunc(tree, func(c child) bool { return !c.runs() })
		at = time.Now()
		if len(tree) == 0 {
			return at, 0, nil
		}
		if at.After(limit) {
			for _, c := range tree {
				_ = syscall.Kill(c.pid, syscall.SIGKILL) // it may have ended by now
			}
			return at, len(tree), nil
		}
		select {
		case <-every.C:
		case <-t.ctx.Done():
			return at, len(tree), t.ctx.Err()
		}
	}
}
