package watch

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// Client returns c with its requests logged: where they go to, how they are
// answered, how long that takes and how many bytes it has. Neither the path of
// an address nor a header nor a body is.
func (w *Watch) Client(c *http.Client) *http.Client {
	if w == nil {
		return c
	}
	looked := *c
	next := c.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	looked.Transport = &requests{next, w, &atomic.Int64{}}
	return &looked
}

type requests struct {
	next  http.RoundTripper
	watch *Watch
	count *atomic.Int64
}

// CloseIdleConnections closes those of the transport.
func (r *requests) CloseIdleConnections() {
	if c, ok := r.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// RoundTrip sends one request; see [http.RoundTripper].
func (r *requests) RoundTrip(req *http.Request) (*http.Response, error) {
	log := r.watch.log.With("request", r.count.Add(1))
	log.Info("request", "method", req.Method, "host", req.URL.Host, "bytes", req.ContentLength)
	began := time.Now()
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		log.Info("request failed", "ms", time.Since(began), "error", err)
		return nil, err
	}
	log.Info("request answered", "status", resp.StatusCode, "protocol", resp.Proto, "ms", time.Since(began))
	resp.Body = &body{ReadCloser: resp.Body, done: func(n int64, err error) {
		attrs := []any{"bytes", n, "ms", time.Since(began)}
		if err != nil {
			attrs = append(attrs, "error", err)
		}
		log.Info("answer read", attrs...)
	}}
	return resp, nil
}

// A body counts what is read of it, and says so once.
type body struct {
	io.ReadCloser
	done func(n int64, err error)
	n    int64
	err  error // of reading, but not the end
}

// Read reads; see [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, err
}

// Close closes; see [io.Closer].
func (b *body) Close() error {
	if b.done != nil {
		b.done(b.n, b.err)
		b.done = nil
	}
	return b.ReadCloser.Close()
}
