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
func briefing(j *store.Session, changed []string) ([]string, error) {
	var lines []string
	cut, err := j.Interrupted()
	if err != nil {
		return nil, err
	}
	for _, r := range cut {
		if r.Outcome.Kind != tools.Uncertain {
			lines = append(lines, fmt.Sprintf("interrupted when zuno ended, not run: %s %s", r.Call.Tool, tools.CleanLine(tools.Clip(r.Summary, 120))))
		}
	}
	doubts, err := j.Uncertain()
	if err != nil {
		return nil, err
	}
	for _, d := range doubts {
		lines = append(lines, fmt.Sprintf("uncertain, it may have happened: %s %s (/uncertain settles it)", d.Call.Tool, tools.CleanLine(tools.Clip(d.Summary, 120))))
	}
	if n := len(changed); n > 0 {
		lines = append(lines, fmt.Sprintf("changed by somebody else since: %s", tools.CleanLine(tools.Clip(strings.Join(changed, ", "), 400))))
	}
	return lines, nil
}

// touchedSince reports whether what is at path, or its absence, is younger than
// t.
func touchedSince(path string, t time.Time) bool {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Lstat(filepath.Dir(path))
	}
	return err == nil && info.ModTime().After(t)
}

// differs reports whether something else is there than what zuno left.
func differs(p store.Point) bool {
	if info, err := os.Lstat(p.Path); err == nil && info.Mode().IsRegular() && info.Size() > largest {
		return !slices.ContainsFunc(p.Held, func(s tools.FileState) bool { return s.Size == info.Size() })
	}
	now, err := file.StateAt(p.Path)
	return err == nil && !slices.ContainsFunc(p.Held, now.Holds)
}
