package store

import (
	"embed"
	"fmt"
)

// The migrations are numbered from 1 without holes; user_version is the number
// of the last that ran. One that was released is never edited.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

func migrations() ([]string, error) {
	entries, err := migrationFiles.ReadDir("migrations")
	if err != nil {
		return nil, fmt.Errorf("list the migrations: %w", err)
	}
	var steps []string
	for _, e := range entries { // sorted by name
		b, err := migrationFiles.ReadFile("migrations/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("read the migration %s: %w", e.Name(), err)
		}
		steps = append(steps, string(b))
	}
	return steps, nil
}

const identity = `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id, pragma_user_version`

// migrate brings the database to the version of steps, in one transaction, and
// into WAL mode. A new database is filled before it gets there, so that its
// main file says from the first byte whose it is.
func (w *writer) migrate(steps []string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	current := false
	err := w.retry(func() (err error) {
		current, err = w.isCurrent(tx{w}, len(steps))
		return err
	})
	if err != nil {
		return err
	}
	if !current {
		err = w.retry(func() error {
			return w.transact(func(t tx) error { return w.step(t, steps) })
		})
		if err != nil {
			if w.from == 0 {
				return doing(err, "make the record")
			}
			return doing(err, "bring the record to format %d", len(steps))
		}
	}
	if err := w.retry(func() error { return w.run(`PRAGMA journal_mode = WAL`) }); err != nil || current {
		return err
	}
	// An older zuno reads the format from the main file before it opens it.
	return w.retry(func() error { return w.run(`PRAGMA wal_checkpoint(TRUNCATE)`) })
}

// isCurrent reports whether there is nothing to migrate.
func (w *writer) isCurrent(t tx, version int) (bool, error) {
	var application, found, objects int
	if err := t.row(identity, nil, &application, &found, &objects); err != nil {
		return false, err
	}
	if application == 0 && found == 0 && objects == 0 {
		return false, nil
	}
	return found == version, identify(w.path, application, found, version)
}

// step runs the migrations that are missing. Another process may have run them
// since it was asked, so it asks again.
func (w *writer) step(t tx, steps []string) error {
	current, err := w.isCurrent(t, len(steps))
	if current || err != nil {
		return err
	}
	var application, found, objects int
	if err := t.row(identity, nil, &application, &found, &objects); err != nil {
		return err
	}
	w.from = found
	for _, s := range steps[found:] {
		if err := w.run(s); err != nil {
			return err
		}
	}
	return w.run(fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, len(steps)))
}
