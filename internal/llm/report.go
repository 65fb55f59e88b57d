package llm

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// A report is what the body of an error says.
type report struct {
	codes   []string // types, codes and statuses, lower case
	message string
	after   time.Duration
}

func readReport(body []byte) report {
	body = bytes.TrimSpace(body)
	if bytes.HasPrefix(body, []byte("[")) { // Google, for a request that was not a stream
		var list []json.RawMessage
		if json.Unmarshal(body, &list) == nil && len(list) > 0 {
			body = list[0]
		}
	}
	var top map[string]json.RawMessage
	if json.Unmarshal(body, &top) != nil {
		return report{message: textOf(body)}
	}
	var r report
	r.read(top)
	if in, ok := top["error"]; ok {
		r.readValue(in)
	}
	if in, ok := top["response"]; ok { // OpenAI's response.failed
		var response struct{ Error json.RawMessage }
		if json.Unmarshal(in, &response) == nil {
			r.readValue(response.Error)
		}
	}
	if r.message == "" {
		r.message = words(top["detail"])
	}
	return r
}

func (r *report) readValue(raw json.RawMessage) {
	var obj map[string]json.RawMessage
	if json.Unmarshal(raw, &obj) == nil {
		r.read(obj)
	} else if s := words(raw); s != "" {
		r.message = s
	}
}

func (r *report) read(obj map[string]json.RawMessage) {
	for _, k := range []string{"type", "code", "status", "reason"} {
		if s := words(obj[k]); s != "" {
			r.codes = append(r.codes, strings.ToLower(s))
		}
	}
	if s := words(obj["message"]); s != "" {
		r.message = s
	}
	var details []struct{ Reason, RetryDelay string }
	if json.Unmarshal(obj["details"], &details) == nil {
		for _, d := range details {
			if d.Reason != "" {
				r.codes = append(r.codes, strings.ToLower(d.Reason))
			}
			if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
				r.after = wait
			}
		}
	}
}

// words returns a JSON string or number as text, and other values as they are.
func words(raw json.RawMessage) string {
	var s string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &s) == nil:
		return s
	}
	return string(raw)
}

// textOf returns the words of a body that is not JSON: the title of a page of
// HTML, else the text.
func textOf(body []byte) string {
	s := string(body)
	if !strings.HasPrefix(s, "<") {
		return s
	}
	lower := strings.ToLower(s)
	from := strings.Index(lower, "<title>")
	to := strings.Index(lower, "</title>")
	if from < 0 || to < from {
		return ""
	}
	return s[from+len("<title>") : to]
}

// kinds tells an error's kind by code, or by words of the message where the
// providers give no code of their own for it. The first match wins.
func kinds() []struct {
	kind  ErrorKind
	codes []string
	words []string
} {
	return []struct {
		kind  ErrorKind
		codes []string
		words []string
	}{
		{
			Quota,
			[]string{"insufficient_quota", "billing_error", "billing_hard_limit_reached", "insufficient_balance"},
			[]string{"credit balance is too low", "insufficient balance", "insufficient credits"},
		},
		{
			TooLong,
			[]string{"context_length_exceeded", "request_too_large", "exceed_context_size_error"},
			[]string{
				"prompt is too long", "exceed context limit", "maximum context length", "exceeds the context window", "exceeds the available context size", "exceeds the maximum number of tokens",
				"input is too long", "maximum prompt length", "greater than the context length", "exceeded model token limit", "context window exceeds limit", "reduce the length of the messages",
			},
		},
		{
			BadImage,
			[]string{"image_parse_error", "invalid_image", "invalid_image_format", "invalid_base64_image", "image_too_large", "image_content_policy_violation"},
			[]string{"support image input", "image input is not supported", "not a multimodal model"},
		},
		{Auth, []string{"authentication_error", "permission_error", "invalid_api_key", "api_key_invalid", "permission_denied", "unauthenticated"}, nil},
		{NoModel, []string{"model_not_found", "not_found_error", "not_found"}, nil},
		{RateLimit, []string{"rate_limit_error", "rate_limit_exceeded", "resource_exhausted"}, nil},
		{Overloaded, []string{"overloaded_error", "api_error", "server_error", "internal_server_error", "server_is_overloaded", "slow_down", "timeout_error", "unavailable", "internal", "deadline_exceeded"}, nil},
		{Rejected, []string{"invalid_request_error", "invalid_prompt", "invalid_argument", "failed_precondition", "bad_request"}, nil},
	}
}

func (r *report) kind(status int) ErrorKind {
	byStatus, known := kindOf(status)
	message := strings.ToLower(r.message)
	for _, k := range kinds() {
		for _, c := range k.codes {
			// A status says more than the vague codes; the specific ones say more
			// than a status.
			if slices.Contains(r.codes, c) && (!known || k.kind == Quota || k.kind == TooLong || k.kind == BadImage || k.kind == Auth && status == 400 || k.kind == NoModel && status == 400) {
				return k.kind
			}
		}
		for _, w := range k.words {
			if strings.Contains(message, w) && status != 429 {
				return k.kind
			}
		}
	}
	if !known {
		// An error event after a good start is the server's trouble.
		return Overloaded
	}
	if byStatus == Rejected && strings.Contains(message, "image") {
		// Its format, its size, its pixels, how many there are: the words differ.
		return BadImage
	}
	return byStatus
}

func kindOf(status int) (ErrorKind, bool) {
	switch {
	case status == 401 || status == 403:
		return Auth, true
	case status == 402:
		return Quota, true
	case status == 404:
		return NoModel, true
	case status == 413:
		return TooLong, true
	case status == 429:
		return RateLimit, true
	case status == 408 || status >= 500:
		return Overloaded, true
	case status >= 300:
		return Rejected, true
	}
	return Overloaded, false
}
