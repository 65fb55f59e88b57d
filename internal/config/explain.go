package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/spelling"
)

// An Explanation is what there is to know of one key.
type Explanation struct {
	// Key is the key as it was asked for, and Row its row of the reference, with
	// words such as NAME for the names of the user's choice.
	Key, Row string
	// Value says in words what may be written, and Default what not setting the
	// key means, "" where it is nothing. They may hold Markdown's backquotes.
	Value, Default, Meaning string
	// Project says what a file of a project may do with the key.
	Project string
	// Supported is false for a key that is known and has no effect.
	Supported bool
	// Set are the settings in force at the key or below it, by path.
	Set []Setting
	// Below are the rows one level below, where there are any.
	Below []string
}

// A Setting is a value in force that some file gave.
type Setting struct {
	Path string
	// Value is JSON; of what may be a secret it is "(not shown)".
	Value string
	Place Place
}

// Settings returns what the files set and is in force, by path.
func (c *Config) Settings() []Setting {
	var list []Setting
	for _, path := range slices.Sorted(maps.Keys(c.values)) {
		list = append(list, Setting{path, c.values[path], c.Places[path]})
	}
	return list
}

// Explain returns what there is to know of a key, and its value in c. The
// error names the nearest key.
func (c *Config) Explain(name string) (Explanation, error) {
	k := match(name)
	if k == nil {
		return Explanation{}, fmt.Errorf("there is no key %q%s: zuno config explain without a key lists them", clip(visible(name)), nearKey(name))
	}
	e := Explanation{
		Key: name, Row: placeholder(k.path), Value: k.column(), Default: k.fallback(), Meaning: k.doc, Supported: k.kind != later,
		Project: k.projectWords(),
	}
	for i := range table {
		if parent, _ := split(table[i].path); parent == k.path && table[i].kind != later {
			e.Below = append(e.Below, placeholder(table[i].path))
		}
	}
	for _, s := range c.Settings() {
		if s.Path == name || strings.HasPrefix(s.Path, name+".") {
			e.Set = append(e.Set, s)
		}
	}
	return e, nil
}

// Keys returns the rows of every key that does something, in the order of the
// reference.
func Keys() []string {
	var list []string
	for i := range table {
		if table[i].kind != later {
			list = append(list, placeholder(table[i].path))
		}
	}
	return list
}

// Check reads one file as the user's own and returns its mistakes. The error is
// an *[Error] where they have places.
func Check(path string) error {
	l := loader{config: Default()}
	if err := l.file(path, false); err != nil {
		return err
	}
	l.config.complete()
	return l.config.servers()
}

// match returns the row that a key belongs to: by its own name, by the row's,
// or by names in the place of the stars, which may hold dots themselves.
func match(name string) *key {
	var best *key
	for i := range table {
		k := &table[i]
		if k.path == name || placeholder(k.path) == name {
			return k
		}
		pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(k.path), `\*`, `(.+)`) + "$"
		if fits, err := regexp.MatchString(pattern, name); err == nil && fits && (best == nil || strings.Count(k.path, ".") > strings.Count(best.path, ".")) {
			best = k
		}
	}
	return best
}

// nearKey guesses which key was meant.
func nearKey(name string) string {
	var all, lasts []string
	for i := range table {
		row := placeholder(table[i].path)
		_, last := split(row)
		all = append(all, row)
		if spelling.Same(last, name) && table[i].kind != later {
			lasts = append(lasts, row)
		}
	}
	if len(lasts) > 0 {
		return spelling.DidYouMean(lasts[0])
	}
	return spelling.Hint(name, all)
}

// projectWords says what a project may do with k.
func (k *key) projectWords() string {
	_, rest, _ := strings.Cut(k.setters(), "; ")
	switch {
	case k.kind == object || k.kind == named:
		return "see the keys below it"
	case k.part != nil:
		return "as the object it stands in"
	case rest == "":
		return "nothing: it is only yours"
	}
	return rest
}

// valueText is v as JSON, where it can be no secret.
func (s setting) valueText() string {
	if strings.Contains(s.key.path, ".headers.") || strings.Contains(s.key.path, ".env") {
		return "(not shown)"
	}
	var v any
	switch s.key.kind {
	case text, oneOf, rule:
		v = s.value.text
	case whole:
		v = s.value.whole
	case number:
		v = s.value.number
	case flag:
		v = s.value.flag
	case list:
		v = s.value.list
	default:
		return ""
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
