package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// salvage copies what can be read of the damaged database at path into a new
// one. It reads a copy in dir: to read a database, SQLite may write to it.
func (r *Repaired) salvage(path, dir, saved string, now func() time.Time) (err error) {
	copied := filepath.Join(dir, "damaged.db")
	for _, part := range fileParts() {
		if part != "-shm" && size(path+part) >= 0 { // the index is made again
			if err := copyFile(path+part, copied+part); err != nil {
				return err
			}
		}
	}
	from, err := sql.Open("sqlite", "file:"+slashed(copied)+"?_pragma=writable_schema(1)&_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	from.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := Open(saved, now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := to.writer.run(`PRAGMA foreign_keys = OFF`); err != nil {
		return err
	}
	err = to.writer.write(processDeath, func(t tx) error {
		r.Saved, r.Lost = nil, nil
		tables, err := to.tables()
		if err != nil {
			return err
		}
		for _, table := range tables {
			if strings.HasPrefix(table.name, "search_") {
				continue // the indexes are made anew
			}
			if err := r.copyTable(t, from, table); err != nil {
				return err
			}
		}
		return r.mend(t, to)
	})
	return errors.Join(err, to.Check())
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// A table is what of one is copied.
type table struct {
	name    string
	rowid   bool
	columns []string
}

// Virtual tables, and those that they keep their data in, are made again.
const (
	selectTables = `SELECT t.name, NOT t.wr FROM pragma_table_list t JOIN sqlite_schema s ON s.name = t.name
	WHERE t.schema = 'main' AND t.type = 'table' AND s.name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY s.rowid`
	selectColumns = `SELECT name FROM pragma_table_info(?) ORDER BY cid`
)

func (s *Store) tables() ([]table, error) {
	var list []table
	err := s.each(selectTables, nil, func(rows *sql.Rows) error {
		var t table
		err := rows.Scan(&t.name, &t.rowid)
		list = append(list, t)
		return err
	})
	for i := range list {
		err = errors.Join(err, s.each(selectColumns, []any{list[i].name}, func(rows *sql.Rows) error {
			var c string
			err := rows.Scan(&c)
			list[i].columns = append(list[i].columns, c)
			return err
		}))
	}
	return list, err
}

// copyTable copies the rows from the first on, and where one cannot be read
// those from the last back.
func (r *Repaired) copyTable(t tx, from *sql.DB, x table) error {
	var there []string
	if err := query(from, selectColumns, []any{x.name}, 1, func(v []any) error {
		there = append(there, fmt.Sprint(v[0]))
		return nil
	}); err != nil {
		r.Lost = append(r.Lost, x.name+": "+err.Error())
		return nil
	}
	columns := slices.DeleteFunc(slices.Clone(x.columns), func(c string) bool { return !slices.Contains(there, c) })
	if len(columns) == 0 {
		return nil // the damaged one is of an earlier format
	}
	names := strings.Join(columns, ", ")
	how := "INSERT OR IGNORE"
	if x.name == "chained_from" {
		how = "INSERT OR REPLACE" // a new database has its row already
	}
	insert := how + ` INTO ` + x.name + ` (` + names + `) VALUES (?` + strings.Repeat(`, ?`, len(columns)-1) + `)`
	n := 0
	put := func(v []any) error {
		rows, err := t.exec(insert, v...)
		if code(err) != 0 && !locked(err) && rows == 0 {
			return nil // a row that cannot be one
		}
		n += int(rows)
		return err
	}
	order := []string{""}
	if x.rowid {
		order = []string{" ORDER BY rowid", " ORDER BY rowid DESC"}
	}
	var broke error
	for i, by := range order {
		if i > 0 && broke == nil {
			break
		}
		err := query(from, `SELECT `+names+` FROM `+x.name+by, nil, len(columns), put)
		if err != nil && code(err) == 0 {
			return err
		}
		if broke == nil {
			broke = err
		}
	}
	if broke != nil {
		r.Lost = append(r.Lost, "rows of "+x.name+" that lie in the damaged part")
	}
	if n > 0 && x.name != "chained_from" {
		r.Saved = append(r.Saved, Saved{x.name, n})
	}
	return nil
}

// query calls f for each row, of n columns.
func query(db *sql.DB, q string, args []any, n int, f func([]any) error) (err error) {
	rows, err := db.Query(q, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		values, dest := make([]any, n), make([]any, n)
		for i := range values {
			dest[i] = &values[i]
		}
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		if err := f(values); err != nil {
			return err
		}
	}
	return rows.Err()
}

// lostText is the result of a call of which the record was lost.
const lostText = "what became of this call was lost when the record was damaged: it may have happened, in full, in part or not at all. Inspect the real state before any change"

// mends put right what the rows that are there say about those that are not.
func mends() []string {
	return []string{
		`INSERT INTO session (n, id, parent, dir, repo, model, agent, title, created_at, updated_at)
		SELECT session, printf('salvaged%08d', session), '', '', '', '', '', 'saved from a damaged record', min(at), max(at)
		FROM (SELECT session, at FROM message UNION ALL SELECT session, requested_at FROM call) WHERE session NOT IN (SELECT n FROM session) GROUP BY session`,
		`UPDATE session SET owner = ''`,
		`INSERT INTO call_args (call, args) SELECT n, '' FROM call WHERE n NOT IN (SELECT call FROM call_args)`,
		`INSERT INTO call_result (call, text, show, changes) SELECT n, 'the result was lost when the record was damaged', '', ''
		FROM call WHERE state = 'settled' AND n NOT IN (SELECT call FROM call_result)`,
	}
}

const (
	allMessages = `SELECT n, session, seq, role, parts, text, at FROM message ORDER BY n`
	lostCall    = `INSERT OR IGNORE INTO call (session, id, message, position, tool, requested, state, requested_at, settled_at, outcome, began, recovered)
	VALUES (?1, ?2, ?3, ?4, ?5, '', 'settled', ?6, ?7, 'uncertain', 1, 1)`
	dropMessage = `DELETE FROM message WHERE n = ?`
)

// mend makes a consistent record of what was saved. A call that a message asks
// for and of which nothing is left becomes an uncertain one.
func (r *Repaired) mend(t tx, s *Store) error {
	for _, q := range mends()[:1] {
		if _, err := t.exec(q); err != nil {
			return err
		}
	}
	lost, err := s.lostCalls(t)
	if err != nil {
		return err
	}
	if lost > 0 {
		r.Lost = append(r.Lost, fmt.Sprintf("the record of %d calls, which count as uncertain now", lost))
	}
	orphans, err := s.orphans()
	if err != nil {
		return err
	}
	for _, q := range slices.Concat(orphans, mends()[1:]) {
		if _, err := t.exec(q); err != nil {
			return err
		}
	}
	return nil
}

// lostCalls adds what messages ask for and nothing is left of, and drops
// messages that cannot be read.
func (s *Store) lostCalls(t tx) (int, error) {
	type message struct {
		n, session, seq, at int64
		role, parts, text   string
	}
	var list []message
	st, err := t.w.prepared(allMessages)
	if err != nil {
		return 0, err
	}
	rows, err := st.Query()
	if err != nil {
		return 0, err
	}
	for rows.Next() {
		var m message
		if err := rows.Scan(&m.n, &m.session, &m.seq, &m.role, &m.parts, &m.text, &m.at); err != nil {
			return 0, errors.Join(err, rows.Close())
		}
		list = append(list, m)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return 0, err
	}
	lost := 0
	for _, m := range list {
		parts, _, err := decodeParts([]byte(m.parts), m.text)
		if err != nil {
			if _, err := t.exec(dropMessage, m.n); err != nil {
				return lost, err
			}
			continue
		}
		position := 0
		for _, p := range parts {
			if p.Call == nil {
				continue
			}
			added, err := t.exec(lostCall, m.session, plain(p.Call.ID), m.seq, position, plain(p.Call.Name), m.at, stamp(s.now()))
			if err != nil {
				return lost, err
			}
			position++
			if added == 0 {
				continue
			}
			lost++
			for _, q := range []struct{ query, text string }{
				{`INSERT INTO call_args (call, args) SELECT n, ?3 FROM call WHERE session = ?1 AND id = ?2 ON CONFLICT DO NOTHING`, plain(string(p.Call.Args))},
				{`INSERT INTO call_result (call, text, show, changes) SELECT n, ?3, '', '' FROM call WHERE session = ?1 AND id = ?2 ON CONFLICT DO NOTHING`, lostText},
			} {
				if _, err := t.exec(q.query, m.session, plain(p.Call.ID), q.text); err != nil {
					return lost, err
				}
			}
		}
	}
	return lost, nil
}
