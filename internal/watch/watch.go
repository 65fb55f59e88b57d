// Package watch looks on at what zuno does, for the debug log and for telemetry:
// turns, model calls, the requests behind them, and how far each call of a tool
// gets. It passes everything on as it is, decides nothing, and takes no text of
// a conversation, no argument, no output and no header along.
package watch

import (
	"log/slog"
	"slices"
	"sync"

	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/telemetry"
)

// A Watch looks on. A nil one sees nothing and costs nothing. It may be used
// from any goroutine.
type Watch struct {
	log   *slog.Logger
	spans *telemetry.Exporter

	mu    sync.Mutex // guards what follows
	turns []*turn    // that run, the newest last
}

// New returns a Watch that writes to log and makes spans, either of which may
// be nil; it is nil when both are.
func New(log *slog.Logger, spans *telemetry.Exporter) *Watch {
	if log == nil && spans == nil {
		return nil
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Watch{log: log, spans: spans}
}

// Note logs something that happened.
func (w *Watch) Note(what string, attrs ...any) {
	if w != nil {
		w.log.Info(what, attrs...)
	}
}

// A Session says whose turn it is.
type Session struct {
	ID, Agent, Model string
	// Parent is the session that delegated, and Call its call; "" for none.
	Parent, Call string
}

// Turn looks on at one turn, which begins now. It returns emit for the turn's
// events, the last of which is Ended.
func (w *Watch) Turn(s Session, emit func(loop.Event)) func(loop.Event) {
	if w == nil {
		return emit
	}
	t := w.begin(s)
	return func(e loop.Event) {
		t.event(e)
		if _, is := e.(loop.Ended); is {
			w.end(t)
		}
		emit(e)
	}
}

// begin puts a turn among those that run.
func (w *Watch) begin(s Session) *turn {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := &turn{
		of: s, log: w.log.With("session", s.ID), calls: map[string]*telemetry.Span{}, from: w.spans,
		span: w.spans.Start("invoke_agent "+s.Agent, telemetry.Internal, w.above(s)),
	}
	provider, model := split(s.Model)
	t.span.Set(
		attr("gen_ai.operation.name", "invoke_agent"), attr("gen_ai.agent.name", s.Agent),
		attr("gen_ai.conversation.id", s.ID), attr("gen_ai.provider.name", provider),
		attr("gen_ai.request.model", model),
	)
	t.log.Info("turn begins", "agent", s.Agent, "model", s.Model, "parent", s.Parent, "call", clip(s.Call))
	w.turns = append(w.turns, t)
	return t
}

// above returns the span of the call that delegated, else that of its turn; nil
// where there is neither. w.mu is held.
func (w *Watch) above(s Session) *telemetry.Span {
	for _, t := range slices.Backward(w.turns) {
		if s.Parent != "" && t.of.ID == s.Parent {
			if c := t.call(s.Call); c != nil {
				return c
			}
			return t.span
		}
	}
	return nil
}

func (w *Watch) end(t *turn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.turns = slices.DeleteFunc(w.turns, func(o *turn) bool { return o == t })
}

// of returns the span of the turn that a request of a session belongs to. One
// that names no session, as the classifier's, is taken to be the newest turn's.
func (w *Watch) of(session string) *telemetry.Span {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range slices.Backward(w.turns) {
		if t.of.ID == session || session == "" {
			return t.span
		}
	}
	return nil
}
