package shell

import (
	"bytes"
	"os"
)

// A spool keeps the whole output of a command in a file, both streams in the
// order of their arrival. The file is made only when the output turns out to be
// long; until then it is held in memory.
type spool struct {
	dir         string // "" for no spool
	from, lines int    // bytes and lines from which there is a file
	disk        int64  // the most that is written
	held        []byte
	breaks      int // line breaks in held
	file        *os.File
	size        int64
	err         error
}

func (s *spool) write(p []byte) {
	switch {
	case s.dir == "" || s.err != nil:
		return
	case s.file != nil:
		s.put(p)
		return
	}
	if len(s.held)+len(p) <= s.from {
		s.held = append(s.held, p...)
		if s.breaks += bytes.Count(p, []byte{'\n'}); s.breaks <= s.lines {
			return
		}
		p = nil
	}
	s.open()
	s.put(p)
}

// open makes the file, however little there is for it yet.
func (s *spool) open() {
	if s.dir == "" || s.err != nil || s.file != nil {
		return
	}
	if s.err = os.MkdirAll(s.dir, 0o700); s.err != nil {
		return
	}
	if s.file, s.err = os.CreateTemp(s.dir, "output-*.txt"); s.err != nil { // mode 0600
		s.file = nil
		return
	}
	s.put(s.held)
	s.held = nil
}

// path names the file, "" when there is none.
func (s *spool) path() string {
	if s.file == nil {
		return ""
	}
	return s.file.Name()
}

func (s *spool) put(p []byte) {
	if s.err != nil {
		return
	}
	if room := s.disk - s.size; int64(len(p)) > room {
		p = p[:room]
	}
	if len(p) == 0 {
		return
	}
	n, err := s.file.Write(p)
	s.size += int64(n)
	s.err = err // what is in the file stays of use
}

// close returns the file, "" when there is none, and its size.
func (s *spool) close() (path string, size int64, err error) {
	if s.file == nil {
		return "", 0, s.err
	}
	if e := s.file.Close(); s.err == nil {
		s.err = e
	}
	return s.path(), s.size, s.err
}
