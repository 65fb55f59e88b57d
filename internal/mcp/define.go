package mcp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// Text is the exact definition of s, as it is written, for a person who is to
// trust it: the program, its arguments and folder, or the address, and what is
// set for it. No variable in it is replaced.
func (s Server) Text() string {
	var b strings.Builder
	if s.URL != "" {
		fmt.Fprintf(&b, "connects to %s", s.URL)
		if s.SSE {
			b.WriteString(" (sse)")
		}
	} else {
		fmt.Fprintf(&b, "runs %s", s.CommandLine())
		if s.Dir != "" {
			fmt.Fprintf(&b, "\nin %s", s.Dir)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(s.Env)) {
		fmt.Fprintf(&b, "\nwith %s=%s", k, s.Env[k])
	}
	for _, k := range slices.Sorted(maps.Keys(s.Headers)) {
		fmt.Fprintf(&b, "\nwith the header %s: %s", k, s.Headers[k])
	}
	for _, o := range [][2]string{{"client ID", s.OAuth.ClientID}, {"scope", s.OAuth.Scope}, {"way back", s.OAuth.Redirect}} {
		if o[1] != "" {
			fmt.Fprintf(&b, "\nlogs in with the %s %s", o[0], o[1])
		}
	}
	return tools.Clean(b.String())
}

// CommandLine is the program and its arguments on one line, each in quotes where
// it is not one plain word, or the address.
func (s Server) CommandLine() string {
	if s.URL != "" {
		return tools.CleanLine(s.URL)
	}
	words := make([]string, len(s.Command))
	for i, w := range s.Command {
		if words[i] = w; w == "" || strings.ContainsAny(w, " \t\n\"'\\$`|&;<>()*?[]#~{}!") && !isVariable(w) {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return tools.CleanLine(strings.Join(words, " "))
}

// where says what the server is, and that nothing confines it.
func (s Server) where() string {
	if s.URL != "" {
		return s.CommandLine()
	}
	return s.CommandLine() + "\n(outside the sandbox)"
}

func isVariable(w string) bool {
	return strings.Contains(w, "${") && !strings.ContainsAny(w, " \t\n\"'\\`|&;<>()*?[]#~!")
}

func (s Server) wait() time.Duration { return cmp.Or(s.Wait, wait) }

func (s Server) limit() time.Duration { return cmp.Or(s.Limit, tools.DefaultTimeout) }

// hash tells this definition from every other: where the server is, what runs
// with which arguments, variables replaced, and what is set for it, as written.
// The values of variables that only the environment gets are not in it.
func (s Server) hash(lookup func(string) (string, bool)) string {
	replaced := make([]string, 0, len(s.Command)+2)
	for i, text := range append([]string{s.URL, s.Dir}, s.Command...) {
		as := expand
		if i == 1 || i == 2 { // the folder and the program
			as = expandPath
		}
		if t, err := as(text, lookup); err == nil {
			text = t
		}
		replaced = append(replaced, text)
	}
	values := []any{s.Name, s.Command, s.URL, s.SSE, replaced, s.Env, s.Headers}
	if s.OAuth != (OAuth{}) {
		values = append(values, s.OAuth)
	}
	return sum(values...)
}

// sum is a hash over values, 128 bits of it in hex: it is bound to what a person
// saw, by programs that would like it to be bound to something else.
func sum(values ...any) string {
	b, err := json.Marshal(values)
	if err != nil {
		panic(err) // texts, lists and maps of texts always encode
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:16])
}

// expand replaces ${VAR} and ${VAR:-default} in text. The error names the
// variable that is not set, and no value.
func expand(text string, lookup func(string) (string, bool)) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		inner, after, closed := strings.Cut(rest, "}")
		name, def, has := strings.Cut(inner, ":-")
		if !closed || name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			b.WriteString("${") // not one of ours
			text = rest
			continue
		}
		switch v, ok := lookup(name); {
		case ok && (v != "" || !has):
			b.WriteString(v)
		case has:
			b.WriteString(def)
		default:
			return "", fmt.Errorf("the variable %s is not set", name)
		}
		text = after
	}
}

// expandPath is expand for the path of a program or a folder, which may begin
// with ~ for the home directory.
func expandPath(text string, lookup func(string) (string, bool)) (string, error) {
	text, err := expand(text, lookup)
	if rest, is := strings.CutPrefix(text, "~"); err == nil && is && (rest == "" || rest[0] == '/') {
		for _, name := range []string{"HOME", "USERPROFILE"} {
			if home, ok := lookup(name); ok && home != "" {
				return home + rest, nil
			}
		}
	}
	return text, err
}

// expandAll replaces the variables in the values of m.
func expandAll(m map[string]string, lookup func(string) (string, bool)) (map[string]string, error) {
	all := make(map[string]string, len(m))
	for k, v := range m {
		x, err := expand(v, lookup)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		all[k] = x
	}
	return all, nil
}
