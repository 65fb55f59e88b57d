package loop

import (
	"errors"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
)

// A Cost is what a model call cost that a tool made.
type Cost struct {
	Purpose, Model string
	Usage          llm.Usage
	Price          llm.Price
	Took           time.Duration
}

// A Bill collects what model calls of tools cost until the turn records it. The
// zero value is ready, and it may be used from any goroutine.
type Bill struct {
	mu   sync.Mutex // guards open
	open []Cost
}

// Add notes a cost.
func (b *Bill) Add(c Cost) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = append(b.open, c)
}

func (b *Bill) take() []Cost {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.open
	b.open = nil
	return list
}

// charge records what the tools' model calls cost since the last time.
func (s *Session) charge() error {
	var errs error
	for _, c := range s.conf.Bill.take() {
		errs = errors.Join(errs, s.Spend(c.Purpose, c.Model, c.Usage, c.Price, c.Took))
	}
	return errs
}
