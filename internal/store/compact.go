package store

import (
	"errors"
	"fmt"
)

// A View is what a model is shown of a conversation in the place of all of it.
// Messages are counted from the start, and only those of the user and the model
// that were not taken back.
type View struct {
	// Summary, which a model wrote, and Facts, which were taken from the record,
	// stand for the first Covers messages; both are "" when nothing does.
	Summary, Facts string
	Covers         int
	// Cleared is how many messages are shown without the large results of their
	// calls.
	Cleared int
	// At is how many messages there were when the view last changed, and Before
	// and After what the conversation took then, in tokens. They are zero when it
	// never did.
	At, Before, After int
}

const (
	insertCompaction = `INSERT INTO compaction (session, upto_seq, at_seq, rewinds, summary, facts, before, after, at)
	SELECT ?1, m.seq, (SELECT max(seq) FROM message WHERE session = ?1), (SELECT coalesce(max(n), 0) FROM rewind WHERE session = ?1), ?3, ?4, ?5, ?6, ?7
	FROM message m WHERE m.session = ?1 AND` + live + `ORDER BY m.seq DESC LIMIT 1 OFFSET ?2`

	// stands is true of the compaction c when none of the messages that it concerns
	// was taken back since.
	stands = ` NOT EXISTS (SELECT 1 FROM rewind w WHERE w.session = c.session AND w.undone_at IS NULL AND w.n > c.rewinds AND w.from_seq <= c.upto_seq) `

	// selectView reads, in one statement and so from one state of the database, the
	// newest summary, the newest clearing and the newest of both.
	selectView = `WITH standing AS (SELECT c.* FROM compaction c WHERE c.session = ?1 AND` + stands + `),
	summed AS (SELECT * FROM standing WHERE summary <> '' ORDER BY n DESC LIMIT 1),
	newest AS (SELECT * FROM standing ORDER BY n DESC LIMIT 1)
	SELECT coalesce((SELECT summary FROM summed), ''), coalesce((SELECT facts FROM summed), ''),
	(SELECT count(*) FROM message m WHERE m.session = ?1 AND` + live + `AND m.seq <= (SELECT upto_seq FROM summed)),
	(SELECT count(*) FROM message m WHERE m.session = ?1 AND` + live + `AND m.seq <= (SELECT max(upto_seq) FROM standing WHERE summary = '')),
	(SELECT count(*) FROM message m WHERE m.session = ?1 AND` + live + `AND m.seq <= (SELECT at_seq FROM newest)),
	coalesce((SELECT before FROM newest), 0), coalesce((SELECT after FROM newest), 0)`
)

// view returns the view of a session.
func (s *Store) view(session int64) (v View, err error) {
	err = s.readers.QueryRow(selectView, session).Scan(&v.Summary, &v.Facts, &v.Covers, &v.Cleared, &v.At, &v.Before, &v.After)
	return v, explain(s.path, err)
}

// Compact records that a summary and facts stand for all messages but the last
// keep, which make a conversation of before tokens one of after. The messages
// stay stored. A later Rewind into them takes it back.
func (j *Session) Compact(summary, facts string, keep, before, after int) error {
	if summary == "" {
		return errors.New("record a summary: it is empty")
	}
	return j.compaction("record a summary", summary, facts, keep, before, after)
}

// Clear records that the large results of the calls in all messages but the last
// keep are not shown any more. They stay stored.
func (j *Session) Clear(keep, before, after int) error {
	return j.compaction("record what is left out", "", "", keep, before, after)
}

func (j *Session) compaction(what, summary, facts string, keep, before, after int) error {
	return j.transit(transition{what: what, do: func(t tx, session int64) error {
		rows, err := t.exec(insertCompaction, session, keep, j.store.clean(summary), j.store.clean(facts), before, after, stamp(j.store.now()))
		if err == nil && rows == 0 {
			return fmt.Errorf("there are no messages before the last %d", keep)
		}
		return err
	}})
}
