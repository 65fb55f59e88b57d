package shell

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// stoppedTail is how much of the end of each stream is searched for the traces
// of a refusal.
const stoppedTail = 16 << 10

// A trace is what programs print when they were refused something that the
// confinement refuses.
type trace struct {
	text   string // in lower case
	reason func(b *box, line string) string
}

// traces is looked through in order for every line. A reason of "" means that
// the line may have another cause.
func traces() []trace {
	net := func(b *box, _ string) string {
		if b.Network {
			return ""
		}
		return "there is no network in the sandbox"
	}
	return []trace{
		{"read-only file system", (*box).refusedWrite},
		{"erofs", (*box).refusedWrite},
		{"permission denied", (*box).refusedAccess},
		{"eacces", (*box).refusedAccess},
		{"device or resource busy", (*box).refusedMove},
		{"invalid cross-device link", func(*box, string) string {
			return "files cannot be linked from one part of the sandbox to another"
		}},
		{"no new privileges", func(*box, string) string {
			return "programs cannot get the rights of another user in the sandbox"
		}},
		{"network is unreachable", net},
		{"enetunreach", net},
		{"could not resolve host", net},
		{"temporary failure in name resolution", net},
		{"name or service not known", net},
		{"eai_again", net},
		{"enotfound", net},
		{"no such host", net},
		{"server misbehaving", net},
		{"connection refused", (*box).refusedHost},
		{"econnrefused", (*box).refusedHost},
		{"operation not permitted", func(b *box, line string) string {
			if !b.ability.Signals || !regexp.MustCompile(`(?i)\b(p|p?g)?kill(all)?\b`).MatchString(line) {
				return ""
			}
			return "processes outside the sandbox cannot be signalled"
		}},
	}
}

// stopped says what of the confinement probably made the command fail, "" when
// nothing points to it. It goes by what the command printed last, so it may be
// wrong; what it names was refused by the confinement if it was tried.
func (b *box) stopped(res *Result) string {
	for _, o := range []Output{res.Stderr, res.Stdout} {
		lines := strings.Split(string(bytes.TrimSpace(o.last(stoppedTail))), "\n")
		for i := len(lines) - 1; i >= 0; i-- {
			low := strings.ToLower(lines[i])
			for _, t := range traces() {
				if !strings.Contains(low, t.text) {
					continue
				}
				if why := t.reason(b, lines[i]); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

// last returns at most n bytes of the end of what was kept, as plain text.
func (o Output) last(n int) []byte {
	all := o.Tail
	if len(all) < n {
		all = append(bytes.Clone(o.Head), o.Tail...)
	}
	return []byte(plain(all[max(0, len(all)-n):]))
}

// refusedWrite explains a file system that was read-only.
func (b *box) refusedWrite(line string) string {
	for _, p := range b.paths(line) {
		if inAny(b.fixed, p) || inAny(b.Protected, p) {
			return fmt.Sprintf("%s is protected by the sandbox", clipLine(p, 200))
		}
	}
	for _, p := range b.paths(line) {
		if b.rootOf(p) == "" {
			return b.where(p)
		}
	}
	return b.where("")
}

func (b *box) where(path string) string {
	outside := ""
	if path != "" {
		outside = fmt.Sprintf("; %s is not in them", clipLine(path, 200))
	}
	if b.Mode == ReadOnly {
		return "the sandbox is read-only"
	}
	return "the sandbox lets commands write in the workspace, the temporary folder and the caches of tool chains" + outside
}

// refusedAccess explains a permission that was denied, when the line names a
// path to which the confinement denies it.
func (b *box) refusedAccess(line string) string {
	for _, p := range b.paths(line) {
		switch {
		case inAny(b.hidden, p), inAny(b.sockets, p):
			return fmt.Sprintf("the sandbox hides %s", clipLine(p, 200))
		case b.ability.Backend == Landlock && filepath.IsAbs(p) && b.rootOf(p) == "" && writableOutside(p):
			return b.where(p)
		}
	}
	return ""
}

// refusedMove explains that something could not be moved or replaced.
func (b *box) refusedMove(line string) string {
	for _, p := range b.paths(line) {
		if inAny(b.fixed, p) || oneOf(p, b.pinned...) || inAny(b.fixed, strings.TrimSuffix(p, ".lock")) {
			return fmt.Sprintf("%s is protected by the sandbox", clipLine(p, 200))
		}
	}
	return ""
}

// refusedHost explains a refused connection, when the line names a port of this
// machine on which somebody outside listens.
func (b *box) refusedHost(line string) string {
	if b.Network {
		return ""
	}
	m := regexp.MustCompile(`(?i)\b(?:localhost|127\.0\.0\.1|::1)\]?(?::|/| port )(\d{1,5})\b`).FindStringSubmatch(line)
	if m == nil || !listensOutside(m[1]) {
		return ""
	}
	return fmt.Sprintf("what listens on port %s is outside, and the sandbox has a loopback of its own", m[1])
}

// paths lists what in a line of output may be a path, absolute and without
// what was around it.
func (b *box) paths(line string) []string {
	var all []string
	for _, w := range regexp.MustCompile(`[^\s'"`+"`"+`‘’“”()\[\]<>,;]+`).FindAllString(line, 50) {
		w = strings.TrimRight(w, ":.")
		if _, after, ok := strings.Cut(w, ":/"); ok && !filepath.IsAbs(w) {
			w = "/" + after
		}
		if !strings.ContainsAny(w, "/.") {
			continue
		}
		if !filepath.IsAbs(w) {
			w = filepath.Join(b.dir, w)
		}
		w = filepath.Clean(w)
		if dir, err := filepath.EvalSymlinks(filepath.Dir(w)); err == nil {
			w = filepath.Join(dir, filepath.Base(w))
		}
		all = append(all, w)
	}
	return all
}
