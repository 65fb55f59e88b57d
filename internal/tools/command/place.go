package command

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A place is the directory a command runs in.
type place struct {
	named   string // absolute, as it was named
	real    string // with all symbolic links resolved
	outside bool   // not the workspace and not below it
	shown   string
}

// root is the real path of the workspace.
func (c Config) root() string {
	if real, err := filepath.EvalSymlinks(c.Workspace); err == nil {
		return real
	}
	return c.Workspace
}

// resolve works out where workdir is. The boundary is the workspace, whatever
// the model names.
func (c Config) resolve(workdir string) (place, error) {
	if err := shell.CheckDir(c.Workspace); err != nil {
		return place{}, tools.Refuse(tools.Unavailable, "the workspace is gone: %v; nothing can run until it is back", err)
	}
	if strings.ContainsRune(workdir, 0) {
		return place{}, tools.Refuse(tools.InvalidArguments, "workdir contains a NUL byte")
	}
	path := workdir
	if home := c.env("HOME"); home != "" && (path == "~" || strings.HasPrefix(path, "~/")) {
		path = home + path[1:]
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.root(), path)
	}
	p := place{named: filepath.Clean(path)}
	var err error
	p.real, err = filepath.EvalSymlinks(p.named)
	if err == nil {
		err = shell.CheckDir(p.real)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return place{}, tools.Refuse(tools.InvalidArguments, "workdir %s does not exist (any more); without workdir the command runs in the workspace, %s", workdir, c.root())
	case err != nil:
		return place{}, tools.Refuse(tools.InvalidArguments, "workdir %s: %v", workdir, err)
	}
	rel, err := filepath.Rel(c.root(), p.real)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		p.outside, p.shown = true, p.real+" (outside the workspace)"
	case rel == ".":
		p.shown = p.real + " (the workspace)"
	default:
		p.shown = p.real
	}
	return p, nil
}

// check reports why the place is not what it was when it was resolved.
func (p place) check() error {
	if err := shell.CheckDir(p.real); err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(p.named); err != nil || real != p.real {
		return errors.New("the working directory " + p.named + " is another one by now")
	}
	return nil
}
