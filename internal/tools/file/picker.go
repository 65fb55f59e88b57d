package file

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

type pickerArgs struct {
	Message    string   `json:"message" doc:"What the user is asked, such as which file to use for what"`
	BasePath   string   `json:"base_path,omitempty" doc:"Folder of the workspace whose files are suggested; the workspace itself when absent"`
	Extensions []string `json:"extensions,omitempty" doc:"Endings of the names that are suggested, such as .csv; every file when absent"`
	Folders    bool     `json:"include_directories,omitempty" doc:"Whether folders are suggested too"`
}

// The bounds of what is suggested, and of what is looked at for it.
const (
	mostRows     = 30
	mostLookedAt = 5000
	mostMessage  = 500
)

// typed is the row that asks for a path.
const typed = "typed"

// Picker returns ask_file_picker: the person names a file, never the model.
func (t *Tools) Picker() tools.Tool {
	spec := tools.Spec{
		Name: "ask_file_picker",
		Description: "Ask the user to pick a file or folder, and wait. Use it when only they know which one is meant. They may also type any path. " +
			"The result is the path; it is not read. When nobody is there to answer it is refused.",
		Effect: tools.UserMediated, Concurrency: tools.Exclusive, Risk: tools.ReadOnlyRisk, LongRunning: true,
	}
	return tools.New(spec, func(ctx context.Context, _ tools.Spec, a pickerArgs) (*tools.Proposal, error) {
		p, err := t.files.proposePicker(ctx, a)
		return about(a.BasePath, p, err)
	})
}

func (f *files) proposePicker(ctx context.Context, a pickerArgs) (*tools.Proposal, error) {
	if strings.TrimSpace(a.Message) == "" || len([]rune(a.Message)) > mostMessage {
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: message must be there, and have at most %d characters", mostMessage)
	}
	if a.BasePath == "" {
		a.BasePath = "."
	}
	base, err := f.ws.Resolve(a.BasePath)
	switch {
	case err != nil:
		return nil, tools.Refuse(tools.InvalidArguments, "list %v", err)
	case !base.Inside:
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: base_path must lie in the workspace; the user can type any other path")
	}
	if st, err := os.Stat(base.Real); err != nil || !st.IsDir() {
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: base_path %s is not a folder", base.Name)
	}
	found, more := suggestions(ctx, base, a)
	p := &tools.Proposal{Summary: tools.CleanLine(tools.Clip(a.Message, 120)), Options: pickerRows(a.Message, found, more)}
	p.Do = func(_ context.Context, choice string, _ func(tools.Progress)) tools.Outcome {
		return f.picked(choice, found)
	}
	return p, nil
}

func pickerRows(message string, found []string, more bool) []tools.Option {
	rows := make([]tools.Option, 0, len(found)+1)
	for i, name := range found {
		rows = append(rows, tools.Option{ID: fmt.Sprint(i), Label: tools.CleanLine(name), Group: message})
	}
	detail := ""
	if more {
		detail = "there are more files than are listed"
	}
	return append(rows, tools.Option{ID: typed, Label: "Type a path", Detail: detail, Group: message, Write: true})
}

// suggestions lists names below a folder, those near it first. Hidden ones and
// what lies behind links is left out.
func suggestions(ctx context.Context, base Place, a pickerArgs) (found []string, more bool) {
	queue, seen := []string{"."}, 0
	for len(queue) > 0 && ctx.Err() == nil {
		dir := queue[0]
		queue = queue[1:]
		entries, err := os.ReadDir(filepath.Join(base.Real, filepath.FromSlash(dir)))
		if err != nil {
			continue // what cannot be listed is not suggested, and can be typed
		}
		for _, e := range entries {
			if seen++; seen > mostLookedAt {
				return found, true
			}
			name := path.Join(dir, e.Name())
			if strings.HasPrefix(e.Name(), ".") || e.IsDir() && slices.Contains([]string{"node_modules", "vendor"}, e.Name()) {
				continue
			}
			if e.IsDir() {
				queue = append(queue, name)
			}
			if !suggested(e, a) {
				continue
			}
			if len(found) == mostRows {
				return found, true
			}
			name = path.Join(base.Name, name)
			if e.IsDir() {
				name += "/"
			}
			found = append(found, name)
		}
	}
	return found, false
}

func suggested(e fs.DirEntry, a pickerArgs) bool {
	if e.IsDir() {
		return a.Folders
	}
	return e.Type().IsRegular() && (len(a.Extensions) == 0 || slices.ContainsFunc(a.Extensions, func(x string) bool {
		return strings.HasSuffix(strings.ToLower(e.Name()), "."+strings.ToLower(strings.TrimPrefix(x, ".")))
	}))
}

// picked says what the person answered. A path that was typed is passed on as
// it is; what it means is looked at, and nothing is made up.
func (f *files) picked(choice string, found []string) tools.Outcome {
	id, text, _ := strings.Cut(choice, ":")
	if id != typed {
		var i int
		if _, err := fmt.Sscan(id, &i); err != nil || i < 0 || i >= len(found) {
			return tools.Outcome{Kind: tools.Blocked, Block: tools.Denied, Text: "no row was chosen"}
		}
		return tools.Outcome{Kind: tools.OK, Text: "The user picked: " + tools.CleanLine(found[i])}
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return tools.Outcome{Kind: tools.OK, Text: "The user typed no path: none is picked."}
	}
	place, err := f.ws.Resolve(text)
	if err != nil {
		return tools.Outcome{Kind: tools.OK, Text: fmt.Sprintf("The user typed %q, which is no path: none is picked.", text)}
	}
	s := "The user picked: " + tools.CleanLine(place.Name)
	switch st, err := os.Stat(place.Real); {
	case err != nil:
		s += "\nNothing is there."
	case st.IsDir():
		s += "\nIt is a folder."
	}
	if !place.Inside {
		s += "\nIt lies outside the workspace: reading it asks."
	}
	return tools.Outcome{Kind: tools.OK, Text: s}
}
