package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// A Place is what of this machine is not to be passed on.
type Place struct{ Home, User, Host string }

// Share returns s as it may be passed on: without its secrets, the values that
// are assigned to names of secrets, home directories, e-mail addresses and the
// name of the machine. It is slower than Text.
func (r *Redactor) Share(s string, p Place) string {
	s = assignment.ReplaceAllString(r.Text(s), "$1"+mark("value"))
	if len(p.Home) > 1 {
		s = regexp.MustCompile(regexp.QuoteMeta(strings.TrimRight(p.Home, "/"))+`\b`).ReplaceAllString(s, "~")
	}
	s = homes.ReplaceAllString(s, "$1"+mark("user"))
	s = email.ReplaceAllString(s, mark("e-mail"))
	for _, w := range []struct{ word, name string }{{p.Host, "host"}, {p.User, "user"}} {
		if len(w.word) < 3 || w.word == "localhost" || w.word == "root" || strings.Contains(mark("host user"), w.word) {
			continue
		}
		s = regexp.MustCompile(`\b`+regexp.QuoteMeta(w.word)+`\b`).ReplaceAllString(s, mark(w.name))
	}
	return s
}

var (
	assignment = regexp.MustCompile(`(?i)(\b[a-z0-9_.-]*(?:passw(?:or)?d|secret|token|api[_-]?key|credential|private[_-]?key)[a-z0-9_]*\\?["']?[ \t]*[:=][ \t]*\\?["']?)[^\s"'\\\[\],;{}()<>$]{6,}`)
	homes      = regexp.MustCompile(`(/(?:home|Users)/)[A-Za-z0-9._-]+`)
	email      = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)
)

// ShareJSON is Share for every string in the text of a JSON value.
func (r *Redactor) ShareJSON(b []byte, p Place) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("read the JSON to redact: %w", err)
	}
	return json.MarshalIndent(each(unassigned(v), func(s string) string { return r.Share(s, p) }), "", "  ")
}

// unassigned takes out the texts that a JSON value holds under names of secrets.
func unassigned(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = unassigned(v[i])
		}
	case map[string]any:
		for k, x := range v {
			if s, ok := x.(string); ok {
				// An assignment within s is for Share, which leaves the rest of s.
				if at := assignment.FindStringIndex(k + `="` + s); at != nil && at[0] < len(k) {
					x = mark("value")
				}
			}
			v[k] = unassigned(x)
		}
	}
	return v
}
