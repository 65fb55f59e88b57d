package file

import (
	"path/filepath"
	"strings"
)

// A guarded pattern names files whose change can make some program, zuno
// included, act later without anybody being asked again. The path components
// are matched at any depth, without regard to case, whether or not the file
// exists; "*" stands for everything below.
type guarded struct{ path, why string }

func guards() []guarded {
	return []guarded{
		{".git/*", "git's own data: hooks and configuration in it run commands"},
		{".git", "it tells git where its data is"},
		{".zuno/*", "zuno's own configuration"},
		{".zuno", "zuno's own configuration"},
		{".gitmodules", "git fetches and runs what it names"},
		{".gitconfig", "configuration of git runs commands"},
		{".husky/*", "git runs it"},
		{".githooks/*", "git runs it"},
		{".pre-commit-config.yaml", "git runs what it names"},
		{".agents/*", "instructions and agents"},
		{".claude/*", "another agent obeys it"},
		{".codex/*", "another agent obeys it"},
		{".gemini/*", "another agent obeys it"},
		{".cursor/*", "another agent obeys it"},
		{".opencode/*", "another agent obeys it"},
		{".devcontainer/devcontainer.json", "the editor runs it"},
		{".npmrc", "package managers act on it"},
		{".yarnrc", "package managers act on it"},
		{".yarnrc.yml", "package managers act on it"},
		{"zuno.json", "zuno's own configuration"},
		{"zuno.jsonc", "zuno's own configuration"},
		{".mcp.json", "it starts servers"},
		{".envrc", "the shell runs it"},
		{".vscode/settings.json", "the editor acts on it"},
		{".vscode/tasks.json", "the editor runs it"},
		{"AGENTS.md", "instructions that agents follow"},
		{"AGENTS.local.md", "instructions that agents follow"},
		{"CLAUDE.md", "instructions that agents follow"},
		{"CLAUDE.local.md", "instructions that agents follow"},
		{"GEMINI.md", "instructions that agents follow"},
		{"SKILL.md", "instructions that agents follow"},
		{".bashrc", "shells run it"},
		{".bash_profile", "shells run it"},
		{".bash_login", "shells run it"},
		{".bash_logout", "shells run it"},
		{".profile", "shells run it"},
		{".zshrc", "shells run it"},
		{".zshenv", "shells run it"},
		{".zprofile", "shells run it"},
		{"config.fish", "shells run it"},
	}
}

// guard returns why a change of the file needs a person, judged by the path
// it was named by and by the real one; "" when it does not.
func (w *Workspace) guard(named, real string) string {
	for _, path := range []string{real, named} {
		if rel, ok := within(w.root, path); ok { // where the workspace itself lies is no concern
			path = rel
		}
		parts := strings.Split(filepath.ToSlash(path), "/")
		for _, g := range guards() {
			if matches(parts, strings.Split(g.path, "/")) {
				return "protected: " + g.why
			}
		}
	}
	for _, dir := range w.protected {
		if _, ok := within(dir, real); ok {
			return "protected: zuno's own files"
		}
	}
	return ""
}

func matches(path, pattern []string) bool {
	if last := len(pattern) - 1; pattern[last] == "*" {
		for i := 0; i+last < len(path); i++ {
			if fold(path[i:i+last], pattern[:last]) {
				return true
			}
		}
		return false
	}
	return len(path) >= len(pattern) && fold(path[len(path)-len(pattern):], pattern)
}

func fold(path, pattern []string) bool {
	for i := range pattern {
		if !strings.EqualFold(path[i], pattern[i]) {
			return false
		}
	}
	return true
}

// secret reports whether reading the file gives away the environment or the
// memory of a process, which no answer of a person is asked for.
func secret(real string) bool {
	if real == "/proc/kcore" || real == "/proc/kmsg" {
		return true
	}
	switch filepath.Base(real) {
	case "environ", "mem", "auxv", "pagemap":
		_, ok := within("/proc", real)
		return ok
	}
	return false
}
