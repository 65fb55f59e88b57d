package llm

import (
	"encoding/json"
)

// Parameters returns the schema of the arguments of t in a form that every
// provider takes: an object with properties, no alternatives at the top, and
// items in every array. One bad schema would otherwise fail every request. A
// schema that needs no repair is returned as it is; one that is absent or no
// schema of an object becomes one of any object.
func (t ToolSpec) Parameters() json.RawMessage {
	var root map[string]any
	if json.Unmarshal(t.Schema, &root) != nil || root == nil {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	changed := repairArrays(root)
	for _, k := range []string{"oneOf", "anyOf", "allOf", "not", "enum", "$ref"} {
		if _, ok := root[k]; ok {
			changed = true
			delete(root, k)
		}
	}
	if root["type"] != "object" {
		root["type"], changed = "object", true
	}
	if _, ok := root["properties"].(map[string]any); !ok {
		root["properties"], changed = map[string]any{}, true
	}
	if _, ok := root["required"].([]any); !ok && root["required"] != nil {
		delete(root, "required")
		changed = true
	}
	if !changed {
		return pairSurrogates(t.Schema)
	}
	return JSON(root)
}

// repairArrays gives items to arrays without any, and reports whether it did.
func repairArrays(v any) bool {
	changed := false
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["items"]; v["type"] == "array" && !ok {
			v["items"], changed = map[string]any{}, true
		}
		for _, x := range v {
			changed = repairArrays(x) || changed
		}
	case []any:
		for _, x := range v {
			changed = repairArrays(x) || changed
		}
	}
	return changed
}
