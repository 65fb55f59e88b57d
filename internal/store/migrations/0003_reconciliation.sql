-- What somebody found out about a call whose outcome was uncertain.
CREATE TABLE reconciliation (
	call    INTEGER PRIMARY KEY REFERENCES call (n),
	finding TEXT    NOT NULL CHECK (finding IN ('happened', 'did-not-happen', 'in-part')),
	by      TEXT    NOT NULL, -- probe, model or you
	note    TEXT    NOT NULL,
	at      INTEGER NOT NULL
) STRICT;
