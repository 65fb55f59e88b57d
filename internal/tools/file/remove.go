package file

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

type rmArgs struct {
	Path      string `json:"path" doc:"Path of the file, symbolic link or folder, absolute or relative to the workspace"`
	Recursive bool   `json:"recursive,omitempty" doc:"Remove a folder with everything in it"`
	Force     bool   `json:"force,omitempty" doc:"It is no error when there is nothing to remove"`
}

const rmDoc = "Removes a file, a symbolic link (and not what it leads to) or, with recursive, a folder with everything in it. " +
	"What is removed is kept, so that the user can take it back; of more than 10,000 entries or 64 MiB that is not possible, and they are refused."

func (f *files) rm() tools.Tool {
	return tools.New(changing("rm", rmDoc), func(_ context.Context, _ tools.Spec, args rmArgs) (*tools.Proposal, error) {
		p, err := f.proposeRm(args)
		return about(args.Path, p, err)
	})
}

// proposeRm does not ask for a person on its own account, as a command that
// removes files does: everything that goes is recorded first, so that it can be
// put back.
func (f *files) proposeRm(args rmArgs) (*tools.Proposal, error) {
	place, err := f.thing(args.Path, "remove")
	if err != nil {
		return nil, err
	}
	tree, err := f.tree(place, "remove")
	switch {
	case err != nil:
		return nil, err
	case len(tree) == 0 && args.Force:
		return f.propose([]*change{{kind: "D", place: place}}), nil
	case len(tree) == 0:
		return nil, tools.Refuse(tools.InvalidArguments, "%s does not exist%s", place.Name, similarNames(place))
	}
	folder := tree[0].state.kind == tools.Folder
	switch {
	case folder && !args.Recursive:
		return nil, tools.Refuse(tools.InvalidArguments, "%s is a directory of %d entries: set recursive to remove it with everything in it", place.Name, len(tree)-1)
	case !folder && strings.HasSuffix(args.Path, "/"):
		return nil, tools.Refuse(tools.InvalidArguments, "%s is %s, not a directory: leave the slash at the end out", place.Name, article(tree[0].state.kind))
	}
	if err := emptied(f.ws.real(filepath.Dir(place.Real))); err != nil {
		return nil, err
	}
	var changes []*change
	for _, e := range slices.Backward(tree) {
		if e.state.kind == tools.Folder && len(tree) > 1 {
			if err := emptied(e.place); err != nil {
				return nil, err
			}
		}
		c := &change{kind: "D", place: e.place, before: e.state, brief: folder || len(e.state.data) > maxShown}
		c.parting()
		changes = append(changes, c)
	}
	p := f.propose(changes)
	if folder {
		p.Summary = fmt.Sprintf("delete %s/ and everything in it: %s", tools.CleanLine(place.Name), census(tree))
	}
	return p, nil
}

// maxShown is the size of the largest file that is shown line by line when it
// goes as a whole.
const maxShown = 1 << 20

// parting notes what would not come back with the content of what is removed.
func (c *change) parting() {
	if s := c.before; s.kind == tools.Regular {
		if s.links > 1 {
			c.note("the file has %d names (hard links): the others stay", s.links)
		}
		if len(s.attrs) > 0 {
			c.note("its extended attributes or access list would not come back with it")
		}
	}
}

// census counts what is in a tree besides its top.
func census(tree []entry) string {
	count := map[tools.FileKind]int{}
	size := 0
	for _, e := range tree[1:] {
		count[e.state.kind]++
		if e.state.kind == tools.Regular {
			size += len(e.state.data)
		}
	}
	s := plural(count[tools.Regular], "file", "files")
	if n := count[tools.Link]; n > 0 {
		s += ", " + plural(n, "link", "links")
	}
	if n := count[tools.Folder]; n > 0 {
		s += ", " + plural(n, "directory", "directories")
	}
	return fmt.Sprintf("%s, %d bytes", s, size)
}

func plural(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
