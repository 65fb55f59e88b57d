package llm

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// failing answers with the given errors in turn, and then well.
type failing struct {
	errs  []error
	asked int
}

func (f *failing) Stream(_ context.Context, _ Request, delta func(Delta)) (Message, error) {
	f.asked++
	if delta != nil {
		delta(Delta{Text: "x"})
	}
	m := Message{Parts: []Part{{Kind: Text, Text: "x"}}}
	if f.asked <= len(f.errs) {
		return m, f.errs[f.asked-1]
	}
	return m, nil
}

func of(kind ErrorKind, after time.Duration) error {
	return &Error{Kind: kind, Provider: "p", Message: "words", After: after}
}

// TestTransientFailuresAreTriedAgain is C093, with those that follow.
func TestTransientFailuresAreTriedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		errs  []error
		waits []time.Duration
		kind  ErrorKind // of the error that surfaces, -1 for none
	}{
		"none":            {nil, nil, -1},
		"one":             {[]error{of(Overloaded, 0)}, []time.Duration{time.Second}, -1},
		"two":             {[]error{of(Transport, 0), of(Incomplete, 0)}, []time.Duration{time.Second, 2 * time.Second}, -1},
		"three":           {[]error{of(Stalled, 0), of(RateLimit, 0), of(Overloaded, 0)}, []time.Duration{time.Second, 2 * time.Second}, Overloaded},
		"asked to wait":   {[]error{of(RateLimit, 7*time.Second), of(RateLimit, 60*time.Second)}, []time.Duration{7 * time.Second, 60 * time.Second}, -1},
		"asked for hours": {[]error{of(RateLimit, 2*time.Hour)}, nil, RateLimit},
		"quota":           {[]error{of(Quota, time.Second)}, nil, Quota},
		"no key":          {[]error{of(Auth, 0)}, nil, Auth},
		"too long":        {[]error{of(TooLong, 0)}, nil, TooLong},
		"rejected":        {[]error{of(Rejected, 0)}, nil, Rejected},
		"no model":        {[]error{of(NoModel, 0)}, nil, NoModel},
		"not an Error":    {[]error{errors.New("other")}, nil, -1},
	} {
		t.Run(name, func(t *testing.T) {
			var slept, announced []time.Duration
			m := &failing{errs: c.errs}
			policy := RetryPolicy{
				Rand:  func() float64 { return 0 },
				Sleep: func(_ context.Context, d time.Duration) error { slept = append(slept, d); return nil },
			}
			got, err := Retrying(m, policy).Stream(t.Context(), Request{}, func(d Delta) {
				if d.Retry != nil {
					if d.Retry.Attempt != len(announced)+2 || d.Retry.Of != 3 || d.Retry.Reason != "p: words" {
						t.Errorf("announced %+v", d.Retry)
					}
					announced = append(announced, d.Retry.Wait)
				}
			})
			if !slices.Equal(slept, c.waits) || !slices.Equal(announced, c.waits) || m.asked != len(c.waits)+1 {
				t.Errorf("slept %v, announced %v, asked %d times", slept, announced, m.asked)
			}
			var e *Error
			if errors.As(err, &e) != (c.kind >= 0) || e != nil && e.Kind != c.kind {
				t.Errorf("got %v", err)
			}
			if got.Text() != "x" {
				t.Error("the partial answer is gone")
			}
		})
	}
}

func TestAWaitOfHoursIsNamed(t *testing.T) {
	_, err := Retrying(&failing{errs: []error{of(RateLimit, 2*time.Hour)}}, RetryPolicy{}).Stream(t.Context(), Request{}, nil)
	if err == nil || !strings.Contains(err.Error(), "2h0m0s") {
		t.Errorf("got %v", err)
	}
}

func TestJitterShortensTheWaitByHalfAtMost(t *testing.T) {
	r := retrier{policy: RetryPolicy{Base: time.Second, Cap: 30 * time.Second, Rand: func() float64 { return 1 }}}
	for attempt, want := range map[int]time.Duration{1: time.Second / 2, 2: time.Second, 3: 2 * time.Second, 6: 15 * time.Second, 99: 15 * time.Second} {
		if got := r.wait(attempt); got != want {
			t.Errorf("after attempt %d: %s", attempt, got)
		}
	}
}

func TestCancellingEndsTheWaitAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := &failing{errs: []error{of(Overloaded, 0)}}
	_, err := Retrying(m, RetryPolicy{Base: time.Hour, Cap: time.Hour}).Stream(ctx, Request{}, func(d Delta) {
		if d.Retry != nil {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || m.asked != 1 {
		t.Errorf("got %v after %d attempts", err, m.asked)
	}
}
