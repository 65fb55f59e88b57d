package serve

import (
	"encoding/json"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

func (c *geminiCheck) conversation(n node) {
	list := n.items()
	if len(list) == 0 {
		c.fail(n, "contents is not specified")
		return
	}
	current := -1
	for i, m := range list {
		if m.key("role").str() == "user" && !holds(m, "functionResponse") {
			current = i
		}
	}
	for i, m := range list {
		c.only(m, "role parts")
		c.oneOf(m.key("role"), "user model")
		if len(m.key("parts").items()) == 0 {
			c.fail(m.key("parts"), "must include at least one parts field")
		}
		if m.key("role").str() == "model" {
			if i == 0 || len(c.open) > 0 || holds(m, "functionCall") && list[i-1].key("role").str() == "model" {
				c.fail(m, "a model turn must come immediately after a user turn or after a function response turn")
			}
			c.heard()
			c.model(m, i > current)
		} else {
			c.user(m)
		}
	}
	last := list[len(list)-1]
	if len(c.open) > 0 {
		c.fail(last, "function calls were found without a function response turn immediately after")
	}
	if last.key("role").str() == "model" {
		c.fail(last, "please ensure that the conversation ends with a user turn or a function response")
	}
	for key, n := range c.unsigned {
		if c.served.signed[key] && n > c.served.unsigned[key] {
			c.fail(last, "function call is missing a thought_signature in functionCall parts: %.80s", key)
		}
	}
}

func holds(m node, kind string) bool {
	for _, p := range m.key("parts").items() {
		if p.key(kind).ok {
			return true
		}
	}
	return false
}

func (c *geminiCheck) user(m node) {
	responses := 0
	for _, p := range m.key("parts").items() {
		if p.key("functionResponse").ok {
			responses++
		}
	}
	if responses != len(c.open) {
		c.fail(m, "please ensure that the number of function response parts (%d) is equal to the number of function call parts (%d) of the function call turn", responses, len(c.open))
	}
	responses = 0
	for _, p := range m.key("parts").items() {
		switch {
		case p.key("functionResponse").ok:
			c.only(p, "functionResponse")
			c.response(p.key("functionResponse"), responses)
			responses++
		case p.key("inlineData").ok:
			c.only(p, "inlineData")
			c.image(p.key("inlineData").key("mimeType"), p.key("inlineData").key("data"))
		default:
			c.only(p, "text")
			c.say(c.text(p.key("text")))
		}
	}
	c.open = nil
}

func (c *geminiCheck) response(n node, i int) {
	c.only(n, "id name response parts willContinue scheduling")
	if !n.key("response").isObject() {
		c.fail(n.key("response"), "must be an object")
	}
	if i < len(c.open) {
		call := c.open[i]
		if call.key("name").str() != n.key("name").str() {
			c.fail(n.key("name"), "the function call was to %q", call.key("name").str())
		}
		if call.key("id").str() != n.key("id").str() {
			c.fail(n.key("id"), "the function call had the id %q", call.key("id").str())
		}
	}
	for _, p := range n.key("parts").items() {
		c.image(p.key("inlineData").key("mimeType"), p.key("inlineData").key("data"))
	}
	for _, k := range []string{"output", "error", "result"} {
		if v := n.key("response").key(k); v.isString() {
			c.say(c.text(v))
		}
	}
}

func (c *geminiCheck) model(m node, current bool) {
	c.open = nil
	for _, p := range m.key("parts").items() {
		c.only(p, "text thought thoughtSignature functionCall")
		call := p.key("functionCall")
		if !call.ok {
			c.text(p.key("text"))
			continue
		}
		c.only(call, "id name args")
		c.toolName(call.key("name"))
		if args := call.key("args"); args.ok && !args.isObject() {
			c.fail(args, "must be an object")
		}
		args, _ := json.Marshal(call.key("args").object()) // it was decoded from JSON
		key := callKey(c.q.model, call.key("name").str(), string(args))
		switch sig := p.key("thoughtSignature"); {
		case sig.ok && sig.str() == unsigned:
			// What Google documents for calls that no Gemini model made.
		case sig.ok && sig.str() != sign(key):
			c.fail(sig, "corrupted thought signature")
		case !sig.ok && current:
			c.unsigned[key]++
		}
		c.open = append(c.open, call)
	}
}

// callKey tells calls apart by what they say, since gemini's have no id.
func callKey(model, name, args string) string {
	var v map[string]any
	if json.Unmarshal([]byte(args), &v) == nil {
		b, _ := json.Marshal(v) // sorts the keys; it was decoded from JSON
		args = string(b)
	}
	if args == "null" {
		args = "{}"
	}
	return model + " " + name + " " + args
}

func (gemini) remember(l *ledger, m *message) {
	for i, c := range m.Calls {
		if key := keyOf(m, c); i == 0 && m.Think != "" {
			l.signed[key] = true
		} else {
			l.unsigned[key]++
		}
	}
}

func keyOf(m *message, c scripted.Call) string { return callKey(m.model, c.Name, string(c.Args)) }

// unsigned stands in for the signature of a call that has none.
// https://ai.google.dev/gemini-api/docs/thought-signatures
const unsigned = "skip_thought_signature_validator"
