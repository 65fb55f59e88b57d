package file

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A step takes one path from one state to another. A move is two steps.
type step struct {
	place  Place
	before state
	idle   bool
	remove bool
	after  []byte
	like   state // whose permissions and owner the content gets; none for a new file

	d    dir
	base string
	live state  // what was there when the commit began
	temp string // the name of the staged content, "" when there is none
	made state  // what this step put there
	done bool
}

func stepsOf(changes []*change) []*step {
	var steps []*step
	for _, c := range changes {
		switch {
		case c.idle(): // nothing to do, but it must still be so
			steps = append(steps, &step{place: c.place, before: c.before, idle: true})
		case c.kind == "D":
			steps = append(steps, &step{place: c.place, before: c.before, remove: true})
		case c.kind == "R":
			steps = append(steps,
				&step{place: c.place, before: c.before, after: c.after, like: c.source},
				&step{place: c.from, before: c.source, remove: true})
		default:
			steps = append(steps, &step{place: c.place, before: c.before, after: c.after, like: c.before})
		}
	}
	return steps
}

// carryOut does what was proposed, or says truly what came of it.
//
// First every path is looked at again, then every new content is written out
// beside its place, and only then names change hands, one rename each. What
// fails before the first rename has changed nothing; what fails later is
// taken back.
func (f *files) carryOut(ctx context.Context, changes []*change, report func(tools.Progress)) tools.Outcome {
	c := &commit{files: f, steps: stepsOf(changes)}
	defer c.close()
	if name, why := c.verify(); why != "" {
		return tools.Outcome{
			Kind: tools.Blocked, Block: tools.Stale,
			Text: fmt.Sprintf("%s is not as it was when the change was proposed: %s. Nothing was changed. Read it again before you change it.", name, why),
		}
	}
	if ctx.Err() != nil {
		return tools.Outcome{Kind: tools.Cancelled, Text: "stopped before anything was changed"}
	}
	c.steps = slices.DeleteFunc(c.steps, func(s *step) bool { return s.idle })
	if err := c.stage(); err != nil {
		c.discard()
		return failed("nothing was changed: %v", err)
	}
	if ctx.Err() != nil {
		c.discard()
		return tools.Outcome{Kind: tools.Cancelled, Text: "stopped before anything was changed"}
	}
	for _, s := range c.steps {
		report(tools.Progress{Text: "writing " + tools.CleanLine(s.place.Name)})
		if err := c.publish(s); err != nil {
			return c.takeBack(changes, err)
		}
	}
	f.remember(changes)
	return c.success(changes)
}

// A commit carries out the steps of one proposal.
type commit struct {
	*files
	steps   []*step
	folders []folder // made for new files, outermost first
	notes   []string // what went less than well, without changing the result
}

func (c *commit) close() {
	for _, s := range c.steps {
		if s.d.fd > 0 {
			s.d.close()
		}
	}
	for _, f := range c.folders {
		f.parent.close()
	}
}

// verify looks at every path again and says which is not as it was, and why.
func (c *commit) verify() (name, why string) {
	for _, s := range c.steps {
		now, err := c.ws.Resolve(s.place.asked)
		if err == nil && now.Real != s.place.Real {
			return s.place.Name, fmt.Sprintf("it leads to %s now and led to %s", now.target, s.place.target)
		}
		if err == nil {
			s.live, err = look(s.place.Real)
		}
		if err != nil {
			return s.place.Name, explain(err)
		}
		if why := s.before.drift(s.live); why != "" {
			return s.place.Name, why
		}
	}
	return "", ""
}

// publish makes a step take effect.
func (c *commit) publish(s *step) error {
	if !s.d.glance(s.base, s.live) {
		return fmt.Errorf("%s changed at the last moment", s.place.Name)
	}
	var err error
	switch {
	case s.remove:
		err = s.d.remove(s.base)
	case s.live.exists:
		err = s.d.rename(s.temp, s.base)
	default:
		err = renameNew(s.d, s.temp, s.base)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be changed: %s", s.place.Name, explain(err))
	}
	s.done, s.temp = true, ""
	if err := s.d.sync(); err != nil {
		c.notes = append(c.notes, fmt.Sprintf("the folder of %s could not be flushed to disk: %s", s.place.Name, explain(err)))
	}
	return nil
}

// discard removes what was staged and is not in use.
func (c *commit) discard() {
	for _, s := range c.steps {
		if s.temp != "" {
			_ = s.d.remove(s.temp) // if it stays, a hidden file stays, and no result is wrong
			s.temp = ""
		}
	}
	for _, f := range slices.Backward(c.folders) {
		_ = f.parent.removeDir(f.base) // one that is in use by now stays
	}
}

// remember notes the contents that the model knows now: those it gave as a
// whole, and those it changed a part of after it had seen the rest.
func (f *files) remember(changes []*change) {
	for _, c := range changes {
		at, before := c.place, c.before
		if c.kind == "R" {
			at, before = c.from, c.source
		}
		seen, ok := f.receipts.get(at.Real)
		knows := c.whole || ok && seen == before.sum
		if c.kind == "D" || c.kind == "R" {
			f.receipts.drop(at.Real)
		}
		if c.kind != "D" && knows {
			f.receipts.put(c.place.Real, hashOf(c.after))
		}
	}
}

func (c *commit) success(changes []*change) tools.Outcome {
	out := tools.Outcome{Kind: tools.OK}
	var text []string
	for _, ch := range changes {
		if !ch.idle() {
			out.Changes = append(out.Changes, ch.record())
		}
		text = append(text, ch.title())
		for _, n := range ch.notes {
			text = append(text, "  "+n)
		}
	}
	out.Text = strings.Join(append(text, c.notes...), "\n")
	return out
}
