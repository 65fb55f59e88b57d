package store

import (
	"errors"
)

// An Allowlist is the command keys that were allowed for good in one
// repository. It may be used from any goroutine; what another process allows
// counts at once.
type Allowlist struct {
	store *Store
	repo  string
	// Session, when set, is noted as where a key was allowed.
	Session string
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

// Allow remembers key, for which command was the occasion.
func (a *Allowlist) Allow(key, command string) error {
	if key == "" {
		return errors.New("allow a command: the key is empty")
	}
	return doing(a.store.writer.write(processDeath, func(t tx) error {
		_, err := t.exec(allowCommand, a.repo, plain(key), plain(command), plain(a.Session), stamp(a.store.now()))
		return err
	}), "allow the command %s", key)
}
