package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors that callers tell apart.
var (
	// ErrBusy says that a living process holds the session.
	ErrBusy = errors.New("the session is in use")
	// ErrLost says that another process has taken the session over. Nothing was
	// written, and nothing will be.
	ErrLost = errors.New("another process has taken this session over; nothing was recorded")
	// ErrNoSession says that no stored session has that ID, or more than one
	// begins with it.
	ErrNoSession = errors.New("no such session")
	// ErrUnusable says that the database is not one that this zuno can use, or
	// that it is damaged. Zuno neither repairs nor removes it.
	ErrUnusable = errors.New("it is left as it is")
)

const elsewhere = "set ZUNO_HOME to use another place"

// unusable is the error of a file that zuno leaves alone.
func unusable(path, format string, args ...any) error {
	return fmt.Errorf("the record %s %s; %w; move it aside with its -wal (zuno sessions repair does, and saves what can be read), or %s", path, fmt.Sprintf(format, args...), ErrUnusable, elsewhere)
}

func damaged(path, what string) error {
	return unusable(path, "is damaged (%s)", strings.ReplaceAll(what, "\n", "; ")) // sqlite says it in lines
}

// code returns SQLite's primary result code, and 0 when err is not SQLite's.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// locked reports whether err says that another connection is in the way, so
// that trying again can help.
func locked(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return true
	}
	return false
}

// errNoRows is what a query of one row returns when there is none.
var errNoRows = sql.ErrNoRows

// duplicate reports whether err says that a row of that key is there already.
func duplicate(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
}

// A lockedError says that another program did not let go of the record in time.
type lockedError struct {
	path string
	err  error
}

// Error says so.
func (e *lockedError) Error() string {
	return fmt.Sprintf("the record %s has been locked by another program for too long: %v; close that and try again", e.path, e.err)
}

// Unwrap returns what SQLite says.
func (e *lockedError) Unwrap() error { return e.err }

// Timeout is true: it says nothing about what was to be recorded.
func (e *lockedError) Timeout() bool { return true }

// unrecordable is what it means that nothing more can be recorded.
const unrecordable = "no call begins that could not be recorded, and one whose outcome could not be is uncertain"

// A goneError says that a file of the database is not where it was opened.
type goneError struct{ file, how string }

// Error says so.
func (e *goneError) Error() string {
	return fmt.Sprintf("%s was %s while zuno had the record open: what it wrote there now nobody would find, so it writes nothing; %s; put it back where it was, or end zuno and begin again", e.file, e.how, unrecordable)
}

// Unwrap returns what makes of it an error of the record's file.
func (e *goneError) Unwrap() error { return ErrUnusable }

// explain says what an error of SQLite means for the database at path, and
// what to do about it.
func explain(path string, err error) error {
	if err == nil || errors.Is(err, ErrUnusable) {
		return err
	}
	switch code(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return damaged(path, err.Error())
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return &lockedError{path, err}
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("the disk of the record %s is full: %w; %s: make room on it and go on (zuno sessions gc then removes old sessions)", path, err, unrecordable)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("the record %s or its directory cannot be written: %w; make both writable, or %s", path, err, elsewhere)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("the record %s cannot be read or written: %w; %s: see whether its disk is full or fails, or a limit on the size of files is set (ulimit -f), or %s", path, err, unrecordable, elsewhere)
	case 0:
		return err
	}
	return fmt.Errorf("the record %s: %w", path, err)
}
