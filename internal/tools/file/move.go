package file

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

type mvArgs struct {
	Source      string `json:"source" doc:"Path of the file, symbolic link or folder to rename"`
	Destination string `json:"destination" doc:"Its whole new path, name included; missing folders are made"`
	Overwrite   bool   `json:"overwrite,omitempty" doc:"Replace a file that is at the destination"`
}

const mvDoc = "Renames or moves a file, a symbolic link or a folder. Nothing is overwritten unless overwrite is set, and then only a file."

func (f *files) mv() tools.Tool {
	return tools.New(changing("mv", mvDoc), func(_ context.Context, _ tools.Spec, args mvArgs) (*tools.Proposal, error) {
		p, err := f.proposeMv(args)
		return about(args.Source+" → "+args.Destination, p, err)
	})
}

// proposeMv renames, and never copies: across file systems it refuses, for
// there is no one step that does it.
func (f *files) proposeMv(args mvArgs) (*tools.Proposal, error) {
	from, err := f.thing(args.Source, "move")
	if err != nil {
		return nil, err
	}
	tree, err := f.tree(from, "move")
	if err != nil {
		return nil, err
	}
	if len(tree) == 0 {
		return nil, tools.Refuse(tools.InvalidArguments, "%s does not exist%s", from.Name, similarNames(from))
	}
	top := tree[0].state
	dest, now, err := f.target(args.Destination, tree, args.Overwrite)
	if err != nil {
		return nil, err
	}
	dir, err := nearest(dest)
	if err != nil || dir.id.dev != top.id.dev {
		return nil, tools.Refuse(tools.InvalidArguments, "%s and %s are on different file systems, where renaming is not one step: copy it with cp, and remove it with rm", from.Name, dest.Name)
	}
	if err := emptied(f.ws.real(filepath.Dir(from.Real))); err != nil {
		return nil, err
	}
	c := &change{kind: "R", whole: true, what: top.kind, place: dest, before: now, after: top.data, from: from, source: top, tree: tree}
	if now.exists() {
		c.note("the file that is there is replaced")
	}
	p := f.propose([]*change{c})
	p.Summary = fmt.Sprintf("%s → %s", tools.CleanLine(from.Name), tools.CleanLine(dest.Name))
	if top.kind == tools.Folder {
		p.Summary += " with everything in it: " + census(tree)
		f.list(p, tree, "R")
	}
	if now.exists() {
		p.Summary += ", replacing what is there"
		p.Preview = append(p.Preview, replaced(dest, now, top)...)
	}
	return p, nil
}

// target returns the place that a copy or a move goes to, and what is there.
func (f *files) target(name string, tree []entry, overwrite bool) (Place, state, error) {
	from, top := tree[0].place, tree[0].state
	dest, now, err := f.free(name)
	if err != nil {
		return dest, now, err
	}
	_, below := within(from.Real, dest.Real)
	refuse := func(format string, a ...any) (Place, state, error) {
		return dest, now, tools.Refuse(tools.InvalidArguments, format, a...)
	}
	switch {
	case dest.Real == from.Real:
		return refuse("%s is its own destination", from.Name)
	case below:
		return refuse("%s is inside of %s: nothing goes into itself", dest.Name, from.Name)
	case now.exists() && now.id == top.id:
		return refuse("%s and %s are the same file: two names of it (hard links), or one name where the case of letters does not count; go by a third name to change the spelling", from.Name, dest.Name)
	case now.kind == tools.Folder:
		return refuse("%s is a directory: give the whole new path, such as %s", dest.Name, filepath.ToSlash(filepath.Join(dest.Name, filepath.Base(from.Real))))
	case !now.exists() && strings.HasSuffix(name, "/") && top.kind != tools.Folder:
		return refuse("%s names a folder: give the whole new path, name included", name)
	case !now.exists():
		return dest, now, nil
	case now.kind == tools.Link:
		return refuse("%s is a symbolic link to %s: name the file itself, or remove the link first", dest.Name, tools.CleanLine(string(now.data)))
	case top.kind != tools.Regular:
		return refuse("%s exists: only a file may take the place of a file", dest.Name)
	case !overwrite:
		return refuse("%s exists: set overwrite to replace it, or choose another name", dest.Name)
	}
	return dest, now, changeable(dest, now)
}

// replaced shows what happens to the content at a place.
func replaced(dest Place, old, next state) []tools.Section {
	c := &change{kind: "M", place: dest, before: old, after: next.data}
	c.show()
	return sections([]*change{c})
}

// list adds everything that is in a tree to a preview.
func (f *files) list(p *tools.Proposal, tree []entry, kind string) {
	var rows, manual []string
	if p.Manual != "" {
		manual = append(manual, p.Manual)
	}
	for _, e := range tree[1:] {
		size := "(" + noun(e.state.kind) + ")"
		if e.state.kind == tools.Regular {
			size = plural(len(e.state.data), "byte", "bytes")
		}
		rows = append(rows, kind+"\t"+tools.CleanLine(e.place.Name)+"\t"+size)
		p.Subjects = append(p.Subjects, e.place.Name)
		if e.place.Guard != "" {
			manual = append(manual, tools.CleanLine(e.place.Name)+" is "+e.place.Guard)
		}
	}
	p.Manual = few(manual)
	if len(rows) > 0 {
		p.Preview = append(p.Preview, tools.Section{Kind: tools.Table, Title: census(tree), Body: strings.Join(rows, "\n")})
	}
}
