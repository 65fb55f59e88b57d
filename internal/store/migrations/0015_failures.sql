-- An attempt at a model call of which no usage was reported, or not to its end, and
-- why there was no answer. What is counted of it is what is known, and no more.
ALTER TABLE llm_usage ADD COLUMN reported INTEGER NOT NULL DEFAULT 1;
ALTER TABLE llm_usage ADD COLUMN failure TEXT NOT NULL DEFAULT '';

-- What the model is to be told of a turn that did not come to its end: it sees what
-- was said, and not that nothing came of it.
CREATE TABLE failed_turn (
	n       INTEGER PRIMARY KEY,
	session INTEGER NOT NULL REFERENCES session (n),
	seq     INTEGER NOT NULL, -- of the last message when it ended
	text    TEXT    NOT NULL,
	at      INTEGER NOT NULL
) STRICT;

CREATE INDEX failed_turn_by_session ON failed_turn (session, seq);
