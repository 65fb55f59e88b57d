-- What the person wrote while a turn ran and was not taken up yet.
CREATE TABLE queued (
	n        INTEGER PRIMARY KEY,
	session  INTEGER NOT NULL REFERENCES session (n),
	position INTEGER NOT NULL, -- smaller comes first
	text     TEXT    NOT NULL,
	steers   INTEGER NOT NULL, -- into the turn that runs, at its next step
	at       INTEGER NOT NULL
) STRICT;

CREATE INDEX queued_by_session ON queued (session, position);
