package watch

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/telemetry"
)

// Model returns m with its calls looked on at. Name is provider/model, and base
// its address, "" when it is the provider's own.
func (w *Watch) Model(m llm.Model, name, base string) llm.Model {
	if w == nil {
		return m
	}
	return &model{m, w, name, base}
}

type model struct {
	llm.Model
	watch      *Watch
	name, base string
}

// Stream answers a request; see [llm.Model].
func (m *model) Stream(ctx context.Context, req llm.Request, delta func(llm.Delta)) (llm.Message, error) {
	log := m.watch.log.With("session", req.CacheKey, "model", m.name)
	log.Info("model call", "messages", len(req.Messages), "tools", len(req.Tools), "effort", req.Effort)
	provider, id := split(m.name)
	span := m.watch.spans.Start("chat "+id, telemetry.Client, m.watch.of(req.CacheKey))
	span.Set(
		attr("gen_ai.operation.name", "chat"), attr("gen_ai.provider.name", provider),
		attr("gen_ai.request.model", id), attr("gen_ai.conversation.id", req.CacheKey),
	)
	m.server(span)
	began := time.Now()
	var first time.Duration
	retries := 0
	msg, err := m.Model.Stream(ctx, req, func(d llm.Delta) {
		switch {
		case d.Retry != nil:
			retries++
			log.Info("model call fails, is tried again", "attempt", d.Retry.Attempt, "of", d.Retry.Of, "wait", d.Retry.Wait, "error", d.Retry.Reason)
		case first == 0:
			first = time.Since(began)
		}
		if delta != nil {
			delta(d)
		}
	})
	u := msg.Usage
	attrs := []any{
		"ms", time.Since(began), "first_ms", first, "retries", retries, "calls", len(msg.Calls()), "stop", string(msg.Stop),
		"input", u.Input, "cache_read", u.CacheRead, "cache_write", u.CacheWrite, "output", u.Output,
	}
	span.Set(
		attr("gen_ai.usage.input_tokens", u.Input+u.CacheRead+u.CacheWrite), attr("gen_ai.usage.output_tokens", u.Output),
		attr("gen_ai.usage.cache_read.input_tokens", u.CacheRead), attr("gen_ai.usage.cache_creation.input_tokens", u.CacheWrite),
		attr("zuno.retries", retries),
	)
	if reason := finish(msg.Stop); reason != "" && err == nil {
		span.Set(attr("gen_ai.response.finish_reasons", []string{reason}))
	}
	if err != nil {
		attrs = append(attrs, "failed", failure(err), "error", err)
		var e *llm.Error
		if errors.As(err, &e) && e.Status != 0 {
			attrs = append(attrs, "status", e.Status)
			span.Set(attr("http.response.status_code", e.Status))
		}
		span.Fail(failure(err))
	}
	log.Info("model answered", attrs...)
	span.End()
	return msg, err
}

// server says where the model is, where that is configured.
func (m *model) server(span *telemetry.Span) {
	u, err := url.Parse(m.base)
	if err != nil || u.Host == "" {
		return
	}
	span.Set(attr("server.address", u.Hostname()))
	if port, err := strconv.Atoi(u.Port()); err == nil {
		span.Set(attr("server.port", port))
	}
}

// finish is a stop reason in the words that are usual elsewhere.
func finish(s llm.Stop) string {
	switch s {
	case llm.StopEnd:
		return "stop"
	case llm.StopCalls:
		return "tool_calls"
	case llm.StopRefusal:
		return "content_filter"
	case llm.StopFull:
		return "length"
	}
	return string(s)
}
