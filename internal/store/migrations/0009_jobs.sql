-- What an agent was asked to do by another one. The agent's own session has the
-- record of what it did.
CREATE TABLE job (
	n          INTEGER PRIMARY KEY,
	session    INTEGER NOT NULL REFERENCES session (n), -- that delegated
	id         TEXT    NOT NULL UNIQUE,
	call       TEXT    NOT NULL, -- ID of the call that delegated
	child      TEXT    NOT NULL, -- ID of the agent's session, which is stored once something is recorded in it
	agent      TEXT    NOT NULL,
	title      TEXT    NOT NULL,
	prompt     TEXT    NOT NULL,
	background INTEGER NOT NULL,
	quiet      INTEGER NOT NULL, -- the model asks for the report, it is not given
	status     TEXT    NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'uncertain')),
	report     TEXT    NOT NULL DEFAULT '',
	created_at INTEGER NOT NULL,
	began_at   INTEGER,
	settled_at INTEGER,
	told_at    INTEGER -- when the report was put into the conversation
) STRICT;

CREATE INDEX job_by_session ON job (session);
CREATE INDEX job_by_child ON job (child);
CREATE INDEX session_by_parent ON session (parent);
