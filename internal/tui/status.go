package tui

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/approval"
)

// status is the last row: the policy, always; then as much as fits, the most
// important first.
func (s *screen) status(w int) string {
	policy := s.policy.String()
	row := s.th.accent.render(policy)
	switch s.policy {
	case approval.Yolo:
		policy = " yolo: everything runs, nothing is asked "
		if width(policy) > w {
			policy = "yolo"
		}
		row = s.th.loud.render(policy)
	case approval.HighRisk:
		row = s.th.warn.render(policy)
	}
	used := width(policy)
	for _, part := range s.facts() {
		text := s.th.glyph.dot + part
		if part == s.th.glyph.shiftTab {
			text = " " + part
		}
		if used+width(text) > w {
			continue
		}
		used += width(text)
		row += s.th.muted.render(text)
	}
	return row
}

// facts are the parts of the status behind the policy.
func (s *screen) facts() []string {
	parts := []string{s.th.glyph.shiftTab}
	if s.doubts > 0 {
		parts = append(parts, fmt.Sprintf("%s %d uncertain (/uncertain)", s.th.glyph.uncertain, s.doubts))
	}
	if n := len(s.queue.list); n > 0 {
		parts = append(parts, fmt.Sprintf("queued %d", n))
	}
	if r := s.ready; r != nil {
		for _, p := range []string{r.agentWord(), r.Model, r.Sandbox, r.Branch} {
			if p != "" {
				parts = append(parts, plainLine(p))
			}
		}
	}
	t := &s.script
	if word := t.filling.word(); word != "" {
		parts = append(parts, word)
	}
	if n := t.usage.Input + t.usage.CacheRead + t.usage.CacheWrite + t.usage.Output; n > 0 {
		parts = append(parts, tokensWord(n))
	}
	if t.cost > 0 {
		parts = append(parts, money(t.cost))
	}
	return parts
}

// agentWord is the agent, where it is not the usual one.
func (r *Ready) agentWord() string {
	if r.Active == nil || r.Agent == "build" {
		return ""
	}
	return r.Agent
}

// money prints US dollars with as many digits as say something.
func money(d float64) string {
	if d < 0.01 {
		return strings.TrimRight(fmt.Sprintf("$%.4f", d), "0")
	}
	return fmt.Sprintf("$%.2f", d)
}
