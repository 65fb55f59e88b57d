// Package recall holds the tools that look at the conversation itself:
// retrieve_tool_result, context_info, summarize_context, and get_time.
package recall

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// Config is what the tools look at. Its functions are called by the goroutine of
// the turn, and only while there is a conversation; nil ones mean that there is
// none.
type Config struct {
	// Record returns a settled call of the session.
	Record func(id string) (tools.Record, bool)
	// Context returns what the conversation takes of the model's context and how
	// much there is, in tokens; zero for what is not known.
	Context func() (used, window int)
	// Summarize has the conversation summarized before the next request. It may be
	// called from any goroutine.
	Summarize func()
	// Limit bounds what is read at once; zero means [tools.DefaultTextLimit].
	Limit tools.TextLimit
	// Now returns the time; nil means time.Now.
	Now func() time.Time
	// Zone is the name of the zone that Now tells the time of, such as
	// America/New_York; "" when it is not known.
	Zone string
}

// New returns the tools of this family.
func New(c Config) []tools.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Limit == (tools.TextLimit{}) {
		c.Limit = tools.DefaultTextLimit()
	}
	return []tools.Tool{retrieve(c), info(c), summarize(c), clock(c)}
}

// looks is a spec of a tool that only looks at what zuno knows.
func looks(name, description string) tools.Spec {
	return tools.Spec{
		Name: name, Description: description,
		Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk,
	}
}

var errNoConversation = errors.New("there is no conversation to look at")

// headRoom is how many bytes of a limit are left for the line that says what was
// read.
const headRoom = 200

type retrieveArgs struct {
	ID     string `json:"tool_call_id" doc:"ID of the call, as the placeholder names it"`
	Offset int    `json:"offset,omitempty" doc:"Bytes to skip; 0 when absent"`
	Limit  int    `json:"limit,omitempty" doc:"Bytes to read; as many as fit when absent"`
}

func retrieve(c Config) tools.Tool {
	spec := looks("retrieve_tool_result", "Read back the result of an earlier call of this conversation that is not shown any more or only in part. "+
		"It is what was recorded then; nothing is run again. Files and the like may have changed since.")
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a retrieveArgs) (*tools.Proposal, error) {
		switch {
		case strings.TrimSpace(a.ID) == "":
			return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: tool_call_id must not be blank")
		case a.Offset < 0 || a.Limit < 0:
			return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: offset and limit must not be negative")
		case c.Record == nil:
			return nil, errNoConversation
		}
		r, ok := c.Record(strings.TrimSpace(a.ID))
		if !ok {
			return nil, fmt.Errorf("this session has no result of a call %q; when that call only looked at something, make it again", tools.CleanLine(tools.Clip(a.ID, 64)))
		}
		text, err := part(r, a.Offset, a.Limit, c.Limit)
		if err != nil {
			return nil, err
		}
		return answering(strings.TrimSpace(r.Call.Tool+" "+tools.CleanLine(tools.Clip(r.Summary, 120))), func() string { return text }), nil
	})
}

// part returns what is to be read of a result, under a line that says what it
// is.
func part(r tools.Record, offset, limit int, most tools.TextLimit) (string, error) {
	text := r.Outcome.Text
	if offset > len(text) {
		return "", tools.Refuse(tools.InvalidArguments, "invalid arguments: the result has %d bytes, so that none are left after offset %d", len(text), offset)
	}
	if room := max(1, most.MaxBytes-headRoom); limit == 0 || limit > room {
		limit = room
	}
	from := start(text, offset)
	to := start(text, from+limit)
	for to <= from && to < len(text) { // a character at least, so that reading ends
		limit++
		to = start(text, from+limit)
	}
	to = from + len(lines(text[from:to], max(1, most.MaxLines-2)))
	head := fmt.Sprintf("[recorded result of %s: %s", r.Call.Tool, r.Outcome.Kind)
	if r.Outcome.ExitCode != nil {
		head += fmt.Sprintf(", exit %d", *r.Outcome.ExitCode)
	}
	if from > 0 || to < len(text) {
		head += fmt.Sprintf("; bytes %d to %d of %d", from, to, len(text))
	}
	if to < len(text) {
		head += fmt.Sprintf(", offset %d reads on", to)
	}
	return head + "]\n" + text[from:to], nil
}

// lines returns the first n lines of s.
func lines(s string, n int) string {
	for i := range len(s) {
		if s[i] == '\n' {
			if n--; n == 0 {
				return s[:i+1]
			}
		}
	}
	return s
}

// start returns the largest index not over i at which a character begins.
func start(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	for i > 0 && s[i]&0xc0 == 0x80 {
		i--
	}
	return i
}

type nothing struct{}

func info(c Config) tools.Tool {
	spec := looks("context_info", "Say how much of your context this conversation takes, and what to do about it.")
	return tools.New(spec, func(context.Context, tools.Spec, nothing) (*tools.Proposal, error) {
		if c.Context == nil {
			return nil, errNoConversation
		}
		used, window := c.Context()
		return answering("context", func() string { return usage(used, window) }), nil
	})
}

func usage(used, window int) string {
	if window <= 0 {
		return encode(map[string]any{"estimatedTokensUsed": used, "recommendation": "the size of the context is not known: be concise"})
	}
	percent := used * 100 / window
	advice := "little room is left: finish the step at hand, and read only what it needs"
	switch {
	case percent < 50:
		advice = "there is enough room"
	case percent < 80:
		advice = "be concise: read parts of files, and narrow searches"
	}
	return encode(map[string]any{
		"estimatedTokensUsed": used, "maxTokens": window, "remainingTokens": max(0, window-used),
		"percentUsed": percent, "recommendation": advice,
	})
}

func summarize(c Config) tools.Tool {
	spec := looks("summarize_context", "Have the older part of this conversation replaced by a summary before your next step, to make room. "+
		"The latest turns stay word for word, and what was recorded can be read back.")
	spec.Concurrency = tools.Exclusive
	return tools.New(spec, func(context.Context, tools.Spec, nothing) (*tools.Proposal, error) {
		if c.Summarize == nil {
			return nil, errNoConversation
		}
		return answering("conversation", func() string {
			c.Summarize()
			return "the older part is summarized before your next step, if there is one; a summary at the start of the conversation says that it was"
		}), nil
	})
}

func clock(c Config) tools.Tool {
	spec := looks("get_time", "Say what time it is here.")
	return tools.New(spec, func(context.Context, tools.Spec, nothing) (*tools.Proposal, error) {
		return answering("now", func() string {
			now := c.Now()
			short, _ := now.Zone()
			return encode(map[string]any{
				"iso": now.Format(time.RFC3339), "timestamp": now.UnixMilli(), "dayOfWeek": now.Weekday().String(),
				"localDate": now.Format(time.DateOnly), "localTime": now.Format(time.TimeOnly),
				"timezone": cmp.Or(c.Zone, short), "abbreviation": short,
			})
		}), nil
	})
}

// answering is a proposal that has a text to return.
func answering(summary string, text func() string) *tools.Proposal {
	return &tools.Proposal{Summary: summary, Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
		return tools.Outcome{Kind: tools.OK, Text: text()}
	}}
}

func encode(v map[string]any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // numbers and texts always encode
	}
	return string(b)
}
