package redact

import (
	"slices"
	"strings"
)

// A Secret is an exact value and what it is called.
type Secret struct{ Name, Value string }

// FromEnv returns the values of those variables of environ, as of os.Environ,
// that hidden names and that are likely to be secrets. A path is none. What is
// hidden only for API, AUTH or SSH_ in its name is a secret when it looks like
// a token: the name of an author and the address of a service are hidden too.
func FromEnv(environ, hidden []string) []Secret {
	var list []Secret
	for _, e := range environ {
		name, value, ok := strings.Cut(e, "=")
		if ok && slices.Contains(hidden, name) && secret(name, value) {
			list = append(list, Secret{name, value})
		}
	}
	return list
}

func secret(name, value string) bool {
	name = strings.ToUpper(name)
	for _, w := range []string{"PASSWORD", "SECRET", "TOKEN", "CREDENTIAL", "KEY"} {
		if strings.Contains(name, w) {
			return len(value) >= minValue && (w == "PASSWORD" || !strings.HasPrefix(value, "/"))
		}
	}
	for _, w := range []string{"API", "AUTH", "SSH_"} {
		if strings.Contains(name, w) {
			return len(value) >= 16 && !strings.ContainsAny(value, " /:@") && digit(value)
		}
	}
	return false
}
