package loop

import (
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

// Spend records and shows what a model call cost. The classifier's calls come
// through here too: it runs on the goroutine of the turn.
func (s *Session) Spend(purpose, model string, u llm.Usage, price llm.Price, took time.Duration) error {
	s.charge(Cost{purpose, model, u, price, took})
	return s.commit()
}

// charge notes costs, which are recorded with what comes next.
func (s *Session) charge(costs ...Cost) {
	for _, c := range costs {
		if c.Usage == (llm.Usage{}) {
			continue
		}
		cost := c.Price.Cost(c.Usage)
		s.note(func() error { return s.conf.Journal.Used(c.Purpose, c.Model, c.Usage, cost, c.Took) }, func() {
			if s.emit != nil {
				s.emit(Used{Purpose: c.Purpose, Model: c.Model, Usage: c.Usage, Cost: cost, Took: c.Took})
			}
		})
	}
}
