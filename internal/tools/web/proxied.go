package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/reach"
	"github.com/zuno-dev/zuno/internal/tools"
)

// lookUpTime bounds the look at a name that a proxy will look up again: where
// only the proxy leads outside, nobody here may know it.
const lookUpTime = 2 * time.Second

// by returns the proxy of the environment that a request to t goes through, nil
// for none.
func (g guard) by(t target) (*url.URL, error) {
	if g.proxy == nil {
		return nil, nil
	}
	return g.proxy(t.url)
}

// beyond checks t as far as that can be done before a proxy, which looks the
// name up by itself: no address that is written out and no name that leads to
// this machine or into a private network from here. A name that nobody here
// knows is left to the proxy, unless it is of a kind that only private networks
// use.
func (g guard) beyond(ctx context.Context, t target) error {
	if err := g.early(t); err != nil || t.ip.IsValid() {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lookUpTime)
	defer cancel()
	list, err := g.lookUp(ctx, t.host)
	if (err != nil || len(list) == 0) && inner(t.host) && !g.allowed(t) {
		return denied(t, "its name is one of a private network")
	}
	for _, a := range list {
		if err := g.judge(t, a); err != nil {
			return err
		}
	}
	return nil
}

// inner reports whether a name is of a kind that the public Internet does not
// have.
func inner(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if !strings.Contains(host, ".") {
		return true
	}
	for _, end := range []string{".local", ".internal", ".intranet", ".private", ".corp", ".home", ".lan", ".home.arpa", ".onion"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return false
}

// through sends one request through a proxy. The proxy chooses the address that
// it connects to.
func (f *fetcher) through(ctx context.Context, t target, proxy *url.URL, req *http.Request) (*http.Response, func(), error) {
	if err := f.config.guard.beyond(ctx, t); err != nil {
		return nil, nil, err
	}
	transport := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: connectTime, KeepAlive: -1}).DialContext,
		TLSHandshakeTimeout: connectTime, DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeader, ExpectContinueTimeout: time.Second,
	}
	reach.Through(transport)
	transport.Proxy = http.ProxyURL(proxy) // that which was shown
	if f.about != nil {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { f.about() }})
	}
	resp, err := transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		transport.CloseIdleConnections()
		return nil, nil, plainly(err, t)
	}
	if p := reach.Refused(resp, t.url); p != nil {
		_ = resp.Body.Close()
		transport.CloseIdleConnections()
		return nil, nil, p
	}
	return resp, transport.CloseIdleConnections, nil
}

// plainly is err, or the Problem that it comes of.
func plainly(err error, t target) error {
	if p := reach.Explain(err, t.url); p != nil {
		return p
	}
	return err
}

// barred reports whether a request did not get past a proxy, or was never made
// because of a certificate: then no server has seen it.
func barred(err error) bool {
	var p *reach.Problem
	return errors.As(err, &p)
}

// way says what stands between here and t, for the person; "" for nothing.
func (g guard) way(t target) string {
	proxy, err := g.by(t)
	if err != nil || proxy == nil {
		return ""
	}
	return "\nthrough the proxy " + tools.CleanLine(reach.Shown(proxy)) + ", which looks the name up and chooses the address"
}
