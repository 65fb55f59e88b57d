package custom

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/zuno-dev/zuno/internal/tools"
)

// compile reads a schema. It may only refer to itself: one that refers elsewhere
// would have a file or an address read.
func compile(schema json.RawMessage) (*jsonschema.Resolved, error) {
	unusable := func(err error) (*jsonschema.Resolved, error) {
		return nil, fmt.Errorf("its schema cannot be used: %s", oneLine(err))
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return unusable(err)
	}
	if t := unknownType(reflect.ValueOf(&s)); t != "" {
		return unusable(fmt.Errorf("there is no type %q", t))
	}
	r, err := s.Resolve(&jsonschema.ResolveOptions{
		ValidateDefaults: true, // which looks at the draft, too
		Loader: func(*url.URL) (*jsonschema.Schema, error) {
			return nil, errors.New("a schema may only refer to itself")
		},
	})
	if err != nil {
		return unusable(err)
	}
	return r, nil
}

// unknownType finds a type that JSON does not have in a schema or one inside it,
// which the library would only find no value to be of.
func unknownType(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if s, is := v.Interface().(*jsonschema.Schema); is && s != nil {
			for _, t := range append(slices.Clone(s.Types), s.Type) {
				if t != "" && !slices.Contains([]string{"null", "boolean", "object", "array", "number", "string", "integer"}, t) {
					return t
				}
			}
			for i := range v.Elem().NumField() {
				if v.Elem().Type().Field(i).IsExported() {
					if t := unknownType(v.Elem().Field(i)); t != "" {
						return t
					}
				}
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if t := unknownType(v.Index(i)); t != "" {
				return t
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if t := unknownType(v.MapIndex(k)); t != "" {
				return t
			}
		}
	}
	return ""
}

func oneLine(err error) string {
	return tools.CleanLine(strings.Join(strings.Fields(err.Error()), " "))
}

// withProperties returns a schema that names its properties, which providers
// demand, even where there are none.
func withProperties(schema json.RawMessage) (json.RawMessage, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(schema, &m); err != nil {
		return nil, fmt.Errorf("its schema is not that of an object: %w", err)
	}
	if _, has := m["properties"]; has {
		return schema, nil
	}
	m["properties"] = json.RawMessage("{}")
	return json.Marshal(m)
}

// check returns the arguments as one line of JSON, or a refusal that names what
// does not fit.
func (t *tool) check(raw json.RawMessage) (json.RawMessage, error) {
	raw = tools.NormalizeArgs(raw)
	var members map[string]json.RawMessage
	if err := tools.Decode(raw, &members); err != nil { // duplicates, what is not UTF-8
		return nil, tools.Refuse(tools.InvalidArguments, "%s", err.Error())
	}
	var args any
	if err := json.Unmarshal(raw, &args); err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: %v", err)
	}
	if err := t.schema.Validate(args); err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: %s", tools.Clip(problem(oneLine(err)), 2000))
	}
	var line bytes.Buffer
	if err := json.Compact(&line, raw); err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: %v", err)
	}
	return line.Bytes(), nil
}

// problem is what the library says of arguments without how it got there: of the
// places in the schema only the last.
func problem(text string) string {
	where := ""
	for {
		rest, is := strings.CutPrefix(text, "validating ")
		place, after, more := strings.Cut(rest, ": ")
		if !is || !more {
			break
		}
		where, text = place, after
	}
	where = strings.TrimPrefix(where, "/properties/")
	if where == "" || where == "root" {
		return text
	}
	return strings.ReplaceAll(where, "/properties/", ".") + ": " + text
}
