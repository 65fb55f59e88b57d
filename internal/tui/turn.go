package tui

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/zuno-dev/zuno/internal/loop"
)

// eventsMsg carries events to the screen, in order.
type eventsMsg struct {
	events []loop.Event
	replay bool
}

// turnDoneMsg says that a turn is over and all of its events were delivered.
type turnDoneMsg struct {
	prompt prompt
	err    error
}

// A pump carries events from the goroutine of a turn to the screen. The turn
// never waits for the screen: what comes meanwhile is collected, and pieces of
// text that follow each other are joined.
type pump struct {
	send   func(eventsMsg)
	replay bool

	mu     sync.Mutex // guards what follows
	events []loop.Event
	text   []byte          // of the last event, when that is a Delta or a Thought
	waits  []chan struct{} // closed when all before was delivered

	closed bool

	wake chan struct{}
	done chan struct{}
}

func newPump(send func(eventsMsg), replay bool) *pump {
	p := &pump{send: send, replay: replay, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go p.run()
	return p
}

// emit takes an event; the turn's goroutine calls it.
func (p *pump) emit(ev loop.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return // the turn is over
	}
	p.add(ev)
	p.poke()
}

func (p *pump) poke() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *pump) add(ev loop.Event) {
	n := len(p.events)
	switch ev := ev.(type) {
	case loop.Delta:
		if n > 0 {
			if _, ok := p.events[n-1].(loop.Delta); ok {
				p.text = append(p.text, ev.Text...)
				return
			}
		}
		p.seal()
		p.text = append(p.text, ev.Text...)
	case loop.Thought:
		if n > 0 {
			if _, ok := p.events[n-1].(loop.Thought); ok {
				p.text = append(p.text, ev.Text...)
				return
			}
		}
		p.seal()
		p.text = append(p.text, ev.Text...)
	case loop.Progress:
		p.seal()
		if n > 0 {
			if last, ok := p.events[n-1].(loop.Progress); ok && last.Call.ID == ev.Call.ID {
				p.events[n-1] = ev
				return
			}
		}
	default:
		p.seal()
	}
	p.events = append(p.events, ev)
}

// seal writes the collected text into the event it belongs to.
func (p *pump) seal() {
	if len(p.text) == 0 {
		return
	}
	last := len(p.events) - 1
	switch p.events[last].(type) {
	case loop.Delta:
		p.events[last] = loop.Delta{Text: string(p.text)}
	case loop.Thought:
		p.events[last] = loop.Thought{Text: string(p.text)}
	}
	p.text = p.text[:0]
}

// drain waits until everything emitted so far was delivered.
func (p *pump) drain() {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	w := make(chan struct{})
	p.waits = append(p.waits, w)
	p.poke()
	p.mu.Unlock()
	<-w
}

// close delivers what is left and waits.
func (p *pump) close() {
	p.mu.Lock()
	p.closed = true
	close(p.wake)
	p.mu.Unlock()
	<-p.done
}

func (p *pump) run() {
	defer close(p.done)
	for open := true; open; {
		_, open = <-p.wake
		p.mu.Lock()
		p.seal()
		events, waits := p.events, p.waits
		p.events, p.waits = nil, nil
		p.mu.Unlock()
		if len(events) > 0 {
			p.send(eventsMsg{events, p.replay})
		}
		for _, w := range waits {
			close(w)
		}
	}
}

// carry carries out one turn and reports its end. A panic in the turn is an error
// of the turn: the terminal and the session outlive it.
func (u *UI) carry(ctx context.Context, s Session, p prompt) {
	pump := newPump(func(m eventsMsg) { u.prog.Send(m) }, false)
	u.pump.Store(pump)
	err := u.turn(ctx, s, p, func(e loop.Event) {
		u.note(e)
		pump.emit(e)
	})
	u.pump.Store(nil)
	pump.close()
	u.prog.Send(turnDoneMsg{p, err})
}

// note keeps what settles when there is no screen any more to draw it.
func (u *UI) note(e loop.Event) {
	settled, ok := e.(loop.Settled)
	if !ok {
		return
	}
	select {
	case <-u.gone:
		u.late = append(u.late, settled.Record)
	default:
	}
}

// printLate prints the receipts of what settled after the screen was gone.
func (u *UI) printLate() {
	for _, rec := range u.late {
		rows := receipt{th: u.scr.th, w: max(20, u.scr.w-1), rec: rec}.rows()
		_, _ = io.WriteString(u.opts.Out, strings.Join(rows, "\n")+"\n") // nobody is left to tell
	}
}

func (u *UI) turn(ctx context.Context, s Session, p prompt, emit func(loop.Event)) (err error) {
	defer recovered("the turn", &err)
	if p.id != 0 {
		s.Admit(p.id)
	}
	switch {
	case p.work != nil:
		return p.work(ctx, emit)
	case p.operator:
		return s.Shell(ctx, p.text, emit)
	}
	return s.Prompt(ctx, p.text, emit)
}

// recovered turns a panic into an error.
func recovered(what string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s broke off: %v (this is a bug in zuno; please report it)", what, r)
	}
}
