package main

import (
	"errors"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/store"
)

// A record is the store's side of a session.
type record struct {
	session   *store.Session
	allowed   *store.Allowlist
	trust     *store.Trust
	memory    *store.Memory
	reminders *store.Reminders
	// past waits for what is stored of the session, which is read beside what
	// else the start takes.
	past func() (store.Past, error)
}

// goesOn reports whether the flags name a session that is there already.
func (p *plan) goesOn() bool { return p.flags.cont || p.flags.session != "" }

// openStore opens the database, unless that was done, and finds out which session
// the flags go on with: once, so that the model and what was said are those of the
// same one.
func (s *session) openStore(p *plan) error {
	if s.db != nil {
		return nil
	}
	began := time.Now()
	db, err := store.Open(p.recordPath(), time.Now)
	if err != nil {
		return &codedError{exitConfig, err}
	}
	s.closers = append(s.closers, db.Close)
	db.Hide(secrets())
	s.db = db
	p.noteRecord(db, began)
	if p.goesOn() {
		db.Ahead()
	}
	s.goesOnWith = p.flags.session
	if p.flags.cont {
		s.goesOnWith, _, err = db.Latest(p.dir)
	}
	return err
}

// openRecord opens the database and in it the session that the flags name, or
// a new one.
func openRecord(p *plan, s *session) (record, error) {
	if err := s.openStore(p); err != nil {
		return record{}, err
	}
	db, id := s.db, s.goesOnWith
	if p.flags.cont && id == "" {
		return record{}, usageErrorf("there is no earlier session in %s; zuno sessions --all lists those of other folders, and --session ID continues one here", p.dir)
	}
	r := record{allowed: db.Allowlist(p.root), trust: db.Trust(p.root), memory: db.Memory(p.root), reminders: db.Reminders()}
	var err error
	if id == "" {
		r.session, err = db.NewSession(store.Meta{Dir: p.dir, Repo: p.root, Model: s.model, Agent: p.profile.Name})
	} else {
		r.session, err = db.OpenSession(id)
	}
	if err != nil {
		if errors.Is(err, store.ErrNoSession) {
			return record{}, usageErrorf("%w", err)
		}
		return record{}, err
	}
	s.closers = append(s.closers, r.session.Close)
	r.reminders.Session = r.session.ID()
	r.allowed.Session, r.trust.Session, r.memory.Session = r.session.ID(), r.session.ID(), r.session.ID()
	s.journal = r.session
	r.past = func() (store.Past, error) { return store.Past{}, nil }
	if id == "" {
		return r, nil
	}
	if _, err := s.probe(); err != nil {
		return r, err
	}
	news, err := newsOf(r.session, p)
	if err != nil {
		return r, err
	}
	if s.briefing, err = briefing(r.session, news); err != nil {
		return r, err
	}
	r.past = sync.OnceValues(func() (store.Past, error) { return r.session.Load(news) })
	go func() { _, _ = r.past() }()
	s.closers = append(s.closers, func() error { // reading ends before the session does
		_, _ = r.past() // whoever asked has the error
		return nil
	})
	return r, nil
}
