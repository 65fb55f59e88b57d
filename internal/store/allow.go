package store

import (
	"database/sql"
	"errors"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// An Allowlist is the command keys that were allowed for good in one
// repository. It may be used from any goroutine; what another process allows
// or takes back counts at once.
type Allowlist struct {
	store *Store
	repo  string
	// Session, when set, is noted as where a key was allowed.
	Session string
}

// A Grant is a command key that was allowed for good.
type Grant struct {
	Key string
	// Repo is the root of the repository in which it counts.
	Repo string
	// Command is the one for which it was allowed and Session the ID of the
	// session in which it was; both are "" for a key that a person typed.
	Command, Session string
	At               time.Time
}

// Allowlist returns the allowlist of a repository.
func (s *Store) Allowlist(repo string) *Allowlist { return &Allowlist{store: s, repo: plain(repo)} }

const isAllowed = `SELECT 1 FROM allowed_command WHERE repo = ? AND key = ?`

// Allowed reports whether key was allowed. The empty key never is.
func (a *Allowlist) Allowed(key string) (bool, error) {
	if key == "" {
		return false, nil
	}
	var one int
	err := a.store.readers.QueryRow(isAllowed, a.repo, plain(key)).Scan(&one)
	if errors.Is(err, errNoRows) {
		return false, nil
	}
	return err == nil, doing(explain(a.store.path, err), "look up the allowed command %s", key)
}

const allowCommand = `INSERT INTO allowed_command (repo, key, command, session, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`

// Allow remembers key, for which command was the occasion; command is "" where
// a person typed the key. A key that is allowed already stays as it is. The error
// is a [tools.Refusal] for a key that holds a secret: it would not be the same
// without it.
func (a *Allowlist) Allow(key, command string) error {
	if key == "" {
		return errors.New("allow a command: the key is empty")
	}
	if a.store.clean(key) != plain(key) {
		return tools.Refuse(tools.Denied, "it holds a secret, which would be stored: put that into a variable")
	}
	return doing(a.store.writer.write(processDeath, func(t tx) error {
		_, err := t.exec(allowCommand, a.repo, plain(key), a.store.clean(command), plain(a.Session), stamp(a.store.now()))
		return err
	}), "allow the command %s", key)
}

const pastCommands = `SELECT c.command, c.key, max(c.n) FROM call c JOIN session s ON s.n = c.session
	WHERE s.repo = ? AND c.command <> '' GROUP BY c.command ORDER BY max(c.n) DESC LIMIT ?`

// A PastCommand is a command line of the record, and the key that would have
// covered it; "" for none.
type PastCommand struct{ Command, Key string }

// Past returns the command lines that were worked out in the repository, each
// once, the newest first, and at most limit of them.
func (a *Allowlist) Past(limit int) ([]PastCommand, error) {
	var list []PastCommand
	err := a.store.each(pastCommands, []any{a.repo, limit}, func(rows *sql.Rows) error {
		var p PastCommand
		var n int64
		err := rows.Scan(&p.Command, &p.Key, &n)
		list = append(list, p)
		return err
	})
	return list, doing(err, "list the commands of the record")
}

const forgetCommand = `DELETE FROM allowed_command WHERE repo = ? AND key = ?`

// Remove takes key back and reports whether it was allowed. What was taken back
// does not return, also after a loss of power.
func (a *Allowlist) Remove(key string) (bool, error) {
	var rows int64
	err := a.store.writer.write(powerLoss, func(t tx) (err error) {
		rows, err = t.exec(forgetCommand, a.repo, plain(key))
		return err
	})
	return err == nil && rows > 0, doing(err, "take back the allowed command %s", key)
}

// List returns the keys of the repository in the order in which they were
// allowed.
func (a *Allowlist) List() ([]Grant, error) { return a.store.grants(a.repo, false) }

// Grants returns the keys that are allowed in repo, in the order in which they
// were. With "" it returns those of all repositories, one after the other.
func (s *Store) Grants(repo string) ([]Grant, error) { return s.grants(plain(repo), repo == "") }

const listGrants = `SELECT key, repo, command, session, at FROM allowed_command WHERE repo = ?1 OR ?2 ORDER BY repo, at, key`

func (s *Store) grants(repo string, all bool) ([]Grant, error) {
	var list []Grant
	err := s.each(listGrants, []any{repo, all}, func(rows *sql.Rows) error {
		var g Grant
		var at int64
		err := rows.Scan(&g.Key, &g.Repo, &g.Command, &g.Session, &at)
		g.At = time.Unix(0, at)
		list = append(list, g)
		return err
	})
	return list, doing(err, "list the allowed commands")
}
