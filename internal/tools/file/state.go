package file

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/zuno-dev/zuno/internal/tools"
)

const (
	maxFile = 16 << 20 // bytes of the largest file that is changed in part
	maxHeld = 64 << 20 // bytes of all files together that one call removes, moves or copies
)

// A state is what stood at a path at one moment: a regular file, a symbolic
// link, a folder or, as the zero value, nothing.
type state struct {
	kind  tools.FileKind
	id    identity
	stamp stamp
	mode  uint32 // permission bits, setuid, setgid and sticky among them
	links uint64 // names that the file has
	uid   int
	gid   int
	data  []byte // the content, or the target of a link
	sum   sum    // of data
	attrs []attr // extended attributes, in order of names
}

// An identity tells one file from another with the same content.
type identity struct{ dev, ino uint64 }

// A stamp changes whenever a file is written to, and is cheap to look at.
type stamp struct{ size, sec, nsec int64 }

func (s state) exists() bool { return s.kind != tools.Absent }

// touched is s as it is recorded.
func (s state) touched() tools.FileState {
	switch s.kind {
	case tools.Absent:
		return tools.FileState{}
	case tools.Folder:
		return tools.FileState{Kind: tools.Folder, Mode: fs.FileMode(s.mode).Perm()}
	case tools.Link:
		return tools.StateOf(tools.Link, 0, s.data)
	}
	return tools.StateOf(s.kind, fs.FileMode(s.mode), s.data)
}

// look returns the state of the regular file at a real path. A folder on the
// way that is missing makes the file missing too, and anything else than a
// file is an error.
func look(real string) (state, error) {
	d, err := openDir(filepath.Dir(real))
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	defer d.close()
	return d.look(filepath.Base(real), maxFile)
}

// lookAny returns the state of what is at a real path, whatever it is.
func lookAny(real string) (state, error) {
	d, err := openDir(filepath.Dir(real))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	defer d.close()
	return d.lookAny(filepath.Base(real), maxHeld)
}

// lookAny returns the state of base of d, whose content has most bytes at
// most.
func (d dir) lookAny(base string, most int64) (state, error) {
	s, err := d.stat(base)
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	switch s.kind {
	case tools.Folder:
		return s, nil
	case tools.Link:
		s.data, err = d.readlink(base)
		s.sum = hashOf(s.data)
		return s, err
	}
	return d.look(base, most)
}

// look returns the state of the regular file base of d. Its size is looked at
// before any of it is read.
func (d dir) look(base string, most int64) (state, error) {
	r, err := d.open(base)
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	defer r.close()
	s := r.stat
	if s.stamp.size <= most {
		s.data, err = io.ReadAll(io.LimitReader(r, most+1))
	}
	switch {
	case err != nil:
		return state{}, err
	case s.stamp.size > most, int64(len(s.data)) > most:
		return state{}, fmt.Errorf("it is too big to change here: %d bytes, the limit is %d", s.stamp.size, most)
	}
	s.sum = sha256.Sum256(s.data)
	s.attrs = attrsOf(r.fd)
	return s, nil
}

// glance reports whether base of d is still s, without reading it. Of a folder
// it does not matter what came into it: one that is not empty stays anyway.
func (d dir) glance(base string, s state) bool {
	now, err := d.stat(base)
	if err != nil {
		return !s.exists() && errors.Is(err, fs.ErrNotExist)
	}
	same := s.exists() && now.kind == s.kind && now.id == s.id && now.mode == s.mode
	return same && (s.kind == tools.Folder || now.stamp == s.stamp && now.links == s.links)
}

// drift says how now differs from what s was, and "" when it does not. The
// time of the last write is no difference.
func (s state) drift(now state) string {
	switch {
	case s.exists() && !now.exists():
		return "it was deleted"
	case !s.exists() && now.exists():
		return "it exists now"
	case !s.exists():
		return ""
	case s.kind != now.kind:
		return "it is " + article(now.kind) + " now"
	case s.sum != now.sum && s.kind == tools.Link:
		return fmt.Sprintf("it leads to %s now", tools.CleanLine(string(now.data)))
	case s.sum != now.sum:
		return fmt.Sprintf("its content is another: %d bytes then, %d now", s.stamp.size, now.stamp.size)
	case s.id != now.id && s.kind == tools.Folder:
		return "another directory is in its place"
	case s.id != now.id:
		return "it was replaced by another " + noun(s.kind) + " with the same content"
	case s.mode != now.mode:
		return fmt.Sprintf("its permissions changed from %04o to %04o", s.mode, now.mode)
	case s.kind == tools.Regular && s.links != now.links:
		return "another name was given to it, or taken from it"
	case s.uid != now.uid || s.gid != now.gid:
		return "its owner changed"
	}
	return ""
}

// noun names a kind; a regular file is just a file.
func noun(k tools.FileKind) string {
	switch k {
	case tools.Link:
		return "symbolic link"
	case tools.Folder:
		return "directory"
	case tools.Absent:
		return "nothing"
	}
	return "file"
}

func article(k tools.FileKind) string {
	if k == tools.Absent {
		return noun(k)
	}
	return "a " + noun(k)
}
