package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// The bounds of a question of a server.
const (
	maxFields = 8
	maxRows   = 20
)

// A field is one thing that a server asks for.
type field struct {
	name, title, kind string
	values, labels    []string // of a choice
	required, many    bool
}

// elicit puts a server's question to the person as rows to choose from: a group
// for each field. Not answering is declining, and nothing is made up.
func (l *link) elicit(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	switch {
	case r.Params.Mode == "url":
		return l.page(ctx, r.Params)
	case l.client.conf.Ask == nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "nobody is here to answer"}
	}
	fields, err := fieldsOf(r.Params.RequestedSchema)
	if err != nil {
		return nil, fmt.Errorf("zuno cannot ask this: %w", err)
	}
	message := tools.Clean(tools.Clip(r.Params.Message, 2000))
	p := &tools.Proposal{
		Call:    tools.Call{ID: "mcp", Tool: "mcp"},
		Spec:    tools.Spec{Name: "mcp", Effect: tools.UserMediated, Risk: tools.ReadOnlyRisk},
		Summary: "the MCP server " + short(l.server.Name) + " asks",
		Preview: []tools.Section{{Kind: tools.Text, Title: "the server " + short(l.server.Name) + " asks; what you answer goes to it", Body: message}},
		Options: rows(fields, "the MCP server "+short(l.server.Name)+" asks: "+tools.CleanLine(tools.Clip(r.Params.Message, 400))),
	}
	d, err := l.client.conf.Ask(ctx, p)
	switch {
	case err != nil:
		return &sdk.ElicitResult{Action: "cancel"}, nil
	case !d.Allowed:
		return &sdk.ElicitResult{Action: "decline"}, nil
	}
	content, complete := answers(fields, d.Choice)
	if !complete {
		return &sdk.ElicitResult{Action: "decline"}, nil
	}
	return &sdk.ElicitResult{Action: "accept", Content: content}, nil
}

// fieldsOf reads the schema of a question: an object of plain values.
func fieldsOf(schema any) ([]field, error) {
	root, _ := schema.(map[string]any)
	props, _ := root["properties"].(map[string]any)
	if len(props) > maxFields {
		return nil, fmt.Errorf("it has more than %d fields", maxFields)
	}
	required, _ := root["required"].([]any)
	var fields []field
	for _, name := range slices.Sorted(maps.Keys(props)) {
		p, _ := props[name].(map[string]any)
		f := field{name: name, title: name, required: slices.Contains(required, any(name))}
		f.kind, _ = p["type"].(string)
		for _, k := range []string{"title", "description"} {
			if s, ok := p[k].(string); ok && s != "" {
				f.title = s
			}
		}
		f.title = tools.CleanLine(tools.Clip(f.title, 200))
		list := p
		if f.kind == "array" {
			f.many = true
			list, _ = p["items"].(map[string]any)
		}
		f.choices(list, p["enumNames"])
		switch {
		case len(f.values) > maxRows:
			return nil, fmt.Errorf("%s has more than %d choices", short(name), maxRows)
		case f.many && len(f.values) == 0, !slices.Contains([]string{"string", "number", "integer", "boolean", "array"}, f.kind):
			return nil, fmt.Errorf("%s is not a text, a number, a choice or a yes or no", short(name))
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// choices reads the values that a schema allows, and what they are called.
func (f *field) choices(schema map[string]any, names any) {
	add := func(value, label any) {
		v, ok := value.(string)
		if !ok {
			return
		}
		s, ok := label.(string)
		if !ok || s == "" {
			s = v
		}
		f.values, f.labels = append(f.values, v), append(f.labels, tools.CleanLine(tools.Clip(s, 200)))
	}
	if enum, ok := schema["enum"].([]any); ok {
		called, _ := names.([]any)
		for i, v := range enum {
			var label any
			if i < len(called) {
				label = called[i]
			}
			add(v, label)
		}
	}
	for _, k := range []string{"oneOf", "anyOf"} {
		list, _ := schema[k].([]any)
		for _, x := range list {
			if m, ok := x.(map[string]any); ok {
				add(m["const"], m["title"])
			}
		}
	}
	if f.kind == "boolean" {
		f.values, f.labels = []string{"true", "false"}, []string{"Yes", "No"}
	}
}

// rows makes a group of rows of each field; a question without fields is one to
// agree to. The message heads each of them.
func rows(fields []field, message string) []tools.Option {
	if len(fields) == 0 {
		return []tools.Option{{ID: "ok", Label: "Yes, go on", Group: message}}
	}
	var list []tools.Option
	for i, f := range fields {
		f.title = message + " · " + f.title
		for j, label := range f.labels {
			list = append(list, tools.Option{ID: fmt.Sprintf("%d.%d", i, j), Label: label, Group: f.title, Many: f.many})
		}
		if len(f.labels) == 0 {
			list = append(list, tools.Option{ID: fmt.Sprintf("%d.text", i), Label: "Type an answer", Detail: f.kind, Group: f.title, Write: true})
		}
		if !f.required {
			list = append(list, tools.Option{ID: fmt.Sprintf("%d.none", i), Label: "Leave it out", Group: f.title, Many: f.many})
		}
	}
	return list
}

// answers returns the values that were chosen, and whether they are all that is
// needed and of the right kind.
func answers(fields []field, choice string) (map[string]any, bool) {
	content := map[string]any{}
	for _, line := range strings.Split(choice, "\n") {
		id, text, _ := strings.Cut(line, ":")
		number, row, _ := strings.Cut(id, ".")
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(fields) || row == "none" {
			continue
		}
		f := fields[i]
		if row != "text" {
			j, err := strconv.Atoi(row)
			if err != nil || j < 0 || j >= len(f.values) {
				continue
			}
			text = f.values[j]
		}
		value, ok := f.value(text)
		if !ok {
			return nil, false
		}
		if f.many {
			list, _ := content[f.name].([]any)
			value = append(list, value)
		}
		content[f.name] = value
	}
	for _, f := range fields {
		if _, given := content[f.name]; f.required && !given {
			return nil, false
		}
	}
	return content, true
}

func (f field) value(text string) (any, bool) {
	switch f.kind {
	case "boolean":
		return text == "true", true
	case "integer":
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		return n, err == nil
	case "number":
		var n float64
		err := json.Unmarshal([]byte(strings.TrimSpace(text)), &n)
		return n, err == nil
	}
	return text, true
}
