package store

import (
	"cmp"
	"database/sql"
)

// A Queued is a message that waits to be taken up.
type Queued struct {
	ID   int64
	Text string
	// Steers says that it goes into the turn that runs, at its next step, and not
	// only behind it.
	Steers bool
}

const (
	// The number of a message that is gone is not given to another one: whoever asks
	// for that one would get this.
	insertQueued = `INSERT INTO queued (n, session, position, text, steers, at)
	SELECT (SELECT max(coalesce(max(n), 0), ?5) + 1 FROM queued), ?1, coalesce(max(position), 0) + 1, ?2, ?3, ?4 FROM queued WHERE session = ?1 RETURNING n`
	selectQueued = `SELECT n, text, steers FROM queued WHERE session = ? ORDER BY position, n`
	deleteQueued = `DELETE FROM queued WHERE session = ? AND n = ?`
	raiseQueued  = `UPDATE queued SET position = (SELECT min(position) FROM queued WHERE session = ?1) - 1 WHERE session = ?1 AND n = ?2`
)

// Enqueue stores a message behind those that wait, and returns its ID, which no
// other message gets as long as this Session lasts. As long it is taken up as it
// was written, secrets included.
func (j *Session) Enqueue(text string, steers bool) (id int64, err error) {
	text = plain(text)
	stored := j.store.redact.Text(text)
	err = j.record(processDeath, func(t tx, session int64) error { // which holds j.mu
		if err := t.row(insertQueued, []any{session, stored, steers, stamp(j.store.now()), j.queued}, &id); err != nil {
			return err
		}
		if j.queued = id; stored != text {
			j.waiting[id] = text
		}
		return nil
	})
	return id, doing(err, "store the message")
}

// Queue returns the messages that wait, in order.
func (j *Session) Queue() ([]Queued, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var list []Queued
	err := j.store.each(selectQueued, []any{j.n}, func(rows *sql.Rows) error {
		var q Queued
		err := rows.Scan(&q.ID, &q.Text, &q.Steers)
		q.Text = cmp.Or(j.waiting[q.ID], q.Text)
		list = append(list, q)
		return err
	})
	return list, doing(err, "read the messages that wait")
}

// Dequeue takes a message out of the queue. The result is false when it was
// taken up already.
func (j *Session) Dequeue(id int64) (bool, error) { return j.requeue(deleteQueued, id) }

// Raise puts a message before all others. The result is false when it was taken
// up already.
func (j *Session) Raise(id int64) (bool, error) { return j.requeue(raiseQueued, id) }

func (j *Session) requeue(query string, id int64) (is bool, err error) {
	err = j.record(processDeath, func(t tx, session int64) error {
		rows, err := t.exec(query, session, id)
		is = rows > 0
		return err
	})
	return is, doing(err, "change the messages that wait")
}

// Admit says which of the messages that wait the next message or proposal of
// the turn takes up: they leave the queue in the commit that records it, so
// that a crash neither loses nor repeats one. It takes the place of what was
// said before.
func (j *Session) Admit(ids ...int64) { j.admitted = ids }

// admit takes what was admitted out of the queue.
func (j *Session) admit(t tx, session int64) error {
	for _, id := range j.admitted {
		if _, err := t.exec(deleteQueued, session, id); err != nil {
			return err
		}
	}
	return nil
}
