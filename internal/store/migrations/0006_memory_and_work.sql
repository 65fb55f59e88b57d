-- What a person accepted that sessions be told. The text of what is forgotten
-- is gone; that it was there is said by the call that proposed it.
CREATE TABLE memory (
	n        INTEGER PRIMARY KEY AUTOINCREMENT, -- people name entries by it: none is given twice
	repo     TEXT    NOT NULL, -- root of the repository in which it counts, '' for all
	text     TEXT    NOT NULL,
	revision INTEGER NOT NULL, -- of the memory, when the entry got its text
	reason   TEXT    NOT NULL, -- the model's, or ''
	session  TEXT    NOT NULL, -- ID of the session in which it was accepted, or ''
	by       TEXT    NOT NULL, -- who accepted it
	at       INTEGER NOT NULL
) STRICT;

CREATE INDEX memory_by_repo ON memory (repo);

CREATE TABLE memory_revision (
	repo     TEXT    NOT NULL PRIMARY KEY,
	revision INTEGER NOT NULL -- how often the entries of the repository were changed
) STRICT, WITHOUT ROWID;

CREATE TABLE note (
	repo       TEXT    NOT NULL, -- as that of memory
	path       TEXT    NOT NULL,
	text       TEXT    NOT NULL,
	writes     INTEGER NOT NULL,
	session    TEXT    NOT NULL, -- ID of the session that wrote it last, or ''
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	PRIMARY KEY (repo, path)
) STRICT;

-- The plan, the todo list and the goal of a session.
CREATE TABLE work (
	session  INTEGER PRIMARY KEY REFERENCES session (n),
	revision INTEGER NOT NULL, -- counts all changes
	minted   INTEGER NOT NULL, -- counts the IDs that were made up
	at       INTEGER NOT NULL
) STRICT;

CREATE TABLE plan (
	session  INTEGER PRIMARY KEY REFERENCES session (n),
	id       TEXT    NOT NULL,
	revision INTEGER NOT NULL,
	title    TEXT    NOT NULL,
	goal     TEXT    NOT NULL -- ID of the goal that it serves, or ''
) STRICT;

CREATE TABLE plan_step (
	session  INTEGER NOT NULL REFERENCES session (n),
	position INTEGER NOT NULL,
	id       TEXT    NOT NULL,
	title    TEXT    NOT NULL,
	status   TEXT    NOT NULL,
	PRIMARY KEY (session, position)
) STRICT;

CREATE TABLE todo (
	session     INTEGER NOT NULL REFERENCES session (n),
	position    INTEGER NOT NULL,
	id          TEXT    NOT NULL,
	revision    INTEGER NOT NULL,
	subject     TEXT    NOT NULL,
	description TEXT    NOT NULL,
	active_form TEXT    NOT NULL,
	status      TEXT    NOT NULL,
	priority    TEXT    NOT NULL,
	goal        TEXT    NOT NULL, -- IDs, or ''
	plan_step   TEXT    NOT NULL,
	parent      TEXT    NOT NULL,
	owner       TEXT    NOT NULL,
	after       TEXT    NOT NULL, -- IDs of the items to be done first: a JSON array, or ''
	PRIMARY KEY (session, position)
) STRICT;

CREATE TABLE goal (
	session    INTEGER PRIMARY KEY REFERENCES session (n),
	id         TEXT    NOT NULL,
	revision   INTEGER NOT NULL,
	objective  TEXT    NOT NULL,
	status     TEXT    NOT NULL,
	blocked_by TEXT    NOT NULL
) STRICT;

CREATE TABLE goal_criterion (
	session  INTEGER NOT NULL REFERENCES session (n),
	position INTEGER NOT NULL,
	id       TEXT    NOT NULL,
	text     TEXT    NOT NULL,
	receipt  TEXT    NOT NULL, -- ID of the call that met it, or ''
	waived   TEXT    NOT NULL, -- why it does not apply, or ''
	PRIMARY KEY (session, position)
) STRICT;
