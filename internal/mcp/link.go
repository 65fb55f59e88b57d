package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// How long a server that failed is left alone: twice as long each time, and no
// longer than the second.
const (
	firstPause = time.Second
	longest    = time.Minute
)

// maxEchoes is how often a server is believed that its list has changed when
// nothing in it has.
const maxEchoes = 2

// A link is the connection to one server, or its absence.
type link struct {
	client *Client
	server Server
	hash   string // of the definition

	mu      sync.Mutex   // guards what follows
	list    *Listing     // nil when nothing is known
	access  *AccessError // why the latest attempt failed, when it is that
	wasLate string       // why it was not ready in time at an earlier start
	conn    *conn        // nil when there is no connection
	attempt *attempt     // nil when none is being made
	failed  error        // of the latest attempt, or how the latest connection ended
	pause   time.Duration
	again   time.Time // no attempt before
	stale   bool      // the server says that its list has changed
	echoes  int       // how often it said so while it was asked, and nothing was new
	closed  bool
	flights map[chan struct{}]struct{} // of the requests that are out, each closed at its end
}

// An attempt is a connection being made.
type attempt struct {
	done chan struct{} // closed at its end; then
	err  error         // says whether it failed
}

// remember takes what the cache keeps.
func (l *link) remember(dir string) {
	if c := readCache(dir, l.hash); c.Server == l.server.Name {
		l.list, l.wasLate = c.Listing, c.Late
	}
}

func (l *link) listing() *Listing {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list
}

func (l *link) attempting() *attempt {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.attempt
}

// late reports whether the server was not ready in time at an earlier start.
func (l *link) late() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wasLate != ""
}

// begin makes a connection in the background, where there is none, and returns
// the attempt; nil when there is a connection. The error is why it is not tried
// now.
func (l *link) begin() (*attempt, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return nil, errors.New("the session has ended")
	case l.conn != nil:
		return nil, nil
	case l.attempt != nil:
		return l.attempt, nil
	}
	if left := time.Until(l.again); left > 0 {
		return nil, fmt.Errorf("%w (it is tried again in %s)", l.failed, left.Round(100*time.Millisecond))
	}
	a := &attempt{done: make(chan struct{})}
	l.attempt, l.stale, l.echoes = a, false, 0
	l.client.work.Go(func() { l.try(a) })
	return a, nil
}

// connect returns a connection that works, made now where there is none. It
// waits no longer than the server may take and ctx lasts; the attempt goes on.
func (l *link) connect(ctx context.Context) (*conn, error) {
	a, err := l.begin()
	if err != nil {
		return nil, err
	}
	if a != nil {
		timer := time.NewTimer(l.server.wait())
		defer timer.Stop()
		select {
		case <-a.done:
		case <-timer.C:
			return nil, l.slow()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if a.err != nil {
			return nil, a.err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		return nil, l.failed // it has died since
	}
	return l.conn, nil
}

// slow notes that the server is not ready in time, also for the next start.
func (l *link) slow() error {
	err := fmt.Errorf("it is not ready after %s; zuno goes on waiting for it in the background", l.server.wait())
	l.tardy(err.Error())
	return err
}

// tardy keeps why the server was not ready in time, for the next start.
func (l *link) tardy(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.attempt == nil {
		return // it was quicker after all: that it is ready, or why it failed, is known
	}
	l.wasLate = why
	l.keep()
}

// keep writes what is known to the cache; l.mu is held. That it cannot be
// written costs a connection at the next start, and nothing else.
func (l *link) keep() {
	_ = writeCache(l.client.conf.Cache, l.hash, cached{V: cacheForm, Server: l.server.Name, Listing: l.list, Late: l.wasLate})
}

// try makes a connection and asks for what the server offers.
func (l *link) try(a *attempt) {
	ctx, cancel := context.WithTimeoutCause(l.client.ctx, max(startLimit, l.server.wait()), errNotReady)
	defer cancel()
	select {
	case l.client.slots <- struct{}{}:
		defer func() { <-l.client.slots }()
	case <-ctx.Done():
	}
	began := time.Now()
	c, list, err := l.dial(ctx)
	l.noteEnd("connected", "connection failed", err, time.Since(began))
	l.mu.Lock()
	l.attempt = nil
	if err == nil && l.closed {
		err = errors.New("the session has ended")
		l.mu.Unlock()
		c.end() // nobody is left to hear of it
		l.mu.Lock()
	}
	if err != nil {
		l.fail(err)
		if l.list == nil && l.client.ctx.Err() == nil && l.access == nil { // a login takes no time, and an end of ours is no failure
			l.wasLate = err.Error()
			l.keep()
		}
	} else {
		l.conn, l.list, l.failed, l.access = c, list, nil, nil
		if l.wasLate = ""; time.Since(began) > l.server.wait() {
			l.wasLate = fmt.Sprintf("it took %s to be ready", time.Since(began).Round(time.Second))
		}
		l.keep()
		l.client.work.Go(func() { l.watch(c) })
	}
	l.mu.Unlock()
	a.err = err
	close(a.done)
}

var errNotReady = errors.New("it did not get ready")

// fail notes a failure and when to try again; l.mu is held.
func (l *link) fail(err error) {
	l.failed, l.access = err, nil
	_ = errors.As(err, &l.access)
	l.pause = min(max(2*l.pause, firstPause), longest)
	l.again = time.Now().Add(l.pause)
}

// watch waits for the end of a connection. One that lasted a while may be made
// again at once.
func (l *link) watch(c *conn) {
	err := c.over()
	status := c.end()
	why := c.explain(errors.Join(errors.New("the connection ended"), err), status)
	l.note("connection ended", why.Error(), time.Since(c.since))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != c {
		return
	}
	l.conn = nil
	if time.Since(c.since) > longest {
		l.pause = 0
	}
	l.fail(why)
}

// dropped gives up a connection when err says that the server does not know it any
// more, and reports whether it does. The next use makes another at once.
func (l *link) dropped(c *conn, err error) bool {
	var r *refusal
	if !errors.As(err, &r) || !r.lost {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == c && !l.closed {
		l.conn = nil
		l.client.work.Go(func() { c.end() })
	}
	return true
}

// close ends the connection for good.
func (l *link) close() error {
	l.mu.Lock()
	l.closed = true
	c := l.conn
	l.mu.Unlock()
	if c == nil {
		return nil
	}
	c.end()
	return nil
}

// change notes that the server's list has changed. The list is asked for before
// the next request to the model, so that a server that says it a thousand times
// is asked once.
func (l *link) change() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stale = true
}

// renew asks for the list of a connected server that has changed it.
func (l *link) renew(ctx context.Context) {
	l.mu.Lock()
	c, stale := l.conn, l.stale
	l.stale = false
	l.mu.Unlock()
	if c == nil || !stale {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, refresh)
	defer cancel()
	fresh, err := list(ctx, c.session)
	if l.dropped(c, err) {
		return // connecting anew asks for it
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.stale = true // the next request asks again
		return
	}
	// A server that says that its list has changed whenever it is asked for it
	// would be asked for ever.
	if !l.stale || !l.list.same(fresh) {
		l.echoes = 0
	} else if l.echoes++; l.echoes >= maxEchoes {
		l.stale = false
	}
	l.list = fresh
	l.keep()
}
