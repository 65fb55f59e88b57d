package headless

import (
	"fmt"
	"reflect"
	"strings"
)

// Reference returns the page that documents the JSON output, as Markdown. It is
// made from the types that are printed; a test holds it to a meaning for every
// field.
func Reference() string {
	var b strings.Builder
	b.WriteString("# JSON output\n\nGenerated from the types in `internal/headless` by `make docs`.\n\n" +
		"`zuno run --output-format json` prints one result. `stream-json` prints an event a line and ends with the result, whose `type` is " +
		"`result`. `v` is the version of the format: fields may be added to it, none changes its meaning. A field marked *may be missing* is left " +
		"out when it has nothing to say; readers should pass over what they do not know. Secrets are redacted.\n")
	section(&b, "Result", reflect.TypeFor[Result]())
	section(&b, "Call", reflect.TypeFor[ToolResult]())
	section(&b, "Usage", reflect.TypeFor[Usage]())
	section(&b, "Event", reflect.TypeFor[line]())
	return b.String()
}

// undocumented lists the fields without a meaning.
func undocumented() []string {
	var list []string
	for _, t := range []reflect.Type{reflect.TypeFor[Result](), reflect.TypeFor[ToolResult](), reflect.TypeFor[Usage](), reflect.TypeFor[line]()} {
		for _, f := range fieldsOf(t) {
			if meanings()[f.name] == "" {
				list = append(list, t.Name()+"."+f.name)
			}
		}
	}
	return list
}

type field struct {
	name, kind string
	optional   bool
}

func fieldsOf(t reflect.Type) []field {
	var list []field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Tag.Get("json") == "" {
			list = append(list, fieldsOf(f.Type)...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name // as encoding/json does
		}
		if f.IsExported() && name != "-" {
			list = append(list, field{name, kindOf(f.Type), strings.Contains(options, "omitempty")})
		}
	}
	return list
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "any" // raw JSON
		}
		return "list of " + kindOf(t.Elem())
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Float64:
		return "number"
	}
	if t.String() == "time.Time" {
		return "time (RFC 3339)"
	}
	return "object"
}

func section(b *strings.Builder, title string, t reflect.Type) {
	fmt.Fprintf(b, "\n## %s\n\n| field | type | meaning |\n|---|---|---|\n", title)
	for _, f := range fieldsOf(t) {
		kind := f.kind
		if f.optional {
			kind += ", may be missing"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.name, kind, meanings()[f.name])
	}
}

// meanings says what the fields mean, by name: one name means one thing.
func meanings() map[string]string {
	return map[string]string{
		"v":                "version of the format",
		"type":             "what the line is about; `result` is the last",
		"status":           "how the run ended, in a word; the exit code says the same",
		"exit_code":        "exit code: of the run in a result ([exit codes](exit-codes.md)), of the command in a call",
		"session":          "ID of the session, for `--session`",
		"text":             "the answer; in an event, what was said since the event before",
		"retry":            "of noticed: the model is asked again, and the deltas of this answer so far do not count",
		"error":            "what went wrong, one line",
		"usage":            "what the model calls used",
		"classifier_usage": "what classifying commands used",
		"subagent_usage":   "what agents that were delegated to used",
		"tools":            "every call that was asked for, in order",
		"cost_usd":         "US dollars, where the price is known; else 0",
		"calls":            "number of model calls, attempts that failed on their way included",
		"unreported":       "of how many calls the provider did not report the usage, or not to its end: what is counted of them is what is known",
		"id":               "ID of the call",
		"name":             "tool",
		"requested_name":   "the name that the model used, where it is another one",
		"subject":          "what the call is about: a path, a command, an address",
		"outcome":          "`ok`, `error`, `blocked` (nothing happened), `cancelled` or `uncertain` (it may have happened)",
		"block_kind":       "why nothing happened: `invalid_arguments`, `unavailable`, `denied` or `stale`",
		"reason":           "why, in words",
		"risk":             "what the gate took the risk to be",
		"verdict":          "what the classifier said",
		"decided_by":       "who decided: a rule, the policy, a person, the classifier, or `nobody` where nobody could be asked",
		"changes":          "files that changed",
		"truncated":        "whether the model saw less than all of the result",
		"duration_ms":      "milliseconds",
		"seq":              "number of the line, from 1 without holes",
		"ts":               "when",
		"effect":           "what the call would do to the world",
		"preview":          "what a card would show: exactly what was decided on",
		"why":              "why it would ask",
		"allowed":          "whether it was allowed",
		"bytes":            "bytes of output so far",
		"tool":             "the call, as in the result",
		"purpose":          "what the model call was for",
		"model":            "the model that was called",

		"input": "input tokens, without those of the cache", "output": "output tokens, reasoning included", "reasoning": "of the output, tokens of reasoning",
		"cache_read": "input tokens read from the provider's cache", "cache_write": "input tokens written to it",
	}
}
