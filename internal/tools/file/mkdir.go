package file

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zuno-dev/zuno/internal/tools"
)

type mkdirArgs struct {
	Path      string `json:"path" doc:"Path of the folder, absolute or relative to the workspace"`
	Recursive bool   `json:"recursive,omitempty" doc:"Make missing folders above it too; it is no error when it exists"`
}

const mkdirDoc = "Makes a folder. It is not needed before write or apply_patch, which make missing folders themselves."

func (f *files) mkdir() tools.Tool {
	return tools.New(changing("mkdir", mkdirDoc), func(_ context.Context, _ tools.Spec, args mkdirArgs) (*tools.Proposal, error) {
		p, err := f.proposeMkdir(args)
		return about(args.Path, p, err)
	})
}

func (f *files) proposeMkdir(args mkdirArgs) (*tools.Proposal, error) {
	place, now, err := f.free(args.Path)
	switch {
	case err != nil:
		return nil, err
	case now.exists() && now.kind != tools.Folder:
		return nil, tools.Refuse(tools.InvalidArguments, "%s exists and is %s", place.Name, article(now.kind))
	case now.exists() && !args.Recursive:
		return nil, tools.Refuse(tools.InvalidArguments, "%s exists already", place.Name)
	}
	if _, err := os.Lstat(filepath.Dir(place.Real)); errors.Is(err, fs.ErrNotExist) && !args.Recursive {
		return nil, tools.Refuse(tools.InvalidArguments, "the folder of %s does not exist: set recursive to make it too", place.Name)
	}
	c := &change{kind: "A", what: tools.Folder, place: place, before: now}
	p := f.propose([]*change{c})
	for _, above := range c.folders {
		p.Subjects = append(p.Subjects, above.Name)
	}
	return p, nil
}
