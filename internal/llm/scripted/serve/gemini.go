package serve

import (
	"errors"
	"net/http"
	"strings"
)

// gemini is Google's Gemini API: https://ai.google.dev/api/generate-content.
type gemini struct{}

func (gemini) name() string { return "gemini" }

func (gemini) key(r *http.Request) (string, error) {
	if key := or(r.Header.Get("X-Goog-Api-Key"), r.URL.Query().Get("key")); key != "" {
		return key, nil
	}
	return "", errors.New("method doesn't allow unregistered callers: use x-goog-api-key or key=")
}

func (gemini) failure(bad *refusal) (string, any) {
	cause, retry := bad.cause, bad.retryAfter
	bad.put(map[string]wording{
		"key":      {400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."},
		"model":    {404, "NOT_FOUND", ""},
		"too_long": {400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."},
		"quota":    {429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details."},
	}, map[int]string{
		400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED",
		500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
	})
	e := obj{"code": bad.status, "message": bad.message, "status": bad.kind}
	switch {
	case cause == "key":
		e["details"] = []any{obj{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}}
	case retry != "" && strings.Trim(retry, "0123456789") == "":
		e["details"] = []any{obj{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": retry + "s"}}
	}
	return "", obj{"error": e}
}

func (gemini) check(c *check, r *http.Request, body node) {
	model, _ := strings.CutPrefix(r.URL.Path, "/v1beta/models/")
	c.q.model = strings.TrimSuffix(model, ":streamGenerateContent")
	if r.URL.Query().Get("alt") != "sse" {
		c.fail(node{at: "alt"}, "must be sse")
	}
	c.only(body, "contents systemInstruction system_instruction tools toolConfig generationConfig safetySettings cachedContent labels model")
	g := geminiCheck{check: c, unsigned: map[string]int{}}
	g.config(body.key("generationConfig"))
	g.tools(body)
	for _, k := range []string{"systemInstruction", "system_instruction"} {
		if n := body.key(k); n.ok {
			c.only(n, "role parts")
			for _, p := range n.key("parts").items() {
				c.only(p, "text")
				c.text(p.key("text"))
			}
		}
	}
	g.conversation(body.key("contents"))
}

type geminiCheck struct {
	*check
	open     []node         // the calls of the last model turn
	unsigned map[string]int // calls of the turn at hand that carry no signature
}

func (c *geminiCheck) config(n node) {
	if !n.ok {
		return
	}
	c.only(n, "temperature topP topK maxOutputTokens candidateCount stopSequences responseMimeType responseSchema responseJsonSchema "+
		"responseModalities seed presencePenalty frequencyPenalty responseLogprobs logprobs thinkingConfig mediaResolution speechConfig")
	c.between(n.key("temperature"), 0, 2)
	c.whole(n.key("maxOutputTokens"), 1)
	t := n.key("thinkingConfig")
	if !t.ok {
		return
	}
	c.only(t, "includeThoughts thinkingBudget thinkingLevel")
	if t.key("thinkingBudget").ok && t.key("thinkingLevel").ok {
		c.fail(t, "thinkingBudget and thinkingLevel cannot be set together")
	}
}

func (c *geminiCheck) tools(body node) {
	names := toolNames{}
	for _, t := range body.key("tools").items() {
		c.only(t, "functionDeclarations")
		for _, f := range t.key("functionDeclarations").items() {
			c.only(f, "name description parameters parametersJsonSchema response responseJsonSchema behavior")
			names.add(c.check, f.key("name"))
			if first := f.key("name").str(); first != "" && strings.ContainsAny(first[:1], "0123456789-") {
				c.fail(f.key("name"), "must start with a letter or an underscore")
			}
			plain, full := f.key("parameters"), f.key("parametersJsonSchema")
			if plain.ok && full.ok {
				c.fail(f, "parameters and parametersJsonSchema exclude each other")
			}
			if plain.ok {
				c.geminiSchema(plain)
			}
			if full.ok && full.key("type").str() != "object" {
				c.fail(full, "schema should be of type object")
			}
		}
	}
	c.q.Tools = len(names) > 0
	config := body.key("toolConfig")
	if !config.ok {
		return
	}
	calling := config.key("functionCallingConfig")
	c.only(config, "functionCallingConfig retrievalConfig")
	c.only(calling, "mode allowedFunctionNames")
	c.oneOf(calling.key("mode"), "AUTO ANY NONE VALIDATED")
	if !c.q.Tools {
		c.fail(calling, "function calling config is set without function_declarations")
	}
}
