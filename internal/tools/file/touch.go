package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/zuno-dev/zuno/internal/tools"
)

// touches lists what the changes do to each path, in that order. A path that
// changes twice is in it once.
func touches(changes []*change) []tools.Touch {
	var list touchList
	for _, s := range stepsOf(changes) {
		switch s.does {
		case puts:
			after := s.after.touched()
			after.Data = nil
			if s.after.kind == tools.Regular {
				after.Mode = fs.FileMode(s.looks.mode)
				if s.before.kind == tools.Regular {
					after.Mode = fs.FileMode(s.before.mode).Perm()
				}
			}
			list.add(s.place, s.before.touched(), after)
		case makes:
			list.add(s.place, tools.FileState{}, tools.FileState{Kind: tools.Folder, Mode: fs.FileMode(s.looks.mode)})
		case removes:
			list.add(s.place, s.before.touched(), tools.FileState{})
		case renames:
			for _, e := range s.tree {
				after, before := e.state.touched(), tools.FileState{}
				after.Data = nil
				if e.rel == "" {
					before = s.before.touched()
				}
				list.add(s.place.join(e.rel), before, after)
			}
			for _, e := range slices.Backward(s.tree) {
				list.add(e.place, e.state.touched(), tools.FileState{})
			}
		}
	}
	return list.touches
}

type touchList struct {
	touches []tools.Touch
	at      map[string]int
}

func (l *touchList) add(place Place, before, after tools.FileState) {
	if i, ok := l.at[place.Real]; ok {
		l.touches[i].After = after
		return
	}
	if l.at == nil {
		l.at = map[string]int{}
	}
	l.at[place.Real] = len(l.touches)
	l.touches = append(l.touches, tools.Touch{Path: place.Real, Name: place.Name, Before: before, After: after})
}

// foldersFor lists the folders that have to be made for a file at place,
// outermost first, but for those that were named before.
func (f *files) foldersFor(place Place, named map[string]bool) []Place {
	var list []Place
	for dir := filepath.Dir(place.Real); !named[dir]; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		named[dir] = true
		list = append(list, f.ws.real(dir))
	}
	slices.Reverse(list)
	return list
}

// onTheWay notes for each change the folders that have to be made for it.
func (f *files) onTheWay(changes []*change) {
	named := map[string]bool{}
	for _, c := range changes {
		switch {
		case c.kind == "D" || c.before.exists() || c.freed:
		case c.what == tools.Folder:
			c.folders = f.foldersFor(c.place, named)
			named[c.place.Real] = true
		default:
			c.folders = f.foldersFor(c.place, named)
		}
	}
}
