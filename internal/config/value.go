package config

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/zuno-dev/zuno/internal/spelling"
)

// A value is a decoded value; the field of the key's kind is set.
type value struct {
	text   string
	whole  int
	number float64
	flag   bool
	list   []string
	place  Place

	match, notMatch []string // of a rule
}

func literal(json string) hujson.ValueTrimmed { return hujson.Literal(json) }

// read decodes v, which is neither an object nor a list, as k demands. The
// second result says what is wrong, as the predicate of a sentence.
func (k *key) read(v hujson.ValueTrimmed) (value, string) {
	lit, _ := v.(hujson.Literal)
	switch k.kind {
	case text, oneOf, rule:
		if v.Kind() != '"' {
			return value{}, "must be " + k.wants() + ", not " + describe(v)
		}
		s := lit.String()
		return value{text: s}, k.judge(s)
	case whole:
		n, err := strconv.Atoi(string(lit))
		if err != nil || n < k.min || n > k.max {
			return value{}, "must be " + k.wants() + ", not " + describe(v)
		}
		return value{whole: n}, ""
	case number:
		f, err := strconv.ParseFloat(string(lit), 64)
		if v.Kind() != '0' || err != nil || f < 0 {
			return value{}, "must be " + k.wants() + ", not " + describe(v)
		}
		return value{number: f}, ""
	case flag:
		if v.Kind() != 't' && v.Kind() != 'f' {
			return value{}, "must be " + k.wants() + ", not " + describe(v)
		}
		return value{flag: lit.Bool()}, ""
	}
	return value{}, "cannot stand here"
}

// judge says what is wrong with a text.
func (k *key) judge(s string) string {
	switch {
	case (k.kind == oneOf || k.kind == rule) && index(k.enum, s) < 0:
		return fmt.Sprintf("must be %s, not %q%s", k.wants(), clip(s), spelling.Hint(s, k.enum))
	case k.check != nil:
		return k.check(s)
	}
	return ""
}

// wants names the values of k.
func (k *key) wants() string {
	switch k.kind {
	case text:
		return "a string"
	case oneOf:
		return "one of " + strings.Join(k.enum, ", ")
	case whole:
		return fmt.Sprintf("a whole number from %d to %d", k.min, k.max)
	case number:
		return "a number that is not negative"
	case flag:
		return "true or false"
	case list:
		return "a list of strings"
	case raw:
		return k.wanted
	case rule:
		return "one of " + strings.Join(k.enum, ", ") + " or an object"
	}
	return "an object"
}

// describe names what v is; of numbers it gives the value, of strings never: a
// string in the wrong place may be a secret.
func describe(v hujson.ValueTrimmed) string {
	switch v.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	}
	return clip(string(v.(hujson.Literal)))
}

// unquote decodes a string literal of the file.
func unquote(v hujson.ValueTrimmed) string {
	var s string
	if lit, ok := v.(hujson.Literal); ok && json.Unmarshal(lit, &s) == nil {
		return s
	}
	return ""
}

func modelName(s string) string {
	id, model, ok := strings.Cut(s, "/")
	if !ok || providerID(id) != "" || modelID(model) != "" {
		return fmt.Sprintf("must be PROVIDER/MODEL, not %q", clip(s))
	}
	return ""
}

// companionRole allows what some tool asks a companion for.
func companionRole(s string) string {
	if s != "analyze:image" {
		return "is nothing that a companion does in this version (analyze:image is)"
	}
	return ""
}

func providerID(s string) string {
	if !only(s, "._-") {
		return "is not a provider id (letters, digits, . _ -)"
	}
	return ""
}

func modelID(s string) string {
	if s == "" || strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }) >= 0 {
		return "is not a model id"
	}
	return ""
}

func agentName(s string) string {
	if !only(s, "_-") || len(s) > 64 {
		return "is not an agent's name (up to 64 letters, digits, _ -)"
	}
	return ""
}

// themeName is a file's name without its ending: it can lead nowhere else.
func themeName(s string) string {
	if !only(s, "_-") || len(s) > 64 {
		return "is not a theme's name (up to 64 letters, digits, _ -)"
	}
	return ""
}

// serverName allows what a line of text and the name of a tool can show.
func serverName(s string) string {
	if !only(s, "._-/@") || len(s) > 64 {
		return "is not the name of a server (up to 64 letters, digits, . _ - / @)"
	}
	return ""
}

// toolName allows wire names only: no wildcards.
func toolName(s string) string {
	if !only(s, "_-") || len(s) > 64 {
		return "is not a tool's name (up to 64 letters, digits, _ -)"
	}
	return ""
}

// commandName allows what the names of the screen's commands are made of; which
// there are, the screen knows.
func commandName(s string) string {
	if !only(s, "_.") || len(s) > 64 {
		return "is not the name of a command (see docs/keys.md)"
	}
	return ""
}

func keyName(s string) string {
	if strings.TrimSpace(s) == "" || headerValue(s) != "" {
		return "must be a key, such as ctrl+g"
	}
	return ""
}

// rowID allows what the ids of denylist rows are made of.
func rowID(s string) string {
	if !only(s, "_-.") || len(s) > 64 {
		return "is not the id of a denylist row (letters, digits, . and -; see docs/denylist.md)"
	}
	return ""
}

// ruleTool allows what toolName does, and wildcards.
func ruleTool(s string) string {
	if !only(s, "_-*?") {
		return "is neither a tool's name nor a wildcard"
	}
	return ""
}

// rulePattern refuses the words of the object that may stand behind a pattern:
// in the place of one they would be a rule that nobody meant.
func rulePattern(s string) string {
	switch s {
	case "":
		return "matches nothing"
	case "action", "match", "not_match":
		return `stands behind a pattern: write {"*": {"action": …}}`
	}
	return ""
}

func example(s string) string {
	if strings.TrimSpace(s) == "" {
		return "must not be empty"
	}
	return ""
}

func extension(s string) string {
	if len(s) < 2 || s[0] != '.' || strings.ContainsAny(s, "/*") {
		return fmt.Sprintf("cannot be %q: it is the ending of a file's name, such as .go", clip(s))
	}
	return ""
}

// variable does not quote s: whoever mistakes the key pastes a secret here.
func variable(s string) string {
	if !only(s, "_") || s[0] >= '0' && s[0] <= '9' {
		return "must be the name of an environment variable (letters, digits, _)"
	}
	return ""
}

func revealable(s string) string {
	if p := variable(s); p != "" {
		return p
	}
	if strings.HasPrefix(s, "SSH_") {
		return fmt.Sprintf("cannot have %q: variables named SSH_* are always hidden", clip(s))
	}
	return ""
}

// address does not quote s: it may hold a password.
func address(s string) string {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "must be an http or https address"
	case u.User != nil:
		return "must not hold a password: name the key's variable in apiKeyEnv"
	}
	return ""
}

// loopback allows an address of this machine that a browser can come back to.
func loopback(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Hostname() != "127.0.0.1" && u.Hostname() != "localhost" && u.Hostname() != "::1" {
		return "must be an http address of this machine, such as http://127.0.0.1:19876/callback"
	}
	return ""
}

// allowedHost allows a host, and a port behind it. Whoever uses it reads it
// strictly; here a mistake that is easily made gets its answer.
func allowedHost(s string) string {
	if s == "" || strings.ContainsAny(s, "/@*?# \t") {
		return "must be a host or host:port, such as \"localhost\" or \"127.0.0.1:8080\": no address, no wildcard"
	}
	return ""
}

// headerName allows a token of RFC 9110, section 5.6.2.
func headerName(s string) string {
	if !only(s, "!#$%&'*+-.^_`|~") {
		return "is not the name of a header"
	}
	return ""
}

func headerValue(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) >= 0 {
		return "must be one line of text"
	}
	return ""
}

// only reports whether s is not empty and has nothing but ASCII letters,
// digits and the characters of more.
func only(s, more string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z'
		return !letter && (r < '0' || r > '9') && !strings.ContainsRune(more, r)
	}) < 0
}
