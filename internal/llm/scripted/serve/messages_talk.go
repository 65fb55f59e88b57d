package serve

import (
	"slices"
	"strings"
)

func (c *messagesCheck) conversation(n node) {
	list := n.items()
	if len(list) == 0 {
		c.fail(n, "at least one message is required")
		return
	}
	for i, m := range list {
		if m.key("role").str() == "user" && !holdsResult(m) {
			c.current = i
		}
	}
	for i, m := range list {
		c.only(m, "role content")
		c.oneOf(m.key("role"), "user assistant")
		if m.key("role").str() == "assistant" {
			if i == 0 {
				c.fail(m, "first message must use the user role")
			}
			c.heard()
			c.assistant(m.key("content"), i > c.current)
		} else {
			c.user(m.key("content"))
		}
	}
	c.led(list)
	last := list[len(list)-1]
	c.pairs.settled(c.check, last)
	if last.key("role").str() == "assistant" {
		c.fail(last, "the conversation must end with a user message")
	}
}

// led checks that the newest message that made calls begins with thinking.
func (c *messagesCheck) led(list []node) {
	for _, m := range slices.Backward(list) {
		if !c.budgeted || m.key("role").str() != "assistant" {
			continue
		}
		blocks := m.key("content").items()
		for _, b := range blocks {
			if first := blocks[0].key("type"); b.key("type").str() == "tool_use" && !strings.HasSuffix(first.str(), "thinking") {
				c.fail(first, "expected thinking or redacted_thinking, but found %s: with thinking enabled, a final assistant message must start with a thinking block", first.str())
			}
		}
		return
	}
}

func holdsResult(m node) bool {
	for _, b := range m.key("content").items() {
		if b.key("type").str() == "tool_result" {
			return true
		}
	}
	return false
}

// content returns the blocks of a message; a string is checked and returned as
// none.
func (c *messagesCheck) content(n node) []node {
	if n.isString() {
		c.text(n)
	} else if len(n.items()) == 0 {
		c.fail(n, "all messages must have non-empty content")
	}
	return n.items()
}

func (c *messagesCheck) user(n node) {
	if n.isString() {
		c.say(n.str())
	}
	answers := len(c.pairs.open) > 0
	prose := false
	for _, b := range c.content(n) {
		switch kind := b.key("type"); kind.str() {
		case "text":
			c.block(b, "type text cache_control citations")
			c.say(c.text(b.key("text")))
			prose = true
		case "image":
			c.block(b, "type source cache_control")
			c.source(b.key("source"))
			prose = true
		case "tool_result":
			if prose && answers {
				c.fail(b, "tool_result blocks must come first in their message")
			}
			c.result(b)
		default:
			c.oneOf(kind, "text image tool_result")
		}
	}
	if answers {
		c.pairs.settled(c.check, n)
	}
}

func (c *messagesCheck) source(n node) {
	switch n.key("type").str() {
	case "base64":
		c.only(n, "type media_type data")
		c.image(n.key("media_type"), n.key("data"))
	case "url":
		c.only(n, "type url")
		c.imageURL(n.key("url"))
	default:
		c.oneOf(n.key("type"), "base64 url")
	}
}

func (c *messagesCheck) result(b node) {
	c.block(b, "type tool_use_id content is_error cache_control")
	c.pairs.result(c.check, b, c.id(b.key("tool_use_id")))
	n := b.key("content")
	if n.isString() {
		c.say(c.text(n))
		return
	}
	if len(n.items()) == 0 {
		c.fail(n, "must not be empty")
	}
	for _, part := range n.items() {
		switch part.key("type").str() {
		case "text":
			c.block(part, "type text cache_control citations")
			c.say(c.text(part.key("text")))
		case "image":
			c.block(part, "type source cache_control")
			c.source(part.key("source"))
			if b.key("is_error").isTrue() {
				c.fail(part, `all content must be of type "text" if is_error is true`)
			}
		default:
			c.oneOf(part.key("type"), "text image")
		}
	}
}

// assistant checks a message of the model's. Within the turn at hand, thinking
// that was served before a call must be there.
func (c *messagesCheck) assistant(n node, current bool) {
	list := c.content(n)
	var signature, kind string
	begun := false
	for _, b := range list {
		kind = b.key("type").str()
		switch kind {
		case "thinking":
			c.only(b, "type thinking signature")
			sig := b.key("signature").str()
			if sig != sign("thinking", c.q.model, b.key("thinking").str()) {
				c.fail(b, "invalid signature in thinking block: it is not the thinking that this model was served")
			}
			signature = sig
		case "redacted_thinking":
			c.only(b, "type data")
			if b.key("data").str() != sign("redacted", c.q.model) {
				c.fail(b, "invalid data in redacted_thinking block")
			}
		case "text":
			c.block(b, "type text cache_control citations")
			c.text(b.key("text"))
		case "tool_use":
			c.block(b, "type id name input cache_control caller")
			c.toolUse(b, signature, current)
		default:
			c.oneOf(b.key("type"), "text thinking redacted_thinking tool_use")
		}
		thinks := strings.HasSuffix(kind, "thinking")
		if thinks && begun {
			c.fail(b, "thinking must come first in its message")
		}
		begun = begun || !thinks
	}
	if strings.HasSuffix(kind, "thinking") {
		c.fail(n, "the final block in an assistant message cannot be thinking")
	}
}

func (c *messagesCheck) toolUse(b node, signature string, current bool) {
	id := c.id(b.key("id"))
	if !idForm.MatchString(id) {
		c.fail(b.key("id"), "%q does not match %s", id, idForm)
	}
	c.toolName(b.key("name"))
	if !b.key("input").isObject() {
		c.fail(b.key("input"), "must be an object")
	}
	c.pairs.call(c.check, b, id)
	want := c.served.thinking[c.q.model+"\x00"+id]
	if current && c.thinks && want != "" && signature != want {
		c.fail(b, "expected thinking before the tool_use %s of the current turn, as it was served", id)
	}
}
