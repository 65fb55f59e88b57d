-- What a project brings along and a person has said may act. It counts for one
-- exact text: an item whose text has changed is not in here.
CREATE TABLE trusted (
	root    TEXT    NOT NULL, -- folder of the project
	kind    TEXT    NOT NULL,
	name    TEXT    NOT NULL,
	hash    TEXT    NOT NULL, -- SHA-256 of the text, in hexadecimal
	session TEXT    NOT NULL, -- ID of the session in which it was, or ''
	at      INTEGER NOT NULL,
	PRIMARY KEY (root, kind, name, hash)
) STRICT, WITHOUT ROWID;
