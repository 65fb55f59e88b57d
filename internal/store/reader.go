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
	statements map[string]*sql.Stmt
}

func openReader(path string) (*reader, error) {
	pool, err := sql.Open("sqlite", dsn(path, "query_only(1)"))
	if err != nil {
		return nil, explain(path, err)
	}
	pool.SetMaxOpenConns(readerConns)
	pool.SetMaxIdleConns(readerConns)
	return &reader{pool: pool, statements: map[string]*sql.Stmt{}}, nil
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
	defer r.mu.Unlock()
	if s := r.statements[query]; s != nil {
		return s, nil
	}
	s, err := r.pool.Prepare(query)
	if err == nil {
		r.statements[query] = s
	}
	return s, err
}

// Close closes the connections. Nothing is read any more.
func (r *reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	for _, s := range r.statements {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, r.pool.Close())
}
