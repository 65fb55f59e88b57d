// Package classifier judges the risk of one shell command with a small model.
// It fails closed: whatever is not exactly one of the two words that lower the
// risk, in time and complete, is high-risk. It can only inform a decision; that
// some commands need a person whatever it says is decided elsewhere.
package classifier

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// The bounds of one judgement.
const (
	// timeout is how long the model may take, its retries included.
	timeout = 8 * time.Second
	// maxCommand is the length of a command, in characters, over which the model
	// is not asked: the command counts as high-risk.
	maxCommand = 4000
	// maxRequests and maxEvidence bound what is shown of the user's messages:
	// how many, and how many characters in all.
	maxRequests, maxEvidence = 5, 800

	maxTokens   = 16
	maxReply    = 1024 // bytes streamed before the call is given up
	maxVerdicts = 256  // kept
)

// A Classifier asks one model. It is safe for concurrent use.
type Classifier struct {
	model llm.Model
	used  func(llm.Usage, time.Duration, error)

	mu       sync.Mutex            // guards verdicts
	verdicts map[string]tools.Risk // by prompt; only what a model answered
}

// New returns a Classifier that asks model, and judges everything high-risk
// when that is nil. It calls used, unless nil, after every call of the model,
// from the goroutine of Judge, with what the provider reported and how long it
// took.
func New(model llm.Model, used func(llm.Usage, time.Duration, error)) *Classifier {
	return &Classifier{model: model, used: used, verdicts: map[string]tools.Risk{}}
}

// Reset forgets the verdicts. Call it when a turn begins.
func (c *Classifier) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.verdicts)
}

// Judge returns ReadOnlyRisk, Low or High. The requests are the newest messages
// of the user, oldest first, and empty when nobody is at the keyboard; words of
// a model or of tools must not be among them. The same question is put to the
// model once until [Classifier.Reset], unless it failed to answer.
func (c *Classifier) Judge(ctx context.Context, command string, userRequests []string) tools.Risk {
	if c.model == nil || strings.TrimSpace(command) == "" || utf8.RuneCountInString(command) > maxCommand {
		return tools.High
	}
	p := prompt(command, userRequests)
	if r, ok := c.known(p); ok {
		return r
	}
	reply, ok := c.ask(ctx, p)
	if !ok {
		return tools.High
	}
	r := verdict(reply)
	c.remember(p, r)
	return r
}

// verdict accepts one exact word and nothing around it but white space.
func verdict(reply string) tools.Risk {
	switch strings.TrimSpace(reply) {
	case "read-only":
		return tools.ReadOnlyRisk
	case "low-risk":
		return tools.Low
	}
	return tools.High
}

// ask returns the reply to p, and false when there is no complete one.
func (c *Classifier) ask(ctx context.Context, p string) (string, bool) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	temperature := 0.0
	req := llm.Request{
		System: system, Messages: []*llm.Message{llm.UserText(p)},
		MaxTokens: maxTokens, Temperature: &temperature, Effort: "off",
	}
	streamed := 0
	begun := time.Now()
	m, err := c.model.Stream(ctx, req, func(d llm.Delta) {
		if d.Retry != nil {
			streamed = 0
		}
		if streamed += len(d.Text) + len(d.Thought); streamed > maxReply {
			cancel() // a server that ignores the bound on tokens
		}
	})
	if c.used != nil {
		c.used(m.Usage, time.Since(begun), err)
	}
	// A reply that was cut off may have gone on with a reservation.
	complete := err == nil && ctx.Err() == nil && m.Stop == llm.StopEnd && len(m.Calls()) == 0
	return m.Text(), complete
}

func (c *Classifier) known(p string) (tools.Risk, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.verdicts[p]
	return r, ok
}

func (c *Classifier) remember(p string, r tools.Risk) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.verdicts) >= maxVerdicts {
		clear(c.verdicts)
	}
	c.verdicts[p] = r
}
