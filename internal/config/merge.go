package config

import "fmt"

// apply brings the settings of one file into force. Of a file that is not
// trusted, only what tightens is.
func (l *loader) apply(settings []setting, trusted bool) error {
	var problems []Problem
	ignored := map[string]bool{} // top-level keys that a notice has named
	for _, s := range settings {
		switch {
		case s.key.refuse != nil && s.key.refuse(s.value) != "":
			text := subject(s.path) + ": " + s.key.refuse(s.value)
			if trusted {
				problems = append(problems, Problem{s.value.place, text})
			} else {
				l.notice(s.value.place, s.path, text)
			}
		case s.key.kind == later:
			l.notice(s.value.place, s.path, subject(s.path)+" is not supported by this version and has no effect")
		case trusted || s.key.tightens != nil && s.key.tightens(l.config, s.names, s.value):
			s.key.set(l.config, s.names, s.value)
			l.config.Places[s.path] = s.value.place
		case s.key.tightens != nil:
			l.notice(s.value.place, s.path, subject(s.path)+" is ignored: a project may only tighten what is in force")
		case !ignored[s.top.name]:
			ignored[s.top.name] = true
			l.notice(s.top.place, s.top.name, fmt.Sprintf("%s is ignored: a project may not set it", subject(s.top.name)))
		}
	}
	if len(problems) > 0 {
		return &Error{Problems: problems}
	}
	return nil
}

func (l *loader) notice(p Place, key, text string) {
	l.notices = append(l.notices, Notice{p, key, text})
}
