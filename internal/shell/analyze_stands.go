package shell

import "slices"

// asked is what an analysis went by beside the line itself: the place, and what
// the file system said there.
type asked struct {
	line  string
	at    Place
	facts map[string]fact
	links map[string]link // where symbolic links lead
	found *Analysis       // as it was made
}

// A link is what the file system said of the target of a symbolic link.
type link struct {
	to string
	ok bool
}

// stands reports whether to analyse line at a place now would find the same
// again: it is the same line and place, and the file system gives the same
// answers. An analysis goes by nothing else.
func (a *Analysis) stands(line string, at Place) bool {
	if a.asked == nil || a.asked.line != line {
		return false
	}
	was := &a.asked.at
	at = at.complete()
	if at.Dir != was.Dir || at.Workspace != was.Workspace || at.Home != was.Home || at.Temp != was.Temp || !slices.Equal(at.Own, was.Own) || !slices.Equal(at.Secrets, was.Secrets) {
		return false
	}
	for p, is := range a.asked.facts {
		if at.lstat(p) != is {
			return false
		}
	}
	for p, is := range a.asked.links {
		if at.readlink(p) != is {
			return false
		}
	}
	return true
}
