package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/tools"
)

// The bounds of a question of a server.
const (
	maxFields = 32
	maxRows   = 100
)

// A field is one thing that a server asks for.
type field struct {
	name, title, kind string
	format            string   // of a text
	values, labels    []string // of a choice
	initial           []string // what the server suggests
	required, many    bool
	least, most       *float64 // of a number, of the length of a text, of how many are chosen
	problem           string   // why what was answered last is no answer
}

// fieldsOf reads the schema of a question: an object of plain values. Those that
// are needed come first.
func fieldsOf(schema any) ([]field, error) {
	root, _ := schema.(map[string]any)
	props, _ := root["properties"].(map[string]any)
	if len(props) > maxFields {
		return nil, fmt.Errorf("it has more than %d fields", maxFields)
	}
	required, _ := root["required"].([]any)
	titles := map[string]bool{}
	var needed, others []field
	for _, name := range slices.Sorted(maps.Keys(props)) {
		p, _ := props[name].(map[string]any)
		f, err := fieldOf(name, p)
		if err != nil {
			return nil, err
		}
		if titles[f.title] { // rows are told apart by what heads them
			f.title += " (" + short(name) + ")"
		}
		titles[f.title] = true
		if f.required = slices.Contains(required, any(name)); f.required {
			needed = append(needed, f)
		} else {
			others = append(others, f)
		}
	}
	return append(needed, others...), nil
}

func fieldOf(name string, p map[string]any) (field, error) {
	f := field{name: name, title: heading(name, p)}
	f.kind, _ = p["type"].(string)
	f.format, _ = p["format"].(string)
	list, bounds := p, [2]string{"minLength", "maxLength"}
	switch f.kind {
	case "array":
		f.many = true
		list, _ = p["items"].(map[string]any)
		bounds = [2]string{"minItems", "maxItems"}
	case "number", "integer":
		bounds = [2]string{"minimum", "maximum"}
	}
	f.least, f.most = number(p[bounds[0]]), number(p[bounds[1]])
	f.choices(list, p["enumNames"])
	if f.kind == "" && len(f.values) > 0 {
		f.kind = "string"
	}
	f.initial = texts(p["default"])
	switch {
	case len(f.values) > maxRows:
		return f, fmt.Errorf("%s has more than %d choices", short(name), maxRows)
	case f.many && len(f.values) == 0, !slices.Contains([]string{"string", "number", "integer", "boolean", "array"}, f.kind):
		return f, fmt.Errorf("%s is not a text, a number, a choice or a yes or no", short(name))
	}
	if _, problem := f.value(f.initial); problem != "" {
		f.initial = nil // a suggestion that is no answer
	}
	return f, nil
}

// heading is what a field is called: its title and what the server says of it.
func heading(name string, p map[string]any) string {
	title, _ := p["title"].(string)
	about, _ := p["description"].(string)
	switch {
	case title == "" && about == "":
		title = name
	case title == "":
		title = about
	case about != "" && about != title:
		title += ": " + about
	}
	return tools.CleanLine(tools.Clip(title, 200))
}

func number(v any) *float64 {
	if n, ok := v.(float64); ok {
		return &n
	}
	return nil
}

// texts are the values of a default, as a person would type them.
func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case bool:
		return []string{strconv.FormatBool(v)}
	case float64:
		return []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case []any:
		var list []string
		for _, x := range v {
			list = append(list, texts(x)...)
		}
		return list
	}
	return nil
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

func (f field) suggested(value string) bool { return slices.Contains(f.initial, value) }

// value makes the field's value of what was chosen, or says what is wrong with
// it.
func (f field) value(chosen []string) (v any, problem string) {
	if f.many {
		if f.beyond(float64(len(chosen))) {
			return nil, "choose " + f.bounds("")
		}
		return slices.Clone(chosen), ""
	}
	if len(chosen) == 0 {
		return nil, "it is needed"
	}
	text := chosen[0]
	switch f.kind {
	case "boolean":
		return text == "true", ""
	case "integer":
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || f.beyond(float64(n)) {
			return nil, "it is to be " + f.wants()
		}
		return n, ""
	case "number":
		var n float64
		if json.Unmarshal([]byte(strings.TrimSpace(text)), &n) != nil || f.beyond(n) {
			return nil, "it is to be " + f.wants()
		}
		return n, ""
	}
	if len(f.values) > 0 {
		if !slices.Contains(f.values, text) {
			return nil, "it is none of the choices"
		}
		return text, ""
	}
	if f.beyond(float64(utf8.RuneCountInString(text))) || !hasFormat(text, f.format) {
		return nil, "it is to be " + f.wants()
	}
	return text, ""
}

func (f field) beyond(n float64) bool {
	return math.IsNaN(n) || f.least != nil && n < *f.least || f.most != nil && n > *f.most
}

// formats are the forms that a text may have to have.
var formats = map[string]string{
	"email": "an e-mail address", "uri": "an address such as https://example.com", "date": "a date such as 2006-01-31",
	"date-time": "a time such as 2006-01-31T15:04:05Z",
}

func hasFormat(text, format string) bool {
	var err error
	switch format {
	case "email":
		var a *mail.Address
		if a, err = mail.ParseAddress(text); err == nil && a.Address != text {
			return false
		}
	case "uri":
		var u *url.URL
		if u, err = url.Parse(text); err == nil && u.Scheme == "" {
			return false
		}
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "date-time":
		_, err = time.Parse(time.RFC3339, text)
	}
	return err == nil
}

// wants says what the field's text is to be.
func (f field) wants() string {
	switch f.kind {
	case "integer":
		return "a whole number" + comma(f.bounds(""))
	case "number":
		return "a number" + comma(f.bounds(""))
	}
	if form := formats[f.format]; form != "" {
		return form
	}
	return "text" + comma(f.bounds(" characters"))
}

func comma(text string) string {
	if text == "" {
		return ""
	}
	return ", " + text
}

// bounds says between what a number is to be.
func (f field) bounds(unit string) string {
	say := func(n *float64) string { return strconv.FormatFloat(*n, 'f', -1, 64) }
	switch {
	case f.least != nil && f.most != nil:
		return say(f.least) + " to " + say(f.most) + unit
	case f.least != nil:
		return "at least " + say(f.least) + unit
	case f.most != nil:
		return "at most " + say(f.most) + unit
	}
	return ""
}

// said repeats what was typed, in front of what is wrong with it.
func (f field) said(chosen []string) string {
	if f.many || len(chosen) == 0 {
		return ""
	}
	return fmt.Sprintf("not %q: ", tools.CleanLine(tools.Clip(chosen[0], 60)))
}
