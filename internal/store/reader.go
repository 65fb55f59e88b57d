package store

import (
	"database/sql"
	"errors"
	"sync"
)

// A reader is the connections that read, with their prepared statements: to
// understand a query takes as long as to run it. The queries are constants, so
// that there are only so many. It may be used from any goroutine.
type reader struct {
	pool *sql.DB

	mu         sync.Mutex // guards what follows
	statements map[string]*statement
}

// A statement is understood once, by whoever needs it first.
type statement struct {
	once sync.Once
	stmt *sql.Stmt
	err  error
}

func openReader(path string) (*reader, error) {
	pool, err := sql.Open("sqlite", dsn(path, "query_only(1)"))
	if err != nil {
		return nil, explain(path, err)
	}
	pool.SetMaxOpenConns(readerConns)
	pool.SetMaxIdleConns(readerConns)
	return &reader{pool: pool, statements: map[string]*statement{}}, nil
}

// Query runs a query; the caller closes the rows.
func (r *reader) Query(query string, args ...any) (*sql.Rows, error) {
	s, err := r.prepared(query)
	if err != nil {
		return nil, err
	}
	return s.Query(args...)
}

// QueryRow runs a query of at most one row.
func (r *reader) QueryRow(query string, args ...any) *sql.Row {
	s, err := r.prepared(query)
	if err != nil {
		return r.pool.QueryRow(query, args...) // has the same error
	}
	return s.QueryRow(args...)
}

func (r *reader) prepared(query string) (*sql.Stmt, error) {
	r.mu.Lock()
	s := r.statements[query]
	if s == nil {
		s = &statement{}
		r.statements[query] = s
	}
	r.mu.Unlock()
	s.once.Do(func() { s.stmt, s.err = r.pool.Prepare(query) })
	if s.err != nil {
		r.mu.Lock()
		if r.statements[query] == s {
			delete(r.statements, query) // the next one tries again
		}
		r.mu.Unlock()
	}
	return s.stmt, s.err
}

// Close closes the connections. Nothing is read any more.
func (r *reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	for _, s := range r.statements {
		if s.stmt != nil {
			err = errors.Join(err, s.stmt.Close())
		}
	}
	return errors.Join(err, r.pool.Close())
}
