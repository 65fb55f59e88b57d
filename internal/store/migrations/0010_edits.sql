-- The arguments of a proposed call before a person rewrote them. The row of the
-- call has those that count.
CREATE TABLE call_edit (
	call     INTEGER NOT NULL REFERENCES call (n),
	position INTEGER NOT NULL, -- from 0: what the model asked for
	args     TEXT    NOT NULL,
	at       INTEGER NOT NULL, -- when they were rewritten
	PRIMARY KEY (call, position)
) STRICT, WITHOUT ROWID;
