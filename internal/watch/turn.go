package watch

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/telemetry"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A turn is one that runs.
type turn struct {
	of   Session
	log  *slog.Logger
	from *telemetry.Exporter
	span *telemetry.Span

	mu    sync.Mutex                 // guards calls
	calls map[string]*telemetry.Span // that have started, by ID
}

func (t *turn) call(id string) *telemetry.Span {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.calls[id]
}

// event looks at one event. Texts are counted, not kept.
func (t *turn) event(e loop.Event) {
	switch e := e.(type) {
	case loop.Prompted:
		t.log.Info("prompt", "bytes", len(e.Text), "operator", e.Operator, "steers", e.Steers)
	case loop.Stepped:
		t.log.Info("message complete", "calls", e.Calls)
	case loop.Proposed:
		t.step("proposed", e.Call, "effect", e.Proposal.Spec.Effect.String(), "risk", e.Proposal.Spec.Risk.String(), "argument_bytes", len(e.Call.Args))
	case loop.Revised:
		t.step("rewritten", e.Call)
	case loop.Classifying:
		t.step("classifying", e.Call)
	case loop.Classified:
		t.step("classified", e.Call, "verdict", e.Verdict.String())
	case loop.Asked:
		t.step("asked about", e.Call, "by", string(e.Request.By))
	case loop.Decided:
		t.step("decided", e.Call, "allowed", e.Decision.Allowed, "by", string(e.Decision.By))
	case loop.Started:
		t.step("started", e.Call)
		t.started(e.Call)
	case loop.Settled:
		t.settled(e.Record)
	case loop.Noticed:
		t.log.Info("notice", "bytes", len(e.Text), "retry", e.Retry)
	case loop.Used:
		t.log.Info("tokens used", "purpose", e.Purpose, "model", e.Model, "input", e.Usage.Input, "cache_read", e.Usage.CacheRead,
			"cache_write", e.Usage.CacheWrite, "output", e.Usage.Output, "ms", e.Took)
	case loop.Compacting:
		t.log.Info("summary begins")
	case loop.Measured:
		t.log.Info("context", "used", e.Used, "window", e.Window)
	case loop.Ended:
		t.ended(e)
	}
}

func (t *turn) step(what string, c tools.Call, attrs ...any) {
	t.log.Info("call "+what, append([]any{"call", clip(c.ID), "tool", clip(c.Tool)}, attrs...)...)
}

func (t *turn) started(c tools.Call) {
	span := t.from.Start("execute_tool "+c.Tool, telemetry.Internal, t.span)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls[c.ID] = span
}

// settled ends the span of a call. One that never ran has a span without length,
// so that what was refused is seen too.
func (t *turn) settled(r tools.Record) {
	o := r.Outcome
	t.step("settled", r.Call, "outcome", o.Kind.String(), "block", o.Block.String(), "by", string(r.Decision.By),
		"ms", r.Took, "result_bytes", len(o.Text), "truncated", o.Truncated, "changes", len(o.Changes))
	t.mu.Lock()
	span := t.calls[r.Call.ID]
	delete(t.calls, r.Call.ID)
	t.mu.Unlock()
	name := r.Call.Tool
	if o.Block == tools.Unavailable {
		name = "unknown" // the model's word, which may be anything
	}
	if span == nil {
		span = t.from.Start("execute_tool "+name, telemetry.Internal, t.span)
	}
	span.Set(
		attr("gen_ai.operation.name", "execute_tool"), attr("gen_ai.tool.name", name),
		attr("gen_ai.tool.call.id", clip(r.Call.ID)), attr("gen_ai.tool.type", "function"),
		attr("gen_ai.conversation.id", t.of.ID),
		attr("zuno.call.outcome", o.Kind.String()), attr("zuno.call.block", o.Block.String()),
		attr("zuno.call.decided_by", string(r.Decision.By)), attr("zuno.call.risk", r.Risk.String()),
	)
	if o.Kind == tools.Error || o.Kind == tools.Uncertain {
		span.Fail(o.Kind.String())
	}
	span.End()
}

func (t *turn) ended(e loop.Ended) {
	attrs := []any{"ms", e.Took}
	if e.Err != nil {
		attrs = append(attrs, "failed", failure(e.Err), "error", e.Err)
		t.span.Fail(failure(e.Err))
	}
	t.log.Info("turn ended", attrs...)
	t.mu.Lock()
	for _, span := range t.calls { // whose outcome could not be recorded
		span.Fail("unrecorded")
		span.End()
	}
	clear(t.calls)
	t.mu.Unlock()
	t.span.End()
}

// failure is an error in one word.
func failure(err error) string {
	var model *llm.Error
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.As(err, &model):
		return model.Kind.String()
	case errors.Is(err, loop.ErrStepLimit):
		return "step_limit"
	}
	return "_OTHER" // the word of the conventions for what has no word
}

// split returns the two halves of provider/model. The names of providers are
// those of the conventions where they have one.
func split(name string) (provider, model string) {
	provider, model, _ = strings.Cut(name, "/")
	if provider == "google" {
		provider = "gcp.gemini"
	}
	return provider, model
}

// clip bounds a name that a model wrote.
func clip(s string) string { return tools.CleanLine(tools.Clip(s, 64)) }

func attr(key string, value any) telemetry.Attr { return telemetry.Attr{Key: key, Value: value} }
