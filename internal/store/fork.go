package store

import (
	"errors"
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

const renameSession = `UPDATE session SET title = ? WHERE id = ?`

// Rename gives a session, named by its ID or the beginning of one, another
// title, and returns its ID. Who holds it does not matter.
func (s *Store) Rename(id, title string) (string, error) {
	found, err := s.find(id)
	if err == nil {
		title = s.clean(title)
		err = s.writer.write(processDeath, func(t tx) error {
			_, err := t.exec(renameSession, title, found)
			return err
		})
	}
	return found, doing(err, "rename session %s", tools.CleanLine(id))
}

// A fork keeps the seq of each message, by which calls refer to it: where
// something had been taken back there is a hole.
const (
	forkSession = `INSERT INTO session (id, parent, dir, repo, model, chosen, effort, agent, branch, forked, title, created_at, updated_at)
	SELECT ?2, '', dir, repo, model, chosen, effort, agent, branch, id, CASE title WHEN '' THEN '' ELSE title || ' (fork)' END, ?3, ?3 FROM session WHERE n = ?1 RETURNING n`
	forkMessages = `INSERT INTO message (session, seq, role, parts, text, model, stop, input, cache_read, cache_write, output, reasoning, at)
	SELECT ?2, seq, role, parts, text, model, stop, input, cache_read, cache_write, output, reasoning, at
	FROM message m WHERE session = ?1 AND seq < ?3 AND` + live + `ORDER BY seq`
	forkMessageImages = `INSERT INTO message_image (message, position, data) SELECT d.n, i.position, i.data
	FROM message d JOIN message m ON m.session = ?1 AND m.seq = d.seq JOIN message_image i ON i.message = m.n WHERE d.session = ?2`
	forkCalls = `INSERT INTO call (session, id, message, position, tool, requested, state, summary, effect, replay, risk, key, command,
	allowed, decided_by, reason, choice, verdict, requested_at, proposed_at, decided_at, started_at, settled_at, outcome, block, truncated,
	began, exit_code, took, recovered, told_at, origin)
	SELECT ?2, id, message, position, tool, requested, state, summary, effect, replay, risk, key, command,
	allowed, decided_by, reason, choice, verdict, requested_at, proposed_at, decided_at, started_at, settled_at, outcome, block, truncated,
	began, exit_code, took, recovered, told_at, coalesce(origin, n) FROM call c
	WHERE session = ?1 AND (message IS NULL AND requested_at < ?3 OR message IN (SELECT seq FROM message WHERE session = ?2)) ORDER BY n`
	// copied pairs the calls of a fork, d, with those that they are copies of, c.
	copied = ` FROM call d JOIN call c ON c.session = ?1 AND c.id = d.id `

	forkArgs    = `INSERT INTO call_args (call, args) SELECT d.n, x.args` + copied + `JOIN call_args x ON x.call = c.n WHERE d.session = ?2`
	forkResults = `INSERT INTO call_result (call, text, show, changes) SELECT d.n, x.text, x.show, x.changes` + copied + `JOIN call_result x ON x.call = c.n WHERE d.session = ?2`
	forkImages  = `INSERT INTO call_image (call, position, mime, data) SELECT d.n, x.position, x.mime, x.data` + copied + `JOIN call_image x ON x.call = c.n WHERE d.session = ?2`
	forkTouches = `INSERT INTO touch (call, position, path, name, before_kind, before_mode, before_sum, before_size, after_kind, after_mode, after_sum, after_size)
	SELECT d.n, x.position, x.path, x.name, x.before_kind, x.before_mode, x.before_sum, x.before_size, x.after_kind, x.after_mode, x.after_sum, x.after_size` +
		copied + `JOIN touch x ON x.call = c.n WHERE d.session = ?2`
	forkEdits    = `INSERT INTO call_edit (call, position, args, at) SELECT d.n, x.position, x.args, x.at` + copied + `JOIN call_edit x ON x.call = c.n WHERE d.session = ?2`
	forkFindings = `INSERT INTO reconciliation (call, finding, by, note, at) SELECT d.n, x.finding, x.by, x.note, x.at` + copied +
		`JOIN reconciliation x ON x.call = c.n WHERE d.session = ?2`
	// What was left out by then stays left out: the copy would not fit otherwise.
	forkViews = `INSERT INTO compaction (session, upto_seq, at_seq, rewinds, summary, facts, before, after, at)
	SELECT ?2, upto_seq, at_seq, 0, summary, facts, before, after, at FROM compaction c WHERE session = ?1 AND at_seq < ?3 AND` + stands + `ORDER BY n`
	forkFailed = `INSERT INTO failed_turn (session, seq, text, at) SELECT ?2, seq, text, at FROM failed_turn
	WHERE session = ?1 AND seq IN (SELECT seq FROM message WHERE session = ?2) ORDER BY n`
	forkUnsettled = `SELECT count(*) FROM call WHERE session = ? AND settled_at IS NULL`
	sessionRow    = `SELECT n FROM session WHERE id = ?`
)

// forkWork copies the plan, the todos and the goal. What they were at an earlier
// turn is not kept.
func forkWork() []string {
	columns := []struct{ table, names string }{
		{"work", "revision, minted, at"},
		{"plan", "id, revision, title, goal"},
		{"plan_step", "position, id, title, status"},
		{"todo", "position, id, revision, subject, description, active_form, status, priority, goal, plan_step, parent, owner, after"},
		{"goal", "id, revision, objective, status, blocked_by"},
		{"goal_criterion", "position, id, text, receipt, waived"},
	}
	var list []string
	for _, c := range columns {
		list = append(list, fmt.Sprintf(`INSERT INTO %s (session, %s) SELECT ?2, %[2]s FROM %[1]s WHERE session = ?1`, c.table, c.names))
	}
	return list
}

// ErrUnsettled says that a session has calls that have no outcome yet.
var ErrUnsettled = errors.New("a call in it has no outcome yet: let its turn end, or continue it once if its zuno was killed")

// Fork makes a new session that begins as a copy of one, named by its ID or the
// beginning of one, and returns its ID: of its first turns, all when turns is 0.
// What was taken back is not copied, what was spent is not counted again, and
// the calls are marked as copies. Who holds the session does not matter.
func (s *Store) Fork(id string, turns int) (string, error) {
	found, err := s.find(id)
	fork := newID(s.now())
	if err == nil {
		err = s.fork(found, fork, turns)
	}
	if err != nil {
		return "", doing(err, "fork session %s", tools.CleanLine(id))
	}
	return fork, nil
}

func (s *Store) fork(id, fork string, turns int) error {
	var from int64
	if err := s.readers.QueryRow(sessionRow, id).Scan(&from); err != nil {
		return explain(s.path, err)
	}
	list, err := s.turns(from, false)
	switch {
	case err != nil:
		return err
	case len(list) == 0:
		return errors.New("nothing was said in it")
	case turns < 0 || turns > len(list):
		return fmt.Errorf("it has %d turns, not %d", len(list), turns)
	}
	before, at := maxRow, maxRow // all of it
	if turns > 0 && turns < len(list) {
		before, at = list[turns].Seq, stamp(list[turns].At)
	}
	return s.writer.write(processDeath, func(t tx) error { return copySession(t, from, fork, before, at, s.now()) })
}

// copySession copies what comes before a message and a time.
func copySession(t tx, from int64, fork string, before, at int64, now time.Time) error {
	var to int64
	if err := t.row(forkSession, []any{from, fork, stamp(now)}, &to); err != nil {
		return err
	}
	for _, step := range []struct {
		query string
		more  []any
	}{
		{forkMessages, []any{before}},
		{forkMessageImages, nil},
		{forkCalls, []any{at}},
		{forkArgs, nil},
		{forkResults, nil},
		{forkImages, nil},
		{forkTouches, nil},
		{forkEdits, nil},
		{forkFindings, nil},
		{forkViews, []any{before}},
		{forkFailed, nil},
	} {
		if _, err := t.exec(step.query, append([]any{from, to}, step.more...)...); err != nil {
			return err
		}
	}
	if before == maxRow {
		for _, q := range forkWork() {
			if _, err := t.exec(q, from, to); err != nil {
				return err
			}
		}
	}
	var unsettled int
	if err := t.row(forkUnsettled, []any{to}, &unsettled); err != nil {
		return err
	}
	if unsettled > 0 {
		return ErrUnsettled
	}
	return nil
}
