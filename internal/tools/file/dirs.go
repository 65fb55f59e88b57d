package file

import (
	"path/filepath"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// openDirs are the folders that a commit has open, so that it goes on in the
// very folders that it began in.
type openDirs struct{ open map[string]dir }

// maxDirs bounds how many folders are open at a time.
const maxDirs = 256

// of returns the folder at a real path.
func (o *openDirs) of(real string) (dir, error) {
	if d, ok := o.open[real]; ok {
		return d, nil
	}
	d, err := openDir(real)
	if err != nil {
		return d, err
	}
	if len(o.open) >= maxDirs {
		o.close()
	}
	if o.open == nil {
		o.open = map[string]dir{}
	}
	o.open[real] = d
	return d, nil
}

// forget closes the folders at and below a path that is theirs no more.
func (o *openDirs) forget(real string) {
	for path, d := range o.open {
		if path == real || strings.HasPrefix(path, real+string(filepath.Separator)) {
			d.close()
			delete(o.open, path)
		}
	}
}

func (o *openDirs) close() {
	for _, d := range o.open {
		d.close()
	}
	o.open = nil
}

// isFolder reports whether base of d is a folder.
func (d dir) isFolder(base string) bool {
	s, err := d.stat(base)
	return err == nil && s.kind == tools.Folder
}
