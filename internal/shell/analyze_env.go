package shell

import "slices"

// Bounds on what is remembered; what is more or longer is unknown.
const (
	maxVars  = 64
	maxValue = 4096 // bytes of one variable
	maxText  = 1 << 16
)

// An env is what is known about the shell's state at one point of a script.
// Unknown is always a safe answer.
type env struct {
	vars map[string]word // known values only
	// dirs holds every directory that may be current; none means unknown.
	dirs []string
	// temp says that the current directory was made by this script's mktemp.
	temp bool
	// remote says that commands run on another machine or in a container.
	remote bool
	old    []string // dirs before the last cd
	failed []string // where a guarded cd leaves the shell if it fails
}

func (e *env) get(name string) word {
	switch v, ok := e.vars[name]; {
	case ok:
		return v
	case name == "PWD" && len(e.dirs) == 1:
		return word{text: e.dirs[0], expanded: true}
	case name == "PWD" && e.temp:
		return word{text: hole, dyn: "a temporary directory", temp: true, expanded: true}
	}
	return unknown("$"+name, "$"+name+" is not known here")
}

func (e *env) set(name string, w word) {
	if _, have := e.vars[name]; !have && len(e.vars) >= maxVars || len(w.text) > maxValue {
		return
	}
	w.calls, w.glob = nil, false
	e.vars[name] = w
}

func (e *env) forget(name string) {
	if name == "PWD" || name == "OLDPWD" || name == "CDPATH" {
		e.lost()
	}
	delete(e.vars, name)
}

// lost records that the current directory is no longer known.
func (e *env) lost() { e.dirs, e.temp, e.old = nil, false, nil }

func (e *env) clone() env {
	c := *e
	c.vars = make(map[string]word, len(e.vars))
	for k, v := range e.vars {
		c.vars[k] = v
	}
	return c
}

// join keeps what holds on both of two ways to the same point.
func (e *env) join(other env) {
	for k, v := range e.vars {
		if o, ok := other.vars[k]; !ok || o.text != v.text || o.dyn != v.dyn || o.temp != v.temp {
			delete(e.vars, k)
		}
	}
	if e.temp != other.temp || (len(e.dirs) == 0) != (len(other.dirs) == 0) {
		e.lost()
		return
	}
	e.dirs = union(e.dirs, other.dirs)
	if len(e.dirs) > 4 {
		e.lost()
	}
	e.remote = e.remote || other.remote
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}
