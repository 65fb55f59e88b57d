package config

import (
	"encoding/json"
	"strings"
)

// Schema returns the JSON schema (draft 2020-12) of a configuration file.
func Schema() []byte {
	s := shape("", object)
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "zuno configuration"
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil // maps of plain values always encode
	}
	return append(b, '\n')
}

// schema returns the schema of one key's value.
func (k *key) schema() map[string]any {
	s := shape(k.path, k.kind)
	if d := k.about(); d != "" {
		s["description"] = d
	}
	if k.def != "" {
		s["default"] = json.RawMessage(k.def)
	}
	switch k.kind {
	case oneOf:
		s["enum"] = k.enum
	case whole:
		s["minimum"], s["maximum"] = k.min, k.max
	}
	return s
}

func shape(path string, k kind) map[string]any {
	switch k {
	case object:
		return map[string]any{"type": "object", "additionalProperties": false, "properties": properties(path)}
	case named:
		return map[string]any{"type": "object", "additionalProperties": find(join(path, "*")).schema()}
	case text, oneOf:
		return map[string]any{"type": "string"}
	case whole:
		return map[string]any{"type": "integer"}
	case number:
		return map[string]any{"type": "number", "minimum": 0}
	case flag:
		return map[string]any{"type": "boolean"}
	case anything:
		return map[string]any{"type": "object"}
	case list:
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	case raw:
		if find(path).wanted == "a list" {
			return map[string]any{"type": "array"}
		}
		return map[string]any{"type": "object"}
	case rule:
		return map[string]any{"anyOf": []any{map[string]any{"enum": find(path).enum}, inner(path)}}
	}
	return map[string]any{}
}

// inner is the object that may stand for a word at path.
func inner(path string) map[string]any {
	if find(join(path, "*")) != nil {
		return shape(path, named)
	}
	s := shape(path, object)
	s["required"] = []string{"action"}
	return s
}

func properties(path string) map[string]any {
	ps := map[string]any{}
	for i := range table {
		if parent, last := split(table[i].path); parent == path && last != "*" {
			ps[last] = table[i].schema()
		}
	}
	return ps
}

// about returns what the schema and the reference say of k.
func (k *key) about() string {
	s := k.doc
	if k.kind == later {
		s = strings.TrimSpace(s + " Not supported by this version.")
	}
	return s
}
