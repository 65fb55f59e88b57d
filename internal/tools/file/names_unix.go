//go:build unix

package file

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/zuno-dev/zuno/internal/tools"
	"golang.org/x/sys/unix"
)

// create makes the file base of d, which must not be there, for writing.
func (d dir) create(base string, perm uint32) (int, error) {
	return retry(func() (int, error) {
		return unix.Openat(d.fd, base, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, perm)
	})
}

func write(fd int, p []byte) (int, error) { return unix.Write(fd, p) }

func flush(fd int) error { return unix.Fsync(fd) }

func closeFile(fd int) error { return unix.Close(fd) }

// dress gives an open file the looks that it is to have, and returns its state.
func dress(fd int, like looks) (state, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return state{}, err
	}
	if !like.given {
		return statOf(&st), nil
	}
	if like.owned && (int(st.Uid) != like.uid || int(st.Gid) != like.gid) {
		if err := unix.Fchown(fd, like.uid, like.gid); err != nil {
			return state{}, fmt.Errorf("it belongs to user %d and group %d, and replacing it would change that: %s", like.uid, like.gid, explain(err))
		}
	}
	clearList(fd)
	if err := setAttrs(fd, like.attrs); err != nil {
		return state{}, err
	}
	if err := unix.Fchmod(fd, like.mode&0o777); err != nil {
		return state{}, err
	}
	err := unix.Fstat(fd, &st)
	return statOf(&st), err
}

// mkdir makes the folder base of d.
func (d dir) mkdir(base string, mode uint32) error { return unix.Mkdirat(d.fd, base, mode) }

// symlink makes the symbolic link base of d.
func (d dir) symlink(target, base string) error { return unix.Symlinkat(target, d.fd, base) }

// rename moves what is at from to a name, in place of what is there.
func (d dir) rename(from string, in dir, to string) error {
	return unix.Renameat(d.fd, from, in.fd, to)
}

// chmod gives d itself permissions.
func (d dir) chmod(mode uint32) error {
	fd, err := d.again()
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }() // nothing was written through it
	return unix.Fchmod(fd, mode)
}

// remove takes the name base of a thing of a kind out of d.
func (d dir) remove(base string, kind tools.FileKind) error {
	flags := 0
	if kind == tools.Folder {
		flags = unix.AT_REMOVEDIR
	}
	return unix.Unlinkat(d.fd, base, flags)
}

// sync flushes the names in d to disk.
func (d dir) sync() error {
	fd, err := d.again()
	if errors.Is(err, unix.EACCES) { // a folder that cannot be listed cannot be flushed either
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()                                  // nothing was written through it
	if err := unix.Fsync(fd); err != nil && !errors.Is(err, unix.EINVAL) { // some file systems have no such thing
		return err
	}
	return nil
}

// linkNew moves what is at from to a name that must be free, where the file
// system cannot do that in one step: a second name, then without the first. A
// folder has one name only; at worst an empty one is replaced by it.
func linkNew(d dir, from string, in dir, to string) error {
	if d.isFolder(from) {
		if !in.glance(to, state{}) {
			return fs.ErrExist
		}
		return d.rename(from, in, to)
	}
	if err := unix.Linkat(d.fd, from, in.fd, to, 0); err != nil {
		return err
	}
	return unix.Unlinkat(d.fd, from, 0)
}
