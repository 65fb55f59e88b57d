package compaction

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A Record is what the facts of a conversation are taken from.
type Record struct {
	// Messages are all that the summary stands for, from the start of the
	// conversation.
	Messages []*llm.Message
	// Rest are those that stay. Where the person said nothing in them, the last that
	// they said before is what the agent works on.
	Rest []*llm.Message
	// Calls are those of the whole conversation, in order.
	Calls []tools.Record
	// Uncertain are the calls that may have happened and of which nobody has found
	// out.
	Uncertain []tools.Record
	// Work is the state of plans, todos and goals as a text in a tag of its own that
	// it cannot close, "" for none, and Running the commands in the background, a
	// line each.
	Work    string
	Running []string
}

// Most lines of one section: the newest are kept.
const (
	mostFiles    = 100
	mostCommands = 30
	mostDenied   = 20
)

// Facts writes down what is taken from the record, in about room bytes: half of
// them are for what the person said. What is uncertain, what runs and the state of
// the work are never left out. The text cannot close a tag that it stands in.
func (r Record) Facts(room int) string {
	var b strings.Builder
	section := func(title string, lines []string, bytes int) {
		if len(lines) == 0 {
			return
		}
		b.WriteString("## " + title + "\n")
		kept, left := newest(lines, bytes)
		if left > 0 {
			fmt.Fprintf(&b, "(%d older ones are left out)\n", left)
		}
		b.WriteString(escape(strings.Join(kept, "\n")) + "\n")
	}
	const all = 1 << 30
	section("What the user said, word for word", r.said(room/8, room/3), room/2)
	section("Calls whose outcome is uncertain: each may have happened. Inspect the real state before any change; do not repeat them", r.uncertain(), all)
	section("Files that were changed", tailOf(r.files(), mostFiles), room/6)
	section("Commands that were run", tailOf(r.commands(), mostCommands), room/6)
	section("Calls that the user or a rule did not allow: nothing happened", tailOf(r.denied(), mostDenied), room/12)
	section("Commands that run in the background", r.Running, all)
	if w := strings.TrimSpace(r.Work); w != "" {
		b.WriteString("## Plans, todos and goals\n" + w + "\n")
	}
	return strings.TrimSpace(b.String())
}

// newest returns the last lines that take no more than bytes, one at least, and
// how many come before them.
func newest(lines []string, bytes int) ([]string, int) {
	i := len(lines)
	for used := 0; i > 0; i-- {
		if used += len(lines[i-1]) + 1; used > bytes && i < len(lines) {
			break
		}
	}
	return lines[i:], i
}

func tailOf(lines []string, n int) []string { return lines[max(0, len(lines)-n):] }

// said returns each prompt, long ones shortened to most bytes, and the one that
// the agent works on to much.
func (r Record) said(most, much int) []string {
	var lines []string
	at := starts(r.Messages, 0)
	for n, i := range at {
		if text := strings.TrimSpace(promptIn(r.Messages[i])); text != "" {
			if n == len(at)-1 && len(starts(r.Rest, 0)) == 0 {
				most = much
			}
			text, _ = tools.TextLimit{MaxBytes: max(300, most), MaxLines: 200}.Bound(text, "")
			lines = append(lines, "- "+strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	return lines
}

func (r Record) uncertain() []string {
	var lines []string
	for _, c := range r.Uncertain {
		lines = append(lines, fmt.Sprintf("- call %s: %s", c.Call.ID, line(c)))
	}
	return lines
}

// files folds the changes of all calls into one line a path.
func (r Record) files() []string {
	type file struct {
		path, kinds    string
		added, removed int
	}
	var list []file
	for _, c := range r.Calls {
		for _, ch := range c.Outcome.Changes {
			i := slices.IndexFunc(list, func(f file) bool { return f.path == ch.Path })
			f := file{path: ch.Path}
			if i >= 0 {
				f = list[i]
				list = slices.Delete(list, i, i+1)
			}
			if !strings.HasSuffix(f.kinds, ch.Kind) {
				f.kinds += ch.Kind
			}
			f.added, f.removed = f.added+ch.Added, f.removed+ch.Removed
			list = append(list, f) // in the order of the last change
		}
	}
	words := strings.NewReplacer("A", "added ", "M", "modified ", "D", "deleted ", "R", "renamed ")
	lines := make([]string, len(list))
	for i, f := range list {
		lines[i] = fmt.Sprintf("- %s: %s+%d -%d", tools.CleanLine(f.path), words.Replace(f.kinds), f.added, f.removed)
	}
	return lines
}

// commands returns what ran to an exit status, the newest of those that are
// alike.
func (r Record) commands() []string {
	var lines []string
	for _, c := range slices.Backward(r.Calls) {
		if c.Outcome.ExitCode == nil {
			continue
		}
		l := "- " + line(c) + ": "
		if !slices.ContainsFunc(lines, func(s string) bool { return strings.HasPrefix(s, l) }) {
			lines = append(lines, l+fmt.Sprintf("exit %d", *c.Outcome.ExitCode))
		}
	}
	slices.Reverse(lines)
	return lines
}

func (r Record) denied() []string {
	var lines []string
	for _, c := range r.Calls {
		d := c.Decision
		if c.Outcome.Kind != tools.Blocked || c.Outcome.Block != tools.Denied || d.Allowed {
			continue
		}
		l := fmt.Sprintf("- %s (%s)", line(c), d.By)
		if d.Reason != "" {
			l += ": " + strings.TrimSpace(tools.CleanLine(tools.Clip(d.Reason, 200)))
		}
		lines = append(lines, l)
	}
	return lines
}
