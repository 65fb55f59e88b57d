package serve

import (
	"errors"
	"net/http"
)

// chat is OpenAI's Chat Completions API, as far as servers that copy it agree:
// https://platform.openai.com/docs/api-reference/chat. Unknown fields pass, since
// every server has its own.
type chat struct{}

func (chat) name() string { return "chat" }

// key wants none: local servers have none.
func (chat) key(r *http.Request) (string, error) {
	key, ok := bearer(r)
	if !ok && r.Header.Get("Authorization") != "" {
		return "", errors.New("the Authorization header must be Bearer and the API key")
	}
	return key, nil
}

func (chat) failure(bad *refusal) (string, any) {
	return "", obj{"error": openAIError(bad, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.")}
}

func (chat) remember(*ledger, *message) {}

func (chat) check(c *check, _ *http.Request, body node) {
	c.model(body.key("model"))
	c.stream(body.key("stream"))
	c.q.usage = body.key("stream_options").key("include_usage").isTrue()
	c.between(body.key("temperature"), 0, 2)
	c.whole(body.key("max_tokens"), 1)
	c.whole(body.key("max_completion_tokens"), 1)
	if body.key("max_tokens").ok && body.key("max_completion_tokens").ok {
		c.fail(body.key("max_tokens"), "setting max_tokens and max_completion_tokens at the same time is not supported")
	}
	m := chatCheck{c, newPairs("tool message")}
	m.tools(body)
	m.conversation(body.key("messages"))
}

type chatCheck struct {
	*check
	pairs *pairs
}

func (c *chatCheck) tools(body node) {
	n := body.key("tools")
	names := toolNames{}
	for _, t := range n.items() {
		c.oneOf(t.key("type"), "function")
		f := t.key("function")
		c.only(f, "name description parameters strict")
		names.add(c.check, f.key("name"))
		if f.key("parameters").ok {
			c.openAISchema(f.key("parameters"), f.key("strict").isTrue())
		}
	}
	if c.q.Tools = len(names) > 0; c.q.Tools {
		if choice := body.key("tool_choice"); choice.isString() {
			c.oneOf(choice, "none auto required")
		}
		return
	}
	if n.ok {
		c.fail(n, "an empty list is too short")
	}
	for _, k := range []string{"tool_choice", "parallel_tool_calls"} {
		if body.key(k).ok {
			c.fail(body.key(k), "is only allowed when tools are specified")
		}
	}
}

func (c *chatCheck) conversation(n node) {
	list := n.items()
	if len(list) == 0 {
		c.fail(n, "an empty list is too short")
		return
	}
	talked := false
	for _, m := range list {
		role := m.key("role").str()
		if role != "tool" {
			c.pairs.settled(c.check, m)
		}
		switch role {
		case "system", "developer":
			if talked {
				c.fail(m, "the system message must be at the beginning")
			}
			c.content(m.key("content"), "text")
			continue
		case "user":
			c.saying(c.content(m.key("content"), "text image_url"))
		case "assistant":
			c.heard()
			c.assistant(m)
		case "tool":
			c.pairs.result(c.check, m, c.callID(m.key("tool_call_id")))
			c.saying(c.content(m.key("content"), "text"))
		default:
			c.oneOf(m.key("role"), "system developer user assistant tool")
		}
		talked = true
	}
	c.pairs.settled(c.check, list[len(list)-1])
}

func (c *chatCheck) saying(texts []string) {
	for _, s := range texts {
		c.say(s)
	}
}

// content checks a string or a list of parts of the kinds, and returns its texts.
func (c *chatCheck) content(n node, kinds string) []string {
	if n.isString() {
		return []string{c.text(n)}
	}
	if len(n.items()) == 0 {
		c.fail(n, "must be a string or a list of parts, not null or empty")
	}
	var texts []string
	for _, p := range n.items() {
		c.oneOf(p.key("type"), kinds)
		if p.key("type").str() == "image_url" {
			c.imageURL(p.key("image_url").key("url"))
			continue
		}
		texts = append(texts, c.text(p.key("text")))
	}
	return texts
}

func (c *chatCheck) assistant(m node) {
	calls := m.key("tool_calls")
	if !m.key("content").isNull() || !calls.ok {
		c.content(m.key("content"), "text refusal")
	}
	if calls.ok && len(calls.items()) == 0 {
		c.fail(calls, "an empty list is too short")
	}
	for _, t := range calls.items() {
		c.only(t, "id type function index extra_content")
		c.oneOf(t.key("type"), "function")
		id := c.callID(t.key("id"))
		c.toolName(t.key("function").key("name"))
		c.jsonObject(t.key("function").key("arguments"))
		c.pairs.call(c.check, t, id)
	}
}

func (c *chatCheck) callID(n node) string {
	id := c.id(n)
	if len(id) > 40 {
		c.fail(n, "string too long: expected at most 40 characters, got %d", len(id))
	}
	return id
}
