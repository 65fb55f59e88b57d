package llm

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A report is what the body of an error says.
type report struct {
	codes   []string // types, codes and statuses, lower case
	message string
	after   time.Duration
	status  int  // HTTP status that the body names, zero for none
	page    bool // the body is a page of HTML
	limit   Limit
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
		return report{message: textOf(body), page: bytes.HasPrefix(body, []byte("<"))}
	}
	var r report
	r.read(top)
	if in, ok := top["error"]; ok {
		r.readValue(in)
	}
	var list []json.RawMessage // Cloudflare's
	if r.message == "" && json.Unmarshal(top["errors"], &list) == nil && len(list) > 0 {
		r.readValue(list[0])
	}
	if in, ok := top["response"]; ok { // OpenAI's response.failed
		var response struct{ Error json.RawMessage }
		if json.Unmarshal(in, &response) == nil {
			r.readValue(response.Error)
		}
	}
	if r.after == 0 {
		r.after = waitIn(r.message)
	}
	if r.limit == (Limit{}) {
		r.limit = limitIn(r.message)
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

// said are the names that servers give to what they say about a failure, the best
// first.
func said() []string {
	return []string{"message", "msg", "error_msg", "error_message", "errorMessage", "Message", "error_description", "detail"}
}

func (r *report) read(obj map[string]json.RawMessage) {
	for _, k := range []string{"type", "code", "status", "reason", "error_type", "__type"} {
		if s := words(obj[k]); s != "" {
			r.codes = append(r.codes, strings.ToLower(s))
		}
	}
	for _, k := range []string{"code", "status", "status_code"} {
		if n, err := strconv.Atoi(words(obj[k])); err == nil && n >= 400 && n < 600 {
			r.status = n
		}
	}
	if l := named(obj); l != (Limit{}) {
		r.limit = l
	}
	for _, k := range said() {
		if s := words(obj[k]); s != "" {
			r.message = s
			break
		}
	}
	for _, k := range []string{"retry_after", "retry_after_seconds", "resets_in_seconds"} {
		if n, err := strconv.ParseFloat(words(obj[k]), 64); err == nil && n > 0 && n < longestWait {
			r.after = time.Duration(n * float64(time.Second))
		}
	}
	r.upstream(obj["metadata"])
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

// upstream reads what a gateway passes on of the failure of the provider behind it:
// its own words are only that there was one.
func (r *report) upstream(metadata json.RawMessage) {
	var m struct{ Raw json.RawMessage }
	if json.Unmarshal(metadata, &m) != nil || !given(m.Raw) {
		return
	}
	raw := readReport([]byte(words(m.Raw)))
	r.codes = append(r.codes, raw.codes...)
	if raw.message != "" {
		r.message += ": " + raw.message
	}
	if raw.limit != (Limit{}) {
		r.limit = raw.limit
	}
}

// waitIn finds how long a message asks to wait, as in "please try again in 1m2.5s"
// or "retry after 26 seconds"; zero for one that does not.
func waitIn(message string) time.Duration {
	m := regexp.MustCompile(`(?i)(?:again|retry)\s+(?:in|after)\s+((?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+|[0-9]+(?:\.[0-9]+)?\s*(?:milliseconds?|seconds?|secs?|minutes?|mins?|hours?))\b`).FindStringSubmatch(message)
	if m == nil {
		return 0
	}
	if d, err := time.ParseDuration(m[1]); err == nil {
		return d
	}
	digits := strings.TrimRight(m[1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || n > longestWait {
		return 0
	}
	unit := time.Second
	switch word := strings.ToLower(strings.TrimSpace(m[1][len(digits):])); {
	case strings.HasPrefix(word, "milli"):
		unit = time.Millisecond
	case strings.HasPrefix(word, "min"):
		unit = time.Minute
	case strings.HasPrefix(word, "hour"):
		unit = time.Hour
	}
	return time.Duration(n * float64(unit))
}

// Complains reports whether an event or a document that is no answer is the report
// of a failure, as servers send it that do not put it under "error".
func Complains(data []byte) bool {
	var top map[string]json.RawMessage
	if json.Unmarshal(data, &top) != nil {
		return false
	}
	says := slices.ContainsFunc(said(), func(k string) bool { return len(words(top[k])) > 0 && top[k][0] == '"' })
	failed := words(top["object"]) == "error" || words(top["type"]) == "error" || words(top["success"]) == "false"
	return failed && given(top["errors"]) || says && (failed || given(top["code"]) || given(top["status"]) || given(top["status_code"]) || given(top["error_type"]))
}

func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

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
			[]string{
				"insufficient_quota", "billing_error", "billing_hard_limit_reached", "insufficient_balance", "exceeded_current_quota_error", "usage_limit_reached", "usage_limit_exceeded",
				"insufficient_credits", "payment_required", "access_terminated_error",
			},
			[]string{
				"credit balance is too low", "insufficient balance", "insufficient credits", "out of credits", "key limit exceeded", "api usage limits", "monthly usage limit", "weekly usage limit",
				"monthly spend", "spending limit", "usage limit for this billing", "billing hard limit", "no resource package", "subscription quota", "account is suspended",
			},
		},
		{
			TooLong,
			[]string{"context_length_exceeded", "request_too_large", "exceed_context_size_error", "model_context_window_exceeded"},
			[]string{
				"prompt is too long", "prompt too long", "exceed context limit", "maximum context length", "max context length", "exceeds the context window", "context window exceed", "exceeds the available context size",
				"exceeds the maximum number of tokens", "maximum number of input tokens", "input is too long", "maximum prompt length", "greater than the context length", "longer than the model's context length",
				"exceeds the model's context", "context length exceeded", "context length is only", "context size has been exceeded", "exceeded model token limit", "context window exceeds limit", "model's context window",
				"reduce the length of the messages", "reduce the length of the input", "maximum allowed input length", "prompt token count", "model only supports up to", "max_model_len", "maximum model length",
				"more than max tokens allowed", "too large for model with", "range of input length should be", "input tokens exceed", "request entity too large", "payload too large",
			},
		},
		{
			BadImage,
			[]string{"image_parse_error", "invalid_image", "invalid_image_format", "invalid_base64_image", "image_too_large", "image_content_policy_violation"},
			[]string{"support image input", "image input is not supported", "not a multimodal model"},
		},
		{
			BadThought,
			[]string{"invalid_encrypted_content", "thinking_signature_invalid"},
			[]string{"`signature` in `thinking`", "invalid signature in thinking", "thinking block", "thought_signature", "thought signature", "encrypted content", "encrypted_content"},
		},
		{Auth, []string{"authentication_error", "permission_error", "invalid_api_key", "api_key_invalid", "permission_denied", "unauthenticated"}, nil},
		{NoModel, []string{"model_not_found", "not_found_error", "not_found"}, nil},
		{RateLimit, []string{"rate_limit_error", "rate_limit_exceeded", "resource_exhausted", "throttlingexception"}, nil},
		{Overloaded, []string{"tool_use_failed", "overloaded_error", "api_error", "server_error", "internal_server_error", "server_is_overloaded", "slow_down", "timeout_error", "unavailable", "internal", "deadline_exceeded"}, nil},
		{Rejected, []string{"invalid_request_error", "invalid_prompt", "invalid_argument", "failed_precondition", "bad_request"}, nil},
	}
}

// again reports whether a code says, whatever the status, that another attempt may
// succeed: the model wrote a call that is none, or there were too many requests.
func again(code string) bool { return code == "tool_use_failed" || code == "throttlingexception" }

func (r *report) kind(status int) ErrorKind {
	if status == 0 {
		status = r.status
	}
	byStatus, known := kindOf(status)
	message := strings.ToLower(r.message)
	for _, k := range kinds() {
		for _, c := range k.codes {
			// A status says more than the vague codes; the specific ones say more
			// than a status.
			if slices.Contains(r.codes, c) && (!known || k.kind == Quota || k.kind == TooLong || k.kind == BadImage || k.kind == BadThought || k.kind == Auth && status == 400 || k.kind == NoModel && status == 400 || again(c)) {
				return k.kind
			}
		}
		for _, w := range k.words {
			if strings.Contains(message, w) && (status != 429 || k.kind == Quota) && (k.kind != BadThought || byStatus == Rejected) {
				return k.kind
			}
		}
	}
	if !known {
		// An error event after a good start is the server's trouble.
		return Overloaded
	}
	if r.page && (byStatus == Auth || byStatus == NoModel) {
		// No provider answers with a page: something on the way does, or the address
		// is that of something else.
		return Barred
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
	case status == 501 || status == 505:
		return Rejected, true
	case status == 408 || status == 409 || status == 425 || status == 499 || status >= 500:
		return Overloaded, true
	case status >= 300:
		return Rejected, true
	}
	return Overloaded, false
}
