package headless

import (
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A line is one event of stream-json. Which fields it has depends on its type.
type line struct {
	V       int       `json:"v"`
	Seq     int       `json:"seq"`
	TS      time.Time `json:"ts"`
	Session string    `json:"session"`
	Type    string    `json:"type"`

	ID       string          `json:"id,omitempty"`
	Name     string          `json:"name,omitempty"`
	Text     string          `json:"text,omitempty"`
	Retry    bool            `json:"retry,omitempty"` // of noticed: the deltas of this answer so far do not count
	Subject  string          `json:"subject,omitempty"`
	Risk     string          `json:"risk,omitempty"`
	Effect   string          `json:"effect,omitempty"`
	Preview  []tools.Section `json:"preview,omitempty"`
	Why      string          `json:"why,omitempty"`
	Verdict  string          `json:"verdict,omitempty"`
	Allowed  *bool           `json:"allowed,omitempty"`
	By       string          `json:"decided_by,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Bytes    int64           `json:"bytes,omitempty"`
	Tool     *ToolResult     `json:"tool,omitempty"`
	Purpose  string          `json:"purpose,omitempty"`
	Model    string          `json:"model,omitempty"`
	Usage    *llm.Usage      `json:"usage,omitempty"`
	Cost     float64         `json:"cost_usd,omitempty"`
	Unknown  bool            `json:"unreported,omitempty"` // of used
	Error    string          `json:"error,omitempty"`
	Duration int64           `json:"duration_ms,omitempty"`
}

// stream prints e as one line, when it has one.
func (p *printer) stream(e loop.Event) {
	l := line{V: formatVersion, TS: p.o.Now().UTC(), Session: p.o.Session}
	switch e := e.(type) {
	case loop.Prompted:
		l.Type, l.Text = "prompted", e.Text
	case loop.Delta:
		l.Type, l.Text = "delta", e.Text
	case loop.Thought:
		l.Type, l.Text = "thought", e.Text
	case loop.Proposed:
		s := e.Proposal.Spec
		l.Type, l.ID, l.Name, l.Subject, l.Preview = "proposed", e.Call.ID, e.Call.Tool, e.Proposal.Summary, e.Proposal.Preview
		l.Risk, l.Effect = s.Risk.String(), s.Effect.String()
	case loop.Asked:
		l.Type, l.ID, l.Name, l.Why = "asked", e.Call.ID, e.Call.Tool, e.Request.Why
	case loop.Classified:
		l.Type, l.ID, l.Verdict = "classified", e.Call.ID, e.Verdict.String()
	case loop.Decided:
		l.Type, l.ID, l.Allowed, l.By, l.Reason = "decided", e.Call.ID, &e.Decision.Allowed, string(e.Decision.By), e.Decision.Reason
	case loop.Started:
		l.Type, l.ID = "started", e.Call.ID
	case loop.Progress:
		l.Type, l.ID, l.Text, l.Bytes = "progress", e.Call.ID, e.Progress.Text, e.Progress.Bytes
	case loop.Settled:
		t := toolResult(e.Record)
		l.Type, l.ID, l.Tool, l.Text = "settled", e.Record.Call.ID, &t, e.Record.Outcome.Text
	case loop.Noticed:
		l.Type, l.Text, l.Retry = "noticed", e.Text, e.Retry
	case loop.Used:
		l.Type, l.Purpose, l.Model, l.Usage, l.Cost, l.Duration = "used", e.Purpose, e.Model, &e.Usage, e.Cost, e.Took.Milliseconds()
		l.Unknown, l.Error = e.Unreported, e.Failure
	case loop.Ended:
		l.Type, l.Duration = "ended", e.Took.Milliseconds()
		if e.Err != nil {
			l.Error = e.Err.Error()
		}
	default: // Stepped and Classifying say nothing that a script needs
		return
	}
	p.seq++
	l.Seq = p.seq
	p.json(l)
}
