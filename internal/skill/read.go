package skill

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"
)

// A document is a file that was read.
type document struct {
	text string
	info fs.FileInfo
}

// open returns the files of p. Of a project it is a handle that no link leads
// out of; people keep their own folders wherever they like.
func (p Place) open() (fs.FS, func() error, error) {
	if p.Root == "" {
		return os.DirFS(p.Dir), func() error { return nil }, nil
	}
	rel, err := filepath.Rel(p.Root, p.Dir)
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(p.Root)
	if err != nil {
		return nil, nil, err
	}
	in, err := fs.Sub(root.FS(), filepath.ToSlash(rel))
	return in, root.Close, err
}

// entries returns the names in p that are not hidden, sorted; none when there is
// no such folder.
func (p Place) entries() []string {
	in, done, err := p.open()
	if err != nil {
		return nil
	}
	defer done()
	list, err := fs.ReadDir(in, ".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), ".") && len(names) < maxEntries {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// read returns a file of p, nil when there is none.
func (p Place) read(name string) (*document, error) {
	in, done, err := p.open()
	if err != nil {
		return nil, err
	}
	defer done()
	return readFile(in, name)
}

// readFile returns a regular file of text, nil when there is none of that name.
// It opens nothing else: a pipe would never answer.
func readFile(in fs.FS, name string) (*document, error) {
	info, err := fs.Stat(in, name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, nil
	case err != nil:
		return nil, cause(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	f, err := in.Open(name)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	switch {
	case err != nil:
		return nil, cause(err)
	case len(b) > maxDocument:
		return nil, fmt.Errorf("it has more than %d KiB", maxDocument>>10)
	case !utf8.Valid(b):
		return nil, errors.New("it is not UTF-8 text")
	}
	return &document{string(b), info}, nil
}

// cause drops the operation and the path, which a message has already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
