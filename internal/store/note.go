package store

import (
	"database/sql"
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/tools/memory"
)

const listNotes = `SELECT path, text, writes, session, created_at, updated_at FROM note WHERE repo = ? ORDER BY path`

// Notes returns the notes of a target by path.
func (m *Memory) Notes(t memory.Target) ([]memory.Note, error) {
	var list []memory.Note
	err := m.store.each(listNotes, []any{m.place(t)}, func(rows *sql.Rows) error {
		var n memory.Note
		var created, updated int64
		err := rows.Scan(&n.Path, &n.Text, &n.Writes, &n.Session, &created, &updated)
		n.Created, n.Updated = time.Unix(0, created), time.Unix(0, updated)
		list = append(list, n)
		return err
	})
	return list, doing(err, "read the notes")
}

const (
	insertNote = `INSERT INTO note (repo, path, text, writes, session, created_at, updated_at) VALUES (?1, ?2, ?3, 1, ?4, ?5, ?5) ON CONFLICT DO NOTHING`
	updateNote = `UPDATE note SET text = ?4, writes = writes + 1, session = ?5, updated_at = ?6 WHERE repo = ?1 AND path = ?2 AND writes = ?3`
	deleteNote = `DELETE FROM note WHERE repo = ? AND path = ? AND writes = ?`
	renameNote = `UPDATE OR IGNORE note SET path = ?4, session = ?5, updated_at = ?6 WHERE repo = ?1 AND path = ?2 AND writes = ?3`
)

// PutNote writes a note that was written writes times before; see
// [memory.Store].
func (m *Memory) PutNote(t memory.Target, path, text string, writes int) error {
	now := stamp(m.store.now())
	if writes == 0 {
		return m.note("write", path, insertNote, m.place(t), plain(path), m.store.clean(text), plain(m.Session), now)
	}
	return m.note("write", path, updateNote, m.place(t), plain(path), writes, m.store.clean(text), plain(m.Session), now)
}

// DropNote removes a note that was written writes times.
func (m *Memory) DropNote(t memory.Target, path string, writes int) error {
	return m.note("remove", path, deleteNote, m.place(t), plain(path), writes)
}

// MoveNote gives a note that was written writes times a path that none has.
func (m *Memory) MoveNote(t memory.Target, from, to string, writes int) error {
	return m.note("rename", from, renameNote, m.place(t), plain(from), writes, plain(to), plain(m.Session), stamp(m.store.now()))
}

func (m *Memory) note(verb, path, query string, args ...any) error {
	err := m.store.writer.write(powerLoss, func(x tx) error { return one(x.exec(query, args...)) })
	return doing(err, "%s", fmt.Sprintf("%s the note %s", verb, path))
}
