package store

import (
	"database/sql"
	"time"
)

const (
	selectFamily = family + `SELECT s.n, s.owner, s.owner_pid, s.owner_start, s.owner_boot, s.owner_space, s.owner_host, s.heartbeat
	FROM session s JOIN family f ON s.n = f.n WHERE s.n <> ?1`
	// A holder that comes back finds another generation, and writes nothing.
	fenceSession = `UPDATE session SET owner = '', generation = generation + 1 WHERE n = ?`

	// A job that nobody works on any more: one that had not begun never will; of one
	// that had, the calls of its agent say whether anything is in doubt.
	recoverJobs = family + `UPDATE job AS j SET settled_at = ?2,
	status = CASE WHEN j.status = 'queued' THEN 'cancelled' WHEN ` + jobDoubts + ` > 0 THEN 'uncertain' ELSE 'failed' END,
	report = CASE WHEN j.status = 'queued' THEN ?3 WHEN ` + jobDoubts + ` > 0 THEN ?4 ELSE ?5 END
	WHERE j.settled_at IS NULL AND j.session IN (SELECT n FROM family)`
)

// What is reported of jobs whose process died.
const (
	lostQueued    = "zuno ended before the agent began; nothing was done"
	lostUncertain = "zuno ended while the agent was at work, and calls of it may have happened. Inspect the real state; do not delegate this again before it is known what became of them"
	lostFailed    = "zuno ended while the agent was at work. What became of each of its calls is known; it may be delegated again"
)

// recoverFamily settles what the agents of a session left, whose process was the
// same.
func recoverFamily(t tx, session int64, self process, now time.Time) error {
	var left []int64
	err := writing{t}.each(selectFamily, []any{session}, func(rows *sql.Rows) error {
		var n, heartbeat int64
		var owner string
		var p process
		if err := rows.Scan(&n, &owner, &p.PID, &p.Start, &p.Boot, &p.Space, &p.Host, &heartbeat); err != nil {
			return err
		}
		if owner == "" || !p.alive(self, time.Unix(0, heartbeat), now) {
			left = append(left, n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, n := range left {
		if _, err := t.exec(fenceSession, n); err != nil {
			return err
		}
		if err := recoverCalls(t, n, now); err != nil {
			return err
		}
	}
	_, err = t.exec(recoverJobs, session, stamp(now), lostQueued, lostUncertain, lostFailed)
	return err
}
