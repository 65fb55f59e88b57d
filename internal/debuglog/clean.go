package debuglog

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/redact"
)

// maxText bounds one value of a line in bytes.
const maxText = 2000

// A cleaner takes out what no line may hold.
type cleaner struct {
	redact atomic.Pointer[redact.Redactor]
}

// attr cleans one value before it is encoded, when a secret still looks like
// one.
func (c *cleaner) attr(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(c.text(v.String()))
	case slog.KindAny:
		if a.Key != slog.LevelKey {
			text := fmt.Sprint(v.Any())
			if b, is := v.Any().([]byte); is {
				text = string(b)
			}
			a.Value = slog.StringValue(c.text(text))
		}
	case slog.KindDuration:
		a.Value = slog.Float64Value(float64(v.Duration().Microseconds()) / 1000) // as ms
	}
	return a
}

// text takes secrets, and what of an address may be one, out of s.
func (c *cleaner) text(s string) string {
	s = c.redact.Load().Text(addresses(s))
	if len(s) > maxText {
		cut := maxText
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = fmt.Sprintf("%s… (%d bytes)", s[:cut], len(s))
	}
	return s
}

// Cleaner returns what takes out of a text what no line of a log may hold: the
// secrets, and of every address the name, the password and all behind the path.
func Cleaner(secrets []redact.Secret) func(string) string {
	r := redact.New(secrets)
	return func(s string) string { return r.Text(addresses(s)) }
}

// addresses takes the name and password and all behind the path out of every
// address in s: tokens stand there that look like nothing.
func addresses(s string) string {
	if !strings.Contains(s, "://") {
		return s
	}
	// Made here and not once: a line with an address in it is rare.
	address := regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)([^/?#\s"'<>]*@)?([^?#\s"'<>]*)([?#][^\s"'<>]*)?`)
	return address.ReplaceAllStringFunc(s, func(u string) string {
		p := address.FindStringSubmatch(u)
		if p[2] != "" {
			p[2] = "[name]@"
		}
		if p[4] != "" {
			p[4] = p[4][:1] + "[hidden]"
		}
		return p[1] + p[2] + p[3] + p[4]
	})
}

// lines takes the lines of a handler, each in one Write, and goes over the whole
// of each once more.
type lines struct {
	clean *cleaner
	file  *file
}

func (l *lines) Write(line []byte) (int, error) {
	l.file.write([]byte(l.clean.redact.Load().JSON(strings.TrimSuffix(string(line), "\n")) + "\n"))
	return len(line), nil
}
