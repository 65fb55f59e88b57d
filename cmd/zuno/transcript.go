package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A transcript is what was said and done in a session, in order.
type transcript struct {
	V       int             `json:"v"`
	Session transcriptOf    `json:"session"`
	Usage   []purposeSum    `json:"usage"`
	Items   []transcriptRow `json:"items"`
}

type transcriptOf struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Dir    string `json:"dir"`
	Branch string `json:"branch,omitempty"`
	Forked string `json:"forked_from,omitempty"`
	Model  string `json:"model"`
	Agent  string `json:"agent"`
}

// A transcriptRow is one of prompt, operator (a command that the person typed),
// answer, notice and call.
type transcriptRow struct {
	Type string          `json:"type"`
	Text string          `json:"text,omitempty"`
	Call *transcriptCall `json:"call,omitempty"`
}

type transcriptCall struct {
	ID      string          `json:"id"`
	Tool    string          `json:"tool"`
	Subject string          `json:"subject"`
	Args    json.RawMessage `json:"args,omitempty"`
	Was     json.RawMessage `json:"asked_args,omitempty"` // where a person changed them
	// State is how far a call got that has no outcome yet: another zuno has it.
	State     string         `json:"state,omitempty"`
	Outcome   string         `json:"outcome,omitempty"`
	Block     string         `json:"block_kind,omitempty"`
	DecidedBy string         `json:"decided_by,omitempty"`
	Reason    string         `json:"reason,omitempty"`
	Verdict   string         `json:"verdict,omitempty"`
	ExitCode  *int           `json:"exit_code,omitempty"`
	Changes   []tools.Change `json:"changes,omitempty"`
	TookMS    int64          `json:"duration_ms"`
	Result    string         `json:"result"`
}

// transcribe folds a stored session as a front end would.
func transcribe(m store.Meta, past store.Past, spent []store.Spent) (transcript, error) {
	t := transcript{1, transcriptOf{m.ID, m.Title, m.Dir, m.Branch, m.Forked, m.Model, m.Agent}, purposes(spent), []transcriptRow{}}
	add := func(kind, text string) {
		last := len(t.Items) - 1
		if kind == "answer" && last >= 0 && t.Items[last].Type == kind {
			t.Items[last].Text += text
			return
		}
		t.Items = append(t.Items, transcriptRow{Type: kind, Text: text})
	}
	err := loop.New(loop.Config{History: past.Messages, Records: past.Records}).Replay(func(e loop.Event) {
		switch e := e.(type) {
		case loop.Prompted:
			add(map[bool]string{true: "operator", false: "prompt"}[e.Operator], e.Text)
		case loop.Delta:
			add("answer", e.Text)
		case loop.Noticed:
			add("notice", e.Text)
		case loop.Settled:
			t.Items = append(t.Items, transcriptRow{Type: "call", Call: callRow(e.Record)})
		}
	})
	return t, err
}

func callRow(r tools.Record) *transcriptCall {
	c := &transcriptCall{
		ID: r.Call.ID, Tool: r.Call.Tool, Subject: r.Summary, Outcome: r.Outcome.Kind.String(), Block: r.Outcome.Block.String(),
		DecidedBy: string(r.Decision.By), Reason: r.Decision.Reason, ExitCode: r.Outcome.ExitCode, Changes: r.Outcome.Changes,
		TookMS: r.Took.Milliseconds(), Result: r.Outcome.Text,
	}
	if r.State != tools.Settled && r.State != "" {
		c.State, c.Outcome, c.Block = string(r.State), "", ""
	}
	if json.Valid(r.Call.Args) {
		c.Args = r.Call.Args
	}
	if json.Valid(r.Was) {
		c.Was = r.Was
	}
	if r.Decision.Verdict != tools.Unknown {
		c.Verdict = r.Decision.Verdict.String()
	}
	return c
}

// receipt is a call as one line.
func (c *transcriptCall) receipt() string {
	parts := []string{cmp.Or(c.Outcome, "no outcome yet ("+c.State+")"), c.Tool, c.Subject}
	if c.Block != "" {
		parts[0] += " (" + c.Block + ")"
	}
	line := strings.TrimSpace(strings.Join(parts, "  "))
	if d := did(c.ExitCode, c.Changes, time.Duration(c.TookMS)*time.Millisecond); d != "" {
		line += "  " + d
	}
	if c.Was != nil && !strings.Contains(c.Reason, "changed by you") {
		line += "  (changed by you)"
	}
	if c.DecidedBy != "" {
		reason := c.Reason
		if c.Outcome == tools.Blocked.String() && strings.TrimSpace(reason) == strings.TrimSpace(c.Result) {
			reason = "" // it stands below
		}
		line += "  [" + who(c.DecidedBy, reason, c.Verdict) + "]"
	}
	return tools.CleanLine(line)
}

// did says what a call did, as far as that is known.
func did(exit *int, changes []tools.Change, took time.Duration) string {
	var parts []string
	if exit != nil {
		parts = append(parts, fmt.Sprintf("exit %d", *exit))
	}
	for _, c := range changes {
		parts = append(parts, fmt.Sprintf("%s %s +%d -%d", c.Kind, tools.CleanLine(c.Path), c.Added, c.Removed))
	}
	if took > 0 {
		parts = append(parts, took.Round(time.Millisecond).String())
	}
	return strings.Join(parts, " · ")
}

// who says who decided, why and on which evidence.
func who(by, reason, verdict string) string {
	s := "by " + by
	if by == string(tools.ByStale) {
		s = "nobody was asked"
	}
	if reason != "" {
		s += ": " + reason
	}
	if verdict != "" {
		s += "; judged " + verdict
	}
	return s
}

// text is the transcript for a terminal.
func (t transcript) text() string {
	var b strings.Builder
	s := t.Session
	b.WriteString("session " + s.ID)
	for _, v := range []string{s.Title, s.Dir, s.Branch, s.Model, prefixed("forked from ", s.Forked)} {
		if v != "" {
			b.WriteString("\n" + tools.CleanLine(v))
		}
	}
	b.WriteString("\n")
	last := ""
	for _, i := range t.Items {
		if i.Type != last || i.Type != "call" {
			b.WriteString("\n")
		}
		last = i.Type
		switch i.Type {
		case "prompt":
			b.WriteString(indent("> ", i.Text))
		case "operator":
			b.WriteString(indent("! ", i.Text))
		case "notice":
			b.WriteString(indent("* ", i.Text))
		case "answer":
			b.WriteString(tools.Clean(strings.TrimSpace(i.Text)) + "\n")
		case "call":
			b.WriteString(i.Call.receipt() + "\n")
			if i.Call.Outcome != "ok" && i.Call.Result != "" {
				b.WriteString(indent("    ", tools.Clip(i.Call.Result, 2000)))
			}
		}
	}
	return b.String()
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func indent(with, s string) string {
	return with + strings.ReplaceAll(tools.Clean(strings.TrimSpace(s)), "\n", "\n"+strings.Repeat(" ", len(with))) + "\n"
}

// markdown is the transcript with what each call was asked for and returned.
func (t transcript) markdown() string {
	var b strings.Builder
	s := t.Session
	title := s.Title
	if title == "" {
		title = "Session " + s.ID
	}
	fmt.Fprintf(&b, "# %s\n\n", tools.CleanLine(title))
	for _, v := range [][2]string{{"session", s.ID}, {"directory", s.Dir}, {"branch", s.Branch}, {"model", s.Model}, {"forked from", s.Forked}} {
		if v[1] != "" {
			fmt.Fprintf(&b, "- %s: %s\n", v[0], tools.CleanLine(v[1]))
		}
	}
	for _, i := range t.Items {
		switch i.Type {
		case "prompt":
			fmt.Fprintf(&b, "\n## You\n\n%s\n", tools.Clean(strings.TrimSpace(i.Text)))
		case "operator":
			fmt.Fprintf(&b, "\n## You ran\n\n%s", fenced(i.Text))
		case "notice":
			fmt.Fprintf(&b, "\n*Notice*\n\n%s", fenced(i.Text))
		case "answer":
			fmt.Fprintf(&b, "\n%s\n", tools.Clean(strings.TrimSpace(i.Text)))
		case "call":
			fmt.Fprintf(&b, "\n**%s**\n", strings.NewReplacer("*", `\*`, "_", `\_`, "`", "\\`").Replace(i.Call.receipt()))
			if len(i.Call.Was) > 0 {
				b.WriteString("\nAsked for:\n\n" + fenced(string(i.Call.Was)) + "\nAs you changed it:\n")
			}
			if len(i.Call.Args) > 0 {
				b.WriteString("\n" + fenced(string(i.Call.Args)))
			}
			if strings.TrimSpace(i.Call.Result) != "" {
				b.WriteString("\n" + fenced(i.Call.Result))
			}
		}
	}
	return b.String()
}

// fenced is s as a block that nothing in it can end.
func fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(tools.Clean(s), "\n") + "\n" + fence + "\n"
}
