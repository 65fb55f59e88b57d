package llm

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/zuno-dev/zuno/internal/reach"
)

// A Step says how far an answer has come.
type Step int

// The steps of an answer.
const (
	More   Step = iota // the answer is incomplete if the stream ends now
	Ending             // complete, but usage or a last marker may follow
	Done               // complete: nothing follows
)

// How long a server may take to send what follows a complete answer, and to
// end its response so that the connection can be used again.
const (
	endingWait = 3 * time.Second
	drainWait  = 25 * time.Millisecond
)

// Bytes read of an error's body. Servers send megabytes.
const maxErrorBody = 64 << 10

var errStalled = errors.New("stalled")

// Stream posts body and passes the events of the answer to handle, on the
// calling goroutine, until handle says Done, fails, or the stream ends. It
// returns nil only for an answer that was complete; else the error of the
// context, that of handle, or an *[Error].
func (e *Endpoint) Stream(ctx context.Context, address string, header http.Header, body Body, handle func(Event) (Step, error)) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	req, err := e.request(inner, address, header, body)
	if err != nil {
		return &Error{Kind: Rejected, Provider: e.Provider, Message: e.clean("the address " + address + " cannot be used: " + plain(err)), Err: err}
	}
	resp, err := e.HTTP.Do(req)
	if err != nil {
		if p := reach.Explain(err, req.URL); p != nil && ctx.Err() == nil {
			return e.barred(p)
		}
		return e.broken(ctx, inner, "cannot reach "+req.URL.Host, err)
	}
	defer func() { _ = resp.Body.Close() }()
	w := &watchdog{r: resp.Body, idle: e.Idle, timer: time.AfterFunc(e.Idle, func() { cancel(errStalled) })}
	defer w.timer.Stop()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		// What cannot be read of an error's body only shortens its message.
		text, _ := io.ReadAll(io.LimitReader(w, maxErrorBody))
		if err := ctx.Err(); err != nil {
			return err
		}
		if p := reach.Refused(resp, req.URL); p != nil {
			return e.barred(p)
		}
		return e.Failure(resp.StatusCode, resp.Header, text)
	}
	r := bufio.NewReaderSize(w, 16<<10)
	step, err := e.events(r, w, handle)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case step == Done:
		w.wait(drainWait)
		_, _ = io.Copy(io.Discard, io.LimitReader(r, maxErrorBody))
		return nil
	case step == Ending && (err == nil || !isError(err)):
		return nil
	case err != nil && isError(err):
		return err
	case err != nil:
		// The provider was reached: its address is not what is wrong.
		err = e.broken(ctx, inner, "the stream broke off", err)
		if f := (*Error)(nil); errors.As(err, &f) && f.Kind == Transport {
			f.Kind = Incomplete
		}
		return err
	}
	return &Error{Kind: Incomplete, Provider: e.Provider, Message: "the stream ended before the answer was complete"}
}

// events feeds handle until it is done, the stream ends or something fails.
func (e *Endpoint) events(r *bufio.Reader, w *watchdog, handle func(Event) (Step, error)) (Step, error) {
	next, err := reader(r)
	if err != nil {
		return More, err
	}
	step := More
	for step != Done {
		ev, err := next()
		if errors.Is(err, io.EOF) {
			return step, nil
		}
		if err != nil {
			return step, err
		}
		if ev.Whole && bytes.HasPrefix(ev.Data, []byte("<")) {
			return step, &Error{Kind: Rejected, Provider: e.Provider, Message: "the server sent HTML; check the base URL"}
		}
		s, err := handle(ev)
		if err != nil {
			return step, err
		}
		if s > step {
			step = s
			w.wait(min(w.idle, endingWait))
		}
	}
	return step, nil
}

// reader tells a stream from a single JSON document, which servers send
// despite stream=true and under any content type, and from a page of HTML.
func reader(r *bufio.Reader) (func() (Event, error), error) {
	first, err := firstByte(r)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return func() (Event, error) { return Event{}, io.EOF }, nil
		}
		return nil, err
	}
	if first != '{' && first != '[' && first != '<' {
		return newEvents(r).Next, nil
	}
	read := false
	return func() (Event, error) {
		if read {
			return Event{}, io.EOF
		}
		read = true
		doc, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
		if err != nil {
			return Event{}, err
		}
		if len(doc) > maxEvent {
			return Event{}, errTooLarge
		}
		return Event{Data: bytes.TrimSpace(doc), Whole: true}, nil
	}, nil
}

// firstByte returns the first byte that is neither white space nor part of a
// byte order mark, without consuming it.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.Peek(1)
		if err != nil {
			return 0, err
		}
		switch {
		case bytes.ContainsAny(b, " \t\r\n"):
			_, _ = r.Discard(1)
		case b[0] == byteOrderMark[0]:
			if m, err := r.Peek(3); err != nil || string(m) != byteOrderMark {
				return b[0], nil
			}
			_, _ = r.Discard(3)
		default:
			return b[0], nil
		}
	}
}

// barred is the error of a request that did not get as far as the server.
func (e *Endpoint) barred(p *reach.Problem) *Error {
	f := &Error{Kind: Transport, Provider: e.Provider, Message: e.clean(p.Text), Err: p}
	if p.Lasting {
		f.Kind = Barred
	}
	return f
}

// broken explains why a request or its stream failed.
func (e *Endpoint) broken(ctx, inner context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f := &Error{Kind: Transport, Provider: e.Provider, Err: err}
	switch {
	case errors.Is(context.Cause(inner), errStalled):
		f.Kind = Stalled
		f.Message = fmt.Sprintf("the stream sent nothing for %s", e.Idle)
	case errors.Is(err, errTooLarge):
		f.Kind = Rejected
		f.Message = errTooLarge.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		f.Kind = Incomplete
		f.Message = "the connection was closed before the answer was complete"
	default:
		f.Message = e.clean(what + ": " + plain(err))
	}
	return f
}

// plain returns the words of err without those that repeat the address.
func plain(err error) string {
	err = reach.Plain(err)
	var dns *net.DNSError
	var call *os.SyscallError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "there is no host of that name"
	case errors.As(err, &call):
		return call.Err.Error()
	}
	return err.Error()
}

func isError(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

// A watchdog is a reader that must not be silent for longer than idle.
type watchdog struct {
	r     io.Reader
	idle  time.Duration
	timer *time.Timer
}

func (w *watchdog) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if n > 0 {
		w.timer.Reset(w.idle)
	}
	return n, err
}

// wait makes d the time that the reader may be silent from now on.
func (w *watchdog) wait(d time.Duration) {
	w.idle = d
	w.timer.Reset(d)
}
