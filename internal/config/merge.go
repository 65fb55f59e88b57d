package config

import (
	"fmt"
	"strings"
)

// apply brings the settings of one file into force, as far as the file may say
// them.
func (l *loader) apply(settings []setting, f File) error {
	var problems []Problem
	ignored := map[string]bool{} // what a notice has named
	for _, s := range settings {
		switch {
		case s.key.refuse != nil && s.key.refuse(s.value) != "":
			text := subject(s.path) + ": " + s.key.refuse(s.value)
			if f.Project {
				l.notice(s.value.place, s.path, text)
			} else {
				problems = append(problems, Problem{s.value.place, text})
			}
		case s.key.kind == later:
			l.notice(s.value.place, s.path, subject(s.path)+" is not supported by this version and has no effect")
		case !f.Project || l.tightens(s) || f.Trusted && s.key.grantable(s.value):
			s.key.set(l.config, s.names, s.value)
			l.config.Places[s.path] = s.value.place
			if text := s.valueText(); text != "" {
				l.config.values[s.path] = text
			}
		default:
			at, why := refusal(s)
			if !ignored[at.name] {
				ignored[at.name] = true
				l.notice(at.place, at.name, subject(at.name)+" is ignored: "+why)
			}
		}
	}
	if len(problems) > 0 {
		return &Error{Problems: problems}
	}
	return nil
}

// beyond lists the settings of a project's file that it has no say in unless
// it is trusted.
func (l *loader) beyond(settings []setting, f File) []string {
	if !f.Project {
		return nil
	}
	var paths []string
	var last setting
	for _, s := range settings {
		if !s.key.grantable(s.value) || l.tightens(s) {
			continue
		}
		if len(paths) > 0 && last.key.kind == object && strings.HasPrefix(s.path, last.path+".") {
			paths = paths[:len(paths)-1] // an object stands for itself only where it says nothing else
		}
		paths, last = append(paths, s.path), s
	}
	return paths
}

func (l *loader) tightens(s setting) bool {
	return s.key.tightens != nil && s.key.tightens(l.config, s.names, s.value)
}

// refusal names what of a setting a project may not say, and why.
func refusal(s setting) (member, string) {
	own := member{s.path, s.value.place}
	switch {
	case !settable(s.top.name):
		return s.top, "a project may not set it"
	case s.key.grantable(s.value) && s.key.tightens != nil:
		return own, "a project that is not trusted may only tighten what is in force"
	case s.key.grantable(s.value):
		return s.top, "a project that is not trusted may not set it"
	case s.key.trusted != "":
		return own, fmt.Sprintf("a project may not set it to %s", s.value.text)
	}
	return own, "a project may not set it"
}

// settable reports whether projects may set anything of a top-level key.
func settable(top string) bool {
	for i := range table {
		k := &table[i]
		if (k.path == top || strings.HasPrefix(k.path, top+".")) && (k.tightens != nil || k.trusted != "") {
			return true
		}
	}
	return false
}

func (l *loader) notice(p Place, key, text string) {
	l.notices = append(l.notices, Notice{p, key, text})
}
