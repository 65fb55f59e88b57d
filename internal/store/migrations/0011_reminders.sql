-- What the person wants to be reminded of. What was shown stays, so that it can be
-- looked up.
CREATE TABLE reminder (
	n        INTEGER PRIMARY KEY AUTOINCREMENT, -- people name them by it
	due_at   INTEGER NOT NULL,
	text     TEXT    NOT NULL,
	session  TEXT    NOT NULL, -- ID of the session in which it was added
	at       INTEGER NOT NULL,
	shown_at INTEGER           -- when it was taken to be shown; NULL before
) STRICT;

CREATE INDEX reminder_by_due ON reminder (due_at) WHERE shown_at IS NULL;
