package store

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"

	"github.com/zuno-dev/zuno/internal/tools"
)

// Verified is what the chains of hashes say about the record.
type Verified struct {
	Entries int // that match what is stored
	// Unchained is how many calls were recorded before there was a chain, and
	// UnchainedFindings how many findings before the chain had those.
	Unchained, UnchainedFindings int
	// Broken is the first entry that does not match, nil when all do.
	Broken *Broken
}

// Broken is a place at which the record is not what was recorded.
type Broken struct {
	Session, Call string // IDs; Call is "" when the call is gone
	Seq           int64  // of the entry in its session's chain; 0 when there is none
	Event         string // decided, settled or reconciled; requested for a call of which nothing is left
	Why           string
}

const (
	selectChain = `SELECT h.session, h.seq, h.event, h.hash, o.id, coalesce(c.session, 0), coalesce(c.state, ''), c.origin IS NOT NULL, coalesce(f.chained, 0), ` + attestedColumns + `
	FROM chain h JOIN session o ON o.n = h.session LEFT JOIN (` + attestedFrom + `) ON c.n = h.call ORDER BY h.session, h.seq`
	// What was decided or settled since there is a chain, by itself, has an entry.
	unattested = `SELECT s.id, c.id, CASE WHEN c.state = 'settled' THEN 'settled' ELSE 'decided' END
	FROM call c JOIN session s ON s.n = c.session WHERE c.n > (SELECT call FROM chained_from) AND c.origin IS NULL
	AND (c.state = 'settled' AND NOT EXISTS (SELECT 1 FROM chain h WHERE h.call = c.n AND h.event = 'settled')
	OR (c.decided_at IS NOT NULL OR c.state IN ('decided', 'started')) AND NOT EXISTS (SELECT 1 FROM chain h WHERE h.call = c.n AND h.event = 'decided')) ORDER BY c.n LIMIT 1`
	// So does what was found out about one.
	unattestedFinding = `SELECT s.id, c.id, 'reconciled'` + chainedFindings + `f.chained AND NOT EXISTS (SELECT 1 FROM chain h WHERE h.call = c.n AND h.event = 'reconciled') ORDER BY c.n LIMIT 1`
	chainedFindings   = ` FROM reconciliation f JOIN call c ON c.n = f.call JOIN session s ON s.n = c.session WHERE c.origin IS NULL AND `
	countFindings     = `SELECT count(*)` + chainedFindings + `NOT f.chained`
	// What a message asks for is recorded with it.
	unrecorded = `SELECT s.id, CASE p.type WHEN 'object' THEN json_extract(p.value, '$.call.id') END AS asked, 'requested' FROM message m JOIN session s ON s.n = m.session
	JOIN json_each(CASE WHEN json_valid(m.parts) THEN m.parts ELSE '[]' END) p
	WHERE m.role = 'assistant' AND asked IS NOT NULL AND NOT EXISTS (SELECT 1 FROM call c WHERE c.session = m.session AND c.id = asked) ORDER BY m.n LIMIT 1`
	sessionless = `SELECT 'in row ' || x.session, coalesce(c.id, ''), x.event FROM (SELECT session, call, event FROM chain UNION ALL SELECT session, n, state FROM call) x
	LEFT JOIN call c ON c.n = x.call WHERE x.session NOT IN (SELECT n FROM session) LIMIT 1`
	countUnchained = `SELECT count(*) FROM call c WHERE c.n <= (SELECT call FROM chained_from) AND c.origin IS NULL AND c.state IN ('decided', 'started', 'settled')
	AND NOT EXISTS (SELECT 1 FROM chain h WHERE h.call = c.n)`
)

// errBroken ends the reading of a chain.
var errBroken = errors.New("the chain is broken")

// Verify recomputes the chain of every session. It takes time in proportion to
// what is stored.
func (s *Store) Verify() (Verified, error) {
	var v Verified
	fail := func(err error) (Verified, error) { return Verified{}, doing(err, "verify the ledger") }
	for _, gap := range []struct{ query, why string }{
		{unrecorded, "a message asks for the call, and what was recorded of it is gone"},
		{unattested, "the entry that was made of it is gone"},
		{unattestedFinding, "the entry that was made of what was found is gone"},
		{sessionless, "the session is gone, and this is left of it"},
	} {
		var b Broken
		switch err := s.readers.QueryRow(gap.query).Scan(&b.Session, &b.Call, &b.Event); {
		case err == nil:
			b.Why = gap.why
			v.Broken = &b
		case !errors.Is(err, errNoRows):
			return fail(explain(s.path, err))
		}
	}
	for query, n := range map[string]*int{countUnchained: &v.Unchained, countFindings: &v.UnchainedFindings} {
		if err := s.readers.QueryRow(query).Scan(n); err != nil {
			return fail(explain(s.path, err))
		}
	}
	var at chainPlace
	values, dest := nullable(findingColumns)
	err := s.each(selectChain, nil, func(rows *sql.Rows) error {
		e, err := at.next(rows, values, dest)
		switch {
		case err != nil:
			return err
		case e.Why != "":
			v.Broken = &e
			return errBroken
		}
		v.Entries++
		return nil
	})
	if err != nil && !errors.Is(err, errBroken) {
		return fail(err)
	}
	return v, nil
}

// A chainPlace is how far a chain was followed.
type chainPlace struct {
	session, seq int64
	last         []byte
}

// next follows the chain by one entry, and says what does not match.
func (p *chainPlace) next(rows *sql.Rows, values []sql.NullString, dest []any) (Broken, error) {
	var session, seq, owner int64
	var stored []byte
	var state string
	var copied, chained bool
	var b Broken
	if err := rows.Scan(append([]any{&session, &seq, &b.Event, &stored, &b.Session, &owner, &state, &copied, &chained}, dest...)...); err != nil {
		return b, err
	}
	if session != p.session {
		p.session, p.seq, p.last = session, 0, chainStart(b.Session)
	}
	b.Seq, b.Call = seq, values[1].String
	switch {
	case seq != p.seq+1:
		b.Seq = p.seq + 1
		b.Why = fmt.Sprintf("entry %d of the chain is gone", b.Seq)
	case !values[0].Valid || owner != session:
		b.Why = "the call is gone"
	case copied:
		b.Why = "the call is marked as a copy, which has no entries: the ledger does not list it"
	case attested(b.Event) == settled && state != string(tools.Settled), state == string(tools.Requested), state == string(tools.Proposed):
		b.Why = "the call is said to be only " + state
	case attested(b.Event) == reconciled && !chained:
		b.Why = "what was found is gone, or marked as found before there was a chain"
	case !bytes.Equal(stored, link(p.last, attested(b.Event), attested(b.Event).of(values))):
		b.Why = "what is stored of the call, or the entry, was changed"
	}
	p.seq, p.last = seq, stored
	return b, nil
}
