package skill

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// maxListed bounds the resources that are named, and maxDepth how deep they
	// are looked for.
	maxListed = 100
	maxDepth  = 4
)

// open returns a handle of the skill's folder that no link leads out of.
func (s Skill) open() (*os.Root, error) {
	if s.Root == "" {
		dir, err := filepath.EvalSymlinks(s.Dir)
		if err != nil {
			return nil, cause(err)
		}
		return os.OpenRoot(dir)
	}
	rel, err := filepath.Rel(s.Root, s.Dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(s.Root)
	if err != nil {
		return nil, cause(err)
	}
	defer root.Close()
	return root.OpenRoot(rel)
}

// Resource returns a text file of the skill's folder. The path is relative, with
// slashes, and has neither . nor .. in it.
func (s Skill) Resource(path string) (string, error) {
	if !fs.ValidPath(path) || path == "." || strings.ContainsAny(path, "\\\x00") {
		return "", fmt.Errorf("%q is no path below the folder of the skill", clip(path, 200))
	}
	root, err := s.open()
	if err != nil {
		return "", err
	}
	defer root.Close()
	d, err := readFile(root.FS(), path)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s of the skill %s: %w", path, s.Name, err)
	case d == nil:
		return "", fmt.Errorf("the skill %s has no file %s", s.Name, path)
	}
	return d.text, nil
}

// Resources lists the files of the skill's folder beside its SKILL.md, sorted.
// There may be more than are named.
func (s Skill) Resources() (names []string, more bool) {
	root, err := s.open()
	if err != nil {
		return nil, false
	}
	defer root.Close()
	_ = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error { // what cannot be read is not named
		switch {
		case err != nil || p == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."), d.IsDir() && strings.Count(p, "/") >= maxDepth:
			if d.IsDir() {
				return fs.SkipDir
			}
		case len(names) == maxListed:
			more = true
			return fs.SkipAll
		case !d.IsDir() && p != "SKILL.md":
			names = append(names, p)
		}
		return nil
	})
	slices.Sort(names)
	return names, more
}

// Section returns the part of the body below the heading of that text, up to
// the next heading of its level.
func (s Skill) Section(title string) (string, bool) {
	lines, from, level := strings.Split(s.Body, "\n"), -1, 0
	for i, l := range lines {
		text := strings.TrimLeft(l, "#")
		n := len(l) - len(text)
		if n == 0 || n > 6 || !strings.HasPrefix(text, " ") {
			continue
		}
		switch {
		case from >= 0 && n <= level:
			return strings.Join(lines[from:i], "\n"), true
		case from < 0 && strings.EqualFold(strings.TrimSpace(text), strings.TrimSpace(title)):
			from, level = i, n
		}
	}
	if from < 0 {
		return "", false
	}
	return strings.Join(lines[from:], "\n"), true
}
