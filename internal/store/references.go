package store

import (
	"cmp"
	"fmt"
	"slices"
)

// A reference is a column that names a row of another table. The schema says
// which there are, so that no table is forgotten where rows go.
type reference struct{ table, column, of string }

const selectReferences = `SELECT m.name, f."from", f."table" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`

// references returns the references between tables, those to the rows that go
// first before the others.
func (s *Store) references() ([]reference, error) {
	rows, err := s.readers.Query(selectReferences)
	if err != nil {
		return nil, explain(s.path, err)
	}
	defer func() { _ = rows.Close() }() // read only
	var list []reference
	for rows.Next() {
		var r reference
		if err := rows.Scan(&r.table, &r.column, &r.of); err != nil {
			return nil, explain(s.path, err)
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b reference) int { return cmp.Compare(a.rank(), b.rank()) })
	return list, explain(s.path, rows.Err())
}

// rank orders references by how far what they name is from a session.
func (r reference) rank() int {
	switch {
	case r.of != "session":
		return 0
	case r.table == "call" || r.table == "message":
		return 2
	}
	return 1
}

// removals are the statements that remove a session, by its row, and all that
// refers to it.
func (s *Store) removals() ([]string, error) {
	refs, err := s.references()
	var list []string
	for _, r := range refs {
		where := r.column + " = ?"
		if r.of != "session" {
			where = fmt.Sprintf("%s IN (SELECT n FROM %s WHERE session = ?)", r.column, r.of)
		}
		list = append(list, "DELETE FROM "+r.table+" WHERE "+where)
	}
	return append(list, "DELETE FROM session WHERE n = ?"), err
}

// orphans are the statements that remove what refers to rows that are not there.
func (s *Store) orphans() ([]string, error) {
	refs, err := s.references()
	var list []string
	for _, r := range refs {
		if r.rank() < 2 { // a session is made up where calls or messages name one
			list = append(list, fmt.Sprintf("DELETE FROM %s WHERE %s NOT IN (SELECT n FROM %s)", r.table, r.column, r.of))
		}
	}
	return list, err
}
