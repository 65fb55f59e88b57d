package main

import (
	"errors"
	"sync"

	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tui"
)

// An inbox is the messages of a session that wait: the turn takes them up at one
// end while the person changes them at the other.
type inbox struct {
	journal *store.Session
	expand  func(string) string // what a text stands for

	mu    sync.Mutex     // guards what follows
	taken map[int64]bool // what the turn is about to record: nobody takes it back any more
}

// Steering is the turn's.
func (b *inbox) Steering() ([]loop.Queued, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	all, err := b.journal.Queue()
	var list []loop.Queued
	for _, q := range all {
		if q.Steers {
			list = append(list, loop.Queued{ID: q.ID, Text: b.expand(q.Text)})
			b.take(q.ID)
		}
	}
	return list, err
}

// Admit is the turn's.
func (b *inbox) Admit(ids ...int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		b.take(id)
	}
	b.journal.Admit(ids...)
}

func (b *inbox) take(id int64) {
	if b.taken == nil {
		b.taken = map[int64]bool{}
	}
	b.taken[id] = true
}

// release forgets what a turn that is over meant to record: what it did not is
// still there.
func (b *inbox) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken = nil
}

// Put, Take and Raise are the person's.
func (b *inbox) Put(text string, steers bool) (int64, error) { return b.journal.Enqueue(text, steers) }

// Take removes a message.
func (b *inbox) Take(id int64) (bool, error) { return b.change(id, b.journal.Dequeue) }

// Raise puts a message before all others.
func (b *inbox) Raise(id int64) (bool, error) { return b.change(id, b.journal.Raise) }

func (b *inbox) change(id int64, do func(int64) (bool, error)) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken[id] {
		return false, nil
	}
	return do(id)
}

// waiting is what an earlier run left. A session of which nothing is stored has
// nothing.
func (b *inbox) waiting() ([]tui.Waiting, error) {
	all, err := b.journal.Queue()
	var list []tui.Waiting
	for _, q := range all {
		list = append(list, tui.Waiting{ID: q.ID, Text: q.Text, Steers: q.Steers})
	}
	if err != nil {
		err = errors.Join(errors.New("what waited from before is not shown"), err)
	}
	return list, err
}
