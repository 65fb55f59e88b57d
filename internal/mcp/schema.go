package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maxSchema bounds the schema of one tool in bytes: it is sent with every
// request.
const maxSchema = 64 << 10

// propertyForm is what every provider takes as the name of a property.
var propertyForm = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// repair returns the schema of a tool's arguments as one of an object with
// properties, which is what providers take, or says why it is none. Alternatives
// at the top are folded into one object whose properties are all optional: the
// server still has the last word. A schema that no provider would take fails
// every request, so a tool that has one is left out.
func repair(v any) (json.RawMessage, string) {
	if v == nil || v == true {
		v = map[string]any{}
	}
	root, ok := v.(map[string]any)
	if !ok {
		return nil, "its schema is not that of an object"
	}
	if b, err := json.Marshal(root); err != nil || len(b) > maxSchema {
		return nil, fmt.Sprintf("its schema has more than %d bytes", maxSchema)
	}
	if t, given := root["type"]; given && t != "object" {
		if list, several := t.([]any); !several || !slices.Contains(list, any("object")) {
			return nil, "its schema is not that of an object"
		}
	}
	fold(root, root, map[string]bool{})
	for _, k := range []string{"oneOf", "anyOf", "allOf", "not", "if", "then", "else", "enum", "const", "$ref", "$schema", "$id", "id"} {
		if _, sub := root["properties"]; k != "id" || sub { // of draft 4
			delete(root, k)
		}
	}
	root["type"] = "object"
	props, ok := root["properties"].(map[string]any)
	if !ok {
		props = map[string]any{}
	}
	root["properties"] = props
	required, problem := requirements(root, props)
	if problem != "" {
		return nil, problem
	}
	delete(root, "required")
	if len(required) > 0 {
		root["required"] = required
	}
	root["properties"] = tidy(props, true)
	for _, k := range []string{"$defs", "definitions"} {
		if defs, ok := root[k].(map[string]any); ok {
			root[k] = tidy(defs, true)
		}
	}
	b, err := json.Marshal(root)
	if err != nil || len(b) > maxSchema {
		return nil, fmt.Sprintf("its schema has more than %d bytes", maxSchema)
	}
	return b, ""
}

// requirements drops properties whose names no provider takes, and says so when
// one of them is required.
func requirements(root, props map[string]any) (required []string, problem string) {
	list, _ := root["required"].([]any)
	for _, x := range list {
		if name, ok := x.(string); ok {
			required = append(required, name)
		}
	}
	for name := range props {
		if propertyForm.MatchString(name) {
			continue
		}
		if slices.Contains(required, name) {
			return nil, fmt.Sprintf("it needs an argument called %q, which no provider takes", short(name))
		}
		delete(props, name)
	}
	return slices.DeleteFunc(required, func(n string) bool { _, ok := props[n]; return !ok }), ""
}

// fold adds the properties of the alternatives of at, and of what it refers to,
// to root.
func fold(root, at map[string]any, seen map[string]bool) {
	if ref, ok := at["$ref"].(string); ok && !seen[ref] {
		seen[ref] = true
		if to, ok := refersTo(root, ref); ok {
			merge(root, to)
			fold(root, to, seen)
		}
	}
	for _, k := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := at[k].([]any)
		for _, x := range list {
			if branch, ok := x.(map[string]any); ok {
				merge(root, branch)
				fold(root, branch, seen)
			}
		}
	}
}

func merge(root, branch map[string]any) {
	from, _ := branch["properties"].(map[string]any)
	to, ok := root["properties"].(map[string]any)
	if !ok {
		to = map[string]any{}
		root["properties"] = to
	}
	for name, p := range from {
		if _, taken := to[name]; !taken {
			to[name] = p
		}
	}
}

// refersTo looks a local reference up, as in #/$defs/node.
func refersTo(root map[string]any, ref string) (map[string]any, bool) {
	path, local := strings.CutPrefix(ref, "#/")
	if !local {
		return nil, false
	}
	var at any = root
	for _, step := range strings.Split(path, "/") {
		m, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		at = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	m, ok := at.(map[string]any)
	return m, ok
}

// tidy gives items to arrays without any and turns true, as a schema, into the
// schema of anything. named says that the keys of v are names and not keywords.
func tidy(v any, named bool) any {
	switch v := v.(type) {
	case bool:
		if named {
			return v
		}
	case map[string]any:
		if _, has := v["items"]; !named && v["type"] == "array" && !has {
			v["items"] = map[string]any{}
		}
		for _, k := range slices.Collect(maps.Keys(v)) {
			switch {
			case named && (v[k] == true || v[k] == false):
				v[k] = map[string]any{}
			case named || isSchema(k):
				v[k] = tidy(v[k], !named && isNamed(k))
			}
		}
	case []any:
		for i := range v {
			v[i] = tidy(v[i], false)
		}
	}
	return v
}

func isNamed(k string) bool {
	return k == "properties" || k == "$defs" || k == "definitions" || k == "patternProperties"
}

func isSchema(k string) bool {
	return isNamed(k) || slices.Contains([]string{"items", "additionalProperties", "anyOf", "oneOf", "allOf", "not", "prefixItems", "contains"}, k)
}

// words rewrites every description and title in a schema, which are what a model
// reads in it, by f.
func words(schema json.RawMessage, f func(string) string) json.RawMessage {
	var v any
	if json.Unmarshal(schema, &v) != nil {
		return schema
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if s, ok := x.(string); ok && (k == "description" || k == "title" || k == "$comment") {
					v[k] = f(s)
				}
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(v)
	b, err := json.Marshal(v)
	if err != nil {
		return schema
	}
	return b
}
