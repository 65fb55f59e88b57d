package tools

import (
	"encoding/json"
	"reflect"
	"strings"
)

// SchemaOf derives the JSON Schema of an argument struct. The name of a field
// is its json tag; `doc` describes it and `enum` lists its values, separated
// by commas. A field is required unless its json tag says omitempty. No other
// properties are allowed. Strings, booleans, integers, numbers, slices, maps
// from strings and structs are supported, which is all that tools need.
func SchemaOf[Args any]() json.RawMessage {
	b, err := json.Marshal(schema(reflect.TypeFor[Args]()))
	if err != nil {
		panic(err) // the types are ours: a mistake shows in the first test
	}
	return b
}

type field struct {
	name, doc string
	enum      []string
	required  bool
	typ       reflect.Type
}

func fieldsOf(t reflect.Type) []field {
	var fs []field
	for i := range t.NumField() {
		sf := t.Field(i)
		name, opts, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		f := field{name: name, doc: sf.Tag.Get("doc"), typ: sf.Type, required: !strings.Contains(opts, "omitempty")}
		if e := sf.Tag.Get("enum"); e != "" {
			f.enum = strings.Split(e, ",")
		}
		fs = append(fs, f)
	}
	return fs
}

func fieldNamed(fields []field, name string) (field, bool) {
	for _, f := range fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

func schema(t reflect.Type) map[string]any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct:
		props, required := map[string]any{}, []string{}
		for _, f := range fieldsOf(t) {
			p := schema(f.typ)
			if f.doc != "" {
				p["description"] = f.doc
			}
			if f.enum != nil {
				p["enum"] = f.enum
			}
			props[f.name] = p
			if f.required {
				required = append(required, f.name)
			}
		}
		return map[string]any{"type": "object", "properties": props, "required": required, "additionalProperties": false}
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			return map[string]any{}
		}
		return map[string]any{"type": "array", "items": schema(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schema(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	panic("tools: no schema for " + t.String())
}
