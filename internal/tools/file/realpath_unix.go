//go:build unix

package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// judge returns why a name cannot be judged: on Unix a name is what it says.
func judge(_, _ string) error { return nil }

// trueName is the name of base in the folder parent: it has no other.
func trueName(_, base string) string { return base }

// links bounds how many symbolic links one name may go through, as Linux does
// (path_resolution(7)).
const links = 40

// realPath resolves every symbolic link of an absolute, clean path, up to and
// including the last component. What is missing is taken as it is named, so a
// link to a file that does not exist yet gives the file it would create.
func realPath(path string) (string, error) {
	real, todo := "/", strings.Split(path, "/")
	followed := 0
	for len(todo) > 0 {
		c := todo[0]
		todo = todo[1:]
		switch c {
		case "", ".":
			continue
		case "..":
			real = filepath.Dir(real)
			continue
		}
		next := filepath.Join(real, c)
		st, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			real = next
			continue
		case err != nil:
			return "", errors.Unwrap(err)
		case st.Mode()&fs.ModeSymlink == 0:
			real = next
			continue
		}
		if followed++; followed > links {
			return "", errors.New("too many symbolic links")
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", errors.Unwrap(err)
		}
		if filepath.IsAbs(target) {
			real = "/"
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	return real, nil
}
