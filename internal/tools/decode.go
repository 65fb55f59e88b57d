package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// NormalizeArgs turns what a provider sent as a call's arguments into the
// bytes of a JSON object, where that can be done without guessing: nothing,
// white space and null count as {}, and an object encoded once more as a string
// is unwrapped once. Anything else is returned as it is, for [Decode] to refuse.
func NormalizeArgs(raw json.RawMessage) json.RawMessage {
	b := bytes.TrimSpace(raw)
	if len(b) > 0 && b[0] == '"' {
		var s string
		if json.Unmarshal(b, &s) == nil {
			if in := strings.TrimSpace(s); in == "" || in == "null" || strings.HasPrefix(in, "{") {
				b = []byte(in)
			}
		}
	}
	if len(b) == 0 || string(b) == "null" {
		return json.RawMessage("{}")
	}
	return json.RawMessage(b)
}

// Decode reads raw into args, a pointer to a struct, strictly: unknown,
// duplicate and case-variant keys, wrong types, missing required fields,
// trailing data and invalid UTF-8 are errors, and the error lists all of them,
// so that a model can mend its call in one go.
func Decode(raw json.RawMessage, args any) error {
	raw = NormalizeArgs(raw)
	if !utf8.Valid(raw) {
		return errors.New("invalid arguments: not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var d decoder
	v, err := d.value(dec, "")
	if err == nil {
		if _, e := dec.Token(); !errors.Is(e, io.EOF) {
			err = errors.New("data after the JSON object")
		}
	}
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the JSON ends early")
		}
		return fmt.Errorf("invalid arguments: %w", err)
	}
	d.check(v, reflect.TypeOf(args).Elem(), "")
	if len(d.problems) > 0 {
		return fmt.Errorf("invalid arguments: %s", strings.Join(d.problems, "; "))
	}
	if err := json.Unmarshal(raw, args); err != nil {
		return fmt.Errorf("invalid arguments: %w", err)
	}
	return nil
}

// A member is one key of a JSON object; objects are kept as lists, so that the
// order and the duplicates can be seen.
type member struct {
	key   string
	value any
}

type decoder struct{ problems []string }

func (d *decoder) problem(format string, a ...any) {
	d.problems = append(d.problems, fmt.Sprintf(format, a...))
}

func (d *decoder) value(dec *json.Decoder, path string) (any, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		obj := []member{}
		seen := map[string]bool{}
		for dec.More() {
			k, err := dec.Token()
			if err != nil {
				return nil, err
			}
			key := k.(string)
			if seen[key] {
				d.problem("%s is given twice", join(path, key))
			}
			seen[key] = true
			v, err := d.value(dec, join(path, key))
			if err != nil {
				return nil, err
			}
			obj = append(obj, member{key, v})
		}
		_, err := dec.Token()
		return obj, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := d.value(dec, fmt.Sprintf("%s[%d]", path, len(list)))
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	return t, nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// check compares v with the shape of t and notes every difference.
func (d *decoder) check(v any, t reflect.Type, path string) {
	at := path
	if at == "" {
		at = "the argument"
	}
	if t.Kind() == reflect.Pointer {
		if v == nil {
			return
		}
		t = t.Elem()
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		return
	}
	wrong := func(want string) { d.problem("%s must be %s, not %s", at, want, jsonType(v)) }
	switch t.Kind() {
	case reflect.Struct:
		obj, ok := v.([]member)
		if !ok {
			wrong("an object")
			return
		}
		d.object(obj, t, path)
	case reflect.Slice:
		list, ok := v.([]any)
		if !ok {
			wrong("an array")
			return
		}
		for i, x := range list {
			d.check(x, t.Elem(), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Map:
		obj, ok := v.([]member)
		if !ok {
			wrong("an object")
			return
		}
		for _, m := range obj {
			d.check(m.value, t.Elem(), join(path, m.key))
		}
	case reflect.String:
		if _, ok := v.(string); !ok {
			wrong("a string")
		}
	case reflect.Bool:
		if _, ok := v.(bool); !ok {
			wrong("true or false")
		}
	case reflect.Int, reflect.Int64:
		n, ok := v.(json.Number)
		if !ok {
			wrong("a whole number")
			return
		}
		if _, err := n.Int64(); err != nil {
			d.problem("%s must be a whole number, not %s", at, n)
		}
	case reflect.Float64:
		if _, ok := v.(json.Number); !ok {
			wrong("a number")
		}
	}
}

func (d *decoder) object(obj []member, t reflect.Type, path string) {
	fields := fieldsOf(t)
	given := map[string]bool{}
	for _, m := range obj {
		given[m.key] = true
		f, ok := fieldNamed(fields, m.key)
		if !ok {
			d.problem("%s is not an argument of this tool%s", join(path, m.key), suggest(fields, m.key))
			continue
		}
		d.check(m.value, f.typ, join(path, m.key))
		if s, ok := m.value.(string); ok && len(f.enum) > 0 && !slices.Contains(f.enum, s) {
			d.problem("%s must be one of %s", join(path, m.key), strings.Join(f.enum, ", "))
		}
	}
	for _, f := range fields {
		if f.required && !given[f.name] {
			d.problem("%s is missing", join(path, f.name))
		}
	}
}

func suggest(fields []field, key string) string {
	var names []string
	for _, f := range fields {
		if strings.EqualFold(strings.ReplaceAll(f.name, "_", ""), strings.ReplaceAll(key, "_", "")) {
			return fmt.Sprintf(" (write %s)", f.name)
		}
		names = append(names, f.name)
	}
	if len(names) == 0 {
		return " (it takes none)"
	}
	return fmt.Sprintf(" (it takes %s)", strings.Join(names, ", "))
}

func jsonType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case []any:
		return "an array"
	}
	return "an object"
}
