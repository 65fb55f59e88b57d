package file

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

type cpArgs struct {
	Source      string `json:"source" doc:"Path of the file, symbolic link or folder to copy"`
	Destination string `json:"destination" doc:"The whole path of the copy, name included; missing folders are made"`
	Recursive   bool   `json:"recursive,omitempty" doc:"Copy a folder with everything in it"`
	Overwrite   bool   `json:"overwrite,omitempty" doc:"Replace a file that is at the destination; its permissions stay"`
}

const cpDoc = "Copies a file, a symbolic link (as a link) or, with recursive, a folder, with permissions. " +
	"Nothing is overwritten unless overwrite is set, and then only a file. At most 10,000 entries and 64 MiB."

func (f *files) cp() tools.Tool {
	return tools.New(changing("cp", cpDoc), func(_ context.Context, _ tools.Spec, args cpArgs) (*tools.Proposal, error) {
		p, err := f.proposeCp(args)
		return about(args.Source+" → "+args.Destination, p, err)
	})
}

func (f *files) proposeCp(args cpArgs) (*tools.Proposal, error) {
	from, err := f.ws.Entry(args.Source)
	switch {
	case err != nil:
		return nil, tools.Refuse(tools.InvalidArguments, "%v", err)
	case secret(from.Real):
		return nil, tools.Refuse(tools.Denied, "%s shows the environment or the memory of a process, which is never read", from.Name)
	}
	tree, err := f.tree(from, "copy")
	switch {
	case err != nil:
		return nil, err
	case len(tree) == 0:
		return nil, tools.Refuse(tools.InvalidArguments, "%s does not exist%s", from.Name, similarNames(from))
	case tree[0].state.kind == tools.Folder && !args.Recursive:
		return nil, tools.Refuse(tools.InvalidArguments, "%s is a directory of %d entries: set recursive to copy it with everything in it", from.Name, len(tree)-1)
	}
	dest, now, err := f.target(args.Destination, tree, args.Overwrite)
	if err != nil {
		return nil, err
	}
	var changes []*change
	for _, e := range tree {
		changes = append(changes, f.copyOf(e, dest, now))
	}
	p := f.propose(changes)
	for _, e := range tree {
		p.Subjects = append(p.Subjects, e.place.Name)
	}
	if !f.ws.reads(from) {
		p.Manual = strings.Trim(p.Manual+"; "+outside(from), "; ")
	}
	p.Summary = fmt.Sprintf("copy %s → %s", tools.CleanLine(from.Name), tools.CleanLine(dest.Name))
	if tree[0].state.kind == tools.Folder {
		p.Summary += " with everything in it: " + census(tree)
	}
	if now.exists() {
		p.Summary += ", replacing what is there"
	}
	return p, nil
}

// copyOf makes the change that copies one entry of a tree to below dest.
func (f *files) copyOf(e entry, dest Place, now state) *change {
	c := &change{kind: "A", what: e.state.kind, place: dest, before: now, after: e.state.data, copied: &e, blind: true, brief: true}
	if e.rel != "" {
		c.place, c.before = f.ws.real(filepath.Join(dest.Real, e.rel)), state{}
	}
	c.looks = looks{given: true, mode: e.state.mode & 0o777, attrs: e.state.attrs}
	switch {
	case c.before.exists():
		c.kind, c.brief = "M", false
		c.note("the file that is there is replaced")
	case e.state.kind == tools.Link:
		c.looks = looks{}
	case e.state.mode&^0o777 != 0 && e.state.kind == tools.Regular:
		c.note("setuid, setgid and sticky bits are not copied")
	}
	return c
}
