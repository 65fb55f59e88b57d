package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/delegate"
)

// The bounds of delegated work. How deep and how many at once is configured.
const (
	agentSteps = 50 // of an agent that names no other number
	agentTime  = 30 * time.Minute
	maxJobs    = 200 // of one session
)

// errAgentTime is the cause of the end of an agent that took too long.
var errAgentTime = errors.New("the time that an agent may take (30 minutes) is used up")

// delegates is the work that agents do for one session, at all depths.
type delegates struct {
	base context.Context // of what runs in the background
	stop context.CancelFunc
	wait sync.WaitGroup
	// free holds a token for each agent that may work at the same time. One that
	// waits for agents of its own does not work.
	free chan struct{}

	mu      sync.Mutex // guards what follows
	running map[string]*working
	claims  map[claim]bool // what is being carried out
	ended   chan struct{}  // closed and replaced when a job ends
	spent   []loop.Used    // not told to the front end
	denied  int            // calls that nobody was there to approve
}

// A working job has a goroutine.
type working struct {
	job    delegate.Job
	cancel context.CancelFunc
	began  time.Time
	said   string // by its agent, last
}

func newDelegates(atOnce int) *delegates {
	d := &delegates{free: make(chan struct{}, atOnce), running: map[string]*working{}, claims: map[claim]bool{}, ended: make(chan struct{})}
	d.base, d.stop = context.WithCancel(context.Background())
	return d
}

// Close stops all agents and returns when they have.
func (d *delegates) Close() error {
	d.stop()
	d.wait.Wait()
	return nil
}

// A claim is one piece of work: nobody is given the same twice at once.
type claim struct{ session, agent, prompt string }

// claim claims a piece of work, unless it is claimed already.
func (d *delegates) claim(c claim) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.claims[c] {
		return false
	}
	d.claims[c] = true
	return true
}

func (d *delegates) release(c claim) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.claims, c)
}

func (d *delegates) claimed(c claim) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.claims[c]
}

// began notes that a job has a goroutine, and returns what ends the note.
func (d *delegates) began(j delegate.Job, cancel context.CancelFunc) (ended func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running[j.ID] = &working{job: j, cancel: cancel, began: time.Now()}
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.running, j.ID)
		close(d.ended)
		d.ended = make(chan struct{})
	}
}

// heard keeps the last that the agent of a job in the background says.
func (d *delegates) heard(id string) func(tools.Progress) {
	return func(p tools.Progress) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if w := d.running[id]; w != nil && p.Text != "" {
			w.said = p.Text
		}
	}
}

// atWork returns the jobs of the background that run, oldest first.
func (d *delegates) atWork() []working {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []working
	for _, w := range d.running {
		if w.job.Background {
			list = append(list, *w)
		}
	}
	slices.SortFunc(list, func(a, b working) int {
		return cmp.Or(a.began.Compare(b.began), cmp.Compare(a.job.ID, b.job.ID))
	})
	return list
}

// Await returns when the job has ended or ctx has; with "", when any has.
func (d *delegates) Await(ctx context.Context, id string) {
	for {
		d.mu.Lock()
		runs, ended := d.running[id] != nil || id == "" && len(d.running) > 0, d.ended
		d.mu.Unlock()
		if !runs {
			return
		}
		select {
		case <-ended:
			if id == "" {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// find returns a job that has a goroutine, nil for none.
func (d *delegates) find(is func(delegate.Job) bool) *working {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range d.running {
		if is(w.job) {
			return w
		}
	}
	return nil
}

// background says, a line each, which jobs of the background still run. They end
// with the session.
func (d *delegates) background() []string {
	var lines []string
	for _, w := range d.atWork() {
		lines = append(lines, w.job.ID+" ("+w.job.Agent+"): "+w.job.Title)
	}
	return lines
}

// spend keeps what a model call of an agent cost until the front end is told.
func (d *delegates) spend(u loop.Used) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spent = append(d.spent, u)
}

// deny counts a call that nobody was there to approve.
func (d *delegates) deny() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.denied++
}

func (d *delegates) deniedCalls() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.denied
}

// telling returns emit with what agents cost told before the next event: their
// calls of the model end on other goroutines than the turn's.
func (d *delegates) telling(emit func(loop.Event)) func(loop.Event) {
	return func(e loop.Event) {
		d.mu.Lock()
		spent := d.spent
		d.spent = nil
		d.mu.Unlock()
		for _, u := range spent {
			emit(u)
		}
		emit(e)
	}
}

// A place is the right of one agent to work.
type place struct {
	free    chan struct{}
	mu      sync.Mutex // guards waiting, and is held while it is taken again
	waiting int
}

// take waits for a free place.
func (d *delegates) take(ctx context.Context) (*place, error) {
	select {
	case d.free <- struct{}{}:
		return &place{free: d.free}, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// leave gives the place back.
func (p *place) leave() { <-p.free }

// lend gives the place to others while the agent waits for agents of its own,
// and returns what takes it again. A nil place is that of the session, whose
// agent needs none.
func (p *place) lend() (back func()) {
	if p == nil {
		return func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting++; p.waiting == 1 {
		<-p.free
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.waiting--; p.waiting == 0 {
			p.free <- struct{}{} // whoever has one ends or lends it
		}
	}
}
