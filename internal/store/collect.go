package store

import (
	"errors"
	"fmt"
	"time"
)

// A Collection says which sessions to remove: those to which nothing was added
// since Before, but for the newest Keep ones.
type Collection struct {
	Before time.Time
	Keep   int
	// Untold removes those too that have uncertain calls of which the model was
	// not told.
	Untold bool
	// Dry removes nothing and says what would be.
	Dry bool
}

// Collected is what became of the sessions that a Collection is about.
type Collected struct {
	Removed []Summary
	Kept    []Keeping
	// Freed is by how many bytes the database shrank.
	Freed int64
}

// Keeping is a session that stays although it is old enough.
type Keeping struct {
	Summary
	Why string
}

// Collect removes old sessions with all that belongs to them, then gives the
// space back. One that is held, or whose calls have not settled, stays.
func (s *Store) Collect(c Collection) (Collected, error) {
	list, err := s.Sessions(0)
	if err != nil {
		return Collected{}, err
	}
	var out Collected
	for i, m := range list {
		if i < c.Keep || !m.Updated.Before(c.Before) {
			continue
		}
		why := keeps(m, c)
		if why == "" && !c.Dry {
			err := s.remove(m.ID, c)
			var k *keptError
			if errors.As(err, &k) {
				why, err = k.why, nil
			}
			if err != nil {
				return out, doing(err, "remove session %s", m.ID)
			}
		}
		if why != "" {
			out.Kept = append(out.Kept, Keeping{m, why})
			continue
		}
		out.Removed = append(out.Removed, m)
	}
	if c.Dry || len(out.Removed) == 0 {
		return out, nil
	}
	out.Freed, err = s.shrink()
	return out, doing(err, "give the space of removed sessions back")
}

// keeps says why a session stays, "" when it may go.
func keeps(m Summary, c Collection) string {
	switch {
	case m.Held:
		return "a running zuno holds it"
	case m.Unsettled > 0:
		return fmt.Sprintf("%d of its calls have no outcome; continue it once to settle them", m.Unsettled)
	case m.Untold > 0 && !c.Untold:
		return fmt.Sprintf("%d of its calls may have happened, and the model was not told yet", m.Untold)
	}
	return ""
}

// A keptError says that a session must stay.
type keptError struct{ why string }

func (e *keptError) Error() string { return e.why }

const (
	// descendants is a session and those that it delegated to, theirs too.
	descendants = `WITH RECURSIVE family (n, id) AS (SELECT n, id FROM session WHERE id = ? UNION SELECT s.n, s.id FROM session s JOIN family f ON s.parent = f.id) SELECT n FROM family`

	sessionState = `SELECT owner <> '', owner_pid, owner_start, owner_boot, owner_space, owner_host, heartbeat, updated_at,
	(SELECT count(*) FROM call WHERE session = s.n AND settled_at IS NULL),
	(SELECT count(*) FROM call WHERE session = s.n AND outcome = 'uncertain' AND told_at IS NULL) FROM session s WHERE n = ?`
	trimUnused = `DELETE FROM content WHERE sum NOT IN (SELECT before_sum FROM touch)`
)

// remove removes a session and those that it delegated to, unless one of them
// has to stay.
func (s *Store) remove(id string, c Collection) error {
	removals, err := s.removals()
	if err != nil {
		return err
	}
	return s.writer.write(processDeath, func(t tx) error {
		rows, err := t.rows(descendants, id)
		if err != nil {
			return err
		}
		for _, n := range rows {
			var m Summary
			var p process
			var heartbeat, updated int64
			err := t.row(sessionState, []any{n}, &m.Held, &p.PID, &p.Start, &p.Boot, &p.Space, &p.Host, &heartbeat, &updated, &m.Unsettled, &m.Untold)
			if err != nil {
				return err
			}
			m.Held = m.Held && p.alive(s.self, time.Unix(0, heartbeat), s.now())
			why := keeps(m, c)
			if why == "" && !time.Unix(0, updated).Before(c.Before) {
				why = "it was used meanwhile"
			}
			if why != "" {
				return &keptError{why}
			}
		}
		for _, n := range rows {
			for _, query := range removals {
				if _, err := t.exec(query, n); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

const databaseSize = `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`

// shrink drops contents that nothing refers to, rewrites the file, and returns
// by how much it is smaller.
func (s *Store) shrink() (freed int64, err error) {
	err = s.writer.write(processDeath, func(t tx) error {
		_, err := t.exec(trimUnused)
		return err
	})
	if err != nil {
		return 0, err
	}
	s.writer.mu.Lock()
	defer s.writer.mu.Unlock()
	var before, after int64
	if err := (tx{s.writer}).row(databaseSize, nil, &before); err != nil {
		return 0, explain(s.path, err)
	}
	for _, query := range []string{`VACUUM`, `PRAGMA wal_checkpoint(TRUNCATE)`} {
		if err := s.writer.retry(func() error { return s.writer.run(query) }); err != nil {
			return 0, err
		}
	}
	err = (tx{s.writer}).row(databaseSize, nil, &after)
	return max(0, before-after), explain(s.path, err)
}
