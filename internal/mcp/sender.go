package mcp

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/zuno-dev/zuno/internal/reach"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A sender sends the requests to one remote server, with the configured headers.
// What the server has zuno send elsewhere is not sent: it may be a secret.
type sender struct {
	to      *url.URL
	headers map[string]string
	next    http.RoundTripper
}

func (s sender) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != s.to.Scheme || r.URL.Host != s.to.Host {
		return nil, errors.New("it wants requests to be sent to " + r.URL.Scheme + "://" + r.URL.Host + ": name that address in the configuration")
	}
	if len(s.headers) > 0 {
		r = r.Clone(r.Context())
		for k, v := range s.headers {
			r.Header.Set(k, v)
		}
	}
	resp, err := s.next.RoundTrip(r)
	if err != nil {
		why := err
		if p := reach.Explain(err, r.URL); p != nil {
			why = p
		}
		if unsent(err) {
			why = &refusal{unsent: why}
		}
		return nil, why
	}
	if p := reach.Refused(resp, r.URL); p != nil {
		return nil, errors.Join(p, resp.Body.Close())
	}
	if r.Method == http.MethodPost {
		if resp, err = refused(r, resp); err != nil {
			return nil, err
		}
	}
	if err := markTasks(r, resp); err != nil {
		return nil, err
	}
	return resp, nil
}

// unsent reports whether there was no connection to send anything over.
func unsent(err error) bool {
	var op *net.OpError
	var name *net.DNSError
	var cert *tls.CertificateVerificationError
	return errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect") || errors.As(err, &name) || errors.As(err, &cert)
}

// A refusal is the error of a message that a remote server did not take: it
// carried nothing out.
type refusal struct {
	unsent error // why it could not even be sent; nil when the server says so
	status string
	text   string // what the server says, "" for nothing
	// lost says that the server does not know the session any more.
	lost bool
}

// Error says so.
func (e *refusal) Error() string {
	switch {
	case e.unsent != nil:
		return e.unsent.Error()
	case e.text == "":
		return "the server refused the request: " + e.status
	}
	return "the server refused the request: " + e.status + ": " + e.text
}

// Unwrap returns why it could not be sent.
func (e *refusal) Unwrap() error { return e.unsent }

// maxRefusal bounds what is read of why, in bytes.
const maxRefusal = 16 << 10

// refusing are the statuses that say, by their definition (RFC 9110, 6585, 7725,
// 8470), that what was sent was not acted on: it, or the moment, was judged before,
// as whoever counts requests (429) does, and whoever will not risk to act on what
// may be sent again (425). By the protocol every error status says that a message
// was not accepted, but not everybody who writes one on the way knows that. The
// others leave it open: 408 and 499 say that somebody had waited too long, 409 and
// 423 that the request met the state of something, 424 that a part of it failed.
var refusing = []int{
	http.StatusBadRequest, http.StatusPaymentRequired, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable,
	http.StatusProxyAuthRequired, http.StatusGone, http.StatusLengthRequired, http.StatusPreconditionFailed,
	http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusUnsupportedMediaType, http.StatusExpectationFailed,
	http.StatusMisdirectedRequest, http.StatusUnprocessableEntity, http.StatusTooEarly, http.StatusUpgradeRequired,
	http.StatusPreconditionRequired, http.StatusTooManyRequests, http.StatusRequestHeaderFieldsTooLarge,
	http.StatusUnavailableForLegalReasons,
}

// refused takes a status by which a server says that it did not take a message
// for what it says, whichever transport the answer would have come by. That a login
// is wanted is for others to hear, as is an answer to the message itself.
func refused(r *http.Request, resp *http.Response) (*http.Response, error) {
	if !slices.Contains(refusing, resp.StatusCode) {
		return resp, nil
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
	if m, derr := jsonrpc.DecodeMessage(bytes.TrimSpace(body)); err == nil && derr == nil {
		if a, is := m.(*jsonrpc.Response); is && a.ID.IsValid() && a.Error != nil {
			resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), resp.Body))
			return resp, nil
		}
	}
	_ = resp.Body.Close() // nothing more is wanted of it
	session := r.Header.Get("Mcp-Session-Id") != ""
	return nil, &refusal{
		status: fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode)), text: whyRefused(body),
		lost: session && (resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusBadRequest),
	}
}

// whyRefused is what the body of a refusal says, on one line.
func whyRefused(body []byte) string {
	var said struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	text := strings.TrimSpace(string(bytes.ToValidUTF8(body, []byte("?"))))
	if err := json.Unmarshal(body, &said); err == nil && said.Error.Message != "" {
		text = said.Error.Message
	}
	if strings.HasPrefix(text, "<") {
		return "" // a page for browsers
	}
	return tools.CleanLine(tools.Clip(text, 300))
}
