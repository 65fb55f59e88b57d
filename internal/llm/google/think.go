package google

import (
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
)

type thinking struct {
	Include bool   `json:"includeThoughts"`
	Level   string `json:"thinkingLevel,omitempty"`
	Budget  *int   `json:"thinkingBudget,omitempty"`
}

// counted models take a budget of tokens for thinking, later ones a level.
func (m *model) counted() bool { return strings.Contains(m.e.Model, "gemini-2") }

// older models ask for no signatures. What is not known is newer.
func (m *model) older() bool {
	return m.counted() || strings.Contains(m.e.Model, "gemini-1") || strings.Contains(m.e.Model, "gemma")
}

// think sets how much the model thinks. Only the smaller 2.5 models can be
// told not to. https://ai.google.dev/gemini-api/docs/thinking
func (m *model) think(c *config, req llm.Request) {
	if !m.e.Info.Reasoning {
		return
	}
	c.Thinking = &thinking{Include: true}
	switch {
	case req.Effort == "":
	case m.counted():
		b := llm.ReasoningBudget(req.Effort)
		if req.Effort == "off" {
			c.Thinking.Include = false
			if strings.Contains(m.e.Model, "pro") {
				b = 128
			}
		}
		c.Thinking.Budget = &b
	case req.Effort == "off":
		c.Thinking = &thinking{Level: "low"}
	default:
		c.Thinking.Level = req.Effort
	}
	canStop := m.counted() && !strings.Contains(m.e.Model, "pro")
	if req.Effort == "off" && !canStop && req.MaxTokens > 0 {
		c.MaxTokens += llm.ReasoningRoom
	}
}
