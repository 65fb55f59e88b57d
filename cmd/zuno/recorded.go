package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/zuno-dev/zuno/internal/store"
)

// withRecord calls f with the record, and with nil where there is none: what
// only looks makes none.
func (p *plan) withRecord(f func(*store.Store) error) error {
	if _, err := os.Stat(p.recordPath()); errors.Is(err, fs.ErrNotExist) {
		return f(nil)
	}
	db, err := store.Open(p.recordPath(), time.Now)
	if err != nil {
		return &codedError{exitConfig, err}
	}
	return errors.Join(f(db), db.Close())
}

// ifRecorded calls f with the record where there is one.
func (p *plan) ifRecorded(f func(*store.Store) error) error {
	return p.withRecord(func(db *store.Store) error {
		if db == nil {
			return nil
		}
		return f(db)
	})
}

func (p *plan) recordPath() string { return filepath.Join(p.paths.Data, "zuno.db") }

// recorded calls f with the record, which has to be there for there to be a
// session.
func recorded(fl flags, f func(*plan, *store.Store) error) error {
	p, err := newPlan(fl)
	if err != nil {
		return err
	}
	return p.withRecord(func(db *store.Store) error {
		if db == nil {
			return usageErrorf("nothing is recorded yet: there is no %s", p.recordPath())
		}
		db.Hide(secrets())
		return f(p, db)
	})
}
