package file

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// maxEntries bounds how many files, links and folders one call removes, moves
// or copies.
const maxEntries = 10_000

// tree lists what is at place and below it, folders before what is in them. It
// never follows a link. More than the call could put back again is refused.
func (f *files) tree(place Place, does string) ([]entry, error) {
	now, err := lookAny(place.Real)
	if err != nil {
		return nil, unkept(place, does, err)
	}
	if !now.exists() {
		return nil, nil
	}
	w := &walker{files: f, does: does, left: maxHeld, dev: now.id.dev}
	return w.list, w.add("", place, now)
}

type walker struct {
	*files
	does string
	list []entry
	left int64 // bytes
	dev  uint64
}

// unkept refuses to touch what could not be put back.
func unkept(place Place, does string, err error) error {
	return tools.Refuse(tools.InvalidArguments, "%s is left alone: %s, so it could not be put back; to %s it, use a command", place.Name, explain(err), does)
}

func (w *walker) add(rel string, place Place, s state) error {
	w.list = append(w.list, entry{rel, place, s})
	w.left -= int64(len(s.data))
	switch {
	case w.does != "copy" && strings.EqualFold(filepath.Base(place.Real), ".git"):
		return tools.Refuse(tools.Denied, "%s is git's own data: to %s it is not for a tool; use git, or a command", place.Name, w.does)
	case len(w.list) > w.entries || w.left < 0:
		return tools.Refuse(tools.InvalidArguments, "%s holds more than %d entries or %d MiB, which is more than is kept to take a change back: go by smaller folders, or use a command", w.list[0].place.Name, w.entries, maxHeld>>20)
	case s.id.dev != w.dev:
		return tools.Refuse(tools.InvalidArguments, "%s is on another file system than %s: a mounted one is left alone", place.Name, w.list[0].place.Name)
	case s.kind != tools.Folder:
		return nil
	}
	names, err := namesOf(place.Real)
	if err != nil {
		return unkept(place, w.does, err)
	}
	d, err := openDir(place.Real)
	if err != nil {
		return unkept(place, w.does, err)
	}
	defer d.close()
	for _, name := range names {
		child := w.ws.real(filepath.Join(place.Real, name))
		s, err := d.lookAny(name, maxHeld)
		if err != nil {
			return unkept(child, w.does, err)
		}
		if !s.exists() { // gone since the folder was listed
			continue
		}
		if err := w.add(strings.TrimPrefix(rel+"/"+name, "/"), child, s); err != nil {
			return err
		}
	}
	return nil
}

// namesOf lists a folder in order of names.
func namesOf(real string) ([]string, error) {
	d, err := openDir(real)
	if err != nil {
		return nil, err
	}
	defer d.close()
	folder, err := d.list(real)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// thing returns the place of a thing that a call is to remove or move. That is
// never the workspace, a folder that it is in, or a repository's data.
func (f *files) thing(name, does string) (Place, error) {
	place, err := f.ws.Entry(name)
	if err != nil {
		return place, tools.Refuse(tools.InvalidArguments, "%v", err)
	}
	root, err := lookAny(f.ws.root)
	if err != nil {
		return place, tools.Refuse(tools.InvalidArguments, "the workspace: %s", explain(err))
	}
	now, err := lookAny(place.Real)
	_, holds := within(place.Real, f.ws.root)
	switch {
	case secret(place.Real):
		return place, tools.Refuse(tools.Denied, "%s belongs to the system: it is not touched", place.Name)
	case holds, err == nil && now.id == root.id: // named in capitals where those do not count, it still is the same
		return place, tools.Refuse(tools.Denied, "%s is the folder that zuno works in, or holds it: to %s it is not for a tool", place.Name, does)
	case place.Linked:
		return place, tools.Refuse(tools.InvalidArguments, "%s leads through a symbolic link to %s: name that to %s it", place.Name, place.target, does)
	}
	return place, nil
}

// emptied refuses a folder from which nothing may be taken.
func emptied(place Place) error {
	if err := mayWrite(place.Real, true); err != nil {
		return tools.Refuse(tools.InvalidArguments, "%s may not be changed (%s): nothing is taken from it", place.Name, explain(err))
	}
	return nil
}

// free returns the place of a thing that a call is to make, with what is there
// now. A file is in the way of a folder, and a folder of everything.
func (f *files) free(name string) (Place, state, error) {
	place, err := f.ws.Entry(name)
	switch {
	case err != nil:
		return place, state{}, tools.Refuse(tools.InvalidArguments, "%v", err)
	case secret(place.Real):
		return place, state{}, tools.Refuse(tools.Denied, "%s belongs to the system: it is not touched", place.Name)
	}
	now, err := lookAny(place.Real)
	if err == nil && !now.exists() {
		if err := separated(name); err != nil {
			return place, now, err
		}
	}
	if err != nil {
		return place, now, tools.Refuse(tools.InvalidArguments, "%s is in the way: %s", place.Name, explain(err))
	}
	dir, err := nearest(place)
	if err == nil && dir.kind != tools.Folder {
		err = errors.New("a part of its path is not a directory")
	}
	if err != nil {
		return place, now, tools.Refuse(tools.InvalidArguments, "%s cannot be made: %s", place.Name, explain(err))
	}
	return place, now, nil
}

// nearest returns the state of the nearest folder above place that exists.
func nearest(place Place) (state, error) {
	for dir := filepath.Dir(place.Real); ; dir = filepath.Dir(dir) {
		now, err := lookAny(dir)
		if err != nil || now.exists() || dir == filepath.Dir(dir) {
			return now, err
		}
	}
}
