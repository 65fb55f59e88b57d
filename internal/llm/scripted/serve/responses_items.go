package serve

import (
	"fmt"
	"strings"
)

func (c *responsesCheck) input(n node) {
	if n.isString() {
		c.say(c.text(n))
		return
	}
	list := n.items()
	if len(list) == 0 {
		c.fail(n, "must be a string or a list of items")
		return
	}
	for i, item := range list {
		var next node
		if i+1 < len(list) {
			next = list[i+1]
		}
		c.item(item, next)
	}
	c.pairs.settled(c.check, list[len(list)-1])
}

func (c *responsesCheck) item(n, next node) {
	kind := n.key("type").str()
	if kind == "" && n.key("role").ok {
		kind = "message"
	}
	if kind == "function_call_output" {
		c.output(n)
		return
	}
	if c.outputs || kind == "message" && n.key("role").str() != "assistant" {
		c.pairs.settled(c.check, n)
		c.outputs = false
	}
	switch kind {
	case "message":
		c.message(n)
	case "function_call":
		c.call(n)
	case "reasoning":
		c.reasoning(n, next)
	default:
		c.oneOf(n.key("type"), "message function_call function_call_output reasoning")
	}
}

func (c *responsesCheck) itemID(n node, prefix string) {
	id := n.key("id")
	if id.isNull() {
		return
	}
	if c.id(id); !strings.HasPrefix(id.str(), prefix) {
		c.fail(id, "%q is not an ID that begins with %q", id.str(), prefix)
	}
}

func (c *responsesCheck) message(n node) {
	c.only(n, "type role content id status phase")
	role := n.key("role").str()
	c.oneOf(n.key("role"), "user assistant system developer")
	if role == "assistant" {
		c.itemID(n, "msg_")
		c.heard()
	}
	content := n.key("content")
	if content.isString() {
		c.text(content)
		if role == "user" {
			c.say(content.str())
		}
		return
	}
	if len(content.items()) == 0 {
		c.fail(content, "must be a string or a list of parts")
	}
	for _, p := range content.items() {
		c.part(p, role)
	}
}

func (c *responsesCheck) part(p node, role string) {
	kind := p.key("type")
	if role == "assistant" {
		c.oneOf(kind, "output_text refusal")
		c.only(p, "type text annotations logprobs refusal")
		field := "text"
		if kind.str() == "refusal" {
			field = "refusal"
		}
		c.text(p.key(field))
		return
	}
	c.oneOf(kind, "input_text input_image")
	if kind.str() == "input_image" {
		c.only(p, "type image_url detail file_id")
		c.imageURL(p.key("image_url"))
		return
	}
	c.only(p, "type text")
	if c.text(p.key("text")); role == "user" {
		c.say(p.key("text").str())
	}
}

func (c *responsesCheck) call(n node) {
	c.only(n, "type id call_id name arguments status")
	c.heard()
	c.itemID(n, "fc_")
	id := c.callID(n)
	c.toolName(n.key("name"))
	c.jsonObject(n.key("arguments"))
	c.pairs.call(c.check, n, id)
	if rs := c.served.thinking[c.q.model+"\x00"+n.key("id").str()]; rs != "" && !c.reasoned[rs] {
		c.fail(n, "item %q of type function_call was provided without its required reasoning item: %q", n.key("id").str(), rs)
	}
}

func (c *responsesCheck) callID(n node) string {
	id := c.id(n.key("call_id"))
	if len(id) > 64 {
		c.fail(n.key("call_id"), "string too long: expected at most 64 characters, got %d", len(id))
	}
	return id
}

func (c *responsesCheck) output(n node) {
	c.only(n, "type id call_id output status")
	c.outputs = true
	c.pairs.result(c.check, n, c.callID(n))
	out := n.key("output")
	if out.isString() {
		c.say(c.text(out))
		return
	}
	if len(out.items()) == 0 {
		c.fail(out, "must be a string or a list of parts")
	}
	for _, p := range out.items() {
		c.part(p, "user")
	}
}

// reasoning checks an item that must be what this model was served, and be
// followed by the item that it led to.
func (c *responsesCheck) reasoning(n, next node) {
	c.only(n, "type id summary content encrypted_content status")
	c.heard()
	id := n.key("id").str()
	c.itemID(n, "rs_")
	if !n.key("summary").isArray() {
		c.fail(n.key("summary"), "must be an array")
	}
	switch enc := n.key("encrypted_content"); {
	case enc.isNull() && !c.stored:
		c.fail(n, "item with id %q not found: items are not persisted when store is set to false", id)
	case !enc.isNull() && enc.str() != sign("reasoning", c.q.model, id):
		c.fail(enc, "the encrypted content could not be verified")
	}
	c.reasoned[id] = true
	kind := next.key("type").str()
	follows := kind == "function_call" || kind == "reasoning" || next.key("role").str() == "assistant"
	want := c.served.thinking[c.q.model+"\x00"+id]
	if got := next.key("id").str(); want != "" && got != "" && got != want {
		follows = false
	}
	if !follows {
		c.fail(n, "item %q of type reasoning was provided without its required following item", id)
	}
}

func itemIDs(m *message) (reasoning, text string) {
	return fmt.Sprintf("rs_%d", m.Number), fmt.Sprintf("msg_%d", m.Number)
}
