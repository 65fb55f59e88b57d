package file

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A folder was made for a new file.
type folder struct {
	parent dir
	base   string
}

func hashOf(b []byte) sum { return sha256.Sum256(b) }

// stage writes every new content beside its place, where renaming it is one
// step of the file system.
func (c *commit) stage() error {
	for _, s := range c.steps {
		var err error
		s.base = filepath.Base(s.place.Real)
		if s.d, err = c.folderOf(s.place.Real, !s.remove && !s.before.exists); err != nil {
			return fmt.Errorf("the folder of %s: %s", s.place.Name, explain(err))
		}
		if s.remove {
			continue
		}
		if err := c.stageOne(s); err != nil {
			return fmt.Errorf("%s cannot be written: %w", s.place.Name, err)
		}
	}
	return nil
}

// folderOf opens the folder of a real path, and makes it and those above it if
// it may.
func (c *commit) folderOf(real string, may bool) (dir, error) {
	parent := filepath.Dir(real)
	d, err := openDir(parent)
	if !may || !errors.Is(err, fs.ErrNotExist) {
		return d, err
	}
	above, err := c.folderOf(parent, true)
	if err != nil {
		return dir{}, err
	}
	if err := unix.Mkdirat(above.fd, filepath.Base(parent), 0o777); err != nil {
		above.close()
		return dir{}, err
	}
	c.folders = append(c.folders, folder{above, filepath.Base(parent)})
	return openDir(parent)
}

// stageOne writes the content of s into a hidden file in its folder, complete
// and flushed to disk, with the permissions it is to have.
func (c *commit) stageOne(s *step) error {
	perm := uint32(0o666) // less the umask, as for any new file
	if s.like.exists {
		perm = 0o600
	}
	name := ".zuno-" + rand.Text()
	fd, err := retry(func() (int, error) {
		return unix.Openat(s.d.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, perm)
	})
	if err != nil {
		return errors.New(explain(err))
	}
	s.temp = name
	err = c.fill(fd, s)
	if e := unix.Close(fd); err == nil {
		err = e
	}
	if err != nil {
		return errors.New(explain(err))
	}
	return nil
}

func (c *commit) fill(fd int, s *step) error {
	for b := s.after; len(b) > 0; {
		n, err := retry(func() (int, error) { return c.disk(fd, b) })
		if err != nil {
			return err
		}
		b = b[n:]
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if like := s.like; like.exists {
		if int(st.Uid) != like.uid || int(st.Gid) != like.gid {
			if err := unix.Fchown(fd, like.uid, like.gid); err != nil {
				return fmt.Errorf("it belongs to user %d and group %d, and replacing it would change that: %s", like.uid, like.gid, explain(err))
			}
		}
		if err := unix.Fchmod(fd, like.mode&0o777); err != nil {
			return err
		}
		if err := unix.Fstat(fd, &st); err != nil {
			return err
		}
	}
	s.made = statOf(&st)
	s.made.sum = hashOf(s.after)
	return unix.Fsync(fd)
}

func (d dir) rename(from, to string) error { return unix.Renameat(d.fd, from, d.fd, to) }

func (d dir) remove(base string) error { return unix.Unlinkat(d.fd, base, 0) }

func (d dir) removeDir(base string) error { return unix.Unlinkat(d.fd, base, unix.AT_REMOVEDIR) }

// sync flushes the names in d to disk.
func (d dir) sync() error {
	fd, err := retry(func() (int, error) {
		return unix.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
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

// linkNew moves a file to a name that must be free, where the file system
// cannot do that in one step: a second name, then without the first.
func linkNew(d dir, from, to string) error {
	if err := unix.Linkat(d.fd, from, d.fd, to, 0); err != nil {
		return err
	}
	return d.remove(from)
}
