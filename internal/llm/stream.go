package llm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
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

var (
	errStalled = errors.New("stalled")
	errQuiet   = errors.New("quiet")
)

// Stream posts body and passes the events of the answer to handle, on the
// calling goroutine, until handle says Done, fails, or the stream ends. It
// returns nil only for an answer that was complete; else the error of the
// context, that of handle, or an *[Error].
func (e *Endpoint) Stream(ctx context.Context, address string, header http.Header, body Body, handle func(Event) (Step, error)) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	req, err := e.request(inner, address, header, body)
	if err != nil {
		return &Error{Kind: Rejected, Provider: e.Provider, Message: e.clean("the address " + address + " cannot be used: " + plainly(err)), Err: err}
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
	quiet := time.AfterFunc(e.Quiet, func() { cancel(errQuiet) })
	defer quiet.Stop()
	plain, err := e.plain(resp, w)
	if err != nil {
		return err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		// What cannot be read of an error's body only shortens its message.
		text, _ := io.ReadAll(io.LimitReader(plain, maxErrorBody))
		if err := ctx.Err(); err != nil {
			return err
		}
		if p := reach.Refused(resp, req.URL); p != nil {
			return e.barred(p)
		}
		return e.Failure(resp.StatusCode, resp.Header, text)
	}
	r := bufio.NewReaderSize(plain, 16<<10)
	step, err := e.events(r, w, func(ev Event) (Step, error) {
		quiet.Reset(e.Quiet)
		return handle(ev)
	})
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

// plain returns the body of an answer as it was before it was compressed, which is
// not asked for: some proxies do it all the same.
func (e *Endpoint) plain(resp *http.Response, body io.Reader) (io.Reader, error) {
	switch coding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))); coding {
	case "", "identity":
		return body, nil
	case "gzip", "x-gzip":
		return &unzipped{from: body}, nil
	default:
		return nil, &Error{Kind: Rejected, Provider: e.Provider, Status: resp.StatusCode, Message: e.clean("the answer comes compressed as " + coding + ", which was not asked for: something on the way does that, such as a proxy")}
	}
}

// An unzipped reads the header of what it unpacks when it is first read, which may
// be long after the answer began.
type unzipped struct {
	from io.Reader
	zip  *gzip.Reader
}

func (u *unzipped) Read(p []byte) (int, error) {
	if u.zip == nil {
		z, err := gzip.NewReader(u.from)
		if err != nil {
			return 0, err
		}
		u.zip = z
	}
	return u.zip.Read(p)
}

// events feeds handle until it is done, the stream ends or something fails.
func (e *Endpoint) events(r *bufio.Reader, w *watchdog, handle func(Event) (Step, error)) (Step, error) {
	next, stray, err := reader(r)
	if err != nil {
		return More, err
	}
	step := More
	for step != Done {
		ev, err := next()
		if errors.Is(err, io.EOF) {
			if words := stray(); step == More && len(words) > 0 {
				return step, e.Failure(0, nil, words)
			}
			return step, nil
		}
		if err != nil {
			return step, err
		}
		if ev.Whole && bytes.HasPrefix(ev.Data, []byte("<")) {
			return step, &Error{Kind: Rejected, Provider: e.Provider, Message: "the server sent HTML; check the base URL"}
		}
		s, err := handle(ev)
		if err == nil && s == More && ev.Whole && Complains(ev.Data) {
			err = e.Failure(0, nil, ev.Data)
		}
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
// despite stream=true and under any content type, and from a page of HTML. Its
// stray returns what stood between the events of a stream.
func reader(r *bufio.Reader) (next func() (Event, error), stray func() []byte, err error) {
	none := func() []byte { return nil }
	first, err := firstByte(r)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return func() (Event, error) { return Event{}, io.EOF }, none, nil
		}
		return nil, nil, err
	}
	if first != '{' && first != '[' && first != '<' {
		events := newEvents(r)
		return events.Next, func() []byte { return events.stray }, nil
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
	}, none, nil
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
	case errors.Is(context.Cause(inner), errQuiet):
		f.Kind = Stalled
		f.Message = fmt.Sprintf("the stream sent nothing of an answer for %s, only signs that it is alive", e.Quiet)
	case errors.Is(err, errTooLarge):
		f.Kind = Rejected
		f.Message = errTooLarge.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		f.Kind = Incomplete
		f.Message = "the connection was closed before the answer was complete"
	default:
		f.Message = e.clean(what + ": " + plainly(err))
	}
	return f
}

// plainly returns the words of err without those that repeat the address.
func plainly(err error) string {
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
