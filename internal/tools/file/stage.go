package file

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/zuno-dev/zuno/internal/tools"
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
	if _, err := c.dirs.of(dir); err == nil || !c.made[dir] {
		return dir, err
	}
	in := dir
	d, err := c.dirs.of(in)
	for ; err != nil && c.made[in]; d, err = c.dirs.of(in) {
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
	if err := d.mkdir(n.name, 0o700); err != nil {
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
		if err := d.symlink(string(s.after.data), name); err != nil {
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
	fd, err := d.create(name, perm)
	if err != nil {
		return errors.New(explain(err))
	}
	s.temp = name
	err = c.fill(fd, s)
	if e := closeFile(fd); err == nil {
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
	made, err := dress(fd, s.looks)
	if err != nil {
		return err
	}
	s.made = made
	s.made.sum = s.after.sum
	return flush(fd)
}
