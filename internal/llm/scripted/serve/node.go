package serve

import (
	"encoding/json"
	"fmt"
)

// A node is a value in a request and the place it has there. A node that is not
// there is the zero value with a place.
type node struct {
	v  any // nil, bool, json.Number, string, []any or map[string]any
	at string
	ok bool
}

// key returns a member of an object.
func (n node) key(k string) node {
	at := k
	if n.at != "" {
		at = n.at + "." + k
	}
	v, ok := n.object()[k]
	return node{v, at, ok}
}

// object returns the members of an object; nil for anything else.
func (n node) object() map[string]any {
	m, _ := n.v.(map[string]any)
	return m
}

// items returns the elements of an array; nil for anything else.
func (n node) items() []node {
	list, _ := n.v.([]any)
	out := make([]node, len(list))
	for i, v := range list {
		out[i] = node{v, fmt.Sprintf("%s[%d]", n.at, i), true}
	}
	return out
}

// str returns a string; "" for anything else.
func (n node) str() string {
	s, _ := n.v.(string)
	return s
}

func (n node) isString() bool { _, ok := n.v.(string); return ok }
func (n node) isObject() bool { _, ok := n.v.(map[string]any); return ok }
func (n node) isArray() bool  { _, ok := n.v.([]any); return ok }
func (n node) isTrue() bool   { b, _ := n.v.(bool); return b }

// isNull reports whether n is absent or null.
func (n node) isNull() bool { return n.v == nil }

// number returns a number.
func (n node) number() (float64, bool) {
	x, ok := n.v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := x.Float64()
	return f, err == nil
}
