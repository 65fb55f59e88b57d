package custom

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/zuno-dev/zuno/internal/tools"
)

// nothing loads no schema: one that refers elsewhere would have a file or an
// address read.
type nothing struct{}

// Load implements jsonschema.URLLoader.
func (nothing) Load(string) (any, error) {
	return nil, errors.New("a schema may only refer to itself")
}

func compile(schema json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("its schema is no JSON: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	const name = "schema:arguments"
	if err := c.AddResource(name, doc); err != nil {
		return nil, fmt.Errorf("its schema: %w", err)
	}
	s, err := c.Compile(name)
	if err != nil {
		return nil, fmt.Errorf("its schema cannot be used: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	return s, nil
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

// check returns the arguments as one line of JSON, or a refusal that names all
// that does not fit.
func (t *tool) check(raw json.RawMessage) (json.RawMessage, error) {
	raw = tools.NormalizeArgs(raw)
	var members map[string]json.RawMessage
	if err := tools.Decode(raw, &members); err != nil { // duplicates, what is not UTF-8
		return nil, tools.Refuse(tools.InvalidArguments, "%s", err.Error())
	}
	args, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: %v", err)
	}
	if err := t.schema.Validate(args); err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: %s", problems(err))
	}
	var line bytes.Buffer
	if err := json.Compact(&line, raw); err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: %v", err)
	}
	return line.Bytes(), nil
}

// problems is what a schema finds wrong, on one line.
func problems(err error) string {
	_, rest, more := strings.Cut(err.Error(), "\n")
	if !more {
		rest = err.Error()
	}
	var list []string
	for _, l := range strings.Split(rest, "\n") {
		if l = strings.TrimPrefix(strings.TrimSpace(l), "- "); l != "" {
			list = append(list, strings.TrimPrefix(l, "at '': "))
		}
	}
	return tools.CleanLine(tools.Clip(strings.Join(list, "; "), 2000))
}
