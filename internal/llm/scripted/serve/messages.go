package serve

import (
	"errors"
	"net/http"
)

// messages is Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages.
type messages struct{}

func (messages) name() string { return "messages" }

func (messages) key(r *http.Request) (string, error) {
	if key := r.Header.Get("X-Api-Key"); key != "" {
		return key, nil
	}
	return "", errors.New("x-api-key header is required")
}

func (messages) failure(bad *refusal) (string, any) {
	bad.put(map[string]wording{
		"key":      {401, "authentication_error", "invalid x-api-key"},
		"model":    {404, "not_found_error", ""},
		"too_long": {400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"},
		"quota":    {400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."},
	}, map[int]string{
		400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
		404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error",
		503: "overloaded_error", 504: "timeout_error", 529: "overloaded_error",
	})
	return "error", obj{"type": "error", "error": obj{"type": bad.kind, "message": bad.message}}
}

func (messages) check(c *check, r *http.Request, body node) {
	if r.Header.Get("Anthropic-Version") != "2023-06-01" {
		c.fail(node{at: "anthropic-version"}, "header is required, and 2023-06-01 is the only version")
	}
	c.only(body, "model messages max_tokens system tools tool_choice stream temperature top_p top_k stop_sequences metadata "+
		"thinking service_tier container context_management mcp_servers output_config output_format cache_control inference_geo")
	c.model(body.key("model"))
	c.stream(body.key("stream"))
	if body.key("max_tokens").isNull() {
		c.fail(body.key("max_tokens"), "field required")
	}
	c.whole(body.key("max_tokens"), 1)
	m := messagesCheck{check: c, pairs: newPairs("tool_result"), current: -1}
	m.marker(body)
	m.system(body.key("system"))
	m.tools(body)
	m.thinking(body)
	m.conversation(body.key("messages"))
}

type messagesCheck struct {
	*check
	pairs   *pairs
	markers int // of cache_control
	// current is the index of the message that began the turn at hand.
	current int
	// thinks says that thinking is on: only then must it come back. budgeted says
	// that it has a budget: then the newest calls must follow some.
	thinks, budgeted bool
}

// marker checks the cache breakpoint of a block.
func (c *messagesCheck) marker(n node) {
	m := n.key("cache_control")
	if m.isNull() {
		return
	}
	c.only(m, "type ttl")
	c.oneOf(m.key("type"), "ephemeral")
	if m.key("ttl").ok {
		c.oneOf(m.key("ttl"), "5m 1h")
	}
	if c.markers++; c.markers > 4 {
		c.fail(m, "a maximum of 4 blocks with cache_control may be provided")
	}
}

func (c *messagesCheck) system(n node) {
	if n.ok && !n.isString() && !n.isArray() {
		c.fail(n, "must be a string or a list of text blocks")
	}
	for _, b := range n.items() {
		c.oneOf(b.key("type"), "text")
		c.block(b, "type text cache_control citations")
		c.text(b.key("text"))
	}
}

func (c *messagesCheck) block(n node, keys string) {
	c.only(n, keys)
	c.marker(n)
}

func (c *messagesCheck) tools(body node) {
	names := toolNames{}
	list := body.key("tools").items()
	for _, t := range list {
		c.block(t, "type name description input_schema cache_control strict eager_input_streaming input_examples defer_loading allowed_callers")
		names.add(c.check, t.key("name"))
		c.anthropicSchema(t.key("input_schema"))
	}
	c.q.Tools = len(list) > 0
	choice := body.key("tool_choice")
	if choice.isNull() {
		return
	}
	c.only(choice, "type name disable_parallel_tool_use")
	c.oneOf(choice.key("type"), "auto any tool none")
	if len(list) == 0 {
		c.fail(choice, "may only be specified while providing tools")
	}
	if name := choice.key("name"); choice.key("type").str() == "tool" && !names[name.str()] {
		c.fail(name, "%q is not among the tools", name.str())
	}
}

func (c *messagesCheck) thinking(body node) {
	c.between(body.key("temperature"), 0, 1)
	if effort := body.key("output_config").key("effort"); effort.ok {
		c.oneOf(effort, "low medium high xhigh max")
	}
	n := body.key("thinking")
	if n.isNull() {
		return
	}
	c.only(n, "type budget_tokens display block_binding")
	if mismatch := n.key("block_binding").key("prefix_mismatch_behavior"); mismatch.ok {
		c.oneOf(mismatch, "error drop_block")
	}
	c.oneOf(n.key("type"), "enabled disabled adaptive")
	kind := n.key("type").str()
	if kind == "disabled" {
		return
	}
	c.thinks = true
	budget := n.key("budget_tokens")
	if c.budgeted = kind == "enabled"; c.budgeted {
		c.whole(budget, 1024)
		most, _ := body.key("max_tokens").number()
		if v, ok := budget.number(); !ok || v >= most {
			c.fail(budget, "must be given and less than max_tokens")
		}
	} else if budget.ok {
		c.fail(budget, "only goes with enabled thinking")
	}
	if t, ok := body.key("temperature").number(); ok && t != 1 {
		c.fail(body.key("temperature"), "may only be set to 1 when thinking is enabled")
	}
	if k := body.key("tool_choice").key("type"); k.str() == "any" || k.str() == "tool" {
		c.fail(k, "thinking may not be enabled when tool_choice forces tool use")
	}
}
