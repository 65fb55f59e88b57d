package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Repaired is what a repair found, and what it did or would do.
type Repaired struct {
	// Found says what is wrong with the database, nil when nothing is. Missing
	// says that there is none.
	Found   error
	Missing bool
	// Readable says that what can be read of it is carried over into a new one. A
	// file of another program, and one of a newer zuno, are only moved.
	Readable bool
	// Aside lists where its files are, or would be.
	Aside []string
	// Saved is how many rows of what was carried over, and Lost what was not, in
	// words.
	Saved []Saved
	Lost  []string
}

// Saved is how many rows of one kind were carried over.
type Saved struct {
	What string
	Rows int
}

// ErrInUse says that a process has the database open.
var ErrInUse = errors.New("a running zuno has it open: end that first")

// Repair looks at the database at path and, when it cannot be used and act is
// set, moves its files aside and saves what can be read into a new one. Nothing
// is deleted, and what was moved is not written to. A database that is whole
// stays as it is. The new one is complete before anything is moved.
func Repair(path string, now func() time.Time, act bool) (Repaired, error) {
	fail := func(r Repaired, err error) (Repaired, error) { return r, doing(err, "repair the record %s", path) }
	if now == nil {
		now = time.Now
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return fail(Repaired{}, err)
	}
	r := Repaired{Missing: size(path) < 0 && size(path+"-wal") < 0}
	if r.Missing {
		return r, nil
	}
	if r.Found = whole(path, now); r.Found == nil {
		return r, nil
	}
	if !errors.Is(r.Found, ErrUnusable) {
		return fail(r, r.Found)
	}
	steps, err := migrations()
	if err != nil {
		return fail(r, err)
	}
	r.Readable = readable(path, len(steps))
	moves := asides(path, now())
	for _, m := range moves {
		r.Aside = append(r.Aside, m[1])
	}
	if !act {
		return r, nil
	}
	if opened(path) {
		return fail(r, ErrInUse)
	}
	return fail(r.carryOut(path, now, moves))
}

// carryOut saves what can be read, then moves the files.
func (r Repaired) carryOut(path string, now func() time.Time, moves [][2]string) (_ Repaired, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), ".zuno-repair-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	saved := filepath.Join(dir, "new.db")
	if r.Readable {
		if err := r.salvage(path, dir, saved, now); err != nil {
			r.Saved, r.Lost = nil, append(r.Lost, "everything: "+err.Error())
			_ = os.Remove(saved) // it is not used
		}
	}
	for i, m := range moves {
		if err := os.Rename(m[0], m[1]); err != nil {
			for _, back := range moves[:i] {
				err = errors.Join(err, os.Rename(back[1], back[0]))
			}
			return r, err
		}
	}
	if len(r.Saved) == 0 {
		return r, nil // the next start makes a new one
	}
	return r, os.Rename(saved, path)
}

// whole opens the database as a session would, and reads all of it.
func whole(path string, now func() time.Time) error {
	s, err := Open(path, now)
	if err != nil {
		return err
	}
	return errors.Join(s.Check(), s.Close())
}

// readable reports whether path is, or was, a database of a zuno that this one
// understands.
func readable(path string, version int) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	var header [100]byte
	_, err = io.ReadFull(f, header[:])
	if err = errors.Join(err, f.Close()); err != nil || !strings.HasPrefix(string(header[:]), "SQLite format 3\x00") {
		return false
	}
	return binary.BigEndian.Uint32(header[68:]) == applicationID && int(binary.BigEndian.Uint32(header[60:])) <= version
}

// parts of a database: beside the file itself, its logs and their index.
func fileParts() []string { return []string{"", "-wal", "-shm", "-journal"} }

// asides returns where each file that there is would be moved.
func asides(path string, now time.Time) [][2]string {
	for n := 0; ; n++ {
		to := path + ".aside-" + now.UTC().Format("20060102-150405")
		if n > 0 {
			to += fmt.Sprintf("-%d", n)
		}
		var moves [][2]string
		free := true
		for _, part := range fileParts() {
			free = free && size(to+part) < 0
			if size(path+part) >= 0 {
				moves = append(moves, [2]string{path + part, to + part})
			}
		}
		if free {
			return moves
		}
	}
}
