package shell

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Processes owns the commands started through it, the jobs among them, and what
// they leave running. The zero value is ready for use; its methods may be called
// from any goroutine. Close it when the session ends.
type Processes struct {
	mu     sync.Mutex // guards the fields below
	id     string     // begins the mark of every command
	word   string     // the random part of id
	count  int
	since  uint64 // when zuno itself started
	keeps  bool   // some command may have left something running
	closed bool
	quit   chan struct{} // closed by Close
	left   []tree        // those with something running after their command ended
	open   map[*os.File]struct{}
	jobs   []*Job // handed over, in the order of their numbers
	number int    // of the latest of them

	runs, drains sync.WaitGroup
}

// Run runs c and returns when its program has ended, even when a process that
// it started still holds the output. Such a process runs on; what it writes
// later is thrown away, and Close ends it. When ctx or a limit ends the
// command, everything it started is stopped: SIGTERM, then SIGKILL after the
// grace or when c.Force is closed. Then nothing is left when Run returns; what
// could not be killed is named in Result.Err.
//
// What belongs to a command is found by its session, its process group, its
// descent and, where the system shows the environment of a process (Linux), by
// a mark in it, which finds daemons too. zuno does not make itself a child
// subreaper: that holds for the whole program, so that it would have to wait
// for strangers, and it could not tell whose orphan an orphan is.
func (ps *Processes) Run(ctx context.Context, c Cmd) Result { return ps.run(ctx, c, true) }

var errClosed = errors.New("not started: the session has ended")

// An entry is what a command gets on its way.
type entry struct {
	mark string
	quit <-chan struct{} // closed when everything is to end
	keep bool            // what it leaves running runs on
}

// enter registers a command that can be started.
func (ps *Processes) enter(ctx context.Context, c Cmd, keep bool) (entry, error) {
	if err := c.check(ctx); err != nil {
		return entry{}, err
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.closed {
		return entry{}, errClosed
	}
	if ps.id == "" {
		var b [6]byte
		rand.Read(b[:])
		self := os.Getpid()
		ps.since = startTime(self)
		ps.word = hex.EncodeToString(b[:])
		ps.id = fmt.Sprintf("%d.%d.%s.", self, ps.since, ps.word)
		ps.quit = make(chan struct{})
	}
	ps.count++
	ps.keeps = ps.keeps || keep
	ps.runs.Add(1)
	return entry{ps.id + strconv.Itoa(ps.count) + ".", ps.quit, keep}, nil
}

func (ps *Processes) leave() { ps.runs.Done() }

// adopt takes over what an ended command left: its tree, when something is
// alive in it, and the pipes that are still held. They are read so that nobody
// dies of, or waits for, a pipe without a reader.
func (ps *Processes) adopt(t tree, alive bool, pipes []*os.File) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if alive {
		ps.left = append(ps.left, t)
	}
	if ps.open == nil {
		ps.open = map[*os.File]struct{}{}
	}
	for _, f := range pipes {
		ps.open[f] = struct{}{}
		ps.drains.Add(1)
		go ps.drain(f)
	}
}

func (ps *Processes) drain(f *os.File) {
	defer ps.drains.Done()
	_, _ = io.Copy(io.Discard, f) // ends when the last writer does, or at Close
	ps.mu.Lock()
	defer ps.mu.Unlock()
	delete(ps.open, f)
	f.Close()
}

// Close stops the commands that are running and ends what earlier ones left
// running, in the way that Run does, and waits. A Run after it does not start.
// The error names the processes that could not be killed.
func (ps *Processes) Close() error {
	ps.mu.Lock()
	first := !ps.closed
	ps.closed = true
	if first && ps.quit != nil {
		close(ps.quit)
	}
	ps.mu.Unlock()
	ps.runs.Wait()

	ps.mu.Lock()
	left := ps.left
	t := treeOf(left, ps.id, ps.since)
	keeps := ps.keeps
	ps.left = nil
	ps.mu.Unlock()
	var stuck []int
	if keeps {
		stuck = t.end(Limits{}.withDefaults().Grace, nil, nil)
	}
	for _, l := range left {
		l.release()
	}
	ps.mu.Lock()
	for f := range ps.open {
		_ = f.SetReadDeadline(time.Unix(1, 0)) // a holder that would not die
	}
	ps.mu.Unlock()
	ps.drains.Wait()
	if len(stuck) > 0 {
		return fmt.Errorf("could not be killed: processes %v", stuck)
	}
	return nil
}

// A Stray is a process that a command left behind.
type Stray struct {
	PID     int
	Command string // its arguments, joined by blanks
	Dir     string // its working directory, "" when that was not looked for or is not known
}

// Left lists what is still running of commands that have ended, jobs aside.
// Close ends it.
func (ps *Processes) Left() []Stray {
	ps.mu.Lock()
	left := slices.Clone(ps.left)
	t := treeOf(left, "", ps.since)
	ps.mu.Unlock()
	if len(left) == 0 {
		return nil
	}
	var found []Stray
	for _, p := range t.members() {
		found = append(found, Stray{PID: p.pid, Command: commandLine(p.pid)})
	}
	return found
}

// Strays lists the processes of commands whose zuno is gone, where the system
// shows the environment of a process (Linux).
func Strays() []Stray {
	var found []Stray
	for _, pid := range processIDs() {
		// One that has ended and was not waited for has no environment any more.
		owner, start, ok := markOwner(environMark(pid))
		if !ok || startTime(owner) == start {
			continue
		}
		dir, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)) // it may have ended meanwhile
		found = append(found, Stray{PID: pid, Command: commandLine(pid), Dir: dir})
	}
	return found
}

// markOwner returns the process that a mark names and its start time.
func markOwner(mark string) (pid int, start uint64, ok bool) {
	f := strings.Split(mark, ".")
	if len(f) < 4 {
		return 0, 0, false
	}
	pid, err := strconv.Atoi(f[0])
	if err != nil {
		return 0, 0, false
	}
	start, err = strconv.ParseUint(f[1], 10, 64)
	return pid, start, err == nil
}
