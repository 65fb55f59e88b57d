-- Times are nanoseconds since 1970 UTC and durations nanoseconds; a time that
-- did not come is NULL. Words are those of the vocabulary's String methods.

CREATE TABLE session (
	n          INTEGER PRIMARY KEY,
	id         TEXT    NOT NULL UNIQUE,
	parent     TEXT    NOT NULL, -- ID of the session that delegated to it, or ''
	dir        TEXT    NOT NULL,
	repo       TEXT    NOT NULL,
	model      TEXT    NOT NULL,
	agent      TEXT    NOT NULL,
	title      TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL, -- when the last message was appended
	-- The lease: who may write. No owner is ''. A taker adds 1 to the generation.
	owner       TEXT    NOT NULL DEFAULT '',
	generation  INTEGER NOT NULL DEFAULT 0,
	owner_pid   INTEGER NOT NULL DEFAULT 0,
	owner_start TEXT    NOT NULL DEFAULT '', -- tells a process from a later one of the same PID
	owner_boot  TEXT    NOT NULL DEFAULT '', -- the boot of the machine
	owner_space TEXT    NOT NULL DEFAULT '', -- the PID namespace
	owner_host  TEXT    NOT NULL DEFAULT '',
	heartbeat   INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX session_by_dir ON session (dir);

CREATE TABLE message (
	n           INTEGER PRIMARY KEY,
	session     INTEGER NOT NULL REFERENCES session (n),
	seq         INTEGER NOT NULL, -- from 1, without holes
	role        TEXT    NOT NULL,
	parts       TEXT    NOT NULL, -- JSON, with the length in bytes of each part's text
	text        TEXT    NOT NULL, -- the texts of the parts, one after the other
	model       TEXT    NOT NULL,
	stop        TEXT    NOT NULL,
	input       INTEGER NOT NULL,
	cache_read  INTEGER NOT NULL,
	cache_write INTEGER NOT NULL,
	output      INTEGER NOT NULL,
	reasoning   INTEGER NOT NULL,
	at          INTEGER NOT NULL,
	UNIQUE (session, seq)
) STRICT;

-- The bytes of the image that the part at this position holds.
CREATE TABLE message_image (
	message  INTEGER NOT NULL REFERENCES message (n),
	position INTEGER NOT NULL,
	data     BLOB    NOT NULL,
	PRIMARY KEY (message, position)
) STRICT;

CREATE TABLE call (
	n            INTEGER PRIMARY KEY, -- in the order of request
	session      INTEGER NOT NULL REFERENCES session (n),
	id           TEXT    NOT NULL,
	message      INTEGER, -- seq of the message that requested it; NULL for the operator's
	position     INTEGER NOT NULL, -- among the calls of that message, from 0
	tool         TEXT    NOT NULL, -- as requested, and once proposed the canonical name
	requested    TEXT    NOT NULL, -- what the model wrote when that was an alias, else ''
	state        TEXT    NOT NULL CHECK (state IN ('requested', 'proposed', 'decided', 'started', 'settled')),
	summary      TEXT    NOT NULL DEFAULT '',
	effect       TEXT    NOT NULL DEFAULT 'side-effecting',
	replay       TEXT    NOT NULL DEFAULT 'never',
	risk         TEXT    NOT NULL DEFAULT 'unknown',
	key          TEXT    NOT NULL DEFAULT '', -- what "always allow" would remember
	command      TEXT    NOT NULL DEFAULT '', -- what the classifier would judge
	allowed      INTEGER NOT NULL DEFAULT 0,
	decided_by   TEXT    NOT NULL DEFAULT '',
	reason       TEXT    NOT NULL DEFAULT '',
	choice       TEXT    NOT NULL DEFAULT '',
	verdict      TEXT    NOT NULL DEFAULT 'unknown',
	requested_at INTEGER NOT NULL,
	proposed_at  INTEGER,
	decided_at   INTEGER,
	started_at   INTEGER,
	settled_at   INTEGER,
	outcome      TEXT    NOT NULL DEFAULT '', -- '' until it is settled
	block        TEXT    NOT NULL DEFAULT '',
	truncated    INTEGER NOT NULL DEFAULT 0,
	began        INTEGER NOT NULL DEFAULT 0, -- what the outcome says of it
	exit_code    INTEGER,
	took         INTEGER NOT NULL DEFAULT 0,
	recovered    INTEGER NOT NULL DEFAULT 0, -- settled by rule after its process had died
	told_at      INTEGER, -- when an uncertain outcome was put into a notice to the model
	UNIQUE (session, id)
) STRICT;

CREATE INDEX call_unsettled ON call (session) WHERE settled_at IS NULL;
CREATE INDEX call_uncertain ON call (session) WHERE outcome = 'uncertain';

-- Apart from call, so that a transition does not rewrite what is large.
CREATE TABLE call_args (
	call INTEGER PRIMARY KEY REFERENCES call (n),
	args TEXT NOT NULL
) STRICT;

CREATE TABLE call_result (
	call    INTEGER PRIMARY KEY REFERENCES call (n),
	text    TEXT NOT NULL,
	show    TEXT NOT NULL, -- JSON, or ''
	changes TEXT NOT NULL  -- JSON, or ''
) STRICT;

CREATE TABLE call_image (
	call     INTEGER NOT NULL REFERENCES call (n),
	position INTEGER NOT NULL,
	mime     TEXT    NOT NULL,
	data     BLOB    NOT NULL,
	PRIMARY KEY (call, position)
) STRICT;

CREATE TABLE llm_usage (
	n           INTEGER PRIMARY KEY,
	session     INTEGER NOT NULL REFERENCES session (n),
	purpose     TEXT    NOT NULL,
	model       TEXT    NOT NULL,
	input       INTEGER NOT NULL,
	cache_read  INTEGER NOT NULL,
	cache_write INTEGER NOT NULL,
	output      INTEGER NOT NULL,
	reasoning   INTEGER NOT NULL,
	cost        REAL    NOT NULL, -- US dollars
	took        INTEGER NOT NULL,
	at          INTEGER NOT NULL
) STRICT;

CREATE INDEX llm_usage_by_session ON llm_usage (session);

CREATE TABLE allowed_command (
	repo    TEXT    NOT NULL,
	key     TEXT    NOT NULL,
	command TEXT    NOT NULL, -- the one for which it was allowed
	session TEXT    NOT NULL, -- ID of the session in which it was, or ''
	at      INTEGER NOT NULL,
	PRIMARY KEY (repo, key)
) STRICT, WITHOUT ROWID;
