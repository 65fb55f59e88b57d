//go:build unix

package file

import (
	"errors"
	"os"

	"github.com/zuno-dev/zuno/internal/tools"
	"golang.org/x/sys/unix"
)

// stat returns the state of base of d, itself and without what is in it.
func (d dir) stat(base string) (state, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, base, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return state{}, err
	}
	return statOf(&st), nil
}

func statOf(st *unix.Stat_t) state {
	return state{
		kind:  fileKind(uint32(st.Mode)),
		id:    identity{uint64(st.Dev), uint64(st.Ino)},
		stamp: stamp{st.Size, int64(st.Mtim.Sec), int64(st.Mtim.Nsec)},
		mode:  uint32(st.Mode) & 0o7777,
		links: uint64(st.Nlink),
		uid:   int(st.Uid),
		gid:   int(st.Gid),
	}
}

// fileKind returns the kind of what has a mode, and Absent for what no tool
// here makes or removes, such as a device.
func fileKind(mode uint32) tools.FileKind {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return tools.Regular
	case unix.S_IFLNK:
		return tools.Link
	case unix.S_IFDIR:
		return tools.Folder
	}
	return tools.Absent
}

func (d dir) readlink(base string) ([]byte, error) {
	buf := make([]byte, 4097) // the longest target has one byte less
	n, err := unix.Readlinkat(d.fd, base, buf)
	if err != nil {
		return nil, err
	}
	return buf[:n:n], nil
}

// list returns d itself, open for listing.
func (d dir) list(name string) (*os.File, error) {
	fd, err := d.again()
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// again opens d once more, in a way that it can be listed and flushed.
func (d dir) again() (int, error) {
	return retry(func() (int, error) {
		return unix.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
}

// mayWrite is nil unless it is certain that the system would not let the file
// at a real path be written to, or a folder's names be changed.
func mayWrite(real string, folder bool) error {
	how := uint32(unix.W_OK)
	if folder {
		how |= unix.X_OK
	}
	err := unix.Faccessat(unix.AT_FDCWD, real, how, unix.AT_EACCESS)
	if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EROFS) {
		return err
	}
	return nil
}
