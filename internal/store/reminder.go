package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/tools/remind"
)

// Reminders are what the person is to be reminded of, whatever the project. They
// may be used from any goroutine and by several processes.
type Reminders struct {
	store *Store
	// Session, when set, is noted as where one was added.
	Session string
}

// Reminders returns the person's reminders.
func (s *Store) Reminders() *Reminders { return &Reminders{store: s} }

const listReminders = `SELECT n, due_at, text FROM reminder WHERE shown_at IS NULL ORDER BY due_at, n`

// Reminders returns those that were not shown yet; see [remind.Store].
func (r *Reminders) Reminders() ([]remind.Reminder, error) {
	var list []remind.Reminder
	err := r.store.each(listReminders, nil, func(rows *sql.Rows) error {
		var x remind.Reminder
		var at int64
		err := rows.Scan(&x.ID, &at, &x.Text)
		x.At = time.Unix(0, at)
		list = append(list, x)
		return err
	})
	return list, doing(err, "read the reminders")
}

const (
	countReminders = `SELECT count(*) FROM reminder WHERE shown_at IS NULL`
	addReminder    = `INSERT INTO reminder (due_at, text, session, at) VALUES (?, ?, ?, ?) RETURNING n`
	dropReminder   = `DELETE FROM reminder WHERE n = ? AND shown_at IS NULL`
)

// AddReminder keeps one more, also over a loss of power.
func (r *Reminders) AddReminder(at time.Time, text string) (n int64, err error) {
	err = r.store.writer.write(powerLoss, func(x tx) error {
		var have int
		if err := x.row(countReminders, nil, &have); err != nil {
			return err
		}
		if have >= remind.Most {
			return fmt.Errorf("there are %d reminders already: cancel one first", have)
		}
		return x.row(addReminder, []any{stamp(at), r.store.clean(text), plain(r.Session), stamp(r.store.now())}, &n)
	})
	return n, doing(err, "keep a reminder")
}

// CancelReminder forgets one; see [remind.Store].
func (r *Reminders) CancelReminder(id int64) (bool, error) {
	var rows int64
	err := r.store.writer.write(powerLoss, func(x tx) (err error) {
		rows, err = x.exec(dropReminder, id)
		return err
	})
	return err == nil && rows > 0, doing(err, "cancel reminder %d", id)
}

const (
	nextReminder = `SELECT n, due_at, text FROM reminder WHERE shown_at IS NULL AND due_at <= ? ORDER BY due_at, n LIMIT 1`
	anyDue       = `SELECT EXISTS (SELECT 1 FROM reminder WHERE shown_at IS NULL AND due_at <= ?)`
	showReminder = `UPDATE reminder SET shown_at = ? WHERE n = ?`
)

// Due takes the reminders that are due, to be shown: nobody gets them again.
func (r *Reminders) Due() ([]remind.Reminder, error) {
	now := stamp(r.store.now())
	var there bool
	if err := r.store.row(anyDue, []any{now}, &there); err != nil || !there {
		return nil, doing(explain(r.store.path, err), "read the reminders")
	}
	var list []remind.Reminder
	err := r.store.writer.write(processDeath, func(x tx) error {
		list = nil // it may be tried again
		for {
			var d remind.Reminder
			var at int64
			switch err := x.row(nextReminder, []any{now}, &d.ID, &at, &d.Text); {
			case errors.Is(err, errNoRows):
				return nil
			case err != nil:
				return err
			}
			d.At = time.Unix(0, at)
			if _, err := x.exec(showReminder, now, d.ID); err != nil {
				return err
			}
			list = append(list, d)
		}
	})
	if err != nil {
		return nil, doing(err, "take the reminders that are due")
	}
	return list, nil
}
