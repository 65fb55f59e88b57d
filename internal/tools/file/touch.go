package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/zuno-dev/zuno/internal/tools"
)

// touches lists what the changes do to each path, in that order: the folders
// that are made for new files first.
func (f *files) touches(changes []*change) []tools.Touch {
	var list []tools.Touch
	made := map[string]bool{}
	for _, c := range changes {
		if c.kind != "D" && !c.before.exists {
			list = append(list, f.foldersFor(c.place, made)...)
		}
	}
	for _, s := range stepsOf(changes) {
		if s.idle {
			continue
		}
		t := tools.Touch{Path: s.place.Real, Name: s.place.Name, Before: s.before.touched()}
		if !s.remove {
			t.After = tools.StateOf(tools.Regular, fs.FileMode(s.like.mode), s.after)
			t.After.Data = nil
		}
		list = append(list, t)
	}
	return list
}

// touched is s as it is recorded.
func (s state) touched() tools.FileState {
	if !s.exists {
		return tools.FileState{}
	}
	return tools.StateOf(tools.Regular, fs.FileMode(s.mode), s.data)
}

// foldersFor lists the folders that have to be made for a file at place,
// outermost first, but for those that were named before.
func (f *files) foldersFor(place Place, named map[string]bool) []tools.Touch {
	var list []tools.Touch
	for dir := filepath.Dir(place.Real); !named[dir]; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		named[dir] = true
		list = append(list, tools.Touch{Path: dir, Name: f.ws.name(dir), After: tools.FileState{Kind: tools.Folder}})
	}
	slices.Reverse(list)
	return list
}
