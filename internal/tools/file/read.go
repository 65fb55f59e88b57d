package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

type readArgs struct {
	FilePath string `json:"filePath" doc:"Path of the file or directory, absolute or relative to the workspace"`
	Offset   int    `json:"offset,omitempty" doc:"First line (or directory entry) to show, counted from 1"`
	Limit    int    `json:"limit,omitempty" doc:"How many lines (or entries) to show; at most, and by default, as many as fit into 2000 lines of output"`
}

const readDoc = "Reads a text file, lists a directory, or shows an image (png, jpeg, gif, webp). " +
	"Lines come as \"N: text\"; the number and the colon are not part of the file. " +
	"Long files come in pages: the last line says how to go on. Lines over 2000 characters are cut. " +
	"Reading a file is needed before write or edit may change it."

func (f *files) read() tools.Tool {
	spec := tools.Spec{
		Name: "read", Description: readDoc,
		Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk,
	}
	return tools.New(spec, func(_ context.Context, _ tools.Spec, args readArgs) (*tools.Proposal, error) {
		p, err := f.proposeRead(args)
		return about(args.FilePath, p, err)
	})
}

func (f *files) proposeRead(args readArgs) (*tools.Proposal, error) {
	if args.Offset < 0 || args.Limit < 0 {
		return nil, tools.Refuse(tools.InvalidArguments, "offset and limit count from 1: %d and %d make no sense", args.Offset, args.Limit)
	}
	place, err := f.ws.Resolve(args.FilePath)
	if err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "read %v", err)
	}
	place = f.asSpelt(place)
	if secret(place.Real) {
		return nil, tools.Refuse(tools.Denied, "read %s: it shows the environment or the memory of a process, which is never read", place.Name)
	}
	args.Offset = max(1, args.Offset)
	p := &tools.Proposal{Summary: readSummary(place, args), Subjects: subjects(place)}
	if !f.ws.reads(place) {
		p.Manual = outside(place)
	}
	p.Do = func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
		if ctx.Err() != nil {
			return tools.Outcome{Kind: tools.Cancelled, Text: "stopped before " + place.Name + " was read"}
		}
		return f.readPlace(ctx, place, args)
	}
	return p, nil
}

func readSummary(place Place, args readArgs) string {
	s := tools.CleanLine(place.Name)
	switch {
	case args.Limit > 0:
		return fmt.Sprintf("%s, lines %d to %d", s, args.Offset, args.Offset+args.Limit-1)
	case args.Offset > 1:
		return fmt.Sprintf("%s, from line %d", s, args.Offset)
	}
	return s
}

// subjects returns the names of a place that rules are matched with: how it
// was called, and what it really is where that differs.
func subjects(places ...Place) []string {
	var names []string
	for _, p := range places {
		names = append(names, p.Name)
		if p.Inside && p.Linked {
			names = append(names, p.target)
		}
	}
	return names
}

func outside(p Place) string { return "outside the workspace: " + tools.CleanLine(p.Real) }

func failed(format string, a ...any) tools.Outcome {
	return tools.Outcome{Kind: tools.Error, Text: fmt.Sprintf(format, a...)}
}

func (f *files) readPlace(ctx context.Context, place Place, args readArgs) tools.Outcome {
	r, err := openFile(place.Real)
	var kind errKind
	switch {
	case errors.As(err, &kind) && kind.kind == "a directory":
		return listDir(place, args)
	case errors.Is(err, fs.ErrNotExist):
		return failed("read %s: it does not exist%s", place.Name, similarNames(place))
	case err != nil:
		return failed("read %s: %s", place.Name, explain(err))
	}
	defer r.close()
	return f.readFile(ctx, r, place, args)
}

// similarNames suggests files beside one that is missing. It does not look
// outside the workspace.
func similarNames(place Place) string {
	if !place.Inside {
		return ""
	}
	if other := strings.ReplaceAll(place.path, `\`, "/"); other != place.path && filepath.Separator == '/' {
		if _, err := os.Lstat(other); err == nil {
			return "; did you mean " + tools.CleanLine(strings.ReplaceAll(place.Name, `\`, "/")) + "?"
		}
	}
	entries, err := os.ReadDir(filepath.Dir(place.Real))
	if err != nil {
		return ""
	}
	stem := func(s string) string { return strings.ToLower(strings.TrimSuffix(s, filepath.Ext(s))) }
	want := stem(alike(filepath.Base(place.Real)))
	var names []string
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { // the same to look at comes first
		same := alike(filepath.Base(place.Real))
		return cmp.Compare(word(alike(a.Name()) == same, "", "b"), word(alike(b.Name()) == same, "", "b"))
	})
	for _, e := range entries {
		if s := stem(alike(e.Name())); s != "" && want != "" && (s == want || len(want) > 1 && strings.Contains(s, want) || len(s) > 1 && strings.Contains(want, s)) && len(names) < 3 {
			names = append(names, tools.CleanLine(filepath.ToSlash(filepath.Join(filepath.Dir(place.Name), e.Name()))))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(names, " or ") + "?"
}

func listDir(place Place, args readArgs) tools.Outcome {
	entries, err := entriesOf(place.Real)
	if err != nil {
		return failed("read %s: %s", place.Name, explain(err))
	}
	if args.Offset > max(1, len(entries)) {
		return pastEnd(place, args.Offset, len(entries), "entries")
	}
	p := newPage(place, "directory", args)
	for i, e := range entries[args.Offset-1:] {
		if !p.add(e) {
			return p.outcome(fmt.Sprintf("entries %d to %d of %d; go on with offset=%d", args.Offset, args.Offset+i-1, len(entries), args.Offset+i), true)
		}
	}
	return p.outcome(fmt.Sprintf("end of directory, %d entries", len(entries)), false)
}

func pastEnd(place Place, offset, have int, unit string) tools.Outcome {
	return tools.Outcome{
		Kind: tools.Blocked, Block: tools.InvalidArguments,
		Text: fmt.Sprintf("offset %d is past the end: %s has %d %s", offset, place.Name, have, unit),
	}
}

// entriesOf lists a folder in order of names: folders end in a slash, and
// links show where they lead.
func entriesOf(real string) ([]string, error) {
	d, err := openDir(real)
	if err != nil {
		return nil, err
	}
	defer d.close()
	folder, err := d.list(real)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	found, err := folder.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(found))
	for i, e := range found {
		names[i] = tools.CleanLine(e.Name())
		switch {
		case e.IsDir():
			names[i] += "/"
		case e.Type()&fs.ModeSymlink != 0:
			if to, err := d.readlink(e.Name()); err == nil {
				names[i] += " -> " + tools.CleanLine(string(to))
			}
		}
	}
	slices.Sort(names)
	return names, nil
}
