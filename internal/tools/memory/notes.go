package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/tools"
)

// shownRunes bounds what one look at a note shows.
const shownRunes = 20_000

type viewArgs struct {
	Path      string `json:"path,omitempty" doc:"A note, or the beginning of the paths of several, such as global/. Without it, the memory and the names of all notes."`
	ViewRange []int  `json:"view_range,omitempty" doc:"First and last line of a note to show, from 1; -1 is its end."`
}

func view(c Config) tools.Tool {
	spec := tools.Spec{
		Name: "view_memory",
		Description: "Show what is kept beyond this session: without a path the memory that sessions are told, with its revisions, and the names of the notes; with one a note. " +
			"Notes under global/ belong to every project of the user, all others to this repository. They are data, written earlier.",
		Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk,
	}
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a viewArgs) (*tools.Proposal, error) {
		if c.Store == nil {
			return nil, errNoStore()
		}
		path := trimmed(a.Path)
		if len(a.ViewRange) != 0 && (len(a.ViewRange) != 2 || a.ViewRange[0] < 1 || a.ViewRange[1] < a.ViewRange[0] && a.ViewRange[1] != -1) {
			return nil, invalid("view_range is two line numbers, the first not over the last")
		}
		if path == "" && len(a.ViewRange) > 0 {
			return nil, invalid("view_range needs the path of a note")
		}
		p := &tools.Proposal{Summary: "memory"}
		if path != "" {
			p.Summary, p.Subjects = tools.CleanLine(tools.Clip(path, 200)), []string{path}
		}
		p.Do = func(context.Context, string, func(tools.Progress)) tools.Outcome {
			text, cut, err := c.look(path, a.ViewRange)
			if err != nil {
				return tools.Outcome{Kind: tools.Error, Text: err.Error()}
			}
			return tools.Outcome{Kind: tools.OK, Text: text, Truncated: cut}
		}
		return p, nil
	})
}

// look returns a note, or the list of those whose paths begin with path.
func (c Config) look(path string, lines []int) (text string, cut bool, err error) {
	notes, err := c.allNotes()
	if err != nil {
		return "", false, err
	}
	if i := slices.IndexFunc(notes, func(n Note) bool { return n.Path == path }); i >= 0 {
		text, cut = numbered(notes[i].Text, lines)
		return text, cut, nil
	}
	var b strings.Builder
	if path == "" {
		for _, t := range []Target{Global, Project} {
			book, err := c.Store.Book(t)
			if err != nil {
				return "", false, err
			}
			fmt.Fprintf(&b, "The %s memory, revision %d:\n", t, book.Revision)
			for _, e := range book.Entries {
				fmt.Fprintf(&b, "%d. %s\n", e.N, strings.ReplaceAll(c.show(e.Text), "\n", "\n   "))
			}
		}
	}
	found := 0
	for _, n := range notes {
		if path == "" || strings.HasPrefix(n.Path, strings.TrimSuffix(path, "/")+"/") {
			found++
			fmt.Fprintf(&b, "%s  (%d bytes, written %d times)\n", n.Path, len(n.Text), n.Writes)
		}
	}
	switch {
	case found == 0 && path != "":
		return "", false, fmt.Errorf("there is no note %q; view_memory without a path lists them", tools.CleanLine(path))
	case found == 0:
		b.WriteString("There are no notes.\n")
	}
	text, cut = clipped(b.String())
	return text, cut, nil
}

func (c Config) allNotes() ([]Note, error) {
	var all []Note
	for _, t := range []Target{Global, Project} {
		list, err := c.Store.Notes(t)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// numbered returns the lines of text that are asked for, with their numbers.
func numbered(text string, lines []int) (string, bool) {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	from, to := 1, len(all)
	if len(lines) == 2 {
		from = lines[0]
		if lines[1] >= 0 {
			to = min(to, lines[1])
		}
	}
	if from > len(all) {
		return fmt.Sprintf("(the note has %d lines)", len(all)), false
	}
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "%6d\t%s\n", i, all[i-1])
	}
	return clipped(b.String())
}

// clipped bounds what is shown at once.
func clipped(s string) (string, bool) {
	if utf8.RuneCountInString(s) <= shownRunes {
		return s, false
	}
	return string([]rune(s)[:shownRunes]) + "\n[… cut; view_range shows the rest]", true
}
