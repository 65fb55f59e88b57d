package tui

import (
	"context"
	"fmt"

	"github.com/zuno-dev/zuno/internal/loop"
)

// A Room is what the conversation takes of the model's context.
type Room interface {
	// Context says so, a line each. It is called from any goroutine.
	Context() []string
	// Compact puts a summary in the place of the older part of the conversation;
	// focus says what is to be kept above all. It runs as a turn does.
	Compact(ctx context.Context, focus string, emit func(loop.Event)) error
}

// filling is how full the model's context is, as it was measured last.
type filling struct {
	used, window int  // tokens
	compacting   bool // a summary is being written
}

func (f *filling) apply(ev loop.Event) {
	switch ev := ev.(type) {
	case loop.Compacting:
		f.compacting = true
	case loop.Measured:
		*f = filling{used: ev.Used, window: ev.Window}
	case loop.Ended:
		f.compacting = false
	}
}

// word is what the status line says, "" when the window is not known.
func (f *filling) word() string {
	if f.window <= 0 || f.used <= 0 {
		return ""
	}
	return fmt.Sprintf("context %d %%", f.used*100/f.window)
}

// context prints what takes how much of the context.
func (s *screen) context(string) string {
	switch {
	case s.ready == nil:
		s.waiting = append(s.waiting, func() { s.hint = s.context("") })
		return ""
	case s.ready.Room == nil:
		return "this session does not know what its context holds"
	}
	s.paged("/context", s.columns(s.ready.Room.Context()))
	return ""
}

// compact has the older part of the conversation summarized.
func (s *screen) compact(focus string) string {
	switch {
	case s.ready == nil:
		s.waiting = append(s.waiting, func() { s.hint = s.compact(focus) })
		return ""
	case s.ready.Room == nil:
		return "this session cannot be compacted"
	case s.busy:
		return "a turn is running: stop it first (" + s.keys.escEsc(s.th) + "), or wait; zuno compacts by itself when the context is nearly full"
	}
	room := s.ready.Room
	s.run(prompt{work: func(ctx context.Context, emit func(loop.Event)) error { return room.Compact(ctx, focus, emit) }}, s.now())
	return ""
}
