package serve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// toolNames checks that names are well formed and unique.
type toolNames map[string]bool

func (t toolNames) add(c *check, n node) {
	c.toolName(n)
	if t[n.str()] {
		c.fail(n, "tool names must be unique: %q is used twice", n.str())
	}
	t[n.str()] = true
}

// objectSchema checks that n is the schema of an object and has no
// alternatives at the top.
func (c *check) objectSchema(n node) {
	if !n.isObject() || n.key("type").str() != "object" {
		c.fail(n, `must be a schema of type "object"`)
	}
	for _, k := range []string{"oneOf", "anyOf", "allOf"} {
		if n.key(k).ok {
			c.fail(n.key(k), "is not supported at the top level of a schema")
		}
	}
	if p := n.key("properties"); p.ok && !p.isObject() {
		c.fail(p, "must be an object")
	}
	if r := n.key("required"); r.ok && !r.isArray() {
		c.fail(r, "must be an array")
	}
}

var propertyForm = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// anthropicSchema adds the form of property names.
func (c *check) anthropicSchema(n node) {
	c.objectSchema(n)
	for k := range n.key("properties").object() {
		if !propertyForm.MatchString(k) {
			c.fail(n.key("properties"), "property keys should match %s, not %q", propertyForm, k)
		}
	}
}

// openAISchema adds what OpenAI demands of functions: properties, and items in
// every array; in strict mode all properties required and no others.
func (c *check) openAISchema(n node, strict bool) {
	c.objectSchema(n)
	if !n.key("properties").ok {
		c.fail(n, "object schema missing properties")
	}
	walk(n, func(n node) {
		if n.key("type").str() == "array" && !n.key("items").ok {
			c.fail(n, "array schema missing items")
		}
		if !strict || n.key("type").str() != "object" {
			return
		}
		if v, ok := n.key("additionalProperties").v.(bool); !ok || v {
			c.fail(n, "strict: additionalProperties must be false")
		}
		for k := range n.key("properties").object() {
			if !slices.ContainsFunc(n.key("required").items(), func(r node) bool { return r.str() == k }) {
				c.fail(n, "strict: required must name every property, and lacks %q", k)
			}
		}
	})
}

const geminiSchemaFields = "type format title description nullable enum maxItems minItems properties required " +
	"minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum"

// geminiSchema checks the OpenAPI subset that "parameters" takes.
func (c *check) geminiSchema(n node) {
	if !strings.EqualFold(n.key("type").str(), "object") {
		c.fail(n, "schema should be of type OBJECT")
	}
	walk(n, func(n node) {
		c.only(n, geminiSchemaFields)
		kind := n.key("type")
		if kind.ok && !kind.isString() {
			c.fail(kind, "must be one type")
		}
		if strings.EqualFold(kind.str(), "array") && !n.key("items").ok {
			c.fail(n.key("items"), "missing field")
		}
		for _, e := range n.key("enum").items() {
			if !e.isString() {
				c.fail(e, "must be a string")
			}
		}
		for _, r := range n.key("required").items() {
			if !n.key("properties").key(r.str()).ok {
				c.fail(r, "property is not defined")
			}
		}
	})
}

// walk visits the schema n and those within it.
func walk(n node, visit func(node)) {
	if !n.isObject() {
		return
	}
	visit(n)
	for k := range n.key("properties").object() {
		walk(n.key("properties").key(k), visit)
	}
	walk(n.key("items"), visit)
	walk(n.key("additionalProperties"), visit)
	for _, k := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
		for i, x := range n.key(k).items() {
			x.at = fmt.Sprintf("%s.%s[%d]", n.at, k, i)
			walk(x, visit)
		}
	}
}
