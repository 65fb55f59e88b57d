package serve

import (
	"errors"
	"net/http"
)

// responses is OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses.
type responses struct{}

func (responses) name() string { return "responses" }

func (responses) key(r *http.Request) (string, error) {
	if key, ok := bearer(r); ok {
		return key, nil
	}
	return "", errors.New("you must provide the API key in an Authorization: Bearer header")
}

func (responses) failure(bad *refusal) (string, any) {
	e := openAIError(bad, "Your input exceeds the context window of this model. Please adjust your input and try again.")
	if bad.inStream {
		return "error", obj{"type": "error", "code": e["code"], "message": e["message"], "param": nil, "sequence_number": bad.events}
	}
	return "error", obj{"error": e}
}

func openAIError(bad *refusal, tooLong string) obj {
	bad.put(map[string]wording{
		"key":      {401, "invalid_api_key", "Incorrect API key provided."},
		"model":    {404, "model_not_found", ""},
		"too_long": {400, "context_length_exceeded", tooLong},
		"quota":    {429, "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."},
	}, map[int]string{
		400: "invalid_request_error", 401: "invalid_api_key", 403: "unsupported_country_region_territory",
		404: "model_not_found", 429: "rate_limit_exceeded", 500: "server_error",
	})
	kind := "invalid_request_error"
	switch {
	case bad.kind == "insufficient_quota":
		kind = "insufficient_quota"
	case bad.status == http.StatusTooManyRequests:
		kind = "tokens"
	case bad.status >= 500:
		kind = "server_error"
	}
	return obj{"message": bad.message, "type": kind, "param": nil, "code": bad.kind}
}

func (responses) check(c *check, _ *http.Request, body node) {
	c.only(body, "model input instructions tools tool_choice stream store include reasoning max_output_tokens temperature top_p "+
		"parallel_tool_calls previous_response_id prompt_cache_key prompt_cache_retention safety_identifier metadata service_tier "+
		"text truncation user background conversation max_tool_calls prompt stream_options top_logprobs context_management")
	c.model(body.key("model"))
	c.stream(body.key("stream"))
	c.whole(body.key("max_output_tokens"), 16)
	c.between(body.key("temperature"), 0, 2)
	if n := body.key("instructions"); n.ok && !n.isString() && !n.isNull() {
		c.fail(n, "must be a string")
	}
	effort := body.key("reasoning").key("effort").str()
	if !body.key("temperature").isNull() && effort != "" && effort != "none" {
		c.fail(body.key("temperature"), "unsupported parameter: not supported with reasoning")
	}
	stored := body.key("store").isNull() || body.key("store").isTrue()
	for _, n := range body.key("include").items() {
		c.q.encrypted = c.q.encrypted || n.str() == "reasoning.encrypted_content"
	}
	r := responsesCheck{check: c, pairs: newPairs("function_call_output"), stored: stored, reasoned: map[string]bool{}}
	r.tools(body)
	r.input(body.key("input"))
}

type responsesCheck struct {
	*check
	pairs    *pairs
	stored   bool
	outputs  bool            // results have begun to answer the open calls
	reasoned map[string]bool // reasoning items so far
}

func (c *responsesCheck) tools(body node) {
	names := toolNames{}
	list := body.key("tools").items()
	for _, t := range list {
		if t.key("type").str() != "function" {
			c.oneOf(t.key("type"), "function")
			continue
		}
		c.only(t, "type name description parameters strict")
		names.add(c.check, t.key("name"))
		c.openAISchema(t.key("parameters"), t.key("strict").isTrue())
	}
	c.q.Tools = len(list) > 0
	choice := body.key("tool_choice")
	switch {
	case choice.isString():
		c.oneOf(choice, "none auto required")
	case !choice.isNull() && !choice.isObject():
		c.fail(choice, "must be a string or an object")
	}
}
