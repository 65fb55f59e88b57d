// Package store remembers sessions in an SQLite database, so that a crash can
// neither invent nor lose an effect: what was said, what each call asked for,
// how far it got, who allowed it and how it ended.
//
// A [Store] is one database file. A [Session] is the right to write one
// session of it; it is the journal of a turn. At most one living process holds
// a session, and one that lost it writes nothing. When a session is opened
// whose last holder died, the calls it left behind are settled by rule first.
//
// Every write is one immediate transaction. A commit survives the death of the
// process; a Start that may happen only once survives a loss of power too.
//
// Secrets are taken out of all that is said and returned before it is stored;
// what a turn that runs holds in memory stays as it is. Two things are stored
// exactly: what a provider signed, and the contents of files that can be put
// back.
package store

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"modernc.org/sqlite" // registers the driver and knows its error codes

	"github.com/zuno-dev/zuno/internal/redact"
)

// A Store is one database of sessions. It may be used from any goroutine.
type Store struct {
	path    string
	now     func() time.Time
	self    process
	writer  *writer
	readers *reader
	ahead   sync.WaitGroup // what Ahead began
	redact  *redact.Redactor
	format  int // the number of the last migration
	// keptBytes and trimEvery are the constants of these names, but for tests.
	keptBytes, trimEvery int64
}

// readerConns is how many reads run at once; each costs a connection.
const readerConns = 4

// Open opens the database at path, which it makes, with its directories, when
// there is none. The file is readable by its owner only. A file that zuno did
// not make, that is damaged, or that a newer zuno made is left as it is, and
// the error says so on one line. A nil now means time.Now.
func Open(path string, now func() time.Time) (*Store, error) {
	steps, err := migrations()
	if err != nil {
		return nil, err
	}
	return open(path, now, steps)
}

func open(path string, now func() time.Time, steps []string) (*Store, error) {
	if now == nil {
		now = time.Now
	}
	preferLinux()
	path, err := prepare(path, len(steps))
	if err != nil {
		return nil, err
	}
	w, err := openWriter(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, now: now, self: thisProcess(), writer: w, keptBytes: keptBytes, trimEvery: trimEvery, redact: redact.New(nil), format: len(steps)}
	w.from = len(steps)
	if err := w.migrate(steps); err != nil {
		_ = w.close() // err is the reason
		return nil, err
	}
	if err := w.there(); err != nil { // as it is opened
		_ = w.close()
		return nil, err
	}
	if s.readers, err = openReader(path); err != nil {
		_ = w.close()
		return nil, err
	}
	return s, nil
}

// preferLinux asks for two things that only Linux has, and does without where
// they are missing. Locks that belong to the open file are not lost when
// another part of this process, such as a tool that reads files, opens and
// closes the database; fdatasync commits in half the time of fsync.
func preferLinux() {
	_, _ = sqlite.OFDLocking(true)
	_, _ = sqlite.Fdatasync(true)
}

// Hide has the values of secrets taken out of what is stored, beside what looks
// like a secret of itself. It is called before the first session is made.
func (s *Store) Hide(secrets []redact.Secret) { s.redact = redact.New(secrets) }

// clean is s as it is stored: a text of SQLite, without secrets.
func (s *Store) clean(text string) string { return s.redact.Text(plain(text)) }

// Format returns the format of the database, and the one that Open found and
// migrated: the same when there was nothing to migrate, and 0 when it was new.
func (s *Store) Format() (now, found int) { return s.format, s.writer.from }

// Close closes the database. Sessions must be closed before.
func (s *Store) Close() error {
	s.ahead.Wait()
	return errors.Join(s.readers.Close(), s.writer.close())
}

const integrity = `PRAGMA integrity_check(1)`

// Check reads the whole database and returns an error when it is damaged. It
// takes time in proportion to the size.
func (s *Store) Check() error {
	var result string
	if err := s.readers.QueryRow(integrity).Scan(&result); err != nil {
		return explain(s.path, err)
	}
	if result != "ok" {
		return damaged(s.path, result)
	}
	return nil
}

// stamp is t as it is stored.
func stamp(t time.Time) int64 { return t.UnixNano() }

// stampOrNull is t as it is stored, NULL when it is zero.
func stampOrNull(t time.Time) sql.NullInt64 {
	if t.IsZero() {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: t.UnixNano(), Valid: true}
}

func timeOf(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.Unix(0, n.Int64)
}

// doing says what an error came of.
func doing(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}
