package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"github.com/zuno-dev/zuno/internal/tools"
)

// keptBytes bounds the contents that are kept of files before they were
// changed. The oldest go first: what they belonged to cannot be taken back any
// more.
const keptBytes = 512 << 20

// trimEvery is how many bytes may be added before the bound is looked at again.
const trimEvery = 16 << 20

const (
	insertTouch = `INSERT INTO touch (call, position, path, name, before_kind, before_mode, before_sum, before_size, after_kind, after_mode, after_sum, after_size)
	SELECT n, (SELECT count(*) FROM touch WHERE call = n), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM call WHERE session = ?1 AND id = ?2`
	insertContent = `INSERT INTO content (sum, size, at, data) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (sum) DO UPDATE SET at = excluded.at`
	trimContent   = `DELETE FROM content WHERE n IN (SELECT n FROM (SELECT n, sum(size) OVER (ORDER BY at DESC, n DESC) AS upto FROM content) WHERE upto > ?)`
)

// keep records what a call touches, and the contents that were there before.
func (j *Session) keep(t tx, session int64, call string, touches []tools.Touch) error {
	now, added := stamp(j.store.now()), int64(0)
	for _, c := range touches {
		b, a := c.Before, c.After
		_, err := t.exec(insertTouch, session, plain(call), []byte(c.Path), plain(c.Name),
			string(b.Kind), int64(b.Mode.Perm()), b.Sum[:], b.Size, string(a.Kind), int64(a.Mode.Perm()), a.Sum[:], a.Size)
		if err != nil {
			return err
		}
		if b.Data == nil {
			continue
		}
		if _, err := t.exec(insertContent, b.Sum[:], b.Size, now, b.Data); err != nil {
			return err
		}
		added += b.Size
	}
	if j.untrimmed += added; added == 0 || j.untrimmed < j.store.trimEvery {
		return nil
	}
	j.untrimmed = 0
	_, err := t.exec(trimContent, j.store.keptBytes)
	return err
}

// touched is one row of touch, with what is known of whether it took effect.
type touched struct {
	call string
	tools.Touch
	applied bool // else it may have been
}

const selectTouches = family + `SELECT c.id, c.outcome, t.path, t.name, t.before_kind, t.before_mode, t.before_sum, t.before_size,
	t.after_kind, t.after_mode, t.after_sum, t.after_size
	FROM call c JOIN touch t ON t.call = c.n WHERE c.session IN (SELECT n FROM family) AND c.n >= ?2 AND c.n <= ?3 AND c.outcome IN ('ok', 'uncertain') ORDER BY c.n, t.position`

// touches returns what the calls of a session and of its agents from row first to row last have
// touched, or may have, in order.
func (s *Store) touches(session, first, last int64) ([]touched, error) {
	var list []touched
	err := s.each(selectTouches, []any{session, first, last}, func(rows *sql.Rows) error {
		var t touched
		var outcome string
		var path []byte
		var b, a stateRow
		if err := rows.Scan(&t.call, &outcome, &path, &t.Name, &b.kind, &b.mode, &b.sum, &b.size, &a.kind, &a.mode, &a.sum, &a.size); err != nil {
			return err
		}
		t.Path, t.applied = string(path), outcome == tools.OK.String()
		var err error
		if t.Before, err = b.state(); err == nil {
			t.After, err = a.state()
		}
		if err != nil {
			return damaged(s.path, "what call "+t.call+" touched: "+err.Error())
		}
		list = append(list, t)
		return nil
	})
	return list, err
}

// A stateRow is a state as it is stored, without its content.
type stateRow struct {
	kind string
	mode int64
	sum  []byte
	size int64
}

func (r stateRow) state() (tools.FileState, error) {
	s := tools.FileState{Kind: tools.FileKind(r.kind), Mode: fs.FileMode(r.mode).Perm(), Size: r.size}
	if copy(s.Sum[:], r.sum) != len(s.Sum) {
		return s, fmt.Errorf("a hash of %d bytes", len(r.sum))
	}
	return s, nil
}

const selectContent = `SELECT data FROM content WHERE sum = ?`

// recall fills in the content of a state, when it is still kept.
func (s *Store) recall(st *tools.FileState) error {
	if st.Kind != tools.Regular && st.Kind != tools.Link {
		return nil
	}
	err := s.readers.QueryRow(selectContent, st.Sum[:]).Scan(&st.Data)
	switch {
	case errors.Is(err, errNoRows):
		return nil
	case err != nil:
		return explain(s.path, err)
	case st.Data == nil:
		st.Data = []byte{}
	}
	if whole := tools.StateOf(st.Kind, st.Mode, st.Data); !whole.Holds(*st) {
		return damaged(s.path, "a content does not have the hash it is stored under")
	}
	return nil
}
