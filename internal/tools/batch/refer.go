package batch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
)

// A reference stands in the arguments of a call for what another returned.
type reference struct {
	text string // as it was written
	name string // of the result
	what string // output, files or one
	at   int    // of one
	each bool
}

// form is a reference: the name of a result, and a part of it.
func form() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_]*)\.(output|metadata\.files(?:\[(\*|\d{1,6})\])?)$`)
}

func parse(key, text string) (r reference, err error) {
	m := form().FindStringSubmatch(text)
	r = reference{text: text, each: key == "$each"}
	switch {
	case m == nil:
		return r, fmt.Errorf("%s: %q is no reference: write NAME.output, NAME.metadata.files or NAME.metadata.files[0]", key, text)
	case r.each != (m[3] == "*"):
		return r, fmt.Errorf("%s: %q: $each goes with NAME.metadata.files[*], and nothing else does", key, text)
	}
	r.name = m[1]
	switch {
	case m[2] == "output":
		r.what = "output"
	case m[3] == "" || r.each:
		r.what = "files"
	default:
		r.what = "one"
		r.at, err = strconv.Atoi(m[3])
	}
	return r, err
}

// asReference reads a value as a reference: an object whose only member is $ref
// or $each. The first result is false for every other value.
func asReference(value json.RawMessage) (is bool, r reference, err error) {
	if v := bytes.TrimSpace(value); len(v) == 0 || v[0] != '{' {
		return false, r, nil
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(value, &all) != nil {
		return false, r, nil
	}
	for _, key := range []string{"$ref", "$each"} {
		raw, ok := all[key]
		if !ok {
			continue
		}
		var text string
		if json.Unmarshal(raw, &text) != nil || len(all) != 1 {
			return true, r, fmt.Errorf("%s stands alone in its object, with a text", key)
		}
		r, err = parse(key, text)
		return true, r, err
	}
	return false, r, nil
}

// references lists those in a value, at any depth.
func references(value json.RawMessage) (all []reference, err error) {
	each := ""
	_, err = replace(value, 0, func(r reference) (json.RawMessage, error) {
		if r.each && each != "" && each != r.text {
			return nil, fmt.Errorf("a call can go through one list only, not %s and %s", each, r.text)
		}
		if r.each {
			each = r.text
		}
		all = append(all, r)
		return json.RawMessage("null"), nil
	})
	return all, err
}

// maxArgs bounds the arguments of a call with what stands in them, in bytes.
const maxArgs = 1 << 20

// maxDepth bounds the nesting of arguments: each level is read once more.
const maxDepth = 64

// replace returns value with each reference in it replaced; all else stays as it
// was written, byte for byte.
func replace(value json.RawMessage, depth int, by func(reference) (json.RawMessage, error)) (json.RawMessage, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("its arguments are nested more than %d deep", maxDepth)
	}
	is, r, err := asReference(value)
	switch {
	case err != nil:
		return nil, err
	case is:
		return by(r)
	}
	dec := json.NewDecoder(bytes.NewReader(value))
	open, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if open != json.Delim('{') && open != json.Delim('[') {
		return value, nil
	}
	out := []byte{value[bytes.IndexAny(value, "{[")]}
	for n := 0; dec.More(); n++ {
		if n > 0 {
			out = append(out, ',')
		}
		if open == json.Delim('{') {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name, _ := key.(string)
			out = append(append(out, encode(name)...), ':')
		}
		var in json.RawMessage
		if err := dec.Decode(&in); err != nil {
			return nil, err
		}
		if in, err = replace(in, depth+1, by); err != nil {
			return nil, err
		}
		if out = append(out, in...); len(out) > maxArgs {
			return nil, fmt.Errorf("its arguments would have more than %d bytes", maxArgs)
		}
	}
	if open == json.Delim('{') {
		return append(out, '}'), nil
	}
	return append(out, ']'), nil
}

// encode is a value as JSON, with what needs no escape left as it is.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // texts and lists of them always encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
