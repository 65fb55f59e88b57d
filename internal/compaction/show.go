package compaction

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// Recaller is the name of the tool that reads a result back.
const Recaller = "retrieve_tool_result"

// clearable is how many bytes a result must have to be worth clearing: a
// placeholder takes some as well.
const clearable = 1000 * bytesPerToken

// A Shower turns messages of results into what the model is shown of them. What
// is recorded stays as it is.
type Shower struct {
	// Most is how many bytes of one result are shown, and twice that of all
	// results of one message; zero means all.
	Most    int
	Records map[string]tools.Record
	// Recall says that the model can read results back.
	Recall bool
}

// Show returns m as the model is shown it: itself, or, of results that are too
// long or that are cleared, a message of its own. The second result says that
// something was left out.
func (s Shower) Show(m *llm.Message, cleared bool) (*llm.Message, bool) {
	if m.Role != llm.Tool {
		return m, false
	}
	most := s.share(m)
	var parts []llm.Part // nil as long as nothing differs
	drop := false        // the images of a result that was cleared
	for i, p := range m.Parts {
		changed := p
		switch {
		case p.Kind != llm.Result:
			if drop && parts != nil {
				continue
			}
		case cleared && s.clears(m.Parts[i:]):
			changed.Text, drop = s.placeholder(p), true
		default:
			drop = false
			if most > 0 {
				changed.Text, _ = tools.TextLimit{MaxBytes: most, MaxLines: 1 << 30}.Bound(p.Text, s.hint("the rest", p.For))
			}
		}
		if parts == nil && changed.Text != p.Text {
			parts = append(make([]llm.Part, 0, len(m.Parts)), m.Parts[:i]...)
		}
		if parts != nil {
			parts = append(parts, changed)
		}
	}
	if parts == nil {
		return m, false
	}
	shown := *m
	shown.Parts = parts
	return &shown, true
}

// share returns how many bytes of each result of m are shown, zero for all.
func (s Shower) share(m *llm.Message) int {
	total, n := 0, 0
	for _, p := range m.Parts {
		if p.Kind == llm.Result {
			total, n = total+min(len(p.Text), s.Most), n+1
		}
	}
	if s.Most > 0 && total > 2*s.Most {
		return max(200, 2*s.Most/n)
	}
	return s.Most
}

// clears reports whether the result that parts begins with is worth clearing
// and may be: what is uncertain or was blocked stays in sight.
func (s Shower) clears(parts []llm.Part) bool {
	if k := s.Records[parts[0].For].Outcome.Kind; k == tools.Uncertain || k == tools.Blocked {
		return false
	}
	return len(parts[0].Text) > clearable || len(parts) > 1 && parts[1].Kind == llm.Image
}

// placeholder says what stood in the place of a result.
func (s Shower) placeholder(p llm.Part) string {
	r := s.Records[p.For]
	o := r.Outcome.Kind.String()
	if r.Outcome.ExitCode != nil {
		o += fmt.Sprintf(", exit %d", *r.Outcome.ExitCode)
	}
	return fmt.Sprintf("[the result of this call was left out to make room: %s; %s; %d bytes. %s]",
		line(r), o, len(p.Text), s.hint("it", p.For))
}

func (s Shower) hint(what, id string) string {
	if !s.Recall {
		return what + " cannot be read back here"
	}
	return fmt.Sprintf("%s with tool_call_id %q reads %s back", Recaller, id, what)
}

// line names a call.
func line(r tools.Record) string {
	name := r.Call.Tool
	if r.Summary == "" {
		return name
	}
	return name + " " + strings.TrimSpace(tools.CleanLine(tools.Clip(r.Summary, 160)))
}
