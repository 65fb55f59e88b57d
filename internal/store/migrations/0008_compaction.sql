-- What a model is shown in the place of old messages, which stay stored. Counts
-- are of tokens.
CREATE TABLE compaction (
	n        INTEGER PRIMARY KEY,
	session  INTEGER NOT NULL REFERENCES session (n),
	upto_seq INTEGER NOT NULL, -- the last message that it concerns
	at_seq   INTEGER NOT NULL, -- the newest message when it was made
	rewinds  INTEGER NOT NULL, -- the newest rewind when it was made, or 0
	summary  TEXT    NOT NULL, -- '' when only large results are left out
	facts    TEXT    NOT NULL,
	before   INTEGER NOT NULL,
	after    INTEGER NOT NULL,
	at       INTEGER NOT NULL
) STRICT;

CREATE INDEX compaction_by_session ON compaction (session);
