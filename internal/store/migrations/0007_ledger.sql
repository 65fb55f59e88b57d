ALTER TABLE session ADD COLUMN branch TEXT NOT NULL DEFAULT ''; -- what was checked out when it was last opened
ALTER TABLE session ADD COLUMN forked TEXT NOT NULL DEFAULT ''; -- ID of the session that it began as a copy of, or ''

-- The row of which this one is a copy, in the session that this one's was
-- forked from. A copy did nothing itself.
ALTER TABLE call ADD COLUMN origin INTEGER;

-- A chain of hashes for each session: each covers the one before it and what is
-- stored of a call when it is decided on and when it is settled.
CREATE TABLE chain (
	session INTEGER NOT NULL REFERENCES session (n),
	seq     INTEGER NOT NULL, -- from 1, without holes
	call    INTEGER NOT NULL, -- row of the call
	event   TEXT    NOT NULL CHECK (event IN ('decided', 'settled')),
	hash    BLOB    NOT NULL, -- SHA-256
	PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX chain_by_call ON chain (call);

-- Calls up to this row were recorded before there was a chain.
CREATE TABLE chained_from (
	n    INTEGER PRIMARY KEY CHECK (n = 1),
	call INTEGER NOT NULL
) STRICT;

INSERT INTO chained_from SELECT 1, coalesce(max(n), 0) FROM call;

-- What is searched: messages, and the subject of each call with the head and
-- the tail of its result, for a call has to be recorded fast. The indexes hold
-- no copy of the text.
CREATE VIEW call_words AS SELECT c.n, c.summary,
	CASE WHEN length(r.text) <= 4096 THEN r.text ELSE substr(r.text, 1, 2048) || ' … ' || substr(r.text, -2048) END AS text
	FROM call c JOIN call_result r ON r.call = c.n;

CREATE VIRTUAL TABLE message_search USING fts5 (text, content = 'message', content_rowid = 'n', tokenize = 'unicode61 remove_diacritics 2', columnsize = 0);
CREATE VIRTUAL TABLE call_search USING fts5 (summary, text, content = 'call_words', content_rowid = 'n', tokenize = 'unicode61 remove_diacritics 2', columnsize = 0);

CREATE TRIGGER message_added AFTER INSERT ON message BEGIN
	INSERT INTO message_search (rowid, text) VALUES (new.n, new.text);
END;

CREATE TRIGGER message_removed BEFORE DELETE ON message BEGIN
	INSERT INTO message_search (message_search, rowid, text) VALUES ('delete', old.n, old.text);
END;

CREATE TRIGGER result_added AFTER INSERT ON call_result BEGIN
	INSERT INTO call_search (rowid, summary, text) SELECT n, summary, text FROM call_words WHERE n = new.call;
END;

-- A result goes before its call.
CREATE TRIGGER result_removed BEFORE DELETE ON call_result BEGIN
	INSERT INTO call_search (call_search, rowid, summary, text) SELECT 'delete', n, summary, text FROM call_words WHERE n = old.call;
END;

INSERT INTO message_search (message_search) VALUES ('rebuild');
INSERT INTO call_search (call_search) VALUES ('rebuild');
