package file

import (
	"path/filepath"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A deed is what a step does.
type deed int

const (
	keeps   deed = iota // nothing, but what is there must still be there
	puts                // a file or a link with a content, in place of what is there
	makes               // a folder
	removes             // a file, a link or an empty folder
	renames             // what is at from, with everything in it
)

// verb names a deed while it is done.
func (d deed) verb() string {
	return [...]string{"keeping", "writing", "making", "removing", "renaming"}[d]
}

// A step takes one path from one state to another.
type step struct {
	place  Place
	does   deed
	before state // what must be there
	after  state // of puts: kind and data
	looks  looks // of puts and makes
	freed  bool  // an earlier step takes away what is there, so before is nothing
	along  bool  // a folder on the way to a new file: that somebody else made it is fine
	from   Place // of renames, with its state and what is in it
	source state
	tree   []entry

	live  state  // what was there when the commit began
	tempD string // the folder of the staged content, and its name there, "" when there is none
	temp  string
	made  state // what this step put there
	done  bool

	reopened bool // a folder that was made again, and still waits for its permissions
}

func (s *step) dir() string  { return filepath.Dir(s.place.Real) }
func (s *step) base() string { return filepath.Base(s.place.Real) }

// looks are what a thing has besides its content.
type looks struct {
	given bool // else it is as any new file is, by the umask
	mode  uint32
	owned bool // uid and gid count
	uid   int
	gid   int
	attrs []attr
}

// looks are those of what takes the place of s. Bits that make a program run
// as somebody else are not given again.
func (s state) looks() looks {
	if !s.exists() {
		return looks{}
	}
	return looks{given: true, mode: s.mode & 0o777, owned: true, uid: s.uid, gid: s.gid, attrs: s.attrs}
}

// An entry is one thing at or below a path.
type entry struct {
	rel   string // relative to it, "" for the thing itself
	place Place
	state state
}

func stepsOf(changes []*change) []*step {
	var steps []*step
	for _, c := range changes {
		if c.copied != nil {
			steps = append(steps, &step{place: c.copied.place, before: c.copied.state})
		}
		for _, p := range c.folders {
			steps = append(steps, &step{place: p, does: makes, along: true})
		}
		switch {
		case c.idle(): // nothing to do, but it must still be so
			steps = append(steps, &step{place: c.place, before: c.before})
		case c.kind == "D":
			steps = append(steps, &step{place: c.place, does: removes, before: c.before})
		case c.kind == "R" && c.whole:
			for _, e := range c.tree {
				if e.rel != "" {
					steps = append(steps, &step{place: e.place, before: e.state})
				}
			}
			steps = append(steps, &step{place: c.place, does: renames, before: c.before, from: c.from, source: c.source, tree: c.tree})
		case c.kind == "R":
			steps = append(steps,
				&step{place: c.place, does: puts, before: c.before, after: c.content(), looks: c.source.looks()},
				&step{place: c.from, does: removes, before: c.source})
		case c.what == tools.Folder:
			steps = append(steps, &step{place: c.place, does: makes, before: c.before, looks: c.looks, freed: c.freed})
		default:
			steps = append(steps, &step{place: c.place, does: puts, before: c.before, after: c.content(), looks: c.looks, freed: c.freed})
		}
	}
	return steps
}

// content is what is to be at the change's place.
func (c *change) content() state {
	kind := c.what
	if kind == tools.Absent {
		kind = tools.Regular
	}
	return state{kind: kind, data: c.after, sum: hashOf(c.after)}
}
