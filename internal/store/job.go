package store

import (
	"database/sql"
	"errors"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/delegate"
)

// family is the session ?1 and all that it, or one of these, delegated to.
const family = ` WITH RECURSIVE family (n, id) AS (SELECT n, id FROM session WHERE n = ?1
	UNION ALL SELECT s.n, s.id FROM session s JOIN family f ON s.parent = f.id) `

const insertJob = `INSERT INTO job (session, id, call, child, agent, title, prompt, background, quiet, status, created_at)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?)`

// NewJob records that a call delegates, and returns the job with the IDs of it
// and of the agent's session, which is that of an earlier job when b names one.
func (j *Session) NewJob(b delegate.Job) (delegate.Job, error) {
	now := j.store.now()
	b.ID, b.Status, b.Created = "job_"+newID(now), delegate.Queued, now
	if b.Child == "" && !b.Several { // each of several agents has a job of its own
		b.Child = newID(now)
	}
	err := j.record(processDeath, func(t tx, session int64) error {
		_, err := t.exec(insertJob, session, b.ID, plain(b.Call), b.Child, plain(b.Agent), j.store.clean(b.Title), j.store.clean(b.Prompt), b.Background, b.Quiet, stamp(now))
		return err
	})
	return b, doing(err, "record the job of %s", b.Agent)
}

const beginJob = `UPDATE job SET status = 'running', began_at = ?3 WHERE session = ?1 AND id = ?2 AND status = 'queued'`

// BeginJob records that the agent begins now.
func (j *Session) BeginJob(id string) error {
	return doing(j.moveJob(beginJob, id, stamp(j.store.now())), "record the beginning of %s", id)
}

const endJob = `UPDATE job SET status = ?3, report = ?4, settled_at = ?5 WHERE session = ?1 AND id = ?2 AND settled_at IS NULL`

// EndJob records how a job ended, once.
func (j *Session) EndJob(id string, s delegate.Status, report string) error {
	defer j.ended.Add(1) // not before the commit: who read before it must read again
	return doing(j.moveJob(endJob, id, string(s), j.store.clean(report), stamp(j.store.now())), "record the end of %s", id)
}

func (j *Session) moveJob(query, id string, args ...any) error {
	return j.record(processDeath, func(t tx, session int64) error {
		rows, err := t.exec(query, append([]any{session, id}, args...)...)
		if err == nil && rows == 0 {
			return errors.New("there is no such job, or it is over")
		}
		return err
	})
}

const (
	jobColumns = `SELECT j.id, j.call, j.child, j.agent, j.title, j.prompt, j.background, j.quiet, j.status, j.report,
	j.created_at, j.began_at, j.settled_at, ` + jobDoubts + ` FROM job j `
	// The work of several agents is in doubt when that of one of them is.
	jobDoubts = `(WITH RECURSIVE family (n, id) AS (SELECT n, id FROM session WHERE id = j.child
	OR j.child = '' AND id IN (SELECT k.child FROM job k WHERE k.session = j.session AND k.call = j.call)
	UNION ALL SELECT s.n, s.id FROM session s JOIN family f ON s.parent = f.id)
	SELECT count(*) FROM call c WHERE c.session IN (SELECT n FROM family) AND` + unresolved + `)`
	selectJobs   = jobColumns + `WHERE j.session = ? ORDER BY j.n`
	selectUntold = jobColumns + `WHERE j.session = ? AND j.background AND NOT j.quiet AND j.settled_at IS NOT NULL AND j.told_at IS NULL ORDER BY j.settled_at, j.n`
)

// Jobs returns what the session delegated, oldest first.
func (j *Session) Jobs() ([]delegate.Job, error) {
	list, err := j.jobs(selectJobs)
	return list, doing(err, "list the jobs of session %s", j.meta.ID)
}

// UntoldJobs returns the jobs of the background that have ended and whose report
// was not put into the conversation, in the order in which they ended.
func (j *Session) UntoldJobs() ([]delegate.Job, error) {
	// It is asked for in every step, and a report comes only from a job that ends
	// here: while none did, the answer stays that there is none.
	ended := j.ended.Load() + 1
	if j.silent.Load() == ended {
		return nil, nil
	}
	list, err := j.jobs(selectUntold)
	if err == nil && len(list) == 0 {
		j.silent.Store(ended)
	}
	return list, doing(err, "look for reports to session %s", j.meta.ID)
}

func (j *Session) jobs(query string) ([]delegate.Job, error) {
	j.mu.Lock()
	n := j.n
	j.mu.Unlock()
	var list []delegate.Job
	err := j.store.each(query, []any{n}, func(rows *sql.Rows) error {
		var b delegate.Job
		var created, began, settled sql.NullInt64
		err := rows.Scan(&b.ID, &b.Call, &b.Child, &b.Agent, &b.Title, &b.Prompt, &b.Background, &b.Quiet, &b.Status, &b.Report,
			&created, &began, &settled, &b.Doubts)
		b.Created, b.Began, b.Settled = timeOf(created), timeOf(began), timeOf(settled)
		b.Several = b.Child == ""
		list = append(list, b)
		return err
	})
	return list, err
}

// ReceiptsOf returns the calls of an agent's session, in the order of request;
// none when nothing was recorded in it.
func (s *Store) ReceiptsOf(session string) ([]tools.Record, error) {
	var n int64
	err := s.readers.QueryRow(`SELECT n FROM session WHERE id = ?`, session).Scan(&n)
	if errors.Is(err, errNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, explain(s.path, err)
	}
	list, err := s.records(allRecords, n)
	return list, doing(err, "read the calls of session %s", session)
}

// Tell says which reports the next message recorded tells of; see [Session.Admit].
func (j *Session) Tell(jobs ...string) { j.telling = jobs }

const tellJob = `UPDATE job SET told_at = ?3 WHERE session = ?1 AND id = ?2`

// tellJobs notes that the reports of jobs stand in the conversation.
func tellJobs(t tx, session int64, jobs []string, now time.Time) error {
	for _, id := range jobs {
		if _, err := t.exec(tellJob, session, id, stamp(now)); err != nil {
			return err
		}
	}
	return nil
}
