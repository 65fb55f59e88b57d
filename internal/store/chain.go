package store

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"hash"
	"io"
	"strconv"
	"strings"
)

// An attested transition is one that the chain of hashes covers.
type attested string

const (
	decided attested = "decided"
	settled attested = "settled"
)

// What is attested of a call, in this order: for a decision the first columns,
// for an outcome all of them but the arguments, which may be long. Both when an entry is made and when it is verified
// they are read from the record, so that the two cannot differ but by an edit.
const (
	attestedColumns = `s.id, c.id, a.args, c.tool, c.requested, c.summary, c.effect, c.replay, c.risk, c.key, c.command,
	c.allowed, c.decided_by, c.reason, c.choice, c.verdict, c.decided_at,
	c.started_at, c.settled_at, c.outcome, c.block, c.truncated, c.began, c.exit_code, c.took, c.recovered, r.text, r.show, r.changes`
	attestedFrom    = ` call c JOIN session s ON s.n = c.session LEFT JOIN call_args a ON a.call = c.n LEFT JOIN call_result r ON r.call = c.n`
	argsColumn      = 2
	decisionColumns = 17
	outcomeColumns  = 29
)

const (
	attestedDecision = `SELECT ` + attestedColumns + ` FROM` + attestedFrom + ` WHERE c.n = ?`
	chainEnd         = `SELECT seq, hash FROM chain WHERE session = ? ORDER BY seq DESC LIMIT 1`
	insertChain      = `INSERT INTO chain (session, seq, call, event, hash) VALUES (?, ?, ?, ?, ?)`
)

// attest adds an entry to the chain of a session, in the transaction of what it
// attests.
func attest(t tx, session, call int64, event attested) error {
	values, dest := attestedRow()
	query := attestedDecision
	if event == settled {
		query = attestedOutcome()
	}
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

// attestedOutcome leaves the arguments alone, which an outcome does not cover.
func attestedOutcome() string { return strings.Replace(attestedDecision, "a.args", "NULL", 1) }

// attestedRow returns room for what is attested of a call.
func attestedRow() (values []sql.NullString, dest []any) {
	values, dest = make([]sql.NullString, outcomeColumns), make([]any, outcomeColumns)
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
	if event == decided {
		values = values[:decisionColumns]
	}
	h := sha256.New()
	h.Write(last)
	text(h, string(event))
	for i, v := range values {
		if !v.Valid || i == argsColumn && event == settled {
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
