package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"
)

// A Trust is what a person has said may act of what one project brings along:
// settings, servers, hooks and the like. It may be used from any goroutine.
type Trust struct {
	store *Store
	root  string
	// Session, when set, is noted as where something was trusted.
	Session string
}

// An Item is a thing of a project: what it is, its name and its exact text.
type Item struct {
	Kind, Name, Text string
}

// A Trusted is an item that was trusted, with the hash of the text that it had.
type Trusted struct {
	// Root is the folder of the project in which it counts.
	Root, Kind, Name string
	// Hash is the SHA-256 of the text in hexadecimal.
	Hash string
	// Session is the ID of the session in which it was trusted, or "".
	Session string
	At      time.Time
}

// Is reports whether i is what was trusted, its text unchanged.
func (t Trusted) Is(i Item) bool {
	return t.Kind == plain(i.Kind) && t.Name == plain(i.Name) && t.Hash == hashOf(i.Text)
}

// Trust returns what is trusted in the project at root.
func (s *Store) Trust(root string) *Trust { return &Trust{store: s, root: plain(root)} }

const trustItem = `INSERT INTO trusted (root, kind, name, hash, session, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`

// Add remembers items with the text that they have, all of them or none. Other
// texts of an item that were trusted before stay trusted; an item that is
// trusted already stays as it is.
func (t *Trust) Add(items ...Item) error {
	for _, i := range items {
		if i.Kind == "" || i.Name == "" {
			return errors.New("trust an item: it has no kind or no name")
		}
	}
	err := t.store.writer.write(processDeath, func(x tx) error {
		for _, i := range items {
			if _, err := x.exec(trustItem, t.root, plain(i.Kind), plain(i.Name), hashOf(i.Text), plain(t.Session), stamp(t.store.now())); err != nil {
				return err
			}
		}
		return nil
	})
	return doing(err, "trust what is in %s", t.root)
}

const forgetItem = `DELETE FROM trusted WHERE root = ? AND kind = ? AND name = ?`

// Remove takes the trust in an item back, whatever text it was given for, and
// reports whether there was any. What was taken back does not return, also
// after a loss of power.
func (t *Trust) Remove(kind, name string) (bool, error) {
	var rows int64
	err := t.store.writer.write(powerLoss, func(x tx) (err error) {
		rows, err = x.exec(forgetItem, t.root, plain(kind), plain(name))
		return err
	})
	return err == nil && rows > 0, doing(err, "take back the trust in the %s %s", kind, name)
}

const listTrusted = `SELECT root, kind, name, hash, session, at FROM trusted WHERE root = ? ORDER BY at, kind, name, hash`

// List returns what is trusted in the project, in the order in which it was.
func (t *Trust) List() ([]Trusted, error) {
	var list []Trusted
	err := t.store.each(listTrusted, []any{t.root}, func(rows *sql.Rows) error {
		var i Trusted
		var at int64
		err := rows.Scan(&i.Root, &i.Kind, &i.Name, &i.Hash, &i.Session, &at)
		i.At = time.Unix(0, at)
		list = append(list, i)
		return err
	})
	return list, doing(err, "list what is trusted in %s", t.root)
}

// hashOf is the hash of a text as it is stored.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
