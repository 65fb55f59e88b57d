package llm

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxMessage bounds a provider's words in an Error, in bytes.
const maxMessage = 300

// Failure turns an error answer, or an error event within a stream (status 0),
// into an Error. It reads the shapes of all providers, since proxies mix them.
func (e *Endpoint) Failure(status int, header http.Header, body []byte) *Error {
	r := readReport(body)
	f := &Error{Provider: e.Provider, Model: e.Model, Status: status, Message: e.clean(r.message)}
	f.Kind = r.kind(status)
	if f.Kind == TooLong {
		f.Limit = r.limit
	}
	f.After = retryAfter(header, time.Now)
	if f.After == 0 {
		f.After = r.after
	}
	if f.Kind == RateLimit && f.After == 0 && strings.Contains(r.message, "check your plan and billing") {
		// Google's words for a minute's quota, then with a wait, and for an
		// account's.
		f.Kind = Quota
	}
	switch {
	case status >= 300 && status < 400:
		f.Message = e.clean("the server redirects to " + header.Get("Location") + "; set the base URL to the right address")
	case r.page && f.Kind == Barred:
		f.Message = e.clean(fmt.Sprintf("a web page answered in the place of the provider (%s): check the base URL, and whether a proxy or a firewall on the way wants something", cmp.Or(strings.TrimSpace(r.message), "without a title")))
	case f.Message == "" && status != 0 && http.StatusText(status) != "":
		f.Message = strings.ToLower(http.StatusText(status))
	case f.Message == "":
		f.Message = "the provider reported an error without words"
	}
	return f
}

// clean makes a provider's words fit for an error: one line, printable,
// bounded, and without the key or a secret header, which servers echo.
func (e *Endpoint) clean(s string) string {
	if e.Key != "" {
		s = strings.ReplaceAll(s, e.Key, "[key]")
	}
	for _, v := range e.Headers {
		if len(v) >= 8 {
			s = strings.ReplaceAll(s, v, "[header]")
		}
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.IsSpace(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxMessage {
		return s
	}
	cut := maxMessage
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// longestWait is the longest wait that can be said, in seconds.
const longestWait = 1e9

// retryAfter reads how long the server asks to wait: retry-after-ms, or
// Retry-After in seconds or as a date (RFC 9110, 10.2.3); zero for neither. One
// that is longer than can be said is the longest, and not none.
func retryAfter(h http.Header, now func() time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(min(ms, longestWait*1e3) * float64(time.Millisecond))
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		if s > 0 {
			return time.Duration(min(s, longestWait) * float64(time.Second))
		}
		return 0
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, t.Sub(now()))
	}
	return 0
}

// waits is After in words that a person reads.
func waits(d time.Duration) string {
	return fmt.Sprintf("it asks to wait %s", d.Round(time.Second))
}

// Decode reads an event into v. A field of an unexpected type is left at its
// zero value, so that one odd field does not lose an event.
func Decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var odd *json.UnmarshalTypeError
	if errors.As(err, &odd) {
		return nil
	}
	return err
}

// Garbled is the error for an event that is not what the wire expects: most
// often the last one of a stream that was cut.
func (e *Endpoint) Garbled(err error) *Error {
	return &Error{Kind: Incomplete, Provider: e.Provider, Message: e.clean("the stream holds an event that cannot be read: " + err.Error()), Err: err}
}
