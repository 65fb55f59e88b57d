-- What is searched is put into the indexes between turns and before a search,
-- many rows at a time, and not while a call waits to be recorded. The indexes
-- cover the rows up to these, but for the calls in search_missing, which had no
-- result yet.
CREATE TABLE search_state (
	n       INTEGER PRIMARY KEY CHECK (n = 1),
	message INTEGER NOT NULL,
	call    INTEGER NOT NULL
) STRICT;

CREATE TABLE search_missing (
	call INTEGER PRIMARY KEY REFERENCES call (n)
) STRICT;

INSERT INTO search_state SELECT 1, coalesce((SELECT max(n) FROM message), 0), coalesce((SELECT max(n) FROM call), 0);
INSERT INTO search_missing SELECT n FROM call c WHERE NOT EXISTS (SELECT 1 FROM call_result r WHERE r.call = c.n);

DROP TRIGGER message_added;
DROP TRIGGER result_added;
DROP TRIGGER message_removed;
DROP TRIGGER result_removed;

CREATE TRIGGER message_removed BEFORE DELETE ON message WHEN old.n <= (SELECT message FROM search_state) BEGIN
	INSERT INTO message_search (message_search, rowid, text) VALUES ('delete', old.n, old.text);
END;

-- The number of the last row is given again when it is gone.
CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN
	UPDATE search_state SET message = min(message, coalesce((SELECT max(n) FROM message), 0));
END;

-- A result goes before its call.
CREATE TRIGGER result_removed BEFORE DELETE ON call_result
WHEN old.call <= (SELECT call FROM search_state) AND NOT EXISTS (SELECT 1 FROM search_missing WHERE call = old.call) BEGIN
	INSERT INTO call_search (call_search, rowid, summary, text) SELECT 'delete', n, summary, text FROM call_words WHERE n = old.call;
	INSERT INTO search_missing (call) VALUES (old.call);
END;

CREATE TRIGGER call_removed BEFORE DELETE ON call BEGIN
	DELETE FROM search_missing WHERE call = old.n;
END;

CREATE TRIGGER call_gone AFTER DELETE ON call BEGIN
	UPDATE search_state SET call = min(call, coalesce((SELECT max(n) FROM call), 0));
END;
