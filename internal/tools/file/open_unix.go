//go:build unix

package file

import (
	"errors"
	"io"
	"strings"

	"golang.org/x/sys/unix"
)

// errFull is the error of a file system without room.
const errFull = unix.ENOSPC

func (d dir) close() { _ = unix.Close(d.fd) } // nothing was written through it

// openDir opens the folder at a real path, component by component, and
// refuses symbolic links: a real path has none.
func openDir(real string) (dir, error) {
	fd, err := unix.Open("/", searchOnly|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return dir{}, err
	}
	for c := range strings.SplitSeq(real, "/") {
		if c == "" {
			continue
		}
		next, err := retry(func() (int, error) {
			return unix.Openat(fd, c, searchOnly|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		})
		_ = unix.Close(fd)
		if err != nil {
			return dir{}, err
		}
		fd = next
	}
	return dir{fd}, nil
}

// retry calls f until no signal interrupts it.
func retry(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

// kindOf names what a mode says a file is, and "" for a regular file.
func kindOf(mode uint32) string {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return ""
	case unix.S_IFDIR:
		return "a directory"
	case unix.S_IFLNK:
		return "a symbolic link"
	case unix.S_IFIFO:
		return "a named pipe"
	case unix.S_IFSOCK:
		return "a socket"
	}
	return "a device"
}

// open opens the regular file base of d. What it is is looked at twice: before,
// because opening a device can already do something, and after, on the open
// file, because only that is certain.
func (d dir) open(base string) (*reader, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, base, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return nil, err
	}
	if kind := kindOf(uint32(st.Mode)); kind != "" {
		return nil, errKind{kind}
	}
	fd, err := retry(func() (int, error) {
		return unix.Openat(d.fd, base, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	r := &reader{fd: fd}
	if err := unix.Fstat(fd, &st); err != nil {
		r.close()
		return nil, err
	}
	if kind := kindOf(uint32(st.Mode)); kind != "" {
		r.close()
		return nil, errKind{kind}
	}
	r.stat = statOf(&st)
	return r, nil
}

func (r *reader) close() { _ = unix.Close(r.fd) } // nothing was written through it

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	n, err := retry(func() (int, error) { return unix.Read(r.fd, p) })
	switch {
	case errors.Is(err, unix.EAGAIN):
		return 0, errors.New("it has nothing to read yet, and is not waited for")
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}
