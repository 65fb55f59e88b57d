package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"
)

// lockWait bounds how long a write waits, in all, for another process that
// holds the database. One attempt waits for 5 s, SQLite's busy_timeout.
const lockWait = 30 * time.Second

// A writer is the one connection that writes, with its prepared statements.
// All of its calls run without a context: an interrupt must not leave a hole.
type writer struct {
	path string
	pool *sql.DB

	mu         sync.Mutex // guards what follows
	conn       *sql.Conn
	statements map[string]*sql.Stmt
	from       int            // the format that was found; see [Store.Format]
	files      [3]os.FileInfo // of the database, its log and the index of that, as they were opened
}

func openWriter(path string) (*writer, error) {
	pool, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, explain(path, err)
	}
	pool.SetMaxOpenConns(1)
	w := &writer{path: path, pool: pool, statements: map[string]*sql.Stmt{}}
	err = w.retry(func() (err error) {
		w.conn, err = pool.Conn(context.Background())
		return err
	})
	if err != nil {
		_ = pool.Close() // err is the reason
		return nil, err
	}
	return w, nil
}

func (w *writer) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	for _, s := range w.statements {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, w.conn.Close(), w.pool.Close())
}

// A durability says what a commit must survive.
type durability int

const (
	processDeath durability = iota
	powerLoss
)

// A tx is a transaction in progress. It is valid until its function returns.
type tx struct{ w *writer }

// write runs f in one immediate transaction and commits it when f returns nil.
// While another process holds the database it waits and begins again, so f may
// run more than once.
func (w *writer) write(d durability, f func(tx) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.there(); err != nil {
		return err
	}
	return w.retry(func() error {
		if d == powerLoss {
			// The sync of this commit takes all that were written before it along.
			if err := w.run(`PRAGMA synchronous = FULL`); err != nil {
				return err
			}
			defer func() { _ = w.run(`PRAGMA synchronous = NORMAL`) }() // failing, it is slower and no less safe
		}
		return w.transact(f)
	})
}

// there returns an error when what is written now would go to a file that nobody
// finds, or past what another process writes: SQLite goes on with files that were
// removed or replaced. No process removes the log while this one has it open.
func (w *writer) there() error {
	for i, path := range []string{w.path, w.path + "-wal", w.path + "-shm"} {
		info, err := os.Stat(path)
		switch known := w.files[i]; {
		case errors.Is(err, fs.ErrNotExist) && known != nil:
			return &goneError{path, "removed"}
		case err != nil: // there is no log yet, or SQLite says what is wrong
		case known == nil:
			w.files[i] = info
		case !os.SameFile(known, info):
			return &goneError{path, "replaced by another file"}
		}
	}
	return nil
}

func (w *writer) transact(f func(tx) error) error {
	t := tx{w}
	if _, err := t.exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	err := f(t)
	if err == nil {
		_, err = t.exec(`COMMIT`)
	}
	if err != nil {
		_, _ = t.exec(`ROLLBACK`) // fails when SQLite has rolled back itself
	}
	return err
}

// retry calls f until it returns something else than that the database is
// locked, for up to lockWait.
func (w *writer) retry(f func() error) error {
	deadline := time.Now().Add(lockWait)
	for {
		err := f()
		if err == nil || !locked(err) || time.Now().After(deadline) {
			return explain(w.path, err)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// run executes a statement that takes effect while it is being prepared, as
// some pragmas do, or that is needed only once.
func (w *writer) run(query string) error {
	_, err := w.conn.ExecContext(context.Background(), query)
	return err
}

func (w *writer) prepared(query string) (*sql.Stmt, error) {
	if s := w.statements[query]; s != nil {
		return s, nil
	}
	s, err := w.conn.PrepareContext(context.Background(), query)
	if err == nil {
		w.statements[query] = s
	}
	return s, err
}

// exec runs a statement and returns how many rows it changed.
func (t tx) exec(query string, args ...any) (int64, error) {
	s, err := t.w.prepared(query)
	if err != nil {
		return 0, err
	}
	r, err := s.Exec(args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// row runs a query of one row and reads it into dest. Without one it returns
// sql.ErrNoRows.
func (t tx) row(query string, args []any, dest ...any) error {
	s, err := t.w.prepared(query)
	if err != nil {
		return err
	}
	return s.QueryRow(args...).Scan(dest...)
}

// rows runs a query of one column of row numbers.
func (t tx) rows(query string, args ...any) (list []int64, err error) {
	s, err := t.w.prepared(query)
	if err != nil {
		return nil, err
	}
	rows, err := s.Query(args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, rows.Err()
}
