package file

import (
	"errors"

	"golang.org/x/sys/unix"
)

// searchOnly opens a folder that may be passed through but not listed.
const searchOnly = unix.O_PATH

// renameNew moves what is at from to a name that must be free.
func renameNew(d dir, from string, in dir, to string) error {
	err := unix.Renameat2(d.fd, from, in.fd, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // the file system or the kernel cannot
		return linkNew(d, from, in, to)
	}
	return err
}
