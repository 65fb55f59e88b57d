package file

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/zuno-dev/zuno/internal/tools"
	"golang.org/x/sys/unix"
)

func hashOf(b []byte) sum { return sha256.Sum256(b) }

// stage writes every new content where renaming it to its place is one step of
// the file system: beside it, or in a nursery.
func (c *commit) stage(ctx context.Context) error {
	for _, s := range c.steps {
		if s.does != puts {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var err error
		if s.tempD, err = c.stagingFor(s.dir()); err != nil {
			return fmt.Errorf("the folder of %s: %s", s.place.Name, explain(err))
		}
		if err := c.stageOne(s); err != nil {
			return fmt.Errorf("%s cannot be written: %w", s.place.Name, err)
		}
	}
	return ctx.Err()
}

// A nursery is a hidden folder for contents whose own folders are yet to be
// made. Nobody else may look into it.
type nursery struct{ in, name string }

// stagingFor returns the folder in which to stage what is to come into dir.
func (c *commit) stagingFor(dir string) (string, error) {
	d, err := c.dirs.of(dir)
	if err == nil || !c.made[dir] {
		return dir, err
	}
	in := dir
	for d, err = c.dirs.of(in); err != nil && c.made[in]; d, err = c.dirs.of(in) {
		in = filepath.Dir(in)
	}
	if err != nil {
		return "", err
	}
	for _, n := range c.nurseries {
		if n.in == in {
			return filepath.Join(in, n.name), nil
		}
	}
	n := &nursery{in, ".zuno-" + rand.Text()}
	if err := unix.Mkdirat(d.fd, n.name, 0o700); err != nil {
		return "", err
	}
	c.nurseries = append(c.nurseries, n)
	return filepath.Join(in, n.name), nil
}

// stageOne writes the content of s into a hidden file, complete and flushed to
// disk, with the permissions it is to have.
func (c *commit) stageOne(s *step) error {
	d, err := c.dirs.of(s.tempD)
	if err != nil {
		return errors.New(explain(err))
	}
	name := ".zuno-" + rand.Text()
	if s.after.kind == tools.Link {
		if err := unix.Symlinkat(string(s.after.data), d.fd, name); err != nil {
			return errors.New(explain(err))
		}
		s.temp = name
		s.made, err = d.lookAny(name, 0)
		return err
	}
	perm := uint32(0o666) // less the umask, as for any new file
	if s.looks.given {
		perm = 0o600
	}
	fd, err := retry(func() (int, error) {
		return unix.Openat(d.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, perm)
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
	for b := s.after.data; len(b) > 0; {
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
	if like := s.looks; like.given {
		if like.owned && (int(st.Uid) != like.uid || int(st.Gid) != like.gid) {
			if err := unix.Fchown(fd, like.uid, like.gid); err != nil {
				return fmt.Errorf("it belongs to user %d and group %d, and replacing it would change that: %s", like.uid, like.gid, explain(err))
			}
		}
		clearList(fd)
		if err := setAttrs(fd, like.attrs); err != nil {
			return err
		}
		if err := unix.Fchmod(fd, like.mode&0o777); err != nil {
			return err
		}
		if err := unix.Fstat(fd, &st); err != nil {
			return err
		}
	}
	s.made = statOf(&st)
	s.made.sum = s.after.sum
	return unix.Fsync(fd)
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

// linkNew moves what is at from to a name that must be free, where the file
// system cannot do that in one step: a second name, then without the first. A
// folder has one name only; at worst an empty one is replaced by it.
func linkNew(d dir, from string, in dir, to string) error {
	if d.isFolder(from) {
		if !in.glance(to, state{}) {
			return fs.ErrExist
		}
		return unix.Renameat(d.fd, from, in.fd, to)
	}
	if err := unix.Linkat(d.fd, from, in.fd, to, 0); err != nil {
		return err
	}
	return unix.Unlinkat(d.fd, from, 0)
}
