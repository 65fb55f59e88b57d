package agent

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/config"
)

// Markdown reads an agent that is written as a Markdown file: a block of fields
// between lines of ---, and the prompt behind it. The fields are those of the
// configuration, one a line as in YAML; a list stands in brackets, on lines of
// its own with dashes, or with commas. Name is that of the file without its
// ending, and counts where there is no field of that name.
func Markdown(name, text string) (string, config.Agent, error) {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return "", config.Agent{}, errors.New("it is not UTF-8 text")
	}
	head, body, err := front(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"))
	if err != nil {
		return "", config.Agent{}, err
	}
	if given, ok := head["name"]; ok {
		if name, ok = given.(string); !ok {
			return "", config.Agent{}, errors.New("name must be one word")
		}
		delete(head, "name")
	}
	if _, ok := head["prompt"]; ok {
		return "", config.Agent{}, errors.New("the prompt stands below the fields, not among them")
	}
	if body = strings.TrimSpace(body); body != "" {
		head["prompt"] = body
	}
	for _, key := range []string{"tools", "delegates"} {
		if s, ok := head[key].(string); ok {
			head[key] = commas(s)
		}
	}
	a, err := config.ReadAgent(name, head)
	return name, a, err
}

// front splits a text into its fields and what follows them.
func front(text string) (map[string]any, string, error) {
	fields := map[string]any{}
	lines := strings.Split(text, "\n")
	if strings.TrimRight(lines[0], " ") != "---" {
		return nil, "", errors.New("it does not begin with a line of --- and fields, such as description: …")
	}
	last := ""
	for i, line := range lines[1:] {
		line = strings.TrimRight(line, " \t")
		plain := strings.TrimSpace(line)
		if plain == "---" && line == plain {
			return fields, strings.Join(lines[i+2:], "\n"), nil
		}
		at := i + 2
		item, isItem := strings.CutPrefix(plain, "-")
		switch {
		case plain == "" || strings.HasPrefix(plain, "#"):
		case isItem && last != "":
			list, ok := fields[last].([]string)
			if !ok {
				return nil, "", fmt.Errorf("line %d: %s has a value already", at, last)
			}
			fields[last] = append(list, unquoted(item))
		default:
			key, value, ok := strings.Cut(plain, ":")
			switch {
			case !ok || line != strings.TrimLeft(line, " \t"):
				return nil, "", fmt.Errorf("line %d: it is no field, such as description: …", at)
			case fields[key] != nil:
				return nil, "", fmt.Errorf("line %d: %s is given twice", at, key)
			}
			fields[key], last = scalar(value), ""
			if strings.TrimSpace(value) == "" {
				fields[key], last = []string{}, key
			}
		}
	}
	return nil, "", errors.New("the fields do not end: there is no second line of ---")
}

// scalar reads what stands behind the colon.
func scalar(s string) any {
	s = strings.TrimSpace(s)
	if in, ok := strings.CutPrefix(s, "["); ok && strings.HasSuffix(in, "]") {
		return commas(strings.TrimSuffix(in, "]"))
	}
	switch s {
	case "true":
		return true
	case "false":
		return false
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return unquoted(s)
}

func commas(s string) []string {
	list := []string{}
	for _, e := range strings.Split(s, ",") {
		if e = unquoted(e); e != "" {
			list = append(list, e)
		}
	}
	return list
}

// unquoted takes the quotation marks off that a value stands in.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
