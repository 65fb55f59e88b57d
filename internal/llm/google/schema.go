package google

import (
	"encoding/json"
	"slices"
	"strings"
)

// parameters turns a JSON Schema into the subset that the API takes
// (https://ai.google.dev/api/caching#Schema), which refuses every other key.
// What a key would have demanded is still checked when the call is decoded. It
// returns nil for a schema without properties, which the API refuses too.
func parameters(schema json.RawMessage) json.RawMessage {
	var root map[string]any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	s := subset{defs: definitions(root)}
	out, _ := s.object(root, 0).(map[string]any)
	if props, _ := out["properties"].(map[string]any); len(props) == 0 {
		return nil
	}
	out["type"] = "object"
	b, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return b
}

func definitions(root map[string]any) map[string]any {
	defs := map[string]any{}
	for _, k := range []string{"$defs", "definitions"} {
		in, _ := root[k].(map[string]any)
		for name, d := range in {
			defs["#/"+k+"/"+name] = d
		}
	}
	return defs
}

type subset struct {
	defs  map[string]any
	nodes int // converted so far
}

// Schemas that refer to themselves end here, in depth and in breadth.
const (
	maxDepth = 12
	maxNodes = 5000
)

// object converts one schema.
func (s *subset) object(v any, depth int) any {
	in, ok := v.(map[string]any)
	if s.nodes++; !ok || depth > maxDepth || s.nodes > maxNodes {
		return map[string]any{"type": "object"}
	}
	if ref, ok := in["$ref"].(string); ok {
		return s.object(s.defs[ref], depth+1)
	}
	out := map[string]any{}
	for k, x := range in {
		switch k {
		case "description", "title", "pattern", "minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength", "nullable":
			out[k] = x
		case "type":
			setType(out, x)
		case "properties":
			out[k] = s.properties(x, depth)
		case "items":
			out[k] = s.object(x, depth+1)
		case "anyOf", "oneOf":
			out["anyOf"] = s.list(x, depth)
		case "allOf":
			s.all(out, x, depth)
		}
	}
	choices(out, in)
	required(out, in)
	if out["type"] == "array" && out["items"] == nil {
		out["items"] = map[string]any{"type": "string"}
	}
	if f, ok := in["format"].(string); ok && out["type"] == "string" && (f == "date-time" || f == "enum") {
		out["format"] = f
	}
	return out
}

// setType takes one type; a list, as JSON Schema allows, becomes nullable or
// a choice.
func setType(out map[string]any, x any) {
	list, ok := x.([]any)
	if !ok {
		out["type"] = x
		return
	}
	var types []any
	for _, t := range list {
		if t == "null" {
			out["nullable"] = true
		} else {
			types = append(types, map[string]any{"type": t})
		}
	}
	switch {
	case len(types) == 1:
		out["type"] = types[0].(map[string]any)["type"]
	case len(types) > 1:
		out["anyOf"] = types
	}
}

func (s *subset) properties(x any, depth int) map[string]any {
	out := map[string]any{}
	in, _ := x.(map[string]any)
	for name, v := range in {
		out[name] = s.object(v, depth+1)
	}
	return out
}

func (s *subset) list(x any, depth int) []any {
	var out []any
	in, _ := x.([]any)
	for _, v := range in {
		out = append(out, s.object(v, depth+1))
	}
	return out
}

// all merges the schemas of an allOf into out, which has no such key.
func (s *subset) all(out map[string]any, x any, depth int) {
	for _, v := range s.list(x, depth) {
		in, _ := v.(map[string]any)
		for k, y := range in {
			into, _ := out[k].(map[string]any)
			from, _ := y.(map[string]any)
			if k != "properties" || into == nil {
				out[k] = y
				continue
			}
			for name, p := range from {
				into[name] = p
			}
		}
	}
}

// choices keeps an enum or const of strings: the API takes no others.
func choices(out, in map[string]any) {
	list, _ := in["enum"].([]any)
	if c, ok := in["const"]; ok {
		list = []any{c}
	}
	var words []any
	for _, x := range list {
		if w, ok := x.(string); ok && w != "" {
			words = append(words, w)
		}
	}
	if len(words) > 0 && len(words) == len(list) {
		out["enum"], out["type"] = words, "string"
	}
}

// required keeps the names that are properties; the API refuses others.
func required(out, in map[string]any) {
	props, _ := out["properties"].(map[string]any)
	list, _ := in["required"].([]any)
	var names []string
	for _, x := range list {
		if n, ok := x.(string); ok && props[n] != nil {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, strings.Compare)
	if len(names) > 0 {
		out["required"] = names
	}
}
