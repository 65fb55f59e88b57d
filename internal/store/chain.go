package store

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"hash"
	"io"
	"slices"
	"strconv"
)

// An attested event is one that the chain of hashes covers.
type attested string

const (
	decided    attested = "decided"
	settled    attested = "settled"
	reconciled attested = "reconciled"
)

// What is attested of a call. Both when an entry is made and when it is verified
// it is read from the record, so that the two cannot differ but by an edit.
const (
	attestedCall     = `s.id, c.id`
	attestedArgs     = `a.args`
	attestedDecision = `c.tool, c.requested, c.summary, c.effect, c.replay, c.risk, c.key, c.command, c.allowed, c.decided_by, c.reason, c.choice, c.verdict, c.decided_at`
	attestedOutcome  = `c.started_at, c.settled_at, c.outcome, c.block, c.truncated, c.began, c.exit_code, c.took, c.recovered, r.text, r.show, r.changes`
	attestedFinding  = `f.finding, f.by, f.note, f.at`
	attestedFrom     = ` call c JOIN session s ON s.n = c.session LEFT JOIN call_args a ON a.call = c.n LEFT JOIN call_result r ON r.call = c.n LEFT JOIN reconciliation f ON f.call = c.n`

	attestedColumns = attestedCall + `, ` + attestedArgs + `, ` + attestedDecision + `, ` + attestedOutcome + `, ` + attestedFinding
	argsColumn      = 2
	decisionColumns = 17
	outcomeColumns  = 29
	findingColumns  = 33
)

const (
	decisionOf  = `SELECT ` + attestedCall + `, ` + attestedArgs + `, ` + attestedDecision + ` FROM call c JOIN session s ON s.n = c.session LEFT JOIN call_args a ON a.call = c.n WHERE c.n = ?`
	outcomeOf   = `SELECT ` + attestedCall + `, NULL, ` + attestedDecision + `, ` + attestedOutcome + ` FROM call c JOIN session s ON s.n = c.session LEFT JOIN call_result r ON r.call = c.n WHERE c.n = ?`
	findingOf   = `SELECT ` + attestedCall + `, ` + attestedFinding + ` FROM call c JOIN session s ON s.n = c.session JOIN reconciliation f ON f.call = c.n WHERE c.n = ?`
	chainEnd    = `SELECT seq, hash FROM chain WHERE session = ? ORDER BY seq DESC LIMIT 1`
	insertChain = `INSERT INTO chain (session, seq, call, event, hash) VALUES (?, ?, ?, ?, ?)`
)

// attest adds an entry to the chain of a session, in the transaction of what it
// attests.
func attest(t tx, session, call int64, event attested) error {
	query, n := decisionOf, decisionColumns
	switch event {
	case settled:
		query, n = outcomeOf, outcomeColumns
	case reconciled:
		query, n = findingOf, 2+findingColumns-outcomeColumns
	case decided:
	}
	values, dest := nullable(n)
	if err := t.row(query, []any{call}, dest...); err != nil {
		return err
	}
	var seq int64
	var last []byte
	switch err := t.row(chainEnd, []any{session}, &seq, &last); {
	case errors.Is(err, errNoRows):
		last = chainStart(values[0].String)
	case err != nil:
		return err
	}
	_, err := t.exec(insertChain, session, seq+1, call, string(event), link(last, event, values))
	return err
}

// of returns what the event attests out of the attested columns: an outcome
// leaves the arguments, which may be long, to the decision.
func (e attested) of(columns []sql.NullString) []sql.NullString {
	switch e {
	case settled:
		values := slices.Clone(columns[:outcomeColumns])
		values[argsColumn] = sql.NullString{}
		return values
	case reconciled:
		return slices.Concat(columns[:2], columns[outcomeColumns:])
	case decided:
	}
	return columns[:decisionColumns]
}

// nullable returns room for a row of n columns.
func nullable(n int) (values []sql.NullString, dest []any) {
	values, dest = make([]sql.NullString, n), make([]any, n)
	for i := range values {
		dest[i] = &values[i]
	}
	return values, dest
}

// chainStart stands in the place of a hash before the first entry of a session.
func chainStart(session string) []byte {
	sum := sha256.Sum256([]byte("zuno ledger 1\n" + session))
	return sum[:]
}

// link returns the hash of an entry: of the hash before it, the event, and each
// value with its length, so that no two rows have the same bytes.
func link(last []byte, event attested, values []sql.NullString) []byte {
	h := sha256.New()
	h.Write(last)
	text(h, string(event))
	for _, v := range values {
		if !v.Valid {
			text(h, "")
			continue
		}
		text(h, "="+v.String)
	}
	return h.Sum(nil)
}

func text(h hash.Hash, s string) {
	var n [20]byte
	h.Write(append(strconv.AppendInt(n[:0], int64(len(s)), 10), ':'))
	_, _ = io.WriteString(h, s) // a hash takes all
}
