package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/tools/memory"
)

// A Memory is what sessions of one repository are told, and what they keep for
// later ones. It may be used from any goroutine; what another process changes
// counts at once.
type Memory struct {
	store *Store
	repo  string
	// Session, when set, is noted as where something was accepted or written.
	Session string
}

// Memory returns the memory that counts in a repository.
func (s *Store) Memory(repo string) *Memory { return &Memory{store: s, repo: plain(repo)} }

// place is how a target is stored.
func (m *Memory) place(t memory.Target) string {
	if t == memory.Global {
		return ""
	}
	return m.repo
}

// rower is what both kinds of connections read one row with.
type rower func(query string, args []any, dest ...any) error

func (s *Store) row(query string, args []any, dest ...any) error {
	return s.readers.QueryRow(query, args...).Scan(dest...)
}

const memoryRevision = `SELECT revision FROM memory_revision WHERE repo = ?`

// revisionOf returns how often the memory of a place was changed.
func revisionOf(row rower, place string) (n int, err error) {
	if err = row(memoryRevision, []any{place}, &n); errors.Is(err, errNoRows) {
		return 0, nil
	}
	return n, err
}

const memoryEntries = `SELECT n, text, revision, reason, session, by, at, coalesce((SELECT revision FROM memory_revision v WHERE v.repo = m.repo), 0)
	FROM memory m WHERE repo = ? ORDER BY n`

// Book returns what is remembered for a target.
func (m *Memory) Book(t memory.Target) (memory.Book, error) {
	var b memory.Book
	err := m.store.each(memoryEntries, []any{m.place(t)}, func(rows *sql.Rows) error {
		var e memory.Entry
		var at int64
		err := rows.Scan(&e.N, &e.Text, &e.Revision, &e.Reason, &e.Session, &e.By, &at, &b.Revision)
		e.At = time.Unix(0, at)
		b.Entries = append(b.Entries, e)
		return err
	})
	if err == nil && len(b.Entries) == 0 { // a memory of which all was forgotten has a revision too
		b.Revision, err = revisionOf(m.store.row, m.place(t))
		err = explain(m.store.path, err)
	}
	return b, doing(err, "read the %s memory", t)
}

const (
	insertMemory = `INSERT INTO memory (repo, text, revision, reason, session, by, at) VALUES (?, ?, ?, ?, ?, ?, ?)`
	updateMemory = `UPDATE memory SET text = ?3, revision = ?4, reason = ?5, session = ?6, by = ?7, at = ?8 WHERE repo = ?1 AND n = ?2`
	deleteMemory = `DELETE FROM memory WHERE repo = ? AND n = ?`
	countMemory  = `INSERT INTO memory_revision (repo, revision) VALUES (?1, 1) ON CONFLICT (repo) DO UPDATE SET revision = revision + 1`
)

// Put adds an entry, or gives one that is there its new text, in the memory of
// a target that is at revision at; see [memory.Store]. What was accepted
// survives a loss of power.
func (m *Memory) Put(t memory.Target, at int, e memory.Entry) (memory.Book, error) {
	err := m.change(t, at, func(x tx, place string) error {
		values := []any{m.store.clean(e.Text), at + 1, m.store.clean(e.Reason), plain(m.Session), plain(e.By), stamp(m.store.now())}
		if e.N == 0 {
			_, err := x.exec(insertMemory, append([]any{place}, values...)...)
			return err
		}
		return one(x.exec(updateMemory, append([]any{place, e.N}, values...)...))
	})
	return m.after(t, doing(err, "remember in the %s memory", t))
}

// Drop removes the entry n, like Put. It does not return, also after a loss of
// power.
func (m *Memory) Drop(t memory.Target, at int, n int64) (memory.Book, error) {
	err := m.change(t, at, func(x tx, place string) error { return one(x.exec(deleteMemory, place, n)) })
	return m.after(t, doing(err, "forget an entry of the %s memory", t))
}

// one turns a change of no row into ErrStale.
func one(rows int64, err error) error {
	if err == nil && rows == 0 {
		return memory.ErrStale
	}
	return err
}

func (m *Memory) after(t memory.Target, err error) (memory.Book, error) {
	if err != nil {
		return memory.Book{}, err
	}
	return m.Book(t)
}

// change runs f on the memory of a target while that is at revision at.
func (m *Memory) change(t memory.Target, at int, f func(x tx, place string) error) error {
	place := m.place(t)
	return m.store.writer.write(powerLoss, func(x tx) error {
		now, err := revisionOf(x.row, place)
		switch {
		case err != nil:
			return err
		case now != at:
			return fmt.Errorf("%w: it is at revision %d, not %d", memory.ErrStale, now, at)
		}
		if err := f(x, place); err != nil {
			return err
		}
		_, err = x.exec(countMemory, place)
		return err
	})
}

const everyMemory = `SELECT repo, n, text, revision, reason, session, by, at FROM memory ORDER BY repo, n`

// A Remembered is an entry with the repository in which it counts, "" for all.
type Remembered struct {
	Repo string
	memory.Entry
}

// Remembered returns everything that is remembered anywhere.
func (s *Store) Remembered() ([]Remembered, error) {
	var list []Remembered
	err := s.each(everyMemory, nil, func(rows *sql.Rows) error {
		var r Remembered
		var at int64
		err := rows.Scan(&r.Repo, &r.N, &r.Text, &r.Revision, &r.Reason, &r.Session, &r.By, &at)
		r.At = time.Unix(0, at)
		list = append(list, r)
		return err
	})
	return list, doing(err, "list what is remembered")
}

const memoryPlace = `SELECT repo FROM memory WHERE n = ?`

// Forget removes the entry n, wherever it counts, and reports whether there was
// one.
func (s *Store) Forget(n int64) (bool, error) {
	found := false
	err := s.writer.write(powerLoss, func(x tx) error {
		var place string
		err := x.row(memoryPlace, []any{n}, &place)
		if found = err == nil; !found {
			if errors.Is(err, errNoRows) {
				return nil
			}
			return err
		}
		if _, err := x.exec(deleteMemory, place, n); err != nil {
			return err
		}
		_, err = x.exec(countMemory, place)
		return err
	})
	return found && err == nil, doing(err, "forget entry %d", n)
}
