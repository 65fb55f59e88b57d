-- The chain covers what was found out about uncertain calls, too. What was found
-- before this, and what a fork copied, has no entry.
ALTER TABLE reconciliation ADD COLUMN chained INTEGER NOT NULL DEFAULT 0;

CREATE TABLE chain_next (
	session INTEGER NOT NULL REFERENCES session (n),
	seq     INTEGER NOT NULL, -- from 1, without holes
	call    INTEGER NOT NULL, -- row of the call
	event   TEXT    NOT NULL CHECK (event IN ('decided', 'settled', 'reconciled')),
	hash    BLOB    NOT NULL, -- SHA-256
	PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

INSERT INTO chain_next SELECT session, seq, call, event, hash FROM chain;
DROP TABLE chain;
ALTER TABLE chain_next RENAME TO chain;
CREATE INDEX chain_by_call ON chain (call);
