package store

import (
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/zuno-dev/zuno/internal/tools/work"
)

// Work returns the plan, the todo list and the goal of the session.
func (j *Session) Work() (work.Work, error) {
	j.mu.Lock()
	n := j.n
	j.mu.Unlock()
	if n == 0 {
		return work.Work{}, nil
	}
	w, err := loadWork(readersOf{j.store}, n)
	return w, doing(explain(j.store.path, err), "read the work of session %s", j.meta.ID)
}

// WorkState returns the session's work as a text for a model whose context was
// shortened, "" when there is none. It is made from the record, not from what
// was said.
func (j *Session) WorkState() (string, error) {
	w, err := j.Work()
	return w.Render(), err
}

// ChangeWork has f change the session's work, in one transaction; see
// [work.Store].
func (j *Session) ChangeWork(f func(*work.Work) error) error {
	var refused error // f's own, to be returned as it is
	err := j.record(processDeath, func(t tx, session int64) error {
		w, err := loadWork(writing{t}, session)
		if err != nil {
			return err
		}
		if refused = f(&w); refused != nil {
			return refused
		}
		w.Revision++
		return j.saveWork(t, session, w)
	})
	if refused != nil {
		return refused
	}
	return doing(err, "record the work of session %s", j.meta.ID)
}

// A source reads rows, on a connection that reads or within a transaction.
type source interface {
	row(query string, args []any, dest ...any) error
	each(query string, args []any, f func(*sql.Rows) error) error
}

type readersOf struct{ *Store }

type writing struct{ tx }

// each runs a query within the transaction and calls f for each row.
func (w writing) each(query string, args []any, f func(*sql.Rows) error) (err error) {
	s, err := w.w.prepared(query)
	if err != nil {
		return err
	}
	rows, err := s.Query(args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

const (
	selectWork  = `SELECT revision, minted FROM work WHERE session = ?`
	selectPlan  = `SELECT id, revision, title, goal FROM plan WHERE session = ?`
	selectSteps = `SELECT id, title, status FROM plan_step WHERE session = ? ORDER BY position`
	selectTodos = `SELECT id, revision, subject, description, active_form, status, priority, goal, plan_step, parent, owner, after
	FROM todo WHERE session = ? ORDER BY position`
	selectGoal     = `SELECT id, revision, objective, status, blocked_by FROM goal WHERE session = ?`
	selectCriteria = `SELECT id, text, receipt, waived FROM goal_criterion WHERE session = ? ORDER BY position`
)

func loadWork(s source, session int64) (w work.Work, err error) {
	key := []any{session}
	if err = s.row(selectWork, key, &w.Revision, &w.Minted); errors.Is(err, errNoRows) {
		return work.Work{}, nil
	}
	if err != nil {
		return w, err
	}
	var p work.Plan
	switch err = s.row(selectPlan, key, &p.ID, &p.Revision, &p.Title, &p.Goal); {
	case err == nil:
		w.Plan = &p
	case !errors.Is(err, errNoRows):
		return w, err
	}
	var g work.Goal
	switch err = s.row(selectGoal, key, &g.ID, &g.Revision, &g.Objective, &g.Status, &g.BlockedBy); {
	case err == nil:
		w.Goal = &g
	case !errors.Is(err, errNoRows):
		return w, err
	}
	for _, l := range []struct {
		query string
		scan  func(*sql.Rows) error
	}{
		{selectSteps, func(rows *sql.Rows) error {
			var x work.Step
			err := rows.Scan(&x.ID, &x.Title, &x.Status)
			p.Steps = append(p.Steps, x)
			return err
		}},
		{selectCriteria, func(rows *sql.Rows) error {
			var x work.Criterion
			err := rows.Scan(&x.ID, &x.Text, &x.Receipt, &x.Waived)
			g.Criteria = append(g.Criteria, x)
			return err
		}},
		{selectTodos, func(rows *sql.Rows) error {
			x, err := scanTodo(rows)
			w.Todos = append(w.Todos, x)
			return err
		}},
	} {
		if err := s.each(l.query, key, l.scan); err != nil {
			return w, err
		}
	}
	return w, nil
}

func scanTodo(rows *sql.Rows) (t work.Todo, err error) {
	var after string
	err = rows.Scan(&t.ID, &t.Revision, &t.Subject, &t.Description, &t.ActiveForm, &t.Status, &t.Priority,
		&t.Goal, &t.PlanStep, &t.Parent, &t.Owner, &after)
	if err == nil && after != "" {
		err = json.Unmarshal([]byte(after), &t.Dependencies)
	}
	return t, err
}

const (
	saveWork   = `INSERT INTO work (session, revision, minted, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (session) DO UPDATE SET revision = ?2, minted = ?3, at = ?4`
	insertPlan = `INSERT INTO plan (session, id, revision, title, goal) VALUES (?, ?, ?, ?, ?)`
	insertStep = `INSERT INTO plan_step (session, position, id, title, status) VALUES (?, ?, ?, ?, ?)`
	insertTodo = `INSERT INTO todo (session, position, id, revision, subject, description, active_form, status, priority, goal, plan_step, parent, owner, after)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	insertGoal      = `INSERT INTO goal (session, id, revision, objective, status, blocked_by) VALUES (?, ?, ?, ?, ?, ?)`
	insertCriterion = `INSERT INTO goal_criterion (session, position, id, text, receipt, waived) VALUES (?, ?, ?, ?, ?, ?)`
)

// clearWork empties the parts of a session's work, to be written anew: they are
// small, and so nothing can be left over.
func clearWork() []string {
	return []string{
		`DELETE FROM plan WHERE session = ?`, `DELETE FROM plan_step WHERE session = ?`, `DELETE FROM todo WHERE session = ?`,
		`DELETE FROM goal WHERE session = ?`, `DELETE FROM goal_criterion WHERE session = ?`,
	}
}

// saveWork writes w in the place of what is kept.
func (j *Session) saveWork(t tx, session int64, w work.Work) error {
	for _, query := range clearWork() {
		if _, err := t.exec(query, session); err != nil {
			return err
		}
	}
	if _, err := t.exec(saveWork, session, w.Revision, w.Minted, stamp(j.store.now())); err != nil {
		return err
	}
	if err := j.savePlan(t, session, w.Plan); err != nil {
		return err
	}
	if err := j.saveGoal(t, session, w.Goal); err != nil {
		return err
	}
	for i, x := range w.Todos {
		after := ""
		if len(x.Dependencies) > 0 {
			var err error
			if after, err = encode(x.Dependencies); err != nil {
				return err
			}
		}
		if _, err := t.exec(insertTodo, session, i, plain(x.ID), x.Revision, j.store.clean(x.Subject), j.store.clean(x.Description), j.store.clean(x.ActiveForm),
			x.Status, x.Priority, plain(x.Goal), plain(x.PlanStep), plain(x.Parent), plain(x.Owner), plain(after)); err != nil {
			return err
		}
	}
	return nil
}

func (j *Session) savePlan(t tx, session int64, p *work.Plan) error {
	if p == nil {
		return nil
	}
	if _, err := t.exec(insertPlan, session, plain(p.ID), p.Revision, j.store.clean(p.Title), plain(p.Goal)); err != nil {
		return err
	}
	for i, x := range p.Steps {
		if _, err := t.exec(insertStep, session, i, plain(x.ID), j.store.clean(x.Title), x.Status); err != nil {
			return err
		}
	}
	return nil
}

func (j *Session) saveGoal(t tx, session int64, g *work.Goal) error {
	if g == nil {
		return nil
	}
	if _, err := t.exec(insertGoal, session, plain(g.ID), g.Revision, j.store.clean(g.Objective), g.Status, j.store.clean(g.BlockedBy)); err != nil {
		return err
	}
	for i, x := range g.Criteria {
		if _, err := t.exec(insertCriterion, session, i, plain(x.ID), j.store.clean(x.Text), plain(x.Receipt), j.store.clean(x.Waived)); err != nil {
			return err
		}
	}
	return nil
}

const okCalls = `SELECT id, tool, summary FROM call WHERE session = ? AND outcome = 'ok' AND (exit_code IS NULL OR exit_code = 0) ORDER BY n DESC`

// Receipts returns the calls of the session that succeeded, newest first. A
// command that ended with another code than 0 is not one of them.
func (j *Session) Receipts() ([]work.Receipt, error) {
	j.mu.Lock()
	n := j.n
	j.mu.Unlock()
	list := []work.Receipt{}
	err := j.store.each(okCalls, []any{n}, func(rows *sql.Rows) error {
		var r work.Receipt
		err := rows.Scan(&r.ID, &r.Tool, &r.Summary)
		list = append(list, r)
		return err
	})
	return list, doing(err, "list the calls of session %s that succeeded", j.meta.ID)
}
