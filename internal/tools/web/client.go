package web

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/zuno-dev/zuno/internal/reach"
	"github.com/zuno-dev/zuno/internal/tools"
)

const (
	// maxHops is how many redirects are followed.
	maxHops = 5
	// maxHeader bounds the headers of one answer in bytes.
	maxHeader = 256 << 10
)

// A fetcher sends one request and what its redirects make of it.
type fetcher struct {
	config Config
	tool   string
	method string
	header http.Header
	body   []byte
	follow bool
	// about is called when a connection is there and the request is about to go
	// out; nil when nobody wants to know.
	about func()
}

// An answer is the last response, with its body cut at a limit.
type answer struct {
	target    target // where it came from
	hops      []string
	status    string
	code      int
	header    http.Header
	body      []byte
	truncated bool
	// broken says why the body ended early; nil when it is whole or was cut.
	broken error
}

// send fetches t, with at most limit bytes of the body, decompressed.
func (f *fetcher) send(ctx context.Context, t target, limit int64) (*answer, error) {
	var hops []string
	header := f.header
	for {
		a, next, err := f.hop(ctx, t, header, limit)
		if err != nil {
			if len(hops) > 0 {
				err = behind(t.String(), err)
			}
			return nil, err
		}
		a.hops = hops
		if next == "" || !f.follow {
			return a, nil
		}
		to, err := f.redirect(t, next)
		switch {
		case err != nil:
			return nil, behind(tools.CleanLine(tools.Clip(next, maxURL)), err)
		case len(hops) == maxHops:
			return nil, fmt.Errorf("more than %d redirects, the last to %s", maxHops, to)
		}
		if to.site() != t.site() {
			header = public(header)
		}
		hops, t = append(hops, to.String()), to
	}
}

// behind says that it was a redirect that failed. A refusal stays one: what the
// redirect came from was only read.
func behind(to string, err error) error {
	var r *tools.Refusal
	if errors.As(err, &r) {
		return tools.Refuse(r.Block, "a redirect leads to %s, which was not connected to. %s", to, r.Reason)
	}
	return fmt.Errorf("behind a redirect to %s: %w", to, reach.Plain(err))
}

// redirect returns where a redirect leads, or why it is not followed.
func (f *fetcher) redirect(from target, location string) (target, error) {
	u, err := from.url.Parse(location)
	if err != nil || len(location) > maxURL {
		return target{}, errors.New("it names no address that could be followed")
	}
	to, err := of(u)
	if err == nil {
		err = f.config.guard.early(to)
	}
	if err == nil {
		err = f.config.rule(f.tool, to)
	}
	return to, err
}

// hop sends one request and returns the answer and, of a redirect, where it
// leads.
func (f *fetcher) hop(ctx context.Context, t target, header http.Header, limit int64) (*answer, string, error) {
	req := &http.Request{Method: f.method, URL: t.url, Header: header.Clone(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	if len(f.body) > 0 {
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(f.body)), int64(len(f.body))
	}
	resp, done, err := f.roundTrip(ctx, t, req)
	if err != nil {
		return nil, "", err
	}
	defer done()
	defer resp.Body.Close()
	a := &answer{target: t, status: statusLine(resp), code: resp.StatusCode, header: resp.Header}
	next := ""
	if slices.Contains([]int{301, 302, 303, 307, 308}, resp.StatusCode) {
		next = resp.Header.Get("Location")
	}
	if next != "" && f.follow {
		return a, next, nil // nobody reads its body
	}
	a.body, a.broken = io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if int64(len(a.body)) > limit {
		a.body, a.truncated, a.broken = a.body[:limit], true, nil
	}
	return a, next, nil
}

// roundTrip sends one request: to an address that was checked, or through the
// proxy that the environment names for it. Its function gives the connection
// back.
func (f *fetcher) roundTrip(ctx context.Context, t target, req *http.Request) (*http.Response, func(), error) {
	proxy, err := f.config.guard.by(t)
	if err != nil {
		return nil, nil, err
	}
	if proxy != nil {
		return f.through(ctx, t, proxy, req)
	}
	at, err := f.config.guard.addresses(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	transport := f.transport(t, at)
	resp, err := transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		transport.CloseIdleConnections()
		return nil, nil, plainly(err, t)
	}
	return resp, transport.CloseIdleConnections, nil
}

// transport connects to the checked addresses and to nothing else: there is no
// proxy here, no connection that outlives the request and so none that another
// request made.
func (f *fetcher) transport(t target, at []netip.AddrPort) *http.Transport {
	return &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := f.config.guard.connect(ctx, t, at)
			if err == nil && f.about != nil && t.url.Scheme == "http" {
				f.about()
			}
			return conn, err
		},
		DialTLSContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			raw, err := f.config.guard.connect(ctx, t, at)
			if err != nil {
				return nil, err
			}
			conn := tls.Client(raw, &tls.Config{ServerName: t.host, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
			ctx, cancel := context.WithTimeout(ctx, connectTime)
			defer cancel()
			if err := conn.HandshakeContext(ctx); err != nil {
				return nil, errors.Join(err, raw.Close())
			}
			if f.about != nil {
				f.about()
			}
			return conn, nil
		},
		DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeader, ExpectContinueTimeout: time.Second,
	}
}

// public returns the headers of a request that may go to another site than the
// one they were meant for: none that a server could take for a permission.
func public(h http.Header) http.Header {
	out := http.Header{}
	for _, name := range []string{"Accept", "Accept-Language", "User-Agent", "Range", "If-Modified-Since", "If-None-Match"} {
		if v := h.Values(name); len(v) > 0 {
			out[name] = v
		}
	}
	return out
}
