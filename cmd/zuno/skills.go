package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/skill"
	"github.com/zuno-dev/zuno/internal/tools"
)

// skillTool is the name of the tool that reads skills.
const skillTool = "skill"

// places are the folders of one kind, skills or commands: the project's, from
// the working directory up to its root, the nearest first; then the person's,
// and those that the configuration adds.
func (p *plan) places(kind string, more []string) []skill.Place {
	var list []skill.Place
	for dir := p.dir; ; dir = filepath.Dir(dir) {
		for _, name := range []string{".agents", ".zuno", ".claude"} {
			at := filepath.Join(dir, name, kind)
			list = append(list, skill.Place{Dir: at, Label: p.inProject(at), Root: p.root})
		}
		if dir == p.root || dir == filepath.Dir(dir) {
			break
		}
	}
	own := []string{filepath.Join(p.paths.Config, kind)}
	if p.in.Home != "" {
		shared := os.Getenv("XDG_CONFIG_HOME")
		if !filepath.IsAbs(shared) {
			shared = filepath.Join(p.in.Home, ".config")
		}
		own = append(own, filepath.Join(p.in.Home, ".agents", kind), filepath.Join(shared, "agents", kind), filepath.Join(p.in.Home, ".claude", kind))
	}
	for _, path := range more {
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(p.in.Home, rest)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.root, path)
		}
		own = append(own, path)
	}
	for _, dir := range own {
		// A person whose home folder is the workspace has these as the project's.
		if !slices.ContainsFunc(list, func(o skill.Place) bool { return o.Dir == dir }) {
			list = append(list, skill.Place{Dir: dir, Label: p.fromHome(dir)})
		}
	}
	return list
}

// fromHome is a path as people write it.
func (p *plan) fromHome(path string) string {
	if rel, err := filepath.Rel(p.in.Home, path); err == nil && p.in.Home != "" && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return path
}

// A foundSkills is every skill that there is, before anybody asked whether it is
// trusted.
type foundSkills struct {
	list    []skill.Skill
	notices []string
}

func (p *plan) findSkills() foundSkills {
	list, notices := skill.Find(p.places("skills", p.config.Skills.Paths))
	list = slices.DeleteFunc(list, func(s skill.Skill) bool { return slices.Contains(p.config.Skills.Disabled, s.Name) })
	return foundSkills{list, notices}
}

// projectSkills lists the skills that the project brings along.
func projectSkills(p *plan) []trustItem {
	return broughtAlong(p, "skill", p.skills().list, func(s skill.Skill) skill.File { return s.File })
}

// skillWords says what trusting a skill does.
func skillWords(*plan, trustItem) string {
	return "tells the model how to work; the files of its folder can be read"
}

// usable are the skills that act: the person's, and those of the project that
// are trusted.
func (p *plan) usableSkills() []skill.Skill {
	return slices.DeleteFunc(slices.Clone(p.skills().list), func(s skill.Skill) bool {
		return !p.acts("skill", s.File)
	})
}

// tellSkills adds to facts what a session is told of its skills: at most a
// fiftieth of what a request to the model may have.
func (s *session) tellSkills(facts *agent.Facts, info llm.Info) {
	if on, switched := s.switches[skillTool]; switched && !on {
		return
	}
	for _, k := range s.skills {
		if !k.ForPeople {
			facts.Skills = append(facts.Skills, agent.Skill{Name: k.Name, Description: k.Description})
		}
	}
	const bytesPerToken = 4 // about
	if info.Context > 0 {
		facts.SkillBytes = min(agent.MaxSkills, info.Context*bytesPerToken/50)
	}
}

// skillLines is what /skills shows.
func skillLines(p *plan, s *session) ([]string, error) {
	var lines []string
	for _, k := range p.skills().list {
		state := ""
		switch {
		case !slices.ContainsFunc(s.skills, func(o skill.Skill) bool { return o.Path == k.Path }):
			state = "; not trusted, it does not act (/trust)"
		case k.ForPeople:
			state = "; only you can start it"
		}
		lines = append(lines, fmt.Sprintf("%s (%s): %s%s", k.Name, oneLine(k.Source), oneLine(k.Description), state))
	}
	if len(lines) == 0 {
		lines = []string{"there are no skills: a skill is NAME/SKILL.md in .agents/skills, .zuno/skills or .claude/skills, here or in your home folder"}
	}
	for _, n := range p.skills().notices {
		lines = append(lines, oneLine(n))
	}
	return append(lines, "/skill:NAME TEXT sends a skill along with what you say"), nil
}

// skillPrompt finds the skill that a line typed by a person names, as in
// /skill:name what to do, and returns what goes along with it for the model.
func (s *session) skillPrompt(text string) (along string, err error) {
	first, _, _ := strings.Cut(text, "\n")
	word, _, _ := strings.Cut(first, " ")
	name, is := strings.CutPrefix(word, "/skill:")
	if !is {
		return "", nil
	}
	var found []skill.Skill
	for _, k := range s.skills {
		if k.Name == name && !k.ForModel {
			found = append(found, k)
		}
	}
	if len(found) == 0 {
		return "", fmt.Errorf("there is no skill %q that you can start; /skills lists them", tools.CleanLine(tools.Clip(name, 64)))
	}
	k := found[0] // the nearest
	return fmt.Sprintf("<skill name=%q from=%q folder=%q>\n%s\n</skill>\nThe user sends this skill along: work by it on what they say next.", k.Name, agent.Escape(k.Source), agent.Escape(k.Dir), agent.Escape(cmp.Or(k.Body, "(it is empty)"))), nil
}
