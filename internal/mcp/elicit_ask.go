package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// elicit puts a server's question to the person as rows to choose from: a group
// for each field. Not answering is declining, and nothing is made up. What cannot
// be an answer is asked for again, with the reason.
func (l *link) elicit(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	if r.Params == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "a question without params"}
	}
	ctx, stop := l.within(ctx)
	defer stop()
	switch {
	case r.Params.Mode == "url":
		return l.page(ctx, r.Params)
	case r.Params.Mode != "" && r.Params.Mode != "form":
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "zuno does not know this kind of question"}
	case l.client.conf.Ask == nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "nobody is here to answer"}
	}
	fields, err := fieldsOf(r.Params.RequestedSchema)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "zuno cannot ask this: " + err.Error()}
	}
	content := map[string]any{}
	for left := fields; ; {
		d, err := l.client.conf.Ask(ctx, l.form(r.Params.Message, left))
		switch {
		case err != nil:
			return &sdk.ElicitResult{Action: "cancel"}, nil
		case !d.Allowed:
			return &sdk.ElicitResult{Action: "decline"}, nil
		}
		if left = answers(left, d.Choice, content); len(left) == 0 {
			return &sdk.ElicitResult{Action: "accept", Content: content}, nil
		}
	}
}

// form is the question for fields.
func (l *link) form(message string, fields []field) *tools.Proposal {
	name := short(l.server.Name)
	return &tools.Proposal{
		Call:    tools.Call{ID: "mcp", Tool: "mcp"},
		Spec:    tools.Spec{Name: "mcp", Effect: tools.UserMediated, Risk: tools.ReadOnlyRisk},
		Summary: "the MCP server " + name + " asks",
		Preview: []tools.Section{{Kind: tools.Text, Title: "the server " + name + " asks; what you answer goes to it", Body: tools.Clean(tools.Clip(message, 2000))}},
		Options: rows(fields, "the MCP server "+name+" asks, and gets what you answer: "+tools.CleanLine(tools.Clip(message, 400))),
	}
}

// The rows of a field that are not one of its values.
const (
	rowText    = "text"    // what the person types
	rowDefault = "default" // the text that the server suggests
	rowNone    = "none"
)

// rows makes a group of rows of each field; a question without fields is one to
// agree to. The message heads each of them.
func rows(fields []field, message string) []tools.Option {
	if len(fields) == 0 {
		return []tools.Option{{ID: "ok", Label: "Yes, go on", Group: message}}
	}
	var list []tools.Option
	for i, f := range fields {
		add := func(row, label, detail string) {
			group := message
			if len(fields) > 1 {
				group += fmt.Sprintf(" · %d of %d", i+1, len(fields))
			}
			group += " · " + f.title
			if f.problem != "" {
				group += " · " + f.problem
			}
			list = append(list, tools.Option{ID: fmt.Sprintf("%d.%s", i, row), Label: label, Detail: detail, Group: group, Many: f.many, Write: row == rowText})
		}
		for j, label := range f.labels {
			detail := ""
			if f.suggested(f.values[j]) {
				detail = "the server suggests it"
			}
			add(fmt.Sprint(j), label, detail)
		}
		if len(f.labels) == 0 {
			if len(f.initial) > 0 {
				add(rowDefault, tools.CleanLine(tools.Clip(f.initial[0], 200)), "the server suggests it")
			}
			add(rowText, "Type an answer", f.wants())
		}
		if !f.required {
			add(rowNone, "Leave it out", "")
		}
	}
	return list
}

// answers puts the values that were chosen into content, and returns the fields
// that have none yet, with what is wrong. One that may be left out and was is not
// among them.
func answers(fields []field, choice string, content map[string]any) []field {
	chosen := make([][]string, len(fields))
	for line := range strings.SplitSeq(choice, "\n") {
		id, text, _ := strings.Cut(line, ":")
		var i int
		row := ""
		if _, err := fmt.Sscanf(id, "%d.%s", &i, &row); err != nil || i < 0 || i >= len(fields) {
			continue
		}
		f := fields[i]
		var j int
		switch {
		case row == rowNone:
		case row == rowText:
			chosen[i] = append(chosen[i], text)
		case row == rowDefault:
			chosen[i] = append(chosen[i], f.initial[0])
		default:
			if _, err := fmt.Sscan(row, &j); err == nil && j >= 0 && j < len(f.values) {
				chosen[i] = append(chosen[i], f.values[j])
			}
		}
	}
	var left []field
	for i, f := range fields {
		if len(chosen[i]) == 0 && !f.required {
			continue
		}
		value, problem := f.value(chosen[i])
		if problem != "" {
			f.problem = f.said(chosen[i]) + problem
			left = append(left, f)
			continue
		}
		content[f.name] = value
	}
	return left
}
