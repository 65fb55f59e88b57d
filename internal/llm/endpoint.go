package llm

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/reach"
)

// DefaultIdle is how long a stream may send nothing at all.
const DefaultIdle = 90 * time.Second

// DefaultQuiet is how long a stream may send nothing but signs of life.
const DefaultQuiet = 30 * time.Minute

// An Endpoint is one model at one address. Each child package of llm turns one
// into a [Model] that speaks its wire format.
type Endpoint struct {
	Provider string // the name in "provider/model"
	Model    string
	// BaseURL is the address up to the version, "" for the provider's own.
	BaseURL string
	// Key authenticates; "" sends none. It never appears in an error.
	Key string
	// Headers are sent with every request, over those of the wire.
	Headers map[string]string
	// HTTP sends the requests; nil means a new [HTTPClient]. Redirects are never
	// followed, whatever it says.
	HTTP *http.Client
	Info Info
	// Idle is how long the stream may send no byte before the call fails as
	// Stalled; zero means [DefaultIdle].
	Idle time.Duration
	// Quiet is how long the stream may send only comments before the call fails as
	// Stalled; zero means [DefaultQuiet].
	Quiet time.Duration
}

// HTTPClient returns a client for model servers: proxies from the environment,
// 10 s to connect and 10 s for TLS, 5 min for the first header (a local server
// reads the whole prompt before it answers), and no limit on the stream itself,
// which has its own watchdog. It keeps connections until CloseIdleConnections.
func HTTPClient() *http.Client {
	t := &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 5 * time.Minute,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConnsPerHost:   8,
		ForceAttemptHTTP2:     true,
		HTTP2:                 &http.HTTP2Config{SendPingTimeout: 20 * time.Second, PingTimeout: 15 * time.Second},
		DisableCompression:    true,
	}
	reach.Through(t)
	return &http.Client{CheckRedirect: noRedirect, Transport: t}
}

// noRedirect keeps keys from travelling to another host: Go drops only the
// standard Authorization header when a redirect leaves the domain.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Ready returns e with its defaults filled in.
func (e Endpoint) Ready() Endpoint {
	client := HTTPClient()
	if e.HTTP != nil {
		c := *e.HTTP
		c.CheckRedirect = noRedirect
		client = &c
	}
	e.HTTP = client
	if e.Idle <= 0 {
		e.Idle = DefaultIdle
	}
	if e.Quiet <= 0 {
		e.Quiet = DefaultQuiet
	}
	return e
}

// Name returns provider/model, which is what [Message.Model] holds.
func (e *Endpoint) Name() string { return e.Provider + "/" + e.Model }

// URL returns path at the base address, or at fallback when none is set.
func (e *Endpoint) URL(fallback, path string) string {
	base := strings.TrimRight(e.BaseURL, "/")
	if base == "" {
		base = fallback
	}
	return base + path
}

// Host returns the host name of the base address, "" for the provider's own.
func (e *Endpoint) Host() string {
	u, err := url.Parse(e.BaseURL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// request returns a POST of body to address.
func (e *Endpoint) request(ctx context.Context, address string, header http.Header, body Body) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body.Reader())
	if err != nil {
		return nil, err
	}
	if req.URL.Host == "" {
		return nil, errors.New("the base URL names no host")
	}
	req.ContentLength = body.Len()
	req.GetBody = func() (io.ReadCloser, error) { return body.Reader(), nil }
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Encoding", "identity") // a compressing proxy would hold events back
	req.Header.Set("User-Agent", "zuno")
	for k, vs := range header {
		req.Header[k] = vs
	}
	for k, v := range e.Headers {
		req.Header.Set(k, v)
	}
	return req, nil
}
