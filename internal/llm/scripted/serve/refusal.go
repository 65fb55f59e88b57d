package serve

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// A refusal is an answer with an error status.
type refusal struct {
	status int
	// cause is a case that providers word in their own way: key, model, too_long,
	// quota; "" for none.
	cause string
	// kind replaces the provider's error type.
	kind       string
	message    string
	body       string // replaces all of the body
	retryAfter string
	violation  bool
	// inStream is set for an error after that many events.
	inStream bool
	events   int
}

// faultOf returns the refusal that a fault asks for; nil for none.
func faultOf(f *scripted.Fault) *refusal {
	if f == nil || f.Status == 0 && f.Error == "" {
		return nil
	}
	return &refusal{status: f.Status, cause: f.Error, kind: f.Type, message: f.Message, body: string(f.Body), retryAfter: f.RetryAfter}
}

func (bad *refusal) write(w http.ResponseWriter, f face) {
	_, body := f.failure(bad) // settles the status of a cause
	if bad.retryAfter != "" {
		w.Header().Set("Retry-After", bad.retryAfter)
	}
	if bad.body == "" {
		writeJSON(w, bad.status, body)
		return
	}
	kind := "text/plain; charset=utf-8"
	if json.Valid([]byte(bad.body)) {
		kind = "application/json"
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(bad.status)
	_, _ = io.WriteString(w, bad.body) // the client may be gone
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encode(v)) // the client may be gone
}

// A wording is how a provider reports a case.
type wording struct {
	status        int
	kind, message string
}

// put fills in what bad leaves open: first by its cause, then by its status.
func (bad *refusal) put(causes map[string]wording, kinds map[int]string) {
	if w, ok := causes[bad.cause]; ok {
		bad.status = w.status
		bad.kind = or(bad.kind, w.kind)
		bad.message = or(bad.message, w.message)
	}
	if bad.status == 0 {
		bad.status = http.StatusServiceUnavailable
	}
	if bad.status >= 500 {
		bad.kind = or(bad.kind, kinds[bad.status], kinds[500])
	}
	bad.kind = or(bad.kind, kinds[bad.status], kinds[400])
	bad.message = or(bad.message, http.StatusText(bad.status), "Overloaded")
}

func or(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
