// Package headless prints a session and answers its gate with "nobody is
// here". The answer goes to standard output and everything else to standard
// error, so that a script can use one without the other.
package headless

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// formatVersion is the v of every JSON object that is printed.
const formatVersion = 1

// A Format is what standard output carries.
type Format string

// The formats.
const (
	Text       Format = "text"        // the answer
	JSON       Format = "json"        // one Result
	StreamJSON Format = "stream-json" // one event a line, the last the Result
)

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case Text, JSON, StreamJSON:
		return f, nil
	}
	return "", fmt.Errorf("unknown output format %q (one of text, json, stream-json)", name)
}

// Nobody is the Asker of a session that nobody watches.
type Nobody struct{}

// Ask answers that nobody is here.
func (Nobody) Ask(context.Context, approval.Request) (approval.Answer, error) {
	return approval.Answer{}, approval.ErrNobody
}

// A Result is what one run came to.
type Result struct {
	V        int    `json:"v"`
	Type     string `json:"type,omitempty"` // "result" on the last line of stream-json
	Status   string `json:"status"`
	ExitCode int    `json:"exit_code"`
	Session  string `json:"session"`
	Text     string `json:"text"`
	Error    string `json:"error,omitempty"`
	Usage    Usage  `json:"usage"`
	// ClassifierUsage is kept apart from the conversation's.
	ClassifierUsage Usage `json:"classifier_usage"`
	// SubagentUsage is that of agents that were delegated to.
	SubagentUsage Usage        `json:"subagent_usage"`
	Tools         []ToolResult `json:"tools"`
}

// Usage is what model calls cost.
type Usage struct {
	llm.Usage
	Cost  float64 `json:"cost_usd"`
	Calls int     `json:"calls"`
	// Unreported is of how many calls the provider did not report the usage, or not to
	// its end: what is counted is what is known.
	Unreported int `json:"unreported,omitempty"`
}

// A ToolResult is how one call ended.
type ToolResult struct {
	ID            string         `json:"id"`
	Name          string         `json:"name"`
	RequestedName string         `json:"requested_name,omitempty"`
	Subject       string         `json:"subject"`
	Outcome       string         `json:"outcome"`
	BlockKind     string         `json:"block_kind,omitempty"`
	Reason        string         `json:"reason,omitempty"`
	Risk          string         `json:"risk"`
	Verdict       string         `json:"verdict,omitempty"`
	DecidedBy     string         `json:"decided_by"`
	ExitCode      *int           `json:"exit_code,omitempty"`
	Changes       []tools.Change `json:"changes,omitempty"`
	Truncated     bool           `json:"truncated,omitempty"`
	DurationMS    int64          `json:"duration_ms"`
}

// Options say how a run is printed.
type Options struct {
	Out, Err io.Writer
	Format   Format
	Session  string
	// Judge maps what happened to a status word and an exit code.
	Judge func(r *Result, err error) (status string, code int)
	// Explain, when not nil, adds to an error what can be done about it.
	Explain func(error) error
	Now     func() time.Time
}

// Run carries prompt through prompter and prints it as it goes. It returns the
// finished result; the error is one of writing.
func Run(ctx context.Context, prompter func(context.Context, string, func(loop.Event)) error, prompt string, o Options) (*Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := &printer{o: o, stop: cancel, result: &Result{V: formatVersion, Session: o.Session, Tools: []ToolResult{}}}
	err := prompter(ctx, prompt, p.event)
	p.result.Text = tools.Clean(strings.TrimRight(p.result.Text, "\n"))
	p.result.Status, p.result.ExitCode = o.Judge(p.result, err)
	p.finish(err)
	return p.result, p.failed
}

// Fail prints the result of a run that could not begin.
func Fail(err error, o Options) (*Result, error) {
	p := &printer{o: o, result: &Result{V: formatVersion, Session: o.Session, Tools: []ToolResult{}}}
	p.result.Status, p.result.ExitCode = o.Judge(p.result, err)
	p.finish(err)
	return p.result, p.failed
}

// A printer folds events into a result and prints them.
type printer struct {
	o      Options
	result *Result
	step   strings.Builder // the text of the current step
	seq    int
	failed error // the first error of writing
	stop   func(error)
}

func (p *printer) event(e loop.Event) {
	p.fold(e)
	switch p.o.Format {
	case StreamJSON:
		p.stream(e)
	default:
		p.note(e)
	}
}

// fold keeps the result. The answer is the text of the last step: what is said
// between calls is not part of it.
func (p *printer) fold(e loop.Event) {
	switch e := e.(type) {
	case loop.Delta:
		p.step.WriteString(e.Text)
		p.result.Text = p.step.String()
	case loop.Stepped:
		p.step.Reset()
		if e.Calls > 0 {
			p.result.Text = ""
		}
	case loop.Noticed:
		if e.Retry {
			p.step.Reset()
		}
	case loop.Settled:
		p.result.Tools = append(p.result.Tools, toolResult(e.Record))
	case loop.Used:
		u := &p.result.Usage
		switch e.Purpose {
		case "classifier":
			u = &p.result.ClassifierUsage
		case "subagent":
			u = &p.result.SubagentUsage
		}
		u.Usage, u.Cost, u.Calls = u.Add(e.Usage), u.Cost+e.Cost, u.Calls+1
		if e.Unreported {
			u.Unreported++
		}
	}
}

func toolResult(r tools.Record) ToolResult {
	o := r.Outcome
	t := ToolResult{
		ID: r.Call.ID, Name: r.Call.Tool, RequestedName: r.Call.Requested, Subject: tools.CleanLine(r.Summary),
		Outcome: o.Kind.String(), BlockKind: o.Block.String(), Reason: r.Decision.Reason, Risk: r.Risk.String(),
		DecidedBy: string(r.Decision.By), ExitCode: o.ExitCode, Changes: o.Changes, Truncated: o.Truncated,
		DurationMS: r.Took.Milliseconds(),
	}
	if r.Decision.Verdict != tools.Unknown {
		t.Verdict = r.Decision.Verdict.String()
	}
	if o.Kind == tools.Blocked && r.Decision.Allowed {
		// What was allowed is not what was found when it was to be carried out.
		t.Reason, t.DecidedBy = o.Text, string(o.Block.Source())
	}
	if t.DecidedBy == "" && o.Kind == tools.Cancelled {
		t.DecidedBy = string(tools.ByInterrupt)
	}
	return t
}

// note tells standard error, in one line, what a person would want to know.
func (p *printer) note(e loop.Event) {
	switch e := e.(type) {
	case loop.Noticed:
		p.print(p.o.Err, "zuno: "+tools.CleanLine(e.Text)+"\n")
	case loop.Settled:
		p.print(p.o.Err, receipt(e.Record)+"\n")
	}
}

func receipt(r tools.Record) string {
	t := toolResult(r)
	words := []string{fmt.Sprintf("%-9s", t.Outcome), fmt.Sprintf("%-11s", tools.CleanLine(tools.Clip(t.Name, 40))), t.Subject}
	if t.ExitCode != nil && *t.ExitCode != 0 {
		words = append(words, fmt.Sprintf("exit %d", *t.ExitCode))
	}
	if t.Outcome != "ok" {
		words = append(words, "· "+tools.CleanLine(tools.Clip(r.Outcome.Text, 300)))
	}
	return strings.TrimRight(strings.Join(words, " "), " ")
}

func (p *printer) finish(err error) {
	if err != nil {
		if p.o.Explain != nil {
			err = p.o.Explain(err)
		}
		p.result.Error = tools.Clean(err.Error())
	}
	switch p.o.Format {
	case Text:
		if p.result.Text != "" {
			p.print(p.o.Out, p.result.Text+"\n")
		}
	case StreamJSON:
		p.result.Type = "result"
		p.json(p.result)
	case JSON:
		p.json(p.result)
	}
	if p.result.Error != "" && p.o.Format == Text && p.failed == nil {
		p.print(p.o.Err, "zuno: "+strings.ReplaceAll(p.result.Error, "\n", "; ")+"\n")
	}
}

func (p *printer) json(v any) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		p.failed = err
		return
	}
	p.print(p.o.Out, b.String())
}

func (p *printer) print(w io.Writer, s string) {
	if _, err := io.WriteString(w, s); err != nil && p.failed == nil {
		p.failed = err
		if p.stop != nil {
			p.stop(err) // what nobody can read any more is not gone on with
		}
	}
}
