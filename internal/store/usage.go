package store

import (
	"database/sql"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
)

const insertUsage = `INSERT INTO llm_usage (session, purpose, model, input, cache_read, cache_write, output, reasoning, cost, took, at, reported, failure)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

// Used records what an attempt at a model call came to.
func (j *Session) Used(x llm.Expense) error {
	return j.transit(transition{what: "record what a model call cost", do: func(t tx, session int64) error {
		u := x.Usage
		_, err := t.exec(insertUsage, session, plain(x.Purpose), plain(x.Model), u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning,
			x.Cost, int64(x.Took), stamp(j.store.now()), !x.Unreported, j.store.redact.Text(plain(x.Failure)))
		return err
	}})
}

// Spent is what the model calls of one purpose came to.
type Spent struct {
	Purpose string
	Calls   int // attempts that failed included
	Usage   llm.Usage
	// Unreported is of how many of them the provider did not report the usage, or not
	// to its end: Usage holds what is known.
	Unreported int
	// Cost is in US dollars, of the calls whose price is known; Unpriced is how
	// many others there are.
	Cost     float64
	Unpriced int
	Took     time.Duration // of all calls together
}

// A price that is not known is recorded as a cost of nothing: no call is free. One
// without usage has no cost that could be known.
const selectSpent = `WITH RECURSIVE family (n, id) AS (SELECT n, id FROM session WHERE id = ?1
	UNION ALL SELECT s.n, s.id FROM family f CROSS JOIN session s ON s.parent = f.id)
	SELECT u.purpose, count(*), sum(u.input), sum(u.cache_read), sum(u.cache_write), sum(u.output), sum(u.reasoning), sum(NOT u.reported),
	sum(u.cost), sum(u.cost <= 0), sum(u.took)
	FROM family f CROSS JOIN llm_usage u ON u.session = f.n GROUP BY u.purpose ORDER BY min(u.n)`

// Spent returns what a session and the agents that it delegated to spent, by
// purpose, in the order in which there first was one.
func (s *Store) Spent(id string) ([]Spent, error) {
	var list []Spent
	err := s.each(selectSpent, []any{id}, func(rows *sql.Rows) error {
		var x Spent
		var took int64
		u := &x.Usage
		err := rows.Scan(&x.Purpose, &x.Calls, &u.Input, &u.CacheRead, &u.CacheWrite, &u.Output, &u.Reasoning, &x.Unreported, &x.Cost, &x.Unpriced, &took)
		x.Took = time.Duration(took)
		list = append(list, x)
		return err
	})
	return list, doing(err, "add up what session %s spent", id)
}
