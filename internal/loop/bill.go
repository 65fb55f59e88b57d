package loop

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
)

// A Cost is an attempt at a model call, and what it came to.
type Cost struct {
	Purpose, Model string
	Usage          llm.Usage
	Price          llm.Price
	Took           time.Duration
	// Err is why there was no answer.
	Err error
}

// expense is c as it is recorded, and false when c can have cost nothing.
func (c Cost) expense() (llm.Expense, bool) {
	x := llm.Expense{Purpose: c.Purpose, Model: c.Model, Usage: c.Usage, Cost: c.Price.Cost(c.Usage), Took: c.Took}
	none := c.Usage == (llm.Usage{})
	x.Unreported = none || c.Err != nil
	if c.Err == nil {
		return x, true
	}
	x.Failure = "interrupted"
	var e *llm.Error
	if errors.As(c.Err, &e) {
		x.Failure = e.Kind.String() + ": " + e.Error()
		return x, !none || e.Billable()
	}
	// Nobody knows how far a request got that was interrupted. A pause before one
	// names no model.
	return x, !none || c.Model != "" && (errors.Is(c.Err, context.Canceled) || errors.Is(c.Err, context.DeadlineExceeded))
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
func (s *Session) Spend(c Cost) error {
	s.charge(c)
	return s.commit()
}

// charge notes costs, which are recorded with what comes next.
func (s *Session) charge(costs ...Cost) {
	for _, c := range costs {
		x, ok := c.expense()
		if !ok {
			continue
		}
		s.note(func() error { return s.conf.Journal.Used(x) }, func() {
			if s.emit != nil {
				s.emit(Used(x))
			}
		})
	}
}

// retried notes what the attempt cost that another follows.
func (s *Session) retried(purpose string, price llm.Price, r *llm.Retry) {
	s.charge(Cost{Purpose: purpose, Model: r.Failed.Model, Usage: r.Failed.Usage, Price: price, Took: r.Took, Err: r.Err})
}
