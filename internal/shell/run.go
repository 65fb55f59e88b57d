// Package shell knows what a command line is, runs it and stops it: what it
// would do before it runs, in what environment, and that nothing of it is left
// when it was stopped. Every package but mcp starts its programs through it.
package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A Cmd is one command to run: a program with its arguments, or a line for a
// shell.
type Cmd struct {
	// Argv is an absolute path and its arguments. No shell sees them.
	Argv []string
	// Line is a command line for Shell; it is used when Argv is empty.
	Line string
	// Shell is the absolute path of the interpreter of Line, "" for /bin/sh.
	// One named bash runs without any start-up file and with pipefail on.
	Shell string
	// Dir is the absolute path of the working directory. It must exist.
	Dir string
	// Env is the whole environment, as [Environ] returns it. PWD is set to Dir.
	Env []string
	// Stdin is what the command reads; nil is an input that is closed.
	Stdin []byte
	// Limits bound time and output.
	Limits Limits
	// Spool is a directory (made with mode 0700 when it is missing) for the
	// whole output of a command that writes more than Limits.SpoolFrom. "" keeps
	// only what fits in memory. The files are the caller's to delete.
	Spool string
	// Force, when closed, ends the grace of a command being stopped: what is
	// left of it is killed at once.
	Force <-chan struct{}
	// Report, when set, is called from the goroutine of Run, at most ten times a
	// second, with the latest line of output and the bytes written so far.
	Report func(line string, bytes int64)
	// Confine limits what the command can reach; nil for no limit.
	Confine *Confinement
	// Sink, when set, gets the standard output instead of the capture, from one
	// goroutine. The chunk is valid during the call. Returning false stops the
	// command.
	Sink func(chunk []byte) bool
}

// Limits bound a command. The zero value means the defaults.
type Limits struct {
	Time       time.Duration // how long it may run; 0 for no limit
	Grace      time.Duration // from SIGTERM to SIGKILL; 0 for 2 s
	Memory     int           // bytes kept of each stream, head and tail; 0 for 256 KiB
	SpoolFrom  int           // bytes of output from which it is spooled; 0 for 16 KiB
	SpoolLines int           // lines of output from which it is spooled; 0 for 1,000
	Disk       int64         // bytes a spool file may have; 0 for 64 MiB
}

func (l Limits) withDefaults() Limits {
	or := func(n *int, d int) {
		if *n <= 0 {
			*n = d
		}
	}
	or(&l.Memory, 256<<10)
	or(&l.SpoolFrom, 16<<10)
	or(&l.SpoolLines, 1000)
	if l.Disk <= 0 {
		l.Disk = 64 << 20
	}
	if l.Grace <= 0 {
		l.Grace = 2 * time.Second
	}
	return l
}

// A Result says what became of a command.
type Result struct {
	// Started says that the program began. When it is false, Err says why not
	// and nothing happened.
	Started bool
	// Exit is the exit status; 128+n when signal n ended the program, -1 when
	// there is none.
	Exit int
	// Signal names the signal that ended the program itself, as in SIGKILL.
	Signal string
	// TimedOut says that the time limit, or the deadline of the context, stopped
	// it. Killed says that anything did: a limit, a cancel, or Sink.
	TimedOut, Killed bool
	// Left says that something the command started is running on.
	Left bool
	// Confined says that it ran under Cmd.Confine. Stopped says, in words, what
	// of that probably made it fail, "" when nothing points to it; Touched lists
	// protected paths that have come into being or changed meanwhile.
	Confined bool
	Stopped  string
	Touched  []string
	// Stdout and Stderr are what was written, before the program ended.
	Stdout, Stderr Output
	// SpoolPath is the file with the first SpoolSize bytes of the output, both
	// streams in the order of their arrival; "" when there is none.
	SpoolPath string
	SpoolSize int64
	// Err is why the command could not be started, or not be stopped, or why the
	// spool is not complete. An exit status is no error.
	Err      error
	Duration time.Duration
}

// Run runs c to its end, with nothing left of it afterwards: see
// [Processes.Run]. What the command leaves running is killed when it ends.
func Run(ctx context.Context, c Cmd) Result {
	var own Processes
	res := own.run(ctx, c, false)
	own.Close()
	return res
}

// reportEvery is the least time between two reports of progress.
const reportEvery = 100 * time.Millisecond

// run is Run for the tidy and for the keeping kind.
func (ps *Processes) run(ctx context.Context, c Cmd, keep bool) Result {
	c.Limits = c.Limits.withDefaults()
	in, err := ps.enter(ctx, c, keep)
	if err != nil {
		return Result{Exit: -1, Err: err}
	}
	defer ps.leave()
	return ps.carry(ctx, c, in, newTape(c, 0), func(error) {})
}

// carry starts a command and stays with it to its end. It calls started once,
// with the reason when the program did not begin.
func (ps *Processes) carry(ctx context.Context, c Cmd, in entry, t *tape, started func(error)) Result {
	began := time.Now()
	res := Result{Exit: -1}
	// The parent death signal is sent when the thread that forked the child
	// ends (prctl(2)), so this goroutine stays on it as long as the child lives.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ch, err := start(c, in.mark, t)
	started(err)
	if err != nil {
		res.Err = err
		return res
	}
	res.Started = true
	left := ch.attend(ctx, in.quit, &res)
	ch.collect(ps, in.keep && !res.Killed, left, &res)
	ch.box.fill(&res)
	res.Duration = time.Since(began)
	return res
}

func (c Cmd) check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("not started: %w", err)
	}
	argv := c.argv()
	if why := NoShell(c.Shell); why != "" && len(c.Argv) == 0 {
		return errors.New("not started: " + why)
	}
	for _, a := range argv {
		if strings.ContainsRune(a, 0) {
			return errors.New("not started: the command contains a NUL byte")
		}
	}
	if !filepath.IsAbs(argv[0]) {
		return fmt.Errorf("not started: %s is not an absolute path", argv[0])
	}
	return CheckDir(c.Dir)
}

// CheckDir returns an error that names what is wrong with dir as a working
// directory: a missing one would otherwise be reported as a missing program.
func CheckDir(dir string) error {
	switch fi, err := os.Stat(dir); {
	case !filepath.IsAbs(dir):
		return fmt.Errorf("the working directory %q is not an absolute path", dir)
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("the working directory %s does not exist (any more)", dir)
	case err != nil:
		return fmt.Errorf("the working directory cannot be used: %w", err)
	case !fi.IsDir():
		return fmt.Errorf("the working directory %s is not a directory", dir)
	}
	if err := mayEnter(dir); err != nil {
		return fmt.Errorf("the working directory %s cannot be entered: %w", dir, err)
	}
	return nil
}

// argv is the program and its arguments.
func (c Cmd) argv() []string {
	if len(c.Argv) > 0 {
		return c.Argv
	}
	argv, _ := lineArgv(c.Shell, c.Line)
	return argv
}

// environ is the environment, with what the program needs of the line.
func (c Cmd) environ() []string {
	if len(c.Argv) > 0 {
		return c.Env
	}
	_, env := lineArgv(c.Shell, c.Line)
	return append(without(c.Env, lineName), env...)
}

// lineName is the variable that a line is handed over in, where the system does
// not hand arguments over as they are.
const lineName = "ZUNO_LINE"
