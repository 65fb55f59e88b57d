package file

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// takeBack undoes the steps that were done before one failed for a reason.
func (c *commit) takeBack(changes []*change, reason error) tools.Outcome {
	c.discard()
	var stuck []string
	undone := 0
	for _, s := range slices.Backward(c.steps) {
		if !s.done {
			continue
		}
		if err := c.undo(s); err != nil && !s.along { // a folder made on the way that is in use by now stays
			stuck = append(stuck, fmt.Sprintf("%s could not be put back: %v", s.place.Name, err))
			continue
		}
		s.done = false
		if !s.along {
			undone++
		}
	}
	for _, s := range c.steps { // only now is everything in them
		if s.does == removes && !s.done && s.live.kind == tools.Folder {
			if d, err := c.dirs.of(s.place.Real); err == nil && s.reopened {
				_ = d.chmod(s.live.mode) // it is usable, if not as before
			}
		}
	}
	c.discard()
	if len(stuck) > 0 {
		return c.uncertain(changes, reason, stuck)
	}
	if undone == 0 {
		return failed("nothing was changed: %v", reason)
	}
	return failed("nothing remains changed: %v; what was done before was put back as it was", reason)
}

// undo puts back what was there before a step, if what the step put there is
// still there.
func (c *commit) undo(s *step) error {
	d, err := c.dirs.of(s.dir())
	if err != nil {
		return errors.New(explain(err))
	}
	switch s.does {
	case makes:
		c.dirs.forget(s.place.Real)
		return d.remove(s.base(), tools.Folder)
	case removes:
		if !d.glance(s.base(), state{}) {
			return errors.New("something else is there now")
		}
		return c.putBack(d, s)
	case renames:
		return c.undoRename(d, s)
	}
	now, err := d.lookAny(s.base(), maxHeld)
	if err != nil {
		return errors.New(explain(err))
	}
	if why := s.made.drift(now); why != "" {
		return fmt.Errorf("somebody changed it meanwhile: %s", why)
	}
	if !s.live.exists() {
		return d.remove(s.base(), now.kind)
	}
	return c.putBack(d, s)
}

// putBack makes again what was at the place of s, in place of what the step
// left there.
func (c *commit) putBack(d dir, s *step) error {
	if s.live.kind == tools.Folder {
		if err := d.mkdir(s.base(), 0o700); err != nil {
			return err
		}
		made, err := c.dirs.of(s.place.Real)
		if err != nil {
			return err
		}
		s.reopened = true
		return made.chmod(s.live.mode | 0o700)
	}
	s.after, s.looks, s.tempD = s.live, s.live.looks(), s.dir()
	if err := c.stageOne(s); err != nil {
		return err
	}
	if s.does == puts || s.does == renames && !d.glance(s.base(), state{}) {
		return d.rename(s.temp, d, s.base())
	}
	return renameNew(d, s.temp, d, s.base())
}

func (c *commit) undoRename(d dir, s *step) error {
	from, err := c.dirs.of(filepath.Dir(s.from.Real))
	if err != nil {
		return errors.New(explain(err))
	}
	if !d.glance(s.base(), s.source) {
		return errors.New("somebody changed it meanwhile")
	}
	c.dirs.forget(s.place.Real)
	if err := renameNew(d, s.base(), from, filepath.Base(s.from.Real)); err != nil {
		return errors.New(explain(err))
	}
	if s.live.exists() {
		return c.putBack(d, s)
	}
	return nil
}

// uncertain says exactly what is applied and what is not.
func (c *commit) uncertain(changes []*change, reason error, stuck []string) tools.Outcome {
	applied, not := map[string]bool{}, []string{}
	var is []string
	for _, s := range c.steps {
		switch {
		case s.along:
		case s.done:
			applied[s.place.Real] = true
			is = append(is, s.place.Name)
		default:
			not = append(not, s.place.Name)
		}
	}
	out := tools.Outcome{Kind: tools.Uncertain, Started: true}
	out.Text = fmt.Sprintf("%v; %s.\nchanged: %s\nnot changed: %s\nLook at these files before you change anything.",
		reason, strings.Join(stuck, "; "), strings.Join(is, ", "), strings.Join(not, ", "))
	for _, ch := range changes {
		if applied[ch.place.Real] || applied[ch.from.Real] {
			out.Changes = append(out.Changes, ch.record())
		}
	}
	return out
}
