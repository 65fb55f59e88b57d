package llm

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// A RetryPolicy says how transient failures are met. The zero value is the
// documented one: three attempts in all, one second before the second and two
// before the third (each shortened by up to half at random, 30 s at most), and
// a longer wait when the provider asks for one of at most 60 s.
type RetryPolicy struct {
	Attempts int           // in all; zero means 3
	Base     time.Duration // before the second attempt; zero means 1 s
	Cap      time.Duration // longest wait of our own; zero means 30 s
	MaxAfter time.Duration // longest wait a provider may ask for; zero means 60 s
	// Sleep waits for d or until ctx ends, whose error it then returns.
	Sleep func(ctx context.Context, d time.Duration) error
	// Rand returns a number in [0, 1).
	Rand func() float64
}

// Retrying returns m with the failures that may pass met by further attempts.
// It announces each through Delta.Retry before it waits. A context that ends
// stops the wait at once. It is the only place where model calls are repeated.
func Retrying(m Model, p RetryPolicy) Model {
	p.Attempts = orDefault(p.Attempts, 3)
	p.Base = orDefault(p.Base, time.Second)
	p.Cap = orDefault(p.Cap, 30*time.Second)
	p.MaxAfter = orDefault(p.MaxAfter, 60*time.Second)
	if p.Sleep == nil {
		p.Sleep = sleep
	}
	if p.Rand == nil {
		p.Rand = rand.Float64
	}
	return &retrier{m, p}
}

func orDefault[T int | time.Duration](v, d T) T {
	if v > 0 {
		return v
	}
	return d
}

type retrier struct {
	model  Model
	policy RetryPolicy
}

func (r *retrier) Stream(ctx context.Context, req Request, delta func(Delta)) (Message, error) {
	for attempt := 1; ; attempt++ {
		began := time.Now()
		m, err := r.model.Stream(ctx, req, delta)
		took := time.Since(began)
		var e *Error
		if err == nil || ctx.Err() != nil || !errors.As(err, &e) || !e.Temporary() || attempt >= r.policy.Attempts {
			return m, err
		}
		wait := r.wait(attempt)
		if e.After > r.policy.MaxAfter {
			named := *e
			named.Message = e.Message + " (" + waits(e.After) + ")"
			return m, &named
		}
		if e.After > 0 {
			wait = e.After
		}
		if delta != nil {
			delta(Delta{Retry: &Retry{Attempt: attempt + 1, Of: r.policy.Attempts, Wait: wait, Reason: e.Error(), Failed: m, Err: err, Took: took}})
		}
		if err := r.policy.Sleep(ctx, wait); err != nil {
			return Message{}, err
		}
	}
}

// wait returns the pause after the given attempt, counted from 1.
func (r *retrier) wait(attempt int) time.Duration {
	d := r.policy.Base
	for i := 1; i < attempt && d < r.policy.Cap; i++ {
		d *= 2
	}
	d = min(d, r.policy.Cap)
	return d - time.Duration(r.policy.Rand()*float64(d)/2)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
