package shell

import (
	"path"
	"strings"
)

// dull reports circumstances in which the argument of a dull name has nothing
// to be found: the file system is not asked any more, and there is one current
// directory, of the workspace, that neither is nor holds a place that is
// special. In a very long line almost every argument is one.
func (s *scan) dull() bool {
	if s.stats <= maxStats || s.env.remote || len(s.env.dirs) != 1 {
		return false
	}
	d := s.env.dirs[0]
	if is, ok := s.dulls[d]; ok {
		return is
	}
	is := s.dullDir(d)
	s.dulls[d] = is
	return is
}

func (s *scan) dullDir(d string) bool {
	low := strings.ToLower(d)
	switch {
	case s.at.Workspace == "" || len(d) < 2 || d != path.Clean(d) || !belowClean(d, s.rootOf(s.at.Workspace)), strings.Contains(d, "/."):
		return false
	case below(low, "/etc"), below(low, "/proc"), below(low, "/private"), oneOf(low, "/home", "/users", "/var", "/root"):
		return false
	}
	if home := s.at.Home; home != "" && (below(path.Clean(home), d) || below(s.rootOf(home), d)) {
		return false
	}
	for _, special := range [][]string{s.at.Own, s.at.Secrets} {
		for _, place := range special {
			for _, p := range []string{path.Clean(place), s.rootOf(place)} {
				if below(p, d) || below(d, p) {
					return false
				}
			}
		}
	}
	return true
}

// dull reports a word that is nothing but the plain name of a file, in or below
// the current directory, that no call or none such as c is asked about.
func (w *word) dull(c *call) bool {
	if w.text == "" || w.dyn != "" || w.glob || w.text[0] == '-' {
		return false
	}
	before, dot := byte('/'), false
	for i := range len(w.text) {
		b := w.text[i]
		switch {
		case b >= 'a' && b <= 'z', b >= '0' && b <= '9', b >= 'A' && b <= 'Z', b == '_', b == '-':
		case before == '/':
			return false // it is hidden, absolute, or not clean
		case b == '.':
			dot = true
		case b != '/':
			return false
		}
		before = b
	}
	return before != '/' && len(w.text) < 1024 && (!dot || c.reads || !strings.ContainsAny(path.Ext(w.text), "mMjJfF"))
}
