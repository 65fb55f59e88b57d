// Package skill finds instructions that are kept in files: skills, which are
// folders with a SKILL.md, and commands, which are prompts with places for
// arguments. It reads bounded amounts of regular files, runs nothing, and
// follows no link out of a project or out of a skill.
package skill

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// maxDocument bounds a SKILL.md and a resource in bytes.
	maxDocument = 4 << 20
	// maxDescription is the longest description, in bytes.
	maxDescription = 1200
	// maxEntries bounds what is looked at in one folder.
	maxEntries = 300
)

// A Place is a folder in which skills, or commands, are looked for.
type Place struct {
	// Dir is the absolute path, and Label what people call it.
	Dir, Label string
	// Root, when not "", is the project that Dir is in: nothing is read that a
	// link leads out of it to.
	Root string
}

// A File is what a skill or a command was read from.
type File struct {
	// Path is absolute, and Root that of its place: "" for one of the person's.
	Path, Root string
	// Text is the whole file as it was read.
	Text string
}

// A Skill is instructions for one kind of task.
type Skill struct {
	// Name has up to 64 lower-case letters, digits and hyphens; Description says
	// in a line what the skill is for and when to use it.
	Name, Description string
	// Source is the label of the place it is in. Name and Source together are
	// one skill's only.
	Source string
	// Dir is its folder, absolute, and File its SKILL.md.
	Dir string
	File
	Body string // what follows its front matter
	// ForPeople keeps the skill from the model's list: only a person starts it.
	// ForModel keeps it from the person's.
	ForPeople, ForModel bool
	// Hint says what arguments it takes, "" for nothing.
	Hint string
}

// Find returns the skills in places, in their order and by name within each.
// Notices say which files are skills that cannot be used, and why.
func Find(places []Place) (list []Skill, notices []string) {
	var seen []fs.FileInfo
	for _, p := range places {
		for _, name := range p.entries() {
			d, err := p.read(path.Join(name, "SKILL.md"))
			if err != nil {
				notices = append(notices, notice(filepath.Join(p.Dir, name, "SKILL.md"), err))
			}
			if d == nil || slices.ContainsFunc(seen, func(i fs.FileInfo) bool { return os.SameFile(i, d.info) }) {
				continue
			}
			seen = append(seen, d.info)
			s, err := skillOf(p, name, d)
			if err != nil {
				notices = append(notices, notice(s.Path, err))
				continue
			}
			if !slices.ContainsFunc(list, func(o Skill) bool { return o.Name == s.Name && (o.Text == s.Text || o.Source == s.Source) }) {
				list = append(list, s)
			}
		}
	}
	return list, notices
}

func skillOf(p Place, name string, d *document) (Skill, error) {
	dir := filepath.Join(p.Dir, filepath.FromSlash(name))
	s := Skill{Source: p.Label, Dir: dir, File: File{Path: filepath.Join(dir, "SKILL.md"), Root: p.Root, Text: d.text}}
	f, body, err := split(d.text)
	if err != nil {
		return s, err
	}
	s.Name, s.Description, s.Body, s.Hint = f.text("name"), f.text("description"), strings.TrimSpace(body), f.text("argument-hint")
	if s.Name == "" {
		s.Name = name
	}
	s.ForPeople, _ = f.flag("disable-model-invocation")
	if user, given := f.flag("user-invocable"); given {
		s.ForModel = !user
	}
	switch {
	case !validName(s.Name):
		return s, fmt.Errorf("%q is no name of a skill: up to 64 lower-case letters, digits and single hyphens", clip(s.Name, 80))
	case s.Description == "":
		return s, fmt.Errorf("its front matter has no description")
	}
	s.Description = clip(s.Description, maxDescription)
	return s, nil
}

// validName is the rule of the Agent Skills specification.
func validName(s string) bool {
	ok := s != "" && len(s) <= 64 && s[0] != '-' && s[len(s)-1] != '-' && !strings.Contains(s, "--")
	return ok && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// clip returns at most n bytes of s, cut at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-len("…")], "") + "…"
}

func notice(path string, err error) string { return fmt.Sprintf("%s is not used: %v", path, err) }
