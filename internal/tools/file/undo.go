package file

import (
	"errors"
	"fmt"
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
		if err := c.undo(s); err != nil {
			stuck = append(stuck, fmt.Sprintf("%s could not be put back: %v", s.place.Name, err))
			continue
		}
		s.done = false
		undone++
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
	if s.remove {
		if !s.d.glance(s.base, state{}) {
			return errors.New("something else is there now")
		}
		s.after, s.like = s.live.data, s.live
		if err := c.stageOne(s); err != nil {
			return err
		}
		return renameNew(s.d, s.temp, s.base)
	}
	now, err := s.d.look(s.base)
	if err != nil {
		return errors.New(explain(err))
	}
	if why := s.made.drift(now); why != "" {
		return fmt.Errorf("somebody changed it meanwhile: %s", why)
	}
	if !s.live.exists {
		return s.d.remove(s.base)
	}
	s.after, s.like = s.live.data, s.live
	if err := c.stageOne(s); err != nil {
		return err
	}
	return s.d.rename(s.temp, s.base)
}

// uncertain says exactly what is applied and what is not.
func (c *commit) uncertain(changes []*change, reason error, stuck []string) tools.Outcome {
	applied, not := map[string]bool{}, []string{}
	var is []string
	for _, s := range c.steps {
		if s.done {
			applied[s.place.Real] = true
			is = append(is, s.place.Name)
		} else {
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
