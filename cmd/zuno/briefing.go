package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/file"
)

// The bounds of looking for what changed since: how many paths are looked at,
// and how large a file is compared by its content. Whoever resumes waits for
// it.
const (
	mostBriefed = 500
	largest     = 4 << 20
)

// changedSince names the files that zuno left in a session and that somebody
// else has changed since something was last said in it.
func changedSince(j *store.Session) ([]string, error) {
	left, last, err := j.Left()
	if err != nil {
		return nil, err
	}
	var names []string
	for i, p := range left {
		if i == mostBriefed {
			break
		}
		if touchedSince(p.Path, last) && differs(p) {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// briefing says, a line each, what whoever comes back has to know: what was
// interrupted, what nobody knows, and what changed meanwhile.
func briefing(j *store.Session, news store.News) ([]string, error) {
	var lines []string
	cut, err := j.Interrupted()
	if err != nil {
		return nil, err
	}
	for _, r := range cut {
		if r.Outcome.Kind == tools.Uncertain {
			continue
		}
		what := "not run"
		if r.Outcome.Started {
			what = "its result is lost"
		}
		lines = append(lines, fmt.Sprintf("interrupted when zuno ended, %s: %s %s", what, r.Call.Tool, tools.CleanLine(tools.Clip(r.Summary, 120))))
	}
	doubts, err := j.Uncertain()
	if err != nil {
		return nil, err
	}
	for _, d := range doubts {
		lines = append(lines, fmt.Sprintf("uncertain, it may have happened: %s %s (/uncertain settles it)", d.Call.Tool, tools.CleanLine(tools.Clip(d.Summary, 120))))
	}
	if len(news.Files) > 0 {
		lines = append(lines, fmt.Sprintf("changed by somebody else since: %s", tools.CleanLine(tools.Clip(strings.Join(news.Files, ", "), 400))))
	}
	for _, l := range news.Place {
		lines = append(lines, tools.CleanLine(l))
	}
	return lines, nil
}

// newsOf is what is not as it was when a session was left. One whose folder is
// gone, as after a renaming, belongs to the folder that it goes on in from now on.
func newsOf(j *store.Session, p *plan) (n store.News, err error) {
	if n.Files, err = changedSince(j); err != nil {
		return n, err
	}
	m, now := j.Meta(), branchOf(agent.Head(p.root))
	if m.Branch != "" && now != "" && m.Branch != now {
		n.Place = append(n.Place, fmt.Sprintf("when this session was left, %s was checked out; now it is %s", m.Branch, now))
	}
	if m.Dir == "" || m.Dir == p.dir {
		return n, nil
	}
	n.Place = append(n.Place, fmt.Sprintf("this session was begun in %s; it goes on in %s", m.Dir, p.dir))
	if _, err := os.Stat(m.Dir); errors.Is(err, fs.ErrNotExist) {
		return n, j.Move(p.dir, p.root)
	}
	return n, nil
}

// branchOf is the name of a branch without the word before it.
func branchOf(head string) string { return strings.TrimPrefix(head, "branch ") }

// clockTick is how far the times of files may lag behind the clock: the kernel
// takes them from its last tick, of which there are at least 100 a second (see
// CLOCK_REALTIME_COARSE in clock_gettime(2)).
const clockTick = 10 * time.Millisecond

// touchedSince reports whether what is at path, or its absence, may be younger
// than t.
func touchedSince(path string, t time.Time) bool {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Lstat(filepath.Dir(path))
	}
	return err == nil && !info.ModTime().Before(t.Add(-clockTick))
}

// differs reports whether something else is there than what zuno left.
func differs(p store.Point) bool {
	if info, err := os.Lstat(p.Path); err == nil && info.Mode().IsRegular() && info.Size() > largest {
		return !slices.ContainsFunc(p.Held, func(s tools.FileState) bool { return s.Size == info.Size() })
	}
	now, err := file.StateAt(p.Path)
	return err == nil && !slices.ContainsFunc(p.Held, now.Holds)
}
