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
		{429, `{"error":{"message":"You've reached the monthly usage limit for this billing cycle.","type":"exceeded_current_quota_error"}}`, Quota, "You've"},
		{429, `{"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}`, Quota, "Insufficient"},
		{403, `{"error":{"code":403,"message":"Key limit exceeded (total limit)."}}`, Quota, "Key limit"},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2026-12-01."}}`, Quota, "You have"},
		{429, `{"message":"Too many tokens, please wait before trying again."}`, RateLimit, "Too many"},
		{0, `{"error":{"message":"insufficient credits","code":402}}`, Quota, "insufficient"},
		{0, `{"error":{"message":"no","type":"BadRequestError","code":400}}`, Rejected, "no"},
		{0, `{"error":{"message":"slow","code":429}}`, RateLimit, "slow"},
		{0, `{"error":{"message":"down","code":"502"}}`, Overloaded, "down"},
		{0, `{"code":"InvalidParameter","message":"no tools","request_id":"1"}`, Overloaded, "no tools"},
		{0, `{"success":false,"msg":"token expired","code":401}`, Auth, "token expired"},
		{400, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"messages.1.content.0: Invalid `signature` in `thinking` block\"}}", BadThought, "messages.1"},
		{400, `{"error":{"message":"The encrypted content could not be verified.","type":"invalid_request_error","code":"invalid_encrypted_content"}}`, BadThought, "The encrypted"},
		{400, `{"error":{"code":400,"message":"Corrupted thought signature.","status":"INVALID_ARGUMENT"}}`, BadThought, "Corrupted"},
		{500, `{"error":{"message":"no thinking block came in time"}}`, Overloaded, "no thinking"},
		{400, `{"error":{"message":"Invalid 'messages[2].tool_calls[0].id': string too long.","type":"invalid_request_error","code":"string_above_max_length"}}`, Rejected, "Invalid"},
		{400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"prompt is too long: 210000 tokens > 200000 maximum\"}}","provider_name":"x"}}}`, TooLong, "Provider returned error: prompt is too long"},
		{400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"no such luck","provider_name":"x"}}}`, Rejected, "Provider returned error: no such luck"},
		{502, `{"error":{"message":"Provider returned error","metadata":{"raw":{"message":"it is down"}}}}`, Overloaded, "Provider returned error: it is down"},
		{403, `{"Message":"User is not authorized"}`, Auth, "User is"},
		{400, `{"__type":"ThrottlingException","message":"Too many tokens, please wait"}`, RateLimit, "Too many"},
		{400, `{"error":{"message":"Failed to call a function.","type":"invalid_request_error","code":"tool_use_failed"}}`, Overloaded, "Failed to call"},
		{400, `{"success":false,"errors":[{"code":5007,"message":"No such model"}]}`, Rejected, "No such model"},
		{409, `{"error":{"message":"conflict"}}`, Overloaded, "conflict"},
		{425, ``, Overloaded, "too early"},
		{499, ``, Overloaded, "the provider reported"},
		{501, ``, Rejected, "not implemented"},
		{403, `<html><title>Just a moment...</title>`, Barred, "a web page answered in the place of the provider (Just a moment...)"},
		{404, `<html><h1>x</h1>`, Barred, "a web page answered in the place of the provider (without a title)"},
		{0, `{"error":null}`, Overloaded, "the provider reported an error without words"},
	} {
		e := Endpoint{Provider: "p", Key: "sk-secret", Headers: map[string]string{"X": "hunter2hunter2"}}
		got := e.Failure(c.status, nil, []byte(c.body))
		if got.Kind != c.kind || !strings.HasPrefix(got.Message, c.message) || got.Status != c.status {
			t.Errorf("%d %s:\nkind %d, want %d: %s", c.status, c.body, got.Kind, c.kind, got.Message)
		}
	}
}

// TestOverflowsAreToldInManyWords has what providers and gateways say when a request
// is too long, and the limit that each names.
func TestOverflowsAreToldInManyWords(t *testing.T) {
	for message, want := range map[string]Limit{
		"prompt is too long: 213462 tokens > 200000 maximum":                                                                                           {200000, false},
		"input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease input length":                                            {200000, false},
		"This model's maximum context length is 131072 tokens. However, you requested 0 output tokens and your prompt contains at least 131073 tokens": {131072, false},
		"This endpoint's maximum context length is 1,048,576 tokens. However, you requested about 1100000 tokens":                                      {1048576, false},
		"Requested token count exceeds the model's maximum context length of 131072 tokens":                                                            {131072, false},
		"Input length (265330) exceeds model's maximum context length (262144).":                                                                       {262144, false},
		"request (33056 tokens) exceeds the available context size (32768 tokens), try increasing it":                                                  {32768, false},
		"The input (90000 tokens) is longer than the model's context length (32768 tokens).":                                                           {32768, false},
		"Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length":                                     {131072, false},
		"However, the model's context length is only 131072 tokens, resulting in a maximum input length of 99072 tokens. Please reduce the length":     {131072, false},
		"the model is loaded with context length of only 4096 tokens, and the prompt is greater than the context length":                               {4096, false},
		"Your request exceeded model token limit: 262144 (requested: 300000)":                                                                          {262144, false},
		"The decoder prompt (length 50000) is longer than the maximum model length of 40960. Make sure that max_model_len is large enough":             {40960, false},
		"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).":                                                      {1048575, true},
		"This model's maximum prompt length is 131072 but the request contains 537812 tokens":                                                          {131072, true},
		"Input length 131393 exceeds the maximum allowed input length of 131040 tokens.":                                                               {131040, true},
		"Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.":                                          {272000, true},
		"prompt token count of 140000 exceeds the limit of 128000":                                                                                     {128000, true},
		"Unable to submit request because the input token count is 32825 but model only supports up to 32768":                                          {32768, true},
		"Range of input length should be [1, 129024]":                                                                                                  {129024, true},
		"Your input exceeds the context window of this model. Please adjust your input and try again.":                                                 {},
		"Input is too long for requested model.":                                                                                                       {},
		"invalid params, context window exceeds limit (2013)":                                                                                          {},
		"prompt too long; exceeded max context length by 4 tokens":                                                                                     {},
		"tokens in request more than max tokens allowed":                                                                                               {},
	} {
		body := JSON(map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error"}})
		for _, status := range []int{0, 400, 500} {
			if got := (&Endpoint{}).Failure(status, nil, body); got.Kind != TooLong || got.Limit != want {
				t.Errorf("%d %s:\nis %s, with %+v", status, message, got.Kind, got.Limit)
			}
		}
	}
	got := (&Endpoint{}).Failure(400, nil, []byte(`{"error":{"code":400,"message":"too much","type":"exceed_context_size_error","n_prompt_tokens":33056,"n_ctx":32768}}`))
	if got.Kind != TooLong || got.Limit != (Limit{32768, false}) {
		t.Errorf("got %s, %+v", got.Kind, got.Limit)
	}
	for _, message := range []string{
		"max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens", "max_tokens cannot exceed the configured model output limit of 16384", "Too many tokens, please wait",
	} {
		if got := (&Endpoint{}).Failure(400, nil, JSON(map[string]string{"message": message})); got.Kind == TooLong || got.Limit != (Limit{}) {
			t.Errorf("%s: %s, %+v", message, got.Kind, got.Limit)
		}
	}
	if w := (Limit{100000, false}).Window(Info{Output: 8000}); w != 92000 {
		t.Errorf("of a context of 100000, %d are left for a request", w)
	}
	if w := (Limit{100000, true}).Window(Info{Output: 8000}); w != 100000 {
		t.Errorf("of an input of 100000, %d are left for a request", w)
	}
}

func TestAWaitInWordsIsRead(t *testing.T) {
	for body, want := range map[string]time.Duration{
		`{"error":{"message":"Rate limit reached. Please try again in 1.5s. Visit x","code":"rate_limit_exceeded"}}`: 1500 * time.Millisecond,
		`{"error":{"message":"Please try again in 20ms."}}`:                                                          20 * time.Millisecond,
		`{"error":{"message":"Please try again in 1m2.5s."}}`:                                                        62500 * time.Millisecond,
		`{"error":{"message":"Please retry after 26 seconds."}}`:                                                     26 * time.Second,
		`{"error":{"message":"try again in 2 hours"}}`:                                                               2 * time.Hour,
		`{"error":{"message":"x","retry_after":3}}`:                                                                  3 * time.Second,
		`{"error":{"message":"x","resets_in_seconds":7200}}`:                                                         2 * time.Hour,
		`{"error":{"message":"try again later"}}`:                                                                    0,
		`{"error":{"message":"x","retry_after":-3}}`:                                                                 0,
	} {
		if got := (&Endpoint{}).Failure(429, nil, []byte(body)); got.After != want {
			t.Errorf("%s: %s", body, got.After)
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
