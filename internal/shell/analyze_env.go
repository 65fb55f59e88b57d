package shell

import (
	"maps"
	"slices"
)

// Bounds on what is remembered; what is more or longer is unknown.
const (
	maxVars  = 64
	maxValue = 4096 // bytes of one variable
	maxText  = 1 << 16
)

// An env is what is known about the shell's state at one point of a script.
// Unknown is always a safe answer.
type env struct {
	vars   *variables // known values only
	shared bool       // another env has vars too, so that they are copied before a change
	// dirs holds every directory that may be current; none means unknown.
	dirs []string
	// temp says that the current directory was made by this script's mktemp.
	temp bool
	// remote says that commands run on another machine or in a container.
	remote bool
	old    []string // dirs before the last cd
	failed []string // where a guarded cd leaves the shell if it fails
}

// variables are the values that are known.
type variables struct{ known map[string]word }

func (e *env) get(name string) word {
	switch v, ok := e.vars.known[name]; {
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
	if _, have := e.vars.known[name]; !have && len(e.vars.known) >= maxVars || len(w.text) > maxValue {
		return
	}
	w.calls, w.glob = nil, false
	e.change()
	e.vars.known[name] = w
}

// change makes vars its own before they are changed.
func (e *env) change() {
	if e.shared {
		e.vars, e.shared = &variables{known: maps.Clone(e.vars.known)}, false
	}
	if e.vars.known == nil {
		e.vars.known = map[string]word{}
	}
}

func (e *env) forget(name string) {
	if name == "PWD" || name == "OLDPWD" || name == "CDPATH" {
		e.lost()
	}
	if _, have := e.vars.known[name]; have {
		e.change()
		delete(e.vars.known, name)
	}
}

func (e *env) forgetAll() { e.vars, e.shared = &variables{}, false }

// lost records that the current directory is no longer known.
func (e *env) lost() { e.dirs, e.temp, e.old = nil, false, nil }

func (e *env) clone() env {
	e.shared = true
	return *e
}

// join keeps what holds on both of two ways to the same point.
func (e *env) join(other env) {
	if e.vars != other.vars {
		for k, v := range e.vars.known {
			if o, ok := other.vars.known[k]; !ok || o.text != v.text || o.dyn != v.dyn || o.temp != v.temp {
				e.change()
				delete(e.vars.known, k)
			}
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

// union is a with what only b has. It changes neither.
func union(a, b []string) []string {
	out := a[:len(a):len(a)]
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}
