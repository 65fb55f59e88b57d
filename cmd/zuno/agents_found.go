package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/config"
)

// The bounds of agents that are Markdown files: of one, in bytes, and of the
// files of one folder.
const (
	maxAgentFile  = 64 << 10
	maxAgentFiles = 100
)

// projectAgentDirs are where a project keeps its agents.
func projectAgentDirs() []string {
	return []string{filepath.Join(".agents", "agents"), filepath.Join(".zuno", "agents")}
}

// An agentFile is a Markdown file that may be an agent.
type agentFile struct {
	name string // path below the root that it was looked for in
	text string
}

// agentFiles returns the Markdown files of dir below root, by name, and why
// others were left out. It follows no link out of root, and waits for no pipe.
func agentFiles(root, dir string) (list []agentFile, problems []string) {
	top, err := os.OpenRoot(root)
	if err != nil {
		return nil, nil
	}
	defer top.Close()
	entries, err := fs.ReadDir(top.FS(), filepath.ToSlash(dir))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, dir+": "+plainError(err))
		}
		return nil, problems
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if filepath.Ext(name) != ".md" {
			continue
		}
		if len(list) == maxAgentFiles {
			return list, append(problems, fmt.Sprintf("%s has more than %d agents; the rest is left out", dir, maxAgentFiles))
		}
		text, err := readAgentFile(top, name)
		if err != nil {
			problems = append(problems, fmt.Sprintf("agent %s is left out: %s", name, plainError(err)))
			continue
		}
		list = append(list, agentFile{name, text})
	}
	return list, problems
}

func readAgentFile(top *os.Root, name string) (string, error) {
	f, err := top.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("it is not a regular file")
	}
	b, err := io.ReadAll(io.LimitReader(f, maxAgentFile+1))
	if err == nil && len(b) > maxAgentFile {
		err = fmt.Errorf("it has more than %d KiB", maxAgentFile>>10)
	}
	return string(b), err
}

// projectAgents finds the agents that the project brings along.
func projectAgents(p *plan) []trustItem {
	var items []trustItem
	for _, dir := range projectAgentDirs() {
		files, _ := agentFiles(p.root, dir)
		for _, f := range files {
			items = append(items, trustItem{Kind: "agent", Name: filepath.ToSlash(f.name), Text: f.text})
		}
	}
	return items
}

// findAgents adds the agents that are Markdown files to those of the
// configuration, which comes above them: the user's, and of the project's those
// that are trusted. One that cannot be read is named and is none.
func (p *plan) findAgents() {
	found := map[string]config.Agent{}
	add := func(f agentFile, project bool) {
		name, a, err := agent.Markdown(strings.TrimSuffix(filepath.Base(f.name), ".md"), f.text)
		if err == nil && project && a.Policy == "yolo" {
			err = errors.New("the policy yolo is yours to set, not a project's")
		}
		if err != nil {
			p.notices = append(p.notices, fmt.Sprintf("agent %s is left out: %v", f.name, err))
			return
		}
		found[name] = a
	}
	files, problems := agentFiles(p.paths.Config, "agents")
	for _, f := range files {
		add(f, false)
	}
	for _, dir := range projectAgentDirs() {
		more, wrong := agentFiles(p.root, dir)
		problems = append(problems, wrong...)
		for _, f := range more {
			if p.trusts("agent", filepath.ToSlash(f.name), f.text) {
				add(f, true)
			}
		}
	}
	p.notices = append(p.notices, problems...)
	for name, a := range found {
		p.config.Agents[name] = p.config.Agents[name].Over(a)
	}
}

// agentWords says what trusting an agent's file does.
func agentWords(_ *plan, i trustItem) string {
	name, a, err := agent.Markdown(strings.TrimSuffix(filepath.Base(i.Name), ".md"), i.Text)
	if err != nil {
		return "cannot be used: " + err.Error()
	}
	words := "defines the agent " + name
	if slices.ContainsFunc(agent.All(config.Default()), func(b agent.Profile) bool { return b.Name == name }) {
		words = "changes the agent " + name
	}
	if a.Policy != "" {
		words += " with the policy " + a.Policy
	}
	return words
}
