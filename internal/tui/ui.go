// Package tui draws a session to a person and answers its gate. It runs inline:
// what is settled is printed once, into the terminal's own scrollback, and only
// the live zone below it is drawn again. It imports no tool and knows none by
// name: it folds events, and everything it shows is data.
//
// Bubble Tea runs the loop and reads the keys. One goroutine owns the whole
// model and does no I/O; turns, the start of the session and the terminal's
// writer have a goroutine each, and Run waits for all of them.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A SignalError is the error of a Run that a signal ended.
type SignalError struct{ Signal os.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "ended by " + e.Signal.String() }

// A UI is one run of the terminal interface. It is the Asker of its session's
// gate.
type UI struct {
	opts Options
	term *terminal
	prog *tea.Program
	scr  *screen
	draw *canvas
	keys *keyboard // of the goroutine that calls Run

	work   sync.WaitGroup // boot, turns and choices
	base   context.Context
	cancel context.CancelFunc
	timer  *time.Timer
	// told hands on what the canvas has to say, which must not wait for the screen.
	told  *time.Timer
	moved atomic.Bool              // the terminal has another size
	sight atomic.Pointer[sightMsg] // the question that has come into sight
	// armedUntil is read by the goroutine of the input.
	armedUntil atomic.Int64
	// awayUntil is the time, in Unix nanoseconds, up to which Ctrl+C was for
	// something else that has the terminal or has just had it.
	awayUntil atomic.Int64
	late      []tools.Record       // settled after gone was closed; guarded by work
	ready     []Ready              // to be closed; guarded by work
	pump      atomic.Pointer[pump] // of the turn that runs
	gone      chan struct{}
	stops     chan error // why the UI ends, from outside of the screen
}

// New returns a UI.
func New(o Options) *UI {
	u := &UI{opts: o, gone: make(chan struct{}), stops: make(chan error, 4)}
	l := o.look()
	th := l.theme()
	u.term = &terminal{
		in: o.In, out: o.Out, env: o.Env, dumb: th.dumb, reader: th.reader, title: o.UI.Title && titles(o.Env),
		asks: o.Theme.halves() && o.UI.Background != "dark" && o.UI.Background != "light",
	}
	w, h := u.term.size()
	u.scr = newScreen(th, w, h, o, time.Now)
	u.scr.host = u
	return u
}

// Run shows the UI until the person leaves, ctx ends, or the session cannot be
// opened. However it ends, the terminal is as it was, the turn is over and the
// session is closed.
func (u *UI) Run(ctx context.Context) (err error) {
	u.base, u.cancel = context.WithCancel(ctx)
	defer u.cancel()
	if err := u.term.enter(); err != nil {
		return fmt.Errorf("prepare the terminal: %w", err)
	}
	defer u.term.leave()
	u.prog = tea.NewProgram(u.scr, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutRenderer(),
		tea.WithEnvironment(u.opts.Env), tea.WithFPS(1), tea.WithoutSignalHandler(),
		tea.WithoutCatchPanics(), tea.WithWindowSize(u.scr.w, u.scr.h))
	u.timer = time.AfterFunc(time.Hour, func() { u.prog.Send(wakeMsg{}) })
	u.timer.Stop()
	u.told = time.AfterFunc(time.Hour, u.tell)
	p := &painter{out: u.opts.Out, dumb: u.scr.th.dumb}
	u.draw = newCanvas(p, u.stop, u.term.size, func() {
		u.moved.Store(true)
		u.told.Reset(0)
	}, func(a asks) {
		u.sight.Store(&sightMsg{a, time.Now()})
		u.told.Reset(0)
	})
	u.scr.canvas = u.draw
	u.scr.draw(time.Now())
	unwatch := watch(u.resized, u.goesOn, u.signalled)
	stopped := context.AfterFunc(ctx, func() { u.stop(context.Cause(ctx)) })
	u.boot(func(ctx context.Context) (Ready, error) { return u.opts.Boot(ctx, u) })

	if err := u.listen(); err != nil {
		u.stop(err)
	}

	err = u.loop()

	if u.keys != nil {
		u.keys.unplug()
	}
	close(u.gone)
	stopped()
	u.timer.Stop()
	u.told.Stop()
	if u.scr.pager != nil {
		u.scr.leavePager(time.Now())
		u.scr.draw(time.Now())
	}
	u.draw.close()
	u.term.leave()
	u.cancel()
	u.work.Wait()
	u.keepDrafts()
	u.printLate()
	err = errors.Join(append([]error{err}, u.close()...)...)
	// Not before: a second signal must not end zuno while it stops what ignores
	// the first.
	unwatch()
	return err
}

// listen begins to read the keys, or does so again.
func (u *UI) listen() error {
	var after <-chan struct{}
	if u.keys != nil {
		after = u.keys.done
	}
	term, _ := lookup(u.opts.Env, "TERM")
	var typed []byte
	if after == nil && !u.term.dumb {
		typed = typedBefore(u.opts.In)
	}
	keys, err := plug(u.opts.In, typed, term, &u.armedUntil, after, time.Now, u.prog.Send, u.stop)
	if err != nil {
		return err
	}
	u.keys = keys
	return nil
}

// keepDrafts has what was being typed, and what was put aside, among the older
// prompts when the program is gone, however it ends.
func (u *UI) keepDrafts() {
	ready, c := u.scr.ready, &u.scr.composer
	for ready != nil && ready.Remember != nil {
		if text, keep := c.take(); keep {
			ready.Remember(text)
		}
		if len(c.stash) == 0 {
			return
		}
		c.bring()
	}
}

// loop runs the program and returns why it ended.
func (u *UI) loop() (err error) {
	defer recovered("the program", &err)
	_, err = u.prog.Run()
	select {
	case why := <-u.stops:
		return why
	default:
	}
	if u.scr.err != nil {
		return u.scr.err
	}
	return err
}

// stop ends the UI from any goroutine; the first reason is the one returned.
func (u *UI) stop(why error) {
	select {
	case u.stops <- why:
	default:
	}
	u.prog.Quit()
}

func (u *UI) close() []error {
	var errs []error
	for _, r := range u.ready {
		if r.Close != nil {
			errs = append(errs, r.Close())
		}
	}
	return errs
}

// tell tells the screen what the canvas said.
func (u *UI) tell() {
	if u.moved.Swap(false) {
		u.resized()
	}
	if m := u.sight.Swap(nil); m != nil {
		u.prog.Send(*m)
	}
}

func (u *UI) resized() {
	w, h := u.term.size()
	u.prog.Send(sizeMsg{w, h})
}

// goesOn is told that the process may have been stopped without being asked. What
// has the terminal in its place, or gave it back just now, is no shell.
func (u *UI) goesOn() {
	if time.Now().UnixNano() >= u.awayUntil.Load() {
		u.prog.Send(goesOnMsg{})
	}
}

// openedMsg says what was opened, before its stored events are delivered.
type openedMsg struct{ ready Ready }

// sandboxMsg says what commands are confined to.
type sandboxMsg struct{ word string }

func (u *UI) signalled(s os.Signal) {
	switch {
	case s == os.Interrupt && time.Now().UnixNano() < u.awayUntil.Load():
		return
	case s == os.Interrupt:
		u.prog.Send(interruptMsg{})
		return
	}
	u.stop(&SignalError{s})
}

// readyMsg is the end of Boot or of a choice, after the session's events were
// delivered.
type readyMsg struct {
	ready Ready
	err   error
}

// boot opens a session on a goroutine of its own.
func (u *UI) boot(open func(context.Context) (Ready, error)) {
	u.work.Add(1)
	go func() {
		defer u.work.Done()
		r, err := u.open(open)
		u.prog.Send(readyMsg{r, err})
	}()
}

func (u *UI) open(open func(context.Context) (Ready, error)) (r Ready, err error) {
	defer recovered("the start", &err)
	if r, err = open(u.base); err != nil {
		return r, err
	}
	u.ready = append(u.ready, r)
	if r.Session == nil {
		return r, nil
	}
	u.prog.Send(openedMsg{r})
	if r.Sandbox != nil { // after what is shown, which it would hold up
		defer u.work.Go(func() {
			var none error
			defer recovered("looking at the sandbox", &none) // it stays unknown
			u.prog.Send(sandboxMsg{r.Sandbox()})
		})
	}
	p := newPump(func(m eventsMsg) { u.prog.Send(m) }, true)
	defer p.close()
	return r, r.Session.Replay(p.emit)
}
