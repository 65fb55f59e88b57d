package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// artifact pages through a file of the spool directory, and through no other.
func (c Config) artifact(a bgArgs) (*tools.Proposal, error) {
	name, err := c.spooled(a.OutputPath)
	if err != nil {
		return nil, err
	}
	w, err := c.page(name, a)
	if err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "%v", err)
	}
	if a.Cursor != nil && *a.Cursor > w.Total {
		return nil, tools.Refuse(tools.InvalidArguments, "cursor %d is past the end of the file, which has %d bytes", *a.Cursor, w.Total)
	}
	return &tools.Proposal{
		Summary: "artifact " + tools.Clip(tools.CleanLine(name), 180),
		Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
			w, err := c.page(name, a)
			if err != nil {
				return tools.Outcome{Kind: tools.Blocked, Block: tools.Stale, Text: tools.Clean(err.Error())}
			}
			v := c.view(w, a.window(), false)
			return tools.Outcome{Kind: tools.OK, Truncated: v.HasMore(), Text: strings.TrimSuffix(v.header()+"\n"+v.body(), "\n")}
		},
	}, nil
}

// spooled returns the name of path within the spool directory.
func (c Config) spooled(path string) (string, error) {
	dir, name := filepath.Split(path)
	if c.Spool != "" && filepath.IsLocal(name) && name != "." {
		in, err := filepath.EvalSymlinks(filepath.Clean(dir))
		spool, serr := filepath.EvalSymlinks(c.Spool)
		if dir == "" || err == nil && serr == nil && in == spool {
			return name, nil
		}
	}
	return "", tools.Refuse(tools.InvalidArguments, "%s is not an output that zuno kept; read shows other files", tools.CleanLine(tools.Clip(path, 200)))
}

// page reads a window of the file.
func (c Config) page(name string, a bgArgs) (shell.Window, error) {
	shown := tools.CleanLine(name)
	root, err := os.OpenRoot(c.Spool)
	if err != nil {
		return shell.Window{}, fmt.Errorf("the kept output %s is gone: there is no spool directory", shown)
	}
	defer root.Close()
	st, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return shell.Window{}, fmt.Errorf("the kept output %s does not exist (any more)", shown)
	case err != nil:
		return shell.Window{}, fmt.Errorf("the kept output %s cannot be read: %w", shown, err)
	case !st.Mode().IsRegular():
		return shell.Window{}, fmt.Errorf("%s is not a kept output", shown)
	}
	f, err := root.Open(name)
	if err != nil {
		return shell.Window{}, fmt.Errorf("the kept output %s cannot be read: %w", shown, err)
	}
	defer f.Close()
	w := shell.Window{Total: st.Size(), Ended: true}
	if a.Cursor != nil {
		w.From = *a.Cursor
	}
	buf := make([]byte, min(int64(a.window()), max(0, w.Total-w.From)))
	n, err := f.ReadAt(buf, w.From)
	if err != nil && !errors.Is(err, io.EOF) {
		return shell.Window{}, fmt.Errorf("read the kept output %s: %w", shown, err)
	}
	w.Data = buf[:n]
	return w, nil
}
