package shell

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// keptJobs is how many jobs that have ended are remembered.
const keptJobs = 32

// A Job is a command that has a goroutine of its own, so that it can outlive
// the call that started it. Its methods may be called from any goroutine.
type Job struct {
	owner *Processes
	line  string
	dir   string
	began time.Time
	stop  context.CancelCauseFunc
	tape  *tape
	done  chan struct{}
	res   Result // set before done is closed

	mu    sync.Mutex // guards the fields below
	id    string     // "" until it is handed over
	ended bool
	last  string // the latest line
	bytes int64
	news  chan struct{} // closed at the next report
}

// Start starts c and returns when its program runs; the error says why it does
// not, and then nothing happened. ctx only bounds the starting. The command
// ends as one of [Processes.Run] does, by itself, by its limits, by Stop or at
// Close. Cmd.Report is not used: see [Job.Progress].
func (ps *Processes) Start(ctx context.Context, c Cmd) (*Job, error) {
	c.Limits = c.Limits.withDefaults()
	in, err := ps.enter(ctx, c, true)
	if err != nil {
		return nil, err
	}
	jobCtx, stop := context.WithCancelCause(context.Background())
	j := &Job{
		owner: ps, line: c.Line, dir: c.Dir, began: time.Now(), stop: stop, tape: newTape(c, ringSize),
		done: make(chan struct{}), news: make(chan struct{}),
	}
	c.Report = j.report
	started := make(chan error, 1)
	go func() {
		defer ps.leave()
		defer stop(nil)
		j.end(ps.carry(jobCtx, c, in, j.tape, func(err error) { started <- err }))
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return j, nil
}

func (j *Job) report(line string, n int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last, j.bytes = line, n
	close(j.news)
	j.news = make(chan struct{})
}

func (j *Job) end(res Result) {
	j.mu.Lock()
	j.ended = true
	if j.id != "" { // its output is on the tape, for as long as it is remembered
		res.Stdout, res.Stderr = Output{}, Output{}
	}
	j.res = res
	j.mu.Unlock()
	close(j.done)
	j.owner.forget()
}

// Done is closed when the job has ended.
func (j *Job) Done() <-chan struct{} { return j.done }

// Ended reports whether the job has ended.
func (j *Job) Ended() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// Result waits for the end of the job and says what became of it. The output of
// a job that was handed over is not in it: see [Job.Window].
func (j *Job) Result() Result {
	<-j.done
	return j.res
}

// Stop ends the job, as the end of a context does that of [Processes.Run], and
// does not wait for it. A cause that is context.DeadlineExceeded counts as a
// time limit.
func (j *Job) Stop(cause error) { j.stop(cause) }

// HandOver makes the job one that [Processes.Job] finds, with a file for its
// output where there is a spool directory. It reports false, and does nothing,
// when the job has ended already.
func (j *Job) HandOver() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ended {
		return false
	}
	if j.id == "" {
		j.tape.keep()
		j.id = j.owner.remember(j)
	}
	return true
}

// ID names the job within the session, "" before it is handed over.
func (j *Job) ID() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.id
}

// Line returns the command line.
func (j *Job) Line() string { return j.line }

// Dir returns the directory that the job was started in.
func (j *Job) Dir() string { return j.dir }

// Began returns when the job was started.
func (j *Job) Began() time.Time { return j.began }

// Status says in a few words that the job is running, or how it ended.
func (j *Job) Status() string {
	if j.Ended() {
		return j.res.Status()
	}
	return fmt.Sprintf("running for %s", time.Since(j.began).Round(100*time.Millisecond))
}

// Progress returns the latest line of output and the bytes written when it was
// noted, and a channel that is closed when there is something newer. That is at
// most ten times a second.
func (j *Job) Progress() (line string, bytes int64, next <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.last, j.bytes, j.news
}

// Window returns at most n bytes of the output from an offset on; the newest n
// when from is negative. What is neither in memory nor in the file any more is
// left out and counted as lost.
func (j *Job) Window(from, n int64) Window {
	ended := j.Ended()
	w := j.tape.window(from, n)
	w.Ended = ended
	return w
}

// File returns the path of the file with the output, "" when there is none; the
// error says why the file does not have all of it.
func (j *Job) File() (path string, err error) { return j.tape.file() }

// remember lists j and returns its name. The random part keeps a name from an
// earlier life of the session from meaning another job.
func (ps *Processes) remember(j *Job) string {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	ps.number++
	ps.jobs = append(ps.jobs, j)
	return fmt.Sprintf("bg-%s-%d", ps.word[:4], ps.number)
}

// forget drops the oldest of the jobs that have ended, when there are too many.
func (ps *Processes) forget() {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	over := -keptJobs
	for _, j := range ps.jobs {
		if j.Ended() {
			over++
		}
	}
	ps.jobs = slices.DeleteFunc(ps.jobs, func(j *Job) bool {
		if over <= 0 || !j.Ended() {
			return false
		}
		over--
		return true
	})
}

// Jobs lists the jobs that were handed over, in that order: those that run and
// the last 32 that have ended.
func (ps *Processes) Jobs() []*Job {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return slices.Clone(ps.jobs)
}

// Running lists the jobs that Close will stop.
func (ps *Processes) Running() []*Job {
	return slices.DeleteFunc(ps.Jobs(), (*Job).Ended)
}

// Job returns the job of that name.
func (ps *Processes) Job(id string) (*Job, bool) {
	for _, j := range ps.Jobs() {
		if j.ID() == id {
			return j, true
		}
	}
	return nil, false
}
