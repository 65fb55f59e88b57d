package file

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/zuno-dev/zuno/internal/patch"
	"github.com/zuno-dev/zuno/internal/tools"
)

type patchArgs struct {
	PatchText string `json:"patchText" doc:"The patch, from *** Begin Patch to *** End Patch"`
}

const patchDoc = `Changes, adds, deletes and moves files by a patch that is checked as a whole before anything is written:

*** Begin Patch
*** Update File: path/of/file.go
@@ func name(
 a line that stays
-a line that goes
+a line that comes
*** Add File: path/of/new.txt
+its only line
*** Delete File: path/of/old.txt
*** End Patch

Every change starts with @@, which may be followed by a whole line (a function or class header) that stands before it. Each line of it begins with a space, - or +. Give about three lines around a change, so that it fits in one place only; changes of a file come in file order. After the Update header, "*** Move to: path" renames the file; "*** End of File" after the last line ties a change to the end. A unified diff is accepted too.`

func (f *files) applyPatch() tools.Tool {
	return tools.New(changing("apply_patch", patchDoc), f.proposePatch)
}

func (f *files) proposePatch(_ context.Context, _ tools.Spec, args patchArgs) (*tools.Proposal, error) {
	sections, err := patch.Parse(args.PatchText)
	if err != nil && len(sections) == 0 {
		return nil, tools.Refuse(tools.InvalidArguments, "apply_patch: nothing was changed: %v", err)
	}
	e := &envelope{files: f, used: map[string]*change{}}
	var problems []string
	if err != nil {
		problems = append(problems, err.Error())
	}
	for _, s := range sections {
		if err := e.section(s); err != nil {
			problems = append(problems, err.Error())
		}
	}
	if len(problems) > 0 {
		paths := make([]string, len(sections))
		for i, s := range sections {
			paths[i] = s.Path
		}
		return about(strings.Join(paths, ", "), nil,
			tools.Refuse(tools.InvalidArguments, "apply_patch: nothing was changed: %s", strings.Join(problems, "\n")))
	}
	p := f.propose(e.changes)
	rewritable(p, "patchText", "the patch", "change.patch")
	return p, nil
}

// An envelope collects the changes of one patch.
type envelope struct {
	*files
	changes []*change
	used    map[string]*change // by real path, both ends of a move
}

func (e *envelope) section(s patch.Section) error {
	s.Path, s.MoveTo = e.meant(s.Exact, s.Path), e.meant("", s.MoveTo)
	switch s.Op {
	case patch.Add:
		return e.add(s)
	case patch.Delete:
		return e.delete(s)
	}
	return e.update(s)
}

// meant is the path that a header names: with the blanks around it where that is
// there, and without quotes around it where nothing has a name with them.
func (e *envelope) meant(exact, path string) string {
	if exact != "" && e.isThere(exact) {
		return exact
	}
	if n := len(path) - 1; n > 1 && path[0] == path[n] && strings.ContainsRune("\"`'", rune(path[0])) && !e.isThere(path) {
		return path[1:n]
	}
	return path
}

func (e *envelope) isThere(name string) bool {
	place, err := e.ws.Resolve(name)
	if err != nil {
		return false
	}
	_, err = os.Lstat(place.path)
	return err == nil
}

// claim takes a path for a change: each may be in a patch once, and what becomes
// a file holds no other.
func (e *envelope) claim(place Place, c *change) error {
	for other, o := range e.used {
		if other != place.Real && (below(other, place.Real) || below(place.Real, other)) {
			return tools.Refuse(tools.InvalidArguments, "%s and %s: one of them would be a file and the folder of the other", place.Name, o.place.Name)
		}
	}
	if e.used[place.Real] != nil {
		return tools.Refuse(tools.InvalidArguments, "%s: it is in the patch twice: put all changes of a file into one section", place.Name)
	}
	e.used[place.Real] = c
	return nil
}

func below(folder, path string) bool {
	_, is := within(folder, path)
	return is
}

func (e *envelope) add(s patch.Section) error {
	place, now, err := e.find(s.Path)
	if err != nil {
		return err
	}
	if c := e.used[place.Real]; c != nil && c.kind == "D" && !c.whole {
		c.kind, c.whole, c.after = "M", true, []byte(s.Content)
		if !isBinary(c.before.data) {
			if c.after, err = patch.Adopt(c.before.data, s.Content); err != nil {
				return e.unfit(place, c.before, err)
			}
		}
		c.note("the file is replaced as a whole")
		return nil
	}
	c := &change{kind: "A", place: place, after: []byte(s.Content), whole: true}
	if err := e.claim(place, c); err != nil {
		return err
	}
	if now.exists() {
		return taken(place)
	}
	e.changes = append(e.changes, c)
	return nil
}

func taken(place Place) error {
	return tools.Refuse(tools.InvalidArguments, "%s exists: change it with Update File, or replace it with Delete File and Add File in one patch", place.Name)
}

// named returns the file that a section deletes or moves, which must not be a
// link: the link would stay and lead nowhere.
func (e *envelope) named(s patch.Section, does string) (Place, state, error) {
	place, now, err := e.existing(s.Path)
	if err != nil {
		return place, now, err
	}
	st, err := os.Lstat(place.path)
	if err != nil {
		return place, now, err
	}
	if st.Mode()&fs.ModeSymlink != 0 {
		return place, now, tools.Refuse(tools.InvalidArguments, "%s is a symbolic link to %s: name the file itself to %s it", place.Name, place.target, does)
	}
	return place, now, nil
}

func (e *envelope) delete(s patch.Section) error {
	place, now, err := e.named(s, "delete")
	if err != nil {
		return err
	}
	if len(s.Hunks) > 0 {
		rest, err := patch.Apply(now.data, s.Hunks)
		if err == nil && len(rest.Text) > 0 {
			err = errors.New("the diff deletes the file, but not all of its lines")
		}
		if err != nil {
			return e.unfit(place, now, err)
		}
	}
	c := &change{kind: "D", place: place, before: now}
	e.changes = append(e.changes, c)
	return e.claim(place, c)
}

func (e *envelope) update(s patch.Section) error {
	find := e.existing
	if s.MoveTo != "" {
		find = func(string) (Place, state, error) { return e.named(s, "move") }
	}
	place, now, err := find(s.Path)
	if err != nil {
		return err
	}
	c := &change{kind: "M", place: place, before: now}
	if err := e.claim(place, c); err != nil {
		return err
	}
	if isBinary(now.data) && len(s.Hunks) > 0 {
		return tools.Refuse(tools.InvalidArguments, "%s: it is %s", place.Name, cmp.Or(binary(now.data), "a binary file"))
	}
	applied, err := patch.Apply(now.data, s.Hunks)
	if err != nil {
		var text strings.Builder
		for _, h := range s.Hunks {
			for _, l := range h.Lines {
				text.WriteString(l.Text + "\n")
			}
		}
		return e.unfit(place, now, cutShort(err, text.String()))
	}
	c.after, c.notes = applied.Text, applied.Notes
	if err := c.fits(now.data); err != nil {
		return err
	}
	if s.MoveTo != "" {
		if err := e.move(c, s.MoveTo); err != nil {
			return err
		}
	} else if string(c.after) == string(now.data) {
		return tools.Refuse(tools.InvalidArguments, "%s: the change leaves the file as it is", place.Name)
	}
	e.changes = append(e.changes, c)
	return nil
}

func (e *envelope) move(c *change, to string) error {
	dest, now, err := e.find(to)
	if err != nil {
		return err
	}
	if dest.Real == c.place.Real {
		return tools.Refuse(tools.InvalidArguments, "%s is its own destination: leave out the line Move to", dest.Name)
	}
	if err := e.claim(dest, c); err != nil {
		return err
	}
	if now.exists() {
		return taken(dest)
	}
	c.kind = "R"
	c.from, c.source = c.place, c.before
	c.place, c.before = dest, state{}
	return nil
}
