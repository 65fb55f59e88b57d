package file

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Target is a path that zuno changed, and what is to be there again.
type Target struct {
	// Path is absolute, with all symbolic links resolved, and Name how people
	// see it.
	Path, Name string
	// Held is what zuno left there: one of these must still be there.
	Held []tools.FileState
	// Want is what is to be there again, with its content.
	Want tools.FileState
	// Mixed says that something else changed it in between, and that this goes
	// too.
	Mixed bool
}

// A Left is a target that is left as it is, and why.
type Left struct{ Name, Why string }

// Restore proposes to put back what was at the targets. A target that holds
// what it is to hold already is nothing to do; one that holds what zuno did not
// leave there is left alone, and so is one whose earlier content is not known.
// The proposal is nil when nothing remains. It is carried out like any change:
// as a whole, if everything is still as it was proposed, and it names what it
// touches, so it can be taken back itself. A file that is only changed keeps
// its present permissions and attributes; one that was deleted gets back its
// permissions.
func (t *Tools) Restore(targets []Target) (*tools.Proposal, []Left) {
	r := &restoration{files: t.files, goes: map[string]bool{}, comes: map[string]bool{}, turned: map[string]bool{}}
	targets = slices.Clone(targets)
	slices.SortFunc(targets, func(a, b Target) int { return strings.Compare(a.Path, b.Path) })
	targets = slices.CompactFunc(targets, func(a, b Target) bool { return a.Path == b.Path })
	for _, target := range targets {
		if why := r.take(target); why != "" {
			r.leave(target.Name, why)
		}
	}
	changes := r.changes()
	if len(changes) == 0 {
		return nil, r.left
	}
	p := t.files.propose(changes)
	p.Spec = changing("restore", "Puts back what files held before zuno changed them.")
	p.Summary = "put back " + p.Summary
	return p, r.left
}

// A restoration sorts targets into what goes and what comes.
type restoration struct {
	*files
	list   []restored      // in order of paths
	goes   map[string]bool // paths that will be free
	comes  map[string]bool // folders that will be there
	turned map[string]bool // what is to be a folder again, and is not
	left   []Left
}

type restored struct {
	Target
	place Place
	now   state
	below bool // a folder that is not there yet, so that nothing can be
}

// replaces reports whether one thing takes the place of another in two steps:
// a folder cannot be renamed onto.
func (r restored) replaces() bool {
	return r.now.exists() && r.Want.Kind != tools.Absent && r.now.kind != r.Want.Kind && (r.now.kind == tools.Folder || r.Want.Kind == tools.Folder)
}

func (r *restoration) leave(name, why string) {
	r.left = append(r.left, Left{Name: name, Why: why})
}

// take looks at a target, and says why it is left alone.
func (r *restoration) take(t Target) string {
	place, now, below := r.ws.real(t.Path), state{}, r.belowTurned(t.Path)
	if !below {
		var err error
		place, err = r.ws.Entry(t.Path)
		gone := tools.FileState{}
		switch {
		case (err != nil || place.Real != t.Path) && t.Want.Holds(gone) && slices.ContainsFunc(t.Held, gone.Holds):
			return "" // it went with a folder whose place a link has taken
		case err != nil:
			return err.Error()
		case place.Real != t.Path:
			return "a symbolic link leads to another place now: " + place.Real
		}
		if now, err = lookAny(place.Real); err != nil {
			return explain(err)
		}
	}
	is := now.touched()
	switch {
	case is.Holds(t.Want):
		return ""
	case !slices.ContainsFunc(t.Held, is.Holds):
		return "it no longer holds what zuno left there: it is " + describe(now)
	case !t.Want.Known():
		return "what it held before was not kept"
	case now.kind == tools.Regular && now.links > 1 && t.Want.Kind != tools.Absent:
		return fmt.Sprintf("it has %d names (hard links), and replacing it would split them", now.links)
	}
	r.list = append(r.list, restored{t, place, now, below})
	if t.Want.Kind == tools.Folder {
		r.turned[t.Path] = now.exists()
	}
	return ""
}

// belowTurned reports whether something above path is to be a folder again and
// is a file or a link now, which says nothing of what is to be below it.
func (r *restoration) belowTurned(path string) bool {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir) && dir != "."; dir = filepath.Dir(dir) {
		if r.turned[dir] {
			return true
		}
	}
	return false
}

func describe(s state) string {
	switch s.kind {
	case tools.Absent:
		return "not there"
	case tools.Link:
		return "a symbolic link to " + tools.CleanLine(string(s.data))
	case tools.Folder:
		return "a directory"
	}
	return weigh(s.data)
}

// changes puts what goes before what comes: the deepest first, and then the
// deepest last.
func (r *restoration) changes() []*change {
	var going, coming []*change
	stuck := map[string]bool{}
	for _, t := range slices.Backward(r.list) {
		if t.Want.Kind != tools.Absent && !t.replaces() {
			continue
		}
		if name := r.inside(t); name != "" {
			r.leave(t.Name, "the directory is not empty: "+tools.CleanLine(name)+" is in it")
			stuck[t.Path] = true
			continue
		}
		r.goes[t.Path] = true
		c := &change{kind: "D", place: t.place, before: t.now, blind: true, brief: len(t.now.data) > maxShown}
		c.parting()
		t.mixed(c)
		going = append(going, c)
	}
	for _, t := range r.list {
		if t.Want.Kind == tools.Absent || stuck[t.Path] {
			continue
		}
		if in := r.blocked(t.Path); in != "" {
			r.leave(t.Name, r.ws.name(in)+" is in the way")
			continue
		}
		r.comes[t.Path] = t.Want.Kind == tools.Folder
		coming = append(coming, t.change())
	}
	return append(going, coming...)
}

// inside names something in a folder that stays, "" when there is nothing.
func (r *restoration) inside(t restored) string {
	if t.now.kind != tools.Folder {
		return ""
	}
	names, err := namesOf(t.Path)
	if err != nil {
		return explain(err)
	}
	for _, n := range names {
		if !r.goes[filepath.Join(t.Path, n)] {
			return n
		}
	}
	return ""
}

// blocked returns what is in the place of a folder above path.
func (r *restoration) blocked(path string) string {
	for dir := filepath.Dir(path); dir != "." && !r.comes[dir]; dir = filepath.Dir(dir) {
		now, err := lookAny(dir)
		switch {
		case err != nil || now.exists() && now.kind != tools.Folder && !r.goes[dir]:
			return dir
		case now.kind == tools.Folder:
			return ""
		}
	}
	return ""
}

func (r restored) mixed(c *change) {
	if r.Mixed {
		c.note("something else changed it after zuno did: that goes too")
	}
}

// change makes t hold again what it is to hold.
func (r restored) change() *change {
	c := &change{kind: "M", what: r.Want.Kind, place: r.place, before: r.now, after: r.Want.Data, blind: true}
	if r.Want.Mode != 0 {
		c.looks = looks{given: true, mode: uint32(r.Want.Mode & fs.ModePerm)}
	}
	c.freed = r.replaces() || r.below
	if c.freed || !r.now.exists() {
		c.kind, c.before = "A", state{}
		if r.Want.Kind == tools.Regular && c.looks.mode&0o111 != 0 {
			c.note("its permissions are %04o again", c.looks.mode)
		}
	}
	c.brief = c.kind == "A" && len(r.Want.Data) > maxShown
	r.mixed(c)
	return c
}
