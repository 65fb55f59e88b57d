package mcp

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/zuno-dev/zuno/internal/tools"
)

// Usage is how the prompt is typed behind its command, such as FILE [depth]: an
// argument in brackets can be left out. Names are the server's words.
func (p Prompt) Usage() string {
	words := make([]string, len(p.Arguments))
	for i, a := range p.Arguments {
		if words[i] = short(a.Name); !a.Required {
			words[i] = "[" + words[i] + "]"
		}
	}
	return strings.Join(words, " ")
}

// Parse reads what stands behind the command: NAME=VALUE for an argument of that
// name, and otherwise values in the order of the arguments, of which the last
// takes all that is left. A value in quotes may have blanks in it. The error
// says what is missing or too much.
func (p Prompt) Parse(text string) (map[string]string, error) {
	args := map[string]string{}
	var loose []string
	for rest := text; ; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			break
		}
		name, is := p.named(rest)
		var value string
		value, rest = word(rest[len(name):])
		switch {
		case !is:
			loose = append(loose, value)
		case has(args, strings.TrimSuffix(name, "=")):
			return nil, fmt.Errorf("%s is given twice", short(strings.TrimSuffix(name, "=")))
		default:
			args[strings.TrimSuffix(name, "=")] = value
		}
	}
	return args, p.fill(args, loose)
}

// fill gives values without a name to the arguments that have none yet.
func (p Prompt) fill(args map[string]string, loose []string) error {
	last := ""
	for _, a := range p.Arguments {
		if !has(args, a.Name) && len(loose) > 0 {
			args[a.Name], last, loose = loose[0], a.Name, loose[1:]
		}
	}
	switch {
	case len(loose) > 0 && last == "":
		return fmt.Errorf("it takes no %q: %s", tools.CleanLine(tools.Clip(loose[0], 40)), p.typed())
	case len(loose) > 0:
		args[last] += " " + strings.Join(loose, " ")
	}
	for _, a := range p.Arguments {
		if a.Required && strings.TrimSpace(args[a.Name]) == "" {
			about := ""
			if a.Description != "" {
				about = " (" + tools.CleanLine(a.Description) + ")"
			}
			return fmt.Errorf("it needs %s%s: %s", short(a.Name), about, p.typed())
		}
	}
	return nil
}

// Missing lists the arguments that text gives no value by name, in order.
func (p Prompt) Missing(text string) []Argument {
	given := map[string]bool{}
	for rest := text; ; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			break
		}
		name, is := p.named(rest)
		_, rest = word(rest[len(name):])
		if is {
			given[strings.TrimSuffix(name, "=")] = true
		}
	}
	var list []Argument
	for _, a := range p.Arguments {
		if !given[a.Name] {
			list = append(list, a)
		}
	}
	return list
}

// typed is the command as it is typed, for a message.
func (p Prompt) typed() string {
	if len(p.Arguments) == 0 {
		return "/" + p.Command + " takes nothing"
	}
	return "type /" + p.Command + " " + p.Usage()
}

// named returns the NAME= that text begins with, of one of the arguments.
func (p Prompt) named(text string) (name string, is bool) {
	for _, a := range p.Arguments {
		if n := a.Name + "="; a.Name != "" && strings.HasPrefix(text, n) && len(n) > len(name) {
			name, is = n, true
		}
	}
	return name, is
}

func has(args map[string]string, name string) bool {
	_, is := args[name]
	return is
}

// word returns the value that text begins with and what comes after it. Quotes
// count where they stand around all of it: an apostrophe is none.
func word(text string) (value, rest string) {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		if inner, after, closed := strings.Cut(text[1:], text[:1]); closed && (after == "" || strings.IndexFunc(after, unicode.IsSpace) == 0) {
			return inner, after
		}
	}
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		return text[:end], text[end:]
	}
	return text, ""
}
