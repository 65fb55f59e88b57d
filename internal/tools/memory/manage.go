package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/patch"
	"github.com/zuno-dev/zuno/internal/tools"
)

type manageArgs struct {
	Command    string `json:"command" enum:"create,str_replace,insert,delete,rename" doc:"What to do."`
	Path       string `json:"path,omitempty" doc:"The note, for every command but rename: NAME or FOLDER/NAME in this repository's notes, global/NAME in those of every project."`
	FileText   string `json:"file_text,omitempty" doc:"For create: the whole text. It replaces that of a note that is there."`
	OldStr     string `json:"old_str,omitempty" doc:"For str_replace: a part of the note that is in it once."`
	NewStr     string `json:"new_str,omitempty" doc:"For str_replace: what stands in its place; empty removes it."`
	InsertLine int    `json:"insert_line,omitempty" doc:"For insert: the line after which the text comes, 0 for the beginning."`
	InsertText string `json:"insert_text,omitempty" doc:"For insert: the text."`
	OldPath    string `json:"old_path,omitempty" doc:"For rename: the note."`
	NewPath    string `json:"new_path,omitempty" doc:"For rename: its new path, on the same side of global/."`
}

func manage(c Config) tools.Tool {
	spec := tools.Spec{
		Name: "manage_memory",
		Description: "Write, change, remove or rename a note that later sessions can look up with view_memory. Notes are for what is too long for memory_propose: how a build works, what was found out. " +
			"No secrets. Only in a session in which a person types the prompts.",
		Effect: tools.SideEffecting, Replay: tools.Never, Concurrency: tools.Exclusive, Risk: tools.Low,
	}
	return tools.New(spec, func(_ context.Context, spec tools.Spec, a manageArgs) (*tools.Proposal, error) {
		switch {
		case c.Store == nil:
			return nil, errNoStore()
		case !c.Attended:
			return nil, tools.Refuse(tools.Denied, "notes are written only in a session in which a person types the prompts")
		}
		e, err := c.edit(a)
		if err != nil {
			return nil, err
		}
		return e.proposal(c, spec)
	})
}

// An edit is a change of one note that was worked out.
type edit struct {
	target   Target
	path, to string // to is the new path of a rename
	found    *Note  // nil for a new one
	text     string
	verb     string
}

// edit works a out on the notes that there are now.
func (c Config) edit(a manageArgs) (edit, error) {
	what, raw := "path", a.Path
	if a.Command == "rename" {
		what, raw = "old_path", a.OldPath
	}
	path, err := notePath(what, raw)
	if err != nil {
		return edit{}, err
	}
	e := edit{target: targetOf(path), path: path, verb: map[string]string{"create": "write", "str_replace": "change", "insert": "change", "delete": "remove", "rename": "rename"}[a.Command]}
	notes, err := c.Store.Notes(e.target)
	if err != nil {
		return edit{}, err
	}
	if i := slices.IndexFunc(notes, func(n Note) bool { return n.Path == path }); i >= 0 {
		e.found = &notes[i]
	}
	if e.found == nil && a.Command != "create" {
		return edit{}, invalid("there is no note %q; view_memory lists them", tools.CleanLine(path))
	}
	if err := e.work(a, notes); err != nil {
		return edit{}, err
	}
	return e, nil
}

func (e *edit) work(a manageArgs, notes []Note) (err error) {
	switch a.Command {
	case "create":
		e.text = a.FileText
		if e.found == nil && len(notes) >= mostNotes {
			return invalid("there are %d notes already, as many as there may be: remove one", len(notes))
		}
	case "str_replace":
		switch n := strings.Count(e.found.Text, a.OldStr); {
		case a.OldStr == "":
			return invalid("old_str is missing")
		case n != 1:
			return invalid("old_str is in the note %d times; it must be there once", n)
		}
		e.text = strings.Replace(e.found.Text, a.OldStr, a.NewStr, 1)
	case "insert":
		lines := strings.SplitAfter(e.found.Text, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		if a.InsertText == "" {
			return invalid("insert_text is missing")
		}
		if a.InsertLine < 0 || a.InsertLine > len(lines) {
			return invalid("insert_line is %d, and the note has %d lines", a.InsertLine, len(lines))
		}
		if n := a.InsertLine; n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
			lines[n-1] += "\n"
		}
		e.text = strings.Join(slices.Insert(lines, a.InsertLine, strings.TrimSuffix(a.InsertText, "\n")+"\n"), "")
	case "rename":
		if e.to, err = notePath("new_path", a.NewPath); err != nil {
			return err
		}
		switch {
		case targetOf(e.to) != e.target:
			return invalid("a note stays on its side of global/: write it there, and remove it here")
		case slices.ContainsFunc(notes, func(n Note) bool { return n.Path == e.to }):
			return invalid("there is a note %q already", e.to)
		}
	}
	return e.fits(notes)
}

// fits holds the new text to the bounds.
func (e *edit) fits(notes []Note) error {
	if len(e.text) > noteBytes {
		return invalid("the note would have %d bytes; at most %d", len(e.text), noteBytes)
	}
	all := len(e.text)
	for _, n := range notes {
		if n.Path != e.path {
			all += len(n.Text)
		}
	}
	if all > allBytes {
		return invalid("all notes would have %d bytes; at most %d", all, allBytes)
	}
	return nil
}

func (e edit) proposal(c Config, spec tools.Spec) (*tools.Proposal, error) {
	summary := e.verb + " " + e.path
	if e.to != "" {
		summary += " → " + e.to
	}
	p := &tools.Proposal{Spec: spec, Summary: summary, Subjects: []string{e.path}}
	_, warnings, err := screen(e.text)
	if err != nil {
		return nil, err
	}
	if len(warnings) > 0 {
		p.Spec.Risk, p.Manual = tools.High, "the note reads like an instruction, or hides something"
		p.Preview = append(p.Preview, tools.Section{Kind: tools.Text, Title: "Careful: look twice before you accept this", Body: "- " + strings.Join(warnings, "\n- ")})
	}
	var diff []tools.Section
	if e.to == "" {
		diff = []tools.Section{{Kind: tools.Diff, Body: e.diff()}}
		p.Preview = append(p.Preview, diff...)
	}
	p.Do = func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
		if ctx.Err() != nil {
			return tools.Outcome{Kind: tools.Cancelled, Text: "stopped before anything was changed"}
		}
		if err := e.carryOut(c.Store); err != nil {
			return failed(err)
		}
		return tools.Outcome{Kind: tools.OK, Text: fmt.Sprintf("done: %s", summary), Show: diff}
	}
	return p, nil
}

func (e edit) diff() string {
	old := ""
	if e.found != nil {
		old = e.found.Text
	}
	return patch.Diff([]byte(old), []byte(e.text), patch.DiffOptions{Old: e.path, New: e.path}).Text
}

func (e edit) carryOut(s Store) error {
	writes := 0
	if e.found != nil {
		writes = e.found.Writes
	}
	switch e.verb {
	case "remove":
		return s.DropNote(e.target, e.path, writes)
	case "rename":
		return s.MoveNote(e.target, e.path, e.to, writes)
	}
	return s.PutNote(e.target, e.path, e.text, writes)
}
