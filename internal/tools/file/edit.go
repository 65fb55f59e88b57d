package file

import (
	"cmp"
	"context"

	"github.com/zuno-dev/zuno/internal/patch"
	"github.com/zuno-dev/zuno/internal/tools"
)

type editArgs struct {
	FilePath   string `json:"filePath" doc:"Path of the file, absolute or relative to the workspace"`
	OldString  string `json:"oldString" doc:"The text to replace, exactly as it is in the file; it must be there once unless replaceAll is set"`
	NewString  string `json:"newString" doc:"The text to put there, taken literally"`
	ReplaceAll bool   `json:"replaceAll,omitempty" doc:"Replace every occurrence"`
}

const editDoc = "Replaces a passage of a file that has been read before. Nothing in either text is special: no patterns, no escapes. " +
	"Where nothing matches exactly, one place may match but for typographic characters, and whole lines but for trailing space or indentation, and the result says so. " +
	"Line endings, byte order mark, and what stays of the old text are kept as they are in the file."

func (f *files) edit() tools.Tool {
	return tools.New(changing("edit", editDoc), func(_ context.Context, _ tools.Spec, args editArgs) (*tools.Proposal, error) {
		p, err := f.proposeEdit(args)
		rewritable(p, "newString", "the new text for "+tools.CleanLine(args.FilePath), args.FilePath)
		return about(args.FilePath, p, err)
	})
}

func (f *files) proposeEdit(args editArgs) (*tools.Proposal, error) {
	switch {
	case args.OldString == "":
		return nil, tools.Refuse(tools.InvalidArguments, "edit: oldString is empty; use write to create a file or to replace it as a whole")
	case args.OldString == args.NewString:
		return nil, tools.Refuse(tools.InvalidArguments, "edit: oldString and newString are the same: nothing would change")
	}
	place, now, err := f.existing(args.FilePath)
	if err != nil {
		return nil, err
	}
	if err := f.receipts.check(place, now); err != nil {
		return nil, err
	}
	if isBinary(now.data) {
		return nil, tools.Refuse(tools.InvalidArguments, "edit %s: it is %s", place.Name, cmp.Or(binary(now.data), "a binary file"))
	}
	r, err := patch.Replace(now.data, args.OldString, args.NewString, args.ReplaceAll)
	if err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "edit %s: %v", place.Name, cutShort(err, args.OldString))
	}
	c := &change{kind: "M", place: place, before: now, after: r.Text, notes: r.Notes}
	if err := c.fits(now.data); err != nil {
		return nil, err
	}
	if r.Count > 1 {
		c.note("%d places are replaced", r.Count)
	}
	return f.propose([]*change{c}), nil
}
