package file

import (
	"bytes"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// StateAt returns what is at a real, absolute path now.
func StateAt(path string) (tools.FileState, error) {
	s, err := lookAny(path)
	return s.touched(), err
}

// Probe looks whether a call that touched these paths has happened: it has
// where all of them are as it would have left them, and has not where all are
// as they were before. The words say what was seen. Anything else is not
// found out.
func Probe(touches []tools.Touch) (tools.Finding, string) {
	last := map[string]tools.FileState{}
	first := map[string]tools.FileState{}
	var order []string
	for _, t := range touches {
		if _, ok := first[t.Path]; !ok {
			first[t.Path] = t.Before
			order = append(order, t.Path)
		}
		last[t.Path] = t.After
	}
	done, undone := 0, 0
	for _, path := range order {
		now, err := StateAt(path)
		if err != nil {
			return tools.NotFound, explain(err)
		}
		is, was := now.Holds(last[path]), now.Holds(first[path])
		if !is && !was {
			return tools.NotFound, tools.CleanLine(path) + " holds something else"
		}
		if is {
			done++
		}
		if was {
			undone++
		}
	}
	switch {
	case len(order) == 0:
		return tools.NotFound, "it names no file"
	case done == len(order) && undone < len(order):
		return tools.Happened, "every file is as the call would have left it"
	case undone == len(order) && done < len(order):
		return tools.DidNotHappen, "every file is as it was before the call"
	case done < len(order) && undone < len(order):
		return tools.InPart, "some files are as the call would have left them, the others as they were"
	}
	return tools.NotFound, "the files say nothing"
}

// shownDiff is the most bytes of differences that are told to the model as a
// part of something else's result.
const shownDiff = 16 << 10

// A Watched is what became of files while a command ran.
type Watched struct {
	Touches []tools.Touch
	Changes []tools.Change
	Show    []tools.Section
	// Text is the differences for the model; "" when there is none or when they
	// are too long to be told.
	Text string
}

// Watch notes what files hold, by the names that a change gave them, and
// returns a function that says what has become of them. A content that the
// model knew stays known to it when it is told the whole difference.
func (t *Tools) Watch(names []string) func() Watched {
	f := t.files
	type noted struct {
		place  Place
		before state
	}
	var list []noted
	for _, name := range names {
		place, before, err := f.find(name)
		if err == nil && before.exists() {
			list = append(list, noted{place, before})
		}
	}
	return func() Watched {
		var w Watched
		var texts []string
		known := map[string]sum{}
		for _, n := range list {
			now, err := look(n.place.Real)
			if err != nil || !now.exists() || bytes.Equal(now.data, n.before.data) {
				continue
			}
			c := &change{kind: "M", place: n.place, before: n.before, after: now.data}
			c.show()
			w.Touches = append(w.Touches, tools.Touch{Path: n.place.Real, Name: n.place.Name, Before: n.before.touched(), After: now.touched()})
			w.Changes = append(w.Changes, c.record())
			w.Show = append(w.Show, sections([]*change{c})...)
			texts = append(texts, c.title(), c.diff.Text)
			if seen, ok := f.receipts.get(n.place.Real); ok && seen == n.before.sum && !c.binary {
				known[n.place.Real] = now.sum
			}
		}
		if text := strings.Join(texts, "\n"); len(text) <= shownDiff {
			w.Text = text
			for real, s := range known {
				f.receipts.put(real, s)
			}
		}
		return w
	}
}
