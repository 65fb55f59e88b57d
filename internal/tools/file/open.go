package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A dir is a folder held open. Everything that is changed is changed through
// one, by name within it, so that no link put in place of a folder after a
// check can lead elsewhere.
type dir struct{ fd int } // a file descriptor, on Windows a handle

// errKind is the error of a file that is there but is not of the kind asked
// for.
type errKind struct{ kind string }

func (e errKind) Error() string { return "it is " + e.kind }

// A reader is a regular file open for reading. It was opened without waiting
// and stays so: a file that would make a reader wait is an error.
type reader struct {
	fd   int
	stat state // without what is in it
}

// openFile opens the regular file at a real path.
func openFile(real string) (*reader, error) {
	d, err := openDir(filepath.Dir(real))
	if err != nil {
		return nil, err
	}
	defer d.close()
	return d.open(filepath.Base(real))
}

// explain says what an error about a file means, without the call that met it.
func explain(err error) string {
	var kind errKind
	switch {
	case errors.As(err, &kind):
		return kind.Error()
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of its path is not a directory"
	case errors.Is(err, errFull):
		return "no space is left on the device"
	case errors.Is(err, syscall.ELOOP):
		return "a part of its path has become a symbolic link"
	case errors.Is(err, syscall.EBUSY):
		return "it is in use as it is, as a file that is mounted by itself is: change it with a command"
	case errors.Is(err, syscall.EROFS):
		return "its file system is read-only"
	}
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return fmt.Sprint(err)
}
