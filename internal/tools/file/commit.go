package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/zuno-dev/zuno/internal/tools"
)

// carryOut does what was proposed, or says truly what came of it.
//
// First every path is looked at again, then every new content is written out
// beside its place, and only then names change hands, one rename each. What
// fails before the first rename has changed nothing; what fails later is
// taken back.
func (f *files) carryOut(ctx context.Context, changes []*change, report func(tools.Progress)) tools.Outcome {
	c := &commit{files: f, steps: stepsOf(changes), made: map[string]bool{}, dirty: map[string]bool{}}
	defer c.dirs.close()
	if name, why := c.verify(); why != "" {
		return tools.Outcome{
			Kind: tools.Blocked, Block: tools.Stale,
			Text: fmt.Sprintf("%s is not as it was when the change was proposed: %s. Nothing was changed. Read it again before you change it.", name, why),
		}
	}
	if ctx.Err() != nil {
		return tools.Outcome{Kind: tools.Cancelled, Text: "stopped before anything was changed"}
	}
	c.steps = slices.DeleteFunc(c.steps, func(s *step) bool { return s.does == keeps })
	if err := c.stage(ctx); err != nil {
		c.discard()
		if ctx.Err() != nil {
			return tools.Outcome{Kind: tools.Cancelled, Text: "stopped before anything was changed"}
		}
		return failed("nothing was changed: %v", err)
	}
	for i, s := range c.steps {
		if len(c.steps) <= 100 || i%100 == 0 {
			report(tools.Progress{Text: s.does.verb() + " " + tools.CleanLine(s.place.Name)})
		}
		if err := c.publish(s); err != nil {
			return c.takeBack(changes, err)
		}
	}
	c.finish()
	f.remember(changes)
	return c.success(changes)
}

// A commit carries out the steps of one proposal.
type commit struct {
	*files
	steps     []*step
	made      map[string]bool // folders that it makes
	nurseries []*nursery
	dirs      openDirs
	dirty     map[string]bool // folders whose names changed
	notes     []string        // what went less than well, without changing the result
}

// verify looks at every path again and says which is not as it was, and why.
func (c *commit) verify() (name, why string) {
	for _, s := range c.steps {
		if s.does == makes {
			c.made[s.place.Real] = true
		}
		if s.freed {
			continue // publish sees whether it is free
		}
		if s.does == renames {
			if _, why := c.verifyOne(s.from, s.source); why != "" {
				return s.from.Name, why
			}
		}
		now, why := c.verifyOne(s.place, s.before)
		if s.along && now.kind == tools.Folder {
			s.does, why = keeps, ""
		}
		if why != "" {
			return s.place.Name, why
		}
		if s.live = now; s.does == puts && now.kind == tools.Regular {
			s.looks = now.looks()
		}
	}
	return "", ""
}

func (c *commit) verifyOne(place Place, before state) (now state, why string) {
	again, err := c.ws.again(place)
	if err == nil && again.Real != place.Real {
		return now, fmt.Sprintf("it leads to %s now and led to %s", again.target, place.target)
	}
	if err == nil {
		now, err = lookAny(place.Real)
	}
	if err != nil {
		return now, explain(err)
	}
	return now, before.drift(now)
}

// publish makes a step take effect.
func (c *commit) publish(s *step) error {
	d, err := c.dirs.of(s.dir())
	if err != nil {
		return fmt.Errorf("the folder of %s: %s", s.place.Name, explain(err))
	}
	if !d.glance(s.base(), s.live) {
		if s.along && d.isFolder(s.base()) {
			return nil
		}
		return fmt.Errorf("%s changed at the last moment", s.place.Name)
	}
	switch s.does {
	case puts:
		err = c.put(d, s)
	case makes:
		err = c.makeFolder(d, s)
	case removes:
		c.dirs.forget(s.place.Real) // some systems keep a folder that is open
		err = d.remove(s.base(), s.live.kind)
	case renames:
		err = c.rename(d, s)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be changed: %s", s.place.Name, explain(err))
	}
	s.done = true
	c.dirty[s.dir()] = true
	return nil
}

// put gives the staged content of s its name.
func (c *commit) put(d dir, s *step) error {
	from, err := c.dirs.of(s.tempD)
	if err != nil {
		return err
	}
	if s.live.exists() {
		err = from.rename(s.temp, d, s.base())
	} else {
		err = renameNew(from, s.temp, d, s.base())
	}
	if err == nil {
		s.temp = ""
	}
	return err
}

func (c *commit) makeFolder(d dir, s *step) error {
	mode := uint32(0o777) // less the umask, as for any new folder
	if s.looks.given {
		mode = s.looks.mode | 0o700 // until everything is in it, see finish
	}
	if err := d.mkdir(s.base(), mode); err != nil {
		return err
	}
	now, err := d.lookAny(s.base(), 0)
	s.made = now
	return err
}

func (c *commit) rename(d dir, s *step) error {
	from, err := c.dirs.of(filepath.Dir(s.from.Real))
	if err != nil {
		return err
	}
	base := filepath.Base(s.from.Real)
	if !from.glance(base, s.source) {
		return errors.New("its source changed at the last moment")
	}
	c.dirs.forget(s.from.Real)
	if s.live.exists() {
		err = from.rename(base, d, s.base())
	} else {
		err = renameNew(from, base, d, s.base())
	}
	c.dirty[filepath.Dir(s.from.Real)] = true
	return err
}

// finish gives folders their permissions, now that everything is in them, and
// flushes every name to disk.
func (c *commit) finish() {
	for _, s := range slices.Backward(c.steps) {
		if s.does != makes || !s.looks.given || s.made.mode == s.looks.mode {
			continue
		}
		if d, err := c.dirs.of(s.place.Real); err == nil {
			if err := d.chmod(s.looks.mode); err != nil {
				c.notes = append(c.notes, fmt.Sprintf("%s could not be given its permissions %04o: %s", s.place.Name, s.looks.mode, explain(err)))
			}
		}
	}
	for real := range c.dirty {
		d, err := c.dirs.of(real)
		if err == nil {
			err = d.sync()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a folder that is gone has no names
			c.notes = append(c.notes, fmt.Sprintf("the folder %s could not be flushed to disk: %s", c.ws.name(real), explain(err)))
		}
	}
	c.discard()
}

// discard removes what was staged and is not in use.
func (c *commit) discard() {
	for _, s := range c.steps {
		if s.temp == "" {
			continue
		}
		if d, err := c.dirs.of(s.tempD); err == nil {
			_ = d.remove(s.temp, tools.Regular) // if it stays, a hidden file stays, and no result is wrong
		}
		s.temp = ""
	}
	for _, n := range c.nurseries {
		c.dirs.forget(filepath.Join(n.in, n.name))
		if d, err := c.dirs.of(n.in); err == nil {
			_ = d.remove(n.name, tools.Folder)
		}
	}
	c.nurseries = nil
}
