package llm

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestFailuresAreToldApart(t *testing.T) {
	for _, c := range []struct {
		status  int
		body    string
		kind    ErrorKind
		message string
	}{
		{429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}`, Quota, "You exceeded your current quota"},
		{429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x","retryDelay":"34s"}]}}`, RateLimit, "You exceeded"},
		{429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}`, Quota, "You exceeded"},
		{429, `{"error":{"message":"Rate limit reached on tokens per min (TPM): context window","type":"tokens","code":"rate_limit_exceeded"}}`, RateLimit, "Rate limit"},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`, Quota, "Your credit"},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.7.content.3.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels"}}`, BadImage, "messages.7"},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"Could not process image"}}`, BadImage, "Could not"},
		{400, `{"error":{"message":"You uploaded an unsupported image.","type":"invalid_request_error","code":"invalid_image_format"}}`, BadImage, "You uploaded"},
		{404, `{"error":{"message":"No endpoints found that support image input","code":404}}`, BadImage, "No endpoints"},
		{500, `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"}}`, BadImage, "image input"},
		{429, `{"error":{"message":"too many images in a minute","type":"rate_limit_error"}}`, RateLimit, "too many"},
		{413, `{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, TooLong, "Request"},
		{400, `{"error":{"message":"x","code":"context_length_exceeded"}}`, TooLong, "x"},
		{400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, TooLong, "the request"},
		{400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed","status":"INVALID_ARGUMENT"}}]`, TooLong, "The input"},
		{400, `{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}`, Auth, "API key"},
		{400, `{"error":{"message":"unknown model","code":"model_not_found"}}`, NoModel, "unknown"},
		{404, `{"error":"model \"x\" not found, try pulling it first"}`, NoModel, `model "x"`},
		{422, `{"detail":[{"loc":["body"],"msg":"extra fields not permitted"}]}`, Rejected, `[{"loc"`},
		{400, `{"detail":"bad"}`, Rejected, "bad"},
		{400, `{"object":"error","message":"bad","code":40001}`, Rejected, "bad"},
		{500, ``, Overloaded, "internal server error"},
		{502, `<html><TITLE>Bad gateway</TITLE>`, Overloaded, "Bad gateway"},
		{503, `upstream connect error`, Overloaded, "upstream"},
		{401, `{"error":{"message":"Incorrect API key provided: sk-secret"}}`, Auth, "Incorrect API key provided: [key]"},
		{403, `{"message":"header hunter2hunter2"}`, Auth, "header [header]"},
		{0, `{"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"wait"}}}`, RateLimit, "wait"},
		{0, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, Overloaded, "Overloaded"},
		{0, `{"error":{"type":"invalid_request_error","message":"no"}}`, Rejected, "no"},
		{0, `{"error":null}`, Overloaded, "the provider reported an error without words"},
	} {
		e := Endpoint{Provider: "p", Key: "sk-secret", Headers: map[string]string{"X": "hunter2hunter2"}}
		got := e.Failure(c.status, nil, []byte(c.body))
		if got.Kind != c.kind || !strings.HasPrefix(got.Message, c.message) || got.Status != c.status {
			t.Errorf("%d %s:\nkind %d, want %d: %s", c.status, c.body, got.Kind, c.kind, got.Message)
		}
	}
}

func TestTheWaitThatIsAskedForIsRead(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "1": time.Second, "0.5": time.Second / 2, "7200": 2 * time.Hour, "-3": 0, "soon": 0, "NaN": 0, "1e300": 1e9 * time.Second, "1e999": 1e9 * time.Second, "99999999999": 1e9 * time.Second,
		"Sun, 29 Nov 2026 12:00:02 GMT": 2 * time.Second, "Sun, 29 Nov 2026 11:00:00 GMT": 0,
	} {
		h := http.Header{"Retry-After": {value}}
		if got := retryAfter(h, func() time.Time { return now }); got != want {
			t.Errorf("%q is %s", value, got)
		}
	}
	if got := retryAfter(http.Header{"Retry-After-Ms": {"250"}, "Retry-After": {"1"}}, time.Now); got != 250*time.Millisecond {
		t.Errorf("milliseconds are %s", got)
	}
}

func TestAMessageIsOneBoundedPrintableLine(t *testing.T) {
	var e Endpoint
	got := e.clean("a\x1b[31m\n\tb\u202e\xff" + strings.Repeat("é", 500))
	if !strings.HasPrefix(got, "a [31m b é") || len(got) > maxMessage+len("…") || strings.ContainsRune(got, '\ufffd') {
		t.Errorf("got %q", got)
	}
}
