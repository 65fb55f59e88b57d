package store

import (
	"database/sql"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// An Entry is one call of the ledger: the record without what it returned, and
// when each step was.
type Entry struct {
	Session string // ID
	Dir     string
	tools.Record
	// Key is what "always" would have remembered, and Command what was judged.
	Key, Command string
	// Requested and the like are zero for a step that did not come.
	Requested, Proposed, Started, Settled time.Time
	Recovered                             bool // settled by rule after its process had died
	Told                                  bool // an uncertain one, of which the model was told
	Chained                               bool // the chain of hashes covers it
}

const ledgerColumns = `SELECT c.id, c.tool, c.requested, a.args, c.message IS NULL, c.state, c.summary, c.effect, c.replay, c.risk,
	c.allowed, c.decided_by, c.reason, c.choice, c.verdict, c.decided_at,
	c.outcome, c.block, c.truncated, c.began, c.exit_code, c.took, '', '', coalesce(r.changes, ''),
	coalesce((SELECT e.args FROM call_edit e WHERE e.call = c.n AND e.position = 0), ''),
	s.id, s.dir, c.key, c.command, c.requested_at, c.proposed_at, c.started_at, c.settled_at, c.recovered, c.told_at IS NOT NULL,
	EXISTS (SELECT 1 FROM chain h WHERE h.call = c.n)
	FROM call c JOIN session s ON s.n = c.session JOIN call_args a ON a.call = c.n LEFT JOIN call_result r ON r.call = c.n
	WHERE c.origin IS NULL AND (NOT ?1 OR c.outcome = 'uncertain')`

const (
	ledgerOfAll = ledgerColumns + ` ORDER BY c.n`
	ledgerOfOne = `WITH RECURSIVE family (n, id) AS (SELECT n, id FROM session WHERE id = ?2
	UNION ALL SELECT s.n, s.id FROM family f CROSS JOIN session s ON s.parent = f.id) ` + ledgerColumns + ` AND c.session IN (SELECT n FROM family) ORDER BY c.n`
)

// Ledger calls f for every call in the order of request: of one session and the
// agents that it delegated to, named by its ID or the beginning of one, or of all
// when it is "". With uncertain set
// it leaves out what is known to have happened, or not to have. A call that a
// fork took along is listed once, where it was made.
func (s *Store) Ledger(session string, uncertain bool, f func(Entry) error) error {
	query, args := ledgerOfAll, []any{uncertain}
	if session != "" {
		id, err := s.find(session)
		if err != nil {
			return doing(err, "read the ledger of session %s", tools.CleanLine(session))
		}
		query, args = ledgerOfOne, append(args, id)
	}
	return doing(s.each(query, args, func(rows *sql.Rows) error {
		var e Entry
		var requested, proposed, started, settled sql.NullInt64
		record, err := s.scanRecord(rows, &e.Session, &e.Dir, &e.Key, &e.Command, &requested, &proposed, &started, &settled, &e.Recovered, &e.Told, &e.Chained)
		if err != nil {
			return err
		}
		e.Record = record
		e.Requested, e.Proposed, e.Started, e.Settled = timeOf(requested), timeOf(proposed), timeOf(started), timeOf(settled)
		return f(e)
	}), "read the ledger")
}
