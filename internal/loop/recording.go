package loop

import "errors"

// An unrecorded transition waits for the next commit: a decision that takes
// nobody else is recorded together with what it leads to.
type unrecorded struct {
	record func() error
	shown  func() // called when it is on record; nil for nothing
}

// note has a transition recorded with the next commit, and shown after it.
func (s *Session) note(record func() error, shown func()) {
	s.waiting = append(s.waiting, unrecorded{record, shown})
}

// commit records, in one commit, what was noted, and then shows it. With an
// error nothing of it is recorded or shown, and it is forgotten.
func (s *Session) commit() error {
	list := s.waiting
	s.waiting = nil
	if len(list) == 0 {
		return nil
	}
	err := s.conf.Journal.Together(func() error {
		for _, u := range list {
			if err := u.record(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, u := range list {
		if u.shown != nil {
			u.shown()
		}
	}
	return nil
}

// commitAny is commit for outcomes: when they cannot be recorded together, each
// that can be is by itself. Where nothing could be recorded in time that would take
// as long for each of them: all are tried once more.
func (s *Session) commitAny() error {
	list := s.waiting
	err := s.commit()
	var late interface{ Timeout() bool }
	switch {
	case err == nil:
		return nil
	case errors.As(err, &late) && late.Timeout():
		s.waiting = list
		return s.commit()
	case len(list) < 2:
		return err
	}
	var failure error
	for _, u := range list {
		s.waiting = []unrecorded{u}
		failure = errors.Join(failure, s.commit())
	}
	return failure
}
