//go:build unix

package store

import (
	"os"
	"syscall"

	"github.com/zuno-dev/zuno/internal/tools/work"
)

// SaveAndDie writes w in the place of the session's work and kills its own
// process before that is committed.
func (j *Session) SaveAndDie(w work.Work) error {
	return j.record(processDeath, func(t tx, session int64) error {
		if err := j.saveWork(t, session, w); err != nil {
			return err
		}
		return syscall.Kill(os.Getpid(), syscall.SIGKILL)
	})
}

// BoundContents sets the bound on the contents that are kept.
func (s *Store) BoundContents(bytes, every int64) { s.keptBytes, s.trimEvery = bytes, every }
