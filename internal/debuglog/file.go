package debuglog

import (
	"errors"
	"os"
	"sync"
)

// A file is a log that is put aside when it is full. One process writes it.
type file struct {
	path string

	mu   sync.Mutex // guards what follows
	f    *os.File   // nil after close
	size int
	max  int
	err  error // the first of writing
}

func create(path string) (*file, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &file{path: path, f: f, max: maxBytes}, nil
}

// write adds one line. It never fails: a log that cannot be written holds
// nothing up.
func (f *file) write(line []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.f == nil {
		return
	}
	if f.size > 0 && f.size+len(line) > f.max {
		f.turn()
	}
	if f.f == nil {
		return
	}
	n, err := f.f.Write(line)
	f.size += n
	if f.err == nil {
		f.err = err
	}
}

// turn puts the full part aside, over the one before it, and begins another;
// f.mu is held.
func (f *file) turn() {
	err := f.f.Close()
	f.f, f.size = nil, 0
	err = errors.Join(err, os.Rename(f.path, f.path+older))
	next, cerr := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if cerr == nil {
		f.f = next
	}
	if f.err == nil {
		f.err = errors.Join(err, cerr)
	}
}

func (f *file) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.f == nil {
		return f.err
	}
	err := errors.Join(f.err, f.f.Close())
	f.f = nil
	return err
}
