-- What stood at the paths that a call changes, written in the commit that
-- starts it. Without the content a change cannot be taken back.
CREATE TABLE touch (
	call        INTEGER NOT NULL REFERENCES call (n),
	position    INTEGER NOT NULL, -- in the order of the effect, from 0
	path        BLOB    NOT NULL, -- absolute; names of files need not be text
	name        TEXT    NOT NULL,
	before_kind TEXT    NOT NULL,
	before_mode INTEGER NOT NULL,
	before_sum  BLOB    NOT NULL,
	before_size INTEGER NOT NULL,
	after_kind  TEXT    NOT NULL,
	after_mode  INTEGER NOT NULL,
	after_sum   BLOB    NOT NULL,
	after_size  INTEGER NOT NULL,
	PRIMARY KEY (call, position)
) STRICT, WITHOUT ROWID;

-- Contents by their SHA-256. The oldest go when there are too many bytes.
CREATE TABLE content (
	n    INTEGER PRIMARY KEY,
	sum  BLOB    NOT NULL UNIQUE,
	size INTEGER NOT NULL,
	at   INTEGER NOT NULL, -- when a call last needed it kept
	data BLOB    NOT NULL
) STRICT;

-- Messages that were taken back, by their seq. They stay stored.
CREATE TABLE rewind (
	n         INTEGER PRIMARY KEY,
	session   INTEGER NOT NULL REFERENCES session (n),
	from_seq  INTEGER NOT NULL,
	to_seq    INTEGER NOT NULL,
	at        INTEGER NOT NULL,
	undone_at INTEGER
) STRICT;

CREATE INDEX rewind_by_session ON rewind (session);
