package llm

import (
	"fmt"
	"time"
)

// An ErrorKind says what a caller can do about an Error.
type ErrorKind int

// The error kinds.
const (
	Rejected   ErrorKind = iota // the request is wrong: do not send it again
	Auth                        // no key, or one that is not accepted
	NoModel                     // the provider does not know the model
	Quota                       // the account is out of credit
	TooLong                     // the context window is exceeded
	BadImage                    // an image in the conversation is refused
	BadThought                  // reasoning that was sent back is refused
	Barred                      // a proxy, or a certificate that is not trusted, is in the way
	RateLimit                   // 429
	Overloaded                  // 5xx, 529, an overloaded error event
	Transport                   // connection refused, reset before the answer, name not found
	Incomplete                  // the stream ended or broke off without its terminal marker
	Stalled                     // the stream sent nothing for too long
)

// String returns the kind as one word, for logs.
func (k ErrorKind) String() string {
	words := [...]string{"rejected", "auth", "no_model", "quota", "too_long", "bad_image", "bad_thought", "barred", "rate_limit", "overloaded", "transport", "incomplete", "stalled"}
	if k < 0 || int(k) >= len(words) {
		return "unknown"
	}
	return words[k]
}

// An Error is a failed model call.
type Error struct {
	Kind     ErrorKind
	Provider string
	Model    string // that was asked, without the provider; "" where it does not matter
	Status   int    // HTTP status; 0 when there was none
	// Message is the provider's own words, bounded and without secrets.
	Message string
	// After is how long the provider asked to wait; zero when it did not.
	After time.Duration
	// Limit is what the provider says that the model takes, when the error is
	// TooLong and it says so.
	Limit Limit
	Err   error
}

// Error says what happened and to whom.
func (e *Error) Error() string {
	s := e.Provider + ": "
	if e.Status != 0 {
		s += fmt.Sprintf("HTTP %d: ", e.Status)
	}
	if e.Message != "" {
		return s + e.Message
	}
	if e.Err != nil {
		return s + e.Err.Error()
	}
	return s + "failed"
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Billable reports whether the attempt may have cost something: the provider had
// taken the request on when it failed.
func (e *Error) Billable() bool {
	if !e.Temporary() || e.Kind == Transport {
		return false
	}
	return e.Status == 0 || e.Status >= 500 || e.Status == 408 || e.Status == 499
}

// Temporary reports whether another attempt may succeed.
func (e *Error) Temporary() bool { return e.Kind >= RateLimit }
