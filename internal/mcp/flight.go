package mcp

import "context"

// depart notes that a request of the session is on its way to the server, until
// what it returns is called.
func (l *link) depart() (arrived func()) {
	f := make(chan struct{})
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.flights == nil {
		l.flights = map[chan struct{}]struct{}{}
	}
	l.flights[f] = struct{}{}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.flights, f)
		close(f)
	}
}

// within returns the context of a question of the server. A server asks because
// of a request, and the protocol does not say of which: the question is withdrawn
// when all that were on their way have ended, whether or not the server thinks of
// it. One that it asks out of the blue lasts as long as ctx.
func (l *link) within(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	l.mu.Lock()
	flights := make([]chan struct{}, 0, len(l.flights))
	for f := range l.flights {
		flights = append(flights, f)
	}
	l.mu.Unlock()
	if len(flights) == 0 {
		return ctx, cancel
	}
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for _, f := range flights {
			select {
			case <-f:
			case <-ctx.Done():
				return
			}
		}
		cancel()
	}()
	return ctx, func() { cancel(); <-watched }
}
