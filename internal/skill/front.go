package skill

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// maxFront bounds the front matter of a file in bytes.
const maxFront = 16 << 10

// A front is what a file says of itself before its text: YAML between lines of
// three dashes.
type front map[string]any

// split takes a file apart. A file without front matter has none; one whose
// front matter cannot be read is an error.
func split(text string) (front, string, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return nil, "", errors.New("it is not plain text")
	}
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return front{}, text, nil
	}
	head, body, closed := cutLine(rest)
	switch {
	case !closed:
		return nil, "", errors.New("its front matter has no closing ---")
	case len(head) > maxFront:
		return nil, "", fmt.Errorf("its front matter has more than %d bytes", maxFront)
	}
	f, err := parse(head)
	return f, body, err
}

// cutLine cuts text at its first line of three dashes.
func cutLine(text string) (before, after string, found bool) {
	for at := 0; at <= len(text); {
		line, _, more := strings.Cut(text[at:], "\n")
		if strings.TrimRight(line, " \t") == "---" {
			return text[:at], strings.TrimPrefix(text[at+len(line):], "\n"), true
		}
		if !more {
			break
		}
		at += len(line) + 1
	}
	return "", "", false
}

// parse reads YAML that somebody else wrote: whatever the library makes of it is
// an error at most.
func parse(head string) (f front, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, errors.New("its front matter is not valid YAML")
		}
	}()
	f = front{}
	err = yaml.Unmarshal([]byte(head), &f)
	if err != nil {
		if again := (front{}); yaml.Unmarshal([]byte(quoted(head)), &again) == nil {
			return again, nil
		}
	}
	if err != nil {
		why, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: "), "\n")
		return nil, fmt.Errorf("its front matter is not valid YAML: %s (put a text with a colon in it into quotes)", strings.TrimSuffix(why, ":"))
	}
	return f, nil
}

// proseKeys hold a text that people write as it comes to them, without knowing
// that a colon or a bracket in it means something in YAML.
var proseKeys = [...]string{"name", "description", "argument-hint", "compatibility", "when_to_use"}

// quoted puts the texts of such keys into quotes where they have none.
func quoted(head string) string {
	lines := strings.Split(head, "\n")
	for i, line := range lines {
		key, value, found := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !found || value == "" || strings.ContainsRune(`"'|>`, rune(value[0])) || !slices.Contains(proseKeys[:], key) {
			continue
		}
		lines[i] = key + ": '" + strings.ReplaceAll(value, "'", "''") + "'"
	}
	return strings.Join(lines, "\n")
}

// text returns a value that is one text, on one line.
func (f front) text(key string) string {
	switch v := f[key].(type) {
	case nil, map[string]any, []any:
		return ""
	default:
		return strings.Join(strings.Fields(fmt.Sprint(v)), " ")
	}
}

// flag returns a value that is yes or no, however it is spelled.
func (f front) flag(key string) (is, given bool) {
	switch strings.ToLower(f.text(key)) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0":
		return false, true
	}
	return false, false
}
