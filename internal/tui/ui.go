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

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A Session is the conversation behind the screen. One of its methods runs at a
// time, on a goroutine of the UI.
type Session interface {
	Prompt(ctx context.Context, text string, emit func(loop.Event)) error
	Shell(ctx context.Context, command string, emit func(loop.Event)) error
	Replay(emit func(loop.Event)) error
	// Admit says which messages of the Queue the next Prompt or Shell takes up.
	Admit(ids ...int64)
}

// Ready is what the start of a session leads to.
type Ready struct {
	Session Session
	Gate    *approval.Gate
	// Model, Branch, Dir and Agent are shown; empty ones are not.
	Model, Branch, Dir, Agent string
	// Sandbox says what commands are confined to. It is called once, on a goroutine
	// of its own: to find out takes longer than to open a session. Nil for nothing.
	Sandbox func() string
	// Effort is how hard the model was asked to think, "" when it was not.
	Effort string
	// Models are those that the session can go on with; nil when it cannot change.
	Models Models
	// Root is the workspace, which a card names as where things happen.
	Root    string
	Notices []string
	// Prompt, when not "", is submitted at once.
	Prompt string
	// Permissions says, a line each, what runs without asking, Trust what
	// the folder brings along and whether it acts, Skills the skills there are,
	// Memory what sessions are told, Agents who there is and what they do, and Work
	// the plan, the todo list or the goal; the last three take what was typed behind
	// the command, which may change something.
	// Complete returns the paths that begin with the word of a command line. All
	// of them may read files and are called from goroutines of the UI's; nil means
	// that there is no such thing.
	Permissions func() ([]string, error)
	Trust       func() ([]string, error)
	Skills      func() ([]string, error)
	Memory      func(arg string) ([]string, error)
	Agents      func(arg string) ([]string, error)
	Work        func(part, arg string) ([]string, error)
	Complete    func(word string) []string
	// Difference compares the files with the last commit, for /diff; it is called from
	// goroutines of the UI's. Nil means that there is no such thing.
	Difference func() (Difference, error)
	// Pages prints what /tools, /config, /mcp and /doctor show; it may read files and is
	// called from goroutines of the UI's. Jobs returns the commands of the
	// background, then the agents that work there, each the oldest first, at once
	// and whenever the screen is drawn. Nil means that there is no such thing.
	Pages func(name, arg string) ([]string, error)
	Jobs  func() []Job
	// Commands are the / commands that the session knows beside those of the
	// screen. More are those that come and go: it is asked whenever they are
	// needed, and answers at once; nil means that there are none.
	Commands []Command
	More     func() []Command
	// Init says why /init, which the session knows as a prompt, cannot be used now,
	// "" when it can, from memory. Nil where it never can.
	Init func() string
	// Active names the agent and the model of the next prompt, from memory; nil
	// where they stay as they were.
	Active func() (agent, model string)
	// Queue keeps messages that wait, and Waiting are those of before; nil when
	// they are only in memory.
	Queue   Queue
	Waiting []Waiting
	// History is what was sent in this workspace, oldest first, and Remember adds
	// to it. Files lists the paths that @ offers, relative to Root. Picture says
	// how a picture that was dropped is mentioned and shown, or why it cannot be
	// sent. All but History may read files and are called from goroutines of the
	// UI's; nil means that there is no such thing.
	History  []string
	Remember func(text string)
	Files    func() ([]string, error)
	Picture  func(path string) (mention, label string, err error)
	// Elsewhere returns what was sent in other workspaces, oldest first. It reads
	// files and is called from goroutines of the UI's; nil when nobody knows.
	Elsewhere func() ([]string, error)
	// Past is what can be taken back; nil when nothing can.
	Past Past
	// Doubts are the calls that may have happened, and InDoubt how many there are
	// at the start. Nil when there is no record.
	Doubts  Doubts
	InDoubt int
	// Sessions is what can be done with this session and others; nil when it is
	// not kept. Title is this one's, "" when it has none.
	Sessions Sessions
	Title    string
	// Room is what the conversation takes of the model's context; nil when nobody
	// knows.
	Room Room
	// Close ends the session; it is called once, after the last turn. Nil when
	// there is nothing to close.
	Close func() error
	// Offer, when not nil, stands in the place of a session: there is none yet,
	// and the person is asked what to do.
	Offer *Offer
}

// An Offer is a question put at the start, such as what to do without a
// configured model.
type Offer struct {
	Title, Text string
	// Exact is what the question is about, shown below the text to the last
	// character, whatever its kinds.
	Exact []tools.Section
	// Choices are the rows. One with Write asks for a line that is a secret, such
	// as a key: it is not shown, and Choose gets it behind the ID and a colon.
	Choices []tools.Option
	// Whole is the ID of the choice that is taken only once all of Exact was in
	// sight; "" for none.
	Whole string
	// Choose carries the choice out; it runs where Boot does. Its result may be
	// another offer. ErrLeave ends the UI without an error.
	Choose func(ctx context.Context, id string) (Ready, error)
}

// ErrLeave is the error of an Offer's choice to leave.
var ErrLeave = errors.New("leave")

// Options is what a UI is made of.
type Options struct {
	In  io.Reader // a terminal
	Out io.Writer // a terminal
	Env []string  // as of os.Environ
	// Version is shown in the header.
	Version string
	// Boot opens the session. It runs after the first frame was drawn, while the
	// person can type already. Its error ends Run.
	Boot func(ctx context.Context, asker approval.Asker) (Ready, error)
	// Advise adds to the error that ended a turn what the person can do about it;
	// nil adds nothing.
	Advise func(error) error
	// Policy is shown until the session's gate is there; a change that the person
	// makes before goes to the gate.
	Policy approval.Policy
	// Prompt, when not "", is submitted as soon as the session is ready.
	Prompt string
	// Theme is how it looks, the zero value as ansi does. Themes returns all that
	// there are, by reading their files; nil means that only those built in are.
	Theme  Palette
	Themes func() ([]Palette, error)
	UI     Appearance
	Notify Notify
	// Keys are the keys of commands, by name, in the place of the usual ones; see
	// [CheckKeys].
	Keys map[string][]string
	// Vim has the composer understand the commands of vi.
	Vim bool
	// Editor lets the person edit a text with a program of their choice, which has
	// the terminal meanwhile, and returns what became of it. Nil when there is
	// none.
	Editor func(text string) (string, error)
}

// An Appearance is what of the screen can be chosen.
type Appearance struct {
	Background string // dark or light; otherwise the terminal is asked
	// Title lets the terminal's title say where zuno works and what it does.
	Title bool
	// Compact leaves out what receipts show of calls that went well, and empty
	// rows.
	Compact bool
	// Still keeps marks from moving.
	Still bool
	// Reader is for a screen that is read aloud: lines, one an event, and no
	// movement of the cursor.
	Reader bool
}

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
