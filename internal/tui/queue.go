package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Queue keeps the messages of a session that wait, so that the end of the
// process loses none. Its methods write to the record and are called from
// goroutines of the UI's, one at a time but while a turn takes messages up.
type Queue interface {
	// Put stores a message behind the others. One that steers goes into the turn
	// that runs.
	Put(text string, steers bool) (id int64, err error)
	// Take removes a message, and Raise puts it before all others. They return
	// false when it was taken up already.
	Take(id int64) (bool, error)
	Raise(id int64) (bool, error)
}

// A Waiting is a message that an earlier run of the session left in its Queue.
type Waiting struct {
	ID     int64
	Text   string // as it was typed
	Steers bool
}

func (w Waiting) prompt() prompt {
	p := promptOf(w.Text)
	p.id, p.steers = w.ID, w.Steers
	return p
}

// typed is a prompt as it was typed.
func (p prompt) typed() string {
	if p.operator {
		return "! " + p.text
	}
	return p.text
}

// A queue is the messages that wait, as far as the screen knows.
type queue struct {
	list   []prompt
	paused bool // it waits for the person
	made   int
	stores bool           // a message is being stored
	gone   map[int64]bool // taken up by the turn before it was known that they are stored
}

func (q *queue) add(p prompt) {
	q.made++
	p.n = q.made
	q.list = append(q.list, p)
}

// index returns where the message n is, -1 when it is gone.
func (q *queue) index(n int) int {
	return slices.IndexFunc(q.list, func(p prompt) bool { return p.n == n })
}

func (q *queue) remove(n int) {
	q.list = slices.DeleteFunc(q.list, func(p prompt) bool { return p.n == n })
	q.paused = q.paused && len(q.list) > 0
}

// takenUp follows a turn that took a message up while it ran.
func (q *queue) takenUp(id int64) {
	if id == 0 {
		return
	}
	if i := slices.IndexFunc(q.list, func(p prompt) bool { return p.id == id }); i >= 0 {
		q.remove(q.list[i].n)
		return
	}
	if q.gone == nil {
		q.gone = map[int64]bool{}
	}
	q.gone[id] = true
}

// next starts the first message that waits when nothing runs.
func (s *screen) next(now time.Time) {
	q := &s.queue
	if s.busy || q.paused || s.ready == nil || len(q.list) == 0 || q.list[0].held || s.quitting {
		return
	}
	p := q.list[0]
	q.remove(p.n)
	s.run(p, now)
}

// store has the messages that wait stored, one after the other, so that they
// keep their order.
func (s *screen) store() {
	q := &s.queue
	if q.stores || s.ready == nil || s.ready.Queue == nil {
		return
	}
	i := slices.IndexFunc(q.list, func(p prompt) bool { return p.id == 0 && !p.lost })
	if i < 0 {
		return
	}
	q.stores, q.list[i].held = true, true
	p, kept := q.list[i], s.ready.Queue
	s.host.fetch(func() tea.Msg {
		id, err := kept.Put(p.typed(), p.steers)
		return fetchedMsg{func(s *screen) { s.stored(p.n, id, err) }}
	})
}

func (s *screen) stored(n int, id int64, err error) {
	q := &s.queue
	q.stores = false
	if i := q.index(n); i >= 0 {
		p := &q.list[i]
		p.id, p.held, p.lost = id, false, err != nil
		switch {
		case err != nil:
			p.steers = false
			s.hint = "the message waits, but not through a crash: " + plainLine(err.Error())
		case q.gone[id]:
			if p.wish != nil {
				s.hint = tooLate
			}
			q.remove(n)
		}
	}
	delete(q.gone, id)
	s.grant(n)
	s.store()
	s.next(s.now())
}

// unqueue takes the newest message that waits back into the composer.
func (s *screen) unqueue() {
	switch n := len(s.queue.list); {
	case n == 0:
		s.hint = "nothing waits"
	case !s.composer.buf.empty():
		s.hint = "there is a draft: " + s.keyOf(cmdStash) + " puts it aside"
	default:
		s.takeBack(s.queue.list[n-1].n, true)
	}
}

const tooLate = "it was taken up meanwhile"

// takeBack takes a message out of the queue, for editing or for good.
func (s *screen) takeBack(n int, edits bool) {
	s.reorder(n, func(q Queue, id int64) (bool, error) { return q.Take(id) }, func(p prompt) {
		s.queue.remove(n)
		if !edits {
			return
		}
		if !s.composer.buf.empty() {
			s.composer.putAside()
		}
		s.composer.buf.set(p.typed())
	})
}

// raise puts a message before all others.
func (s *screen) raise(n int) {
	s.reorder(n, func(q Queue, id int64) (bool, error) { return q.Raise(id) }, func(p prompt) {
		i := s.queue.index(n)
		s.queue.list = slices.Insert(slices.Delete(s.queue.list, i, i+1), 0, p)
	})
}

// reorder does something with a message that waits: first in the record, where
// it is there, and then here. It does not start meanwhile; what is wished for
// meanwhile, the last wish of several, follows.
func (s *screen) reorder(n int, first func(q Queue, id int64) (bool, error), then func(prompt)) {
	i := s.queue.index(n)
	switch {
	case i < 0:
		s.hint = tooLate
		return
	case s.queue.list[i].held:
		s.queue.list[i].wish = func() { s.reorder(n, first, then) }
		return
	case s.queue.list[i].id == 0 || s.ready == nil || s.ready.Queue == nil:
		then(s.queue.list[i])
		return
	}
	s.queue.list[i].held = true
	kept, id := s.ready.Queue, s.queue.list[i].id
	s.host.fetch(func() tea.Msg {
		is, err := first(kept, id)
		return fetchedMsg{func(s *screen) { s.reordered(n, is, err, then) }}
	})
}

func (s *screen) reordered(n int, is bool, err error, then func(prompt)) {
	i := s.queue.index(n)
	switch {
	case i < 0:
		s.hint = tooLate
	case err != nil:
		s.queue.list[i].held = false
		s.hint = plainLine(err.Error())
	case !is:
		s.queue.remove(n)
		s.hint = tooLate
	default:
		s.queue.list[i].held = false
		then(s.queue.list[i])
	}
	s.grant(n)
	s.next(s.now())
}

// grant does with a message what was wished for while it was held.
func (s *screen) grant(n int) {
	i := s.queue.index(n)
	if i < 0 || s.queue.list[i].wish == nil {
		return
	}
	wish := s.queue.list[i].wish
	s.queue.list[i].wish = nil
	wish()
}
