package file

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// maxFile is the largest file that is read as a whole, hashed and changed.
const maxFile = 16 << 20

// A state is a regular file as it was at one moment, or its absence.
type state struct {
	exists bool
	id     identity
	stamp  stamp
	mode   uint32 // permission bits, setuid, setgid and sticky among them
	links  uint64 // names that the file has
	uid    int
	gid    int
	data   []byte
	sum    sum
}

// An identity tells one file from another with the same content.
type identity struct{ dev, ino uint64 }

// A stamp changes whenever a file is written to, and is cheap to look at.
type stamp struct{ size, sec, nsec int64 }

func statOf(st *unix.Stat_t) state {
	return state{
		exists: true,
		id:     identity{uint64(st.Dev), uint64(st.Ino)},
		stamp:  stamp{st.Size, int64(st.Mtim.Sec), int64(st.Mtim.Nsec)},
		mode:   uint32(st.Mode) & 0o7777,
		links:  uint64(st.Nlink),
		uid:    int(st.Uid),
		gid:    int(st.Gid),
	}
}

// look returns the state of the file at a real path. A folder on the way that
// is missing makes the file missing too.
func look(real string) (state, error) {
	d, err := openDir(filepath.Dir(real))
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	defer d.close()
	return d.look(filepath.Base(real))
}

// look returns the state of the file base of d.
func (d dir) look(base string) (state, error) {
	r, err := d.open(base)
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	defer r.close()
	s := statOf(&r.stat)
	if s.stamp.size <= maxFile {
		s.data, err = io.ReadAll(io.LimitReader(r, maxFile+1))
	}
	switch {
	case err != nil:
		return state{}, err
	case s.stamp.size > maxFile, len(s.data) > maxFile:
		return state{}, fmt.Errorf("it is too big to change here: %d bytes, the limit is %d", s.stamp.size, maxFile)
	}
	s.sum = sha256.Sum256(s.data)
	return s, nil
}

// glance reports whether the file base of d is still s, without reading it.
func (d dir) glance(base string, s state) bool {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, base, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return !s.exists && errors.Is(err, fs.ErrNotExist)
	}
	now := statOf(&st)
	return s.exists && kindOf(uint32(st.Mode)) == "" && now.id == s.id && now.stamp == s.stamp && now.mode == s.mode && now.links == s.links
}

// drift says how now differs from what s was, and "" when it does not. The
// time of the last write is no difference.
func (s state) drift(now state) string {
	switch {
	case s.exists && !now.exists:
		return "it was deleted"
	case !s.exists && now.exists:
		return "it exists now"
	case !s.exists:
		return ""
	case s.sum != now.sum:
		return fmt.Sprintf("its content is another: %d bytes then, %d now", s.stamp.size, now.stamp.size)
	case s.id != now.id:
		return "it was replaced by another file with the same content"
	case s.mode != now.mode:
		return fmt.Sprintf("its permissions changed from %04o to %04o", s.mode, now.mode)
	case s.links != now.links:
		return "another name was given to it, or taken from it"
	case s.uid != now.uid || s.gid != now.gid:
		return "its owner changed"
	}
	return ""
}
