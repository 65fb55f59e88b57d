// Package telemetry exports spans to an OpenTelemetry collector: OTLP over HTTP,
// in its JSON form. It is off unless the person's own configuration switches it
// on. Spans carry names, numbers and outcomes; whoever makes them puts no text
// of a conversation into them.
//
// Nothing waits for a collector: spans go into a bounded queue, what does not
// fit or cannot be delivered is dropped and counted, and the end of the program
// waits a second at most.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// queued is how many spans wait at most, and batch how many one request has.
	queued, batch = 2048, 256
	// pause is how long a batch waits for more, and flush how long the end of the
	// program waits for what is left.
	pause, flush = time.Second, time.Second
)

// An Exporter sends spans. A nil one makes none. It may be used from any
// goroutine.
type Exporter struct {
	conf   Config
	queue  chan *Span
	stop   chan struct{} // closed by Close
	done   chan struct{} // closed when nothing is sent any more
	ctx    context.Context
	cancel context.CancelFunc
	once   sync.Once

	sent, dropped atomic.Int64

	mu  sync.Mutex // guards err
	err error      // the first
}

// New returns an exporter, which runs until it is closed.
func New(c Config) *Exporter {
	e := &Exporter{conf: c, queue: make(chan *Span, queued), stop: make(chan struct{}), done: make(chan struct{})}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	go e.run()
	return e
}

// Close sends what is left, for a second at most. The error says how many spans
// were not delivered, and why the first was not.
func (e *Exporter) Close() error {
	if e == nil {
		return nil
	}
	e.once.Do(func() {
		close(e.stop)
		timer := time.AfterFunc(flush, e.cancel)
		defer timer.Stop()
		<-e.done
		e.cancel()
		for len(e.queue) > 0 { // put while it was closed
			<-e.queue
			e.dropped.Add(1)
		}
		e.conf.Client.CloseIdleConnections()
	})
	n := e.dropped.Load()
	if n == 0 {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.err = errors.New("the queue was full")
	}
	return fmt.Errorf("telemetry: %d of %d spans were not delivered: %w", n, n+e.sent.Load(), e.err)
}

// run sends batches until the exporter is closed and the queue empty.
func (e *Exporter) run() {
	defer close(e.done)
	for {
		select {
		case s := <-e.queue:
			e.post(e.gather(s))
		case <-e.stop:
			for {
				select {
				case s := <-e.queue:
					e.post(e.gather(s))
				default:
					return
				}
			}
		}
	}
}

// gather returns first and what comes soon behind it.
func (e *Exporter) gather(first *Span) []*Span {
	list := []*Span{first}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for len(list) < batch {
		select {
		case s := <-e.queue:
			list = append(list, s)
			continue
		default:
		}
		select {
		case s := <-e.queue:
			list = append(list, s)
		case <-timer.C:
			return list
		case <-e.stop:
			return list
		}
	}
	return list
}

// put queues a span that has ended.
func (e *Exporter) put(s *Span) {
	select {
	case <-e.stop:
	default:
		select {
		case e.queue <- s:
			return
		default:
		}
	}
	e.dropped.Add(1)
}

// lost counts spans that could not be delivered.
func (e *Exporter) lost(n int, err error) {
	e.dropped.Add(int64(n))
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.err = err
	}
}
