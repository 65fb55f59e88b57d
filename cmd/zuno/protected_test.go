package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools/file"
)

// C050: what a tool asks about by name, a command does too, and the other way
// round, wherever the workspace itself lies.
func TestCommandsAndToolsProtectTheSameFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the shell's paths are others there")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.Join(root, ".claude", "worktrees", "w")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	ws, err := file.NewWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	at := shell.Place{Dir: root, Workspace: root, Home: "/home/u", Temp: "/nowhere"}
	for path, protected := range map[string]bool{
		".git/hooks/pre-commit": true, "sub/.git/config": true, ".GIT/config": true, ".gitmodules": true, ".gitconfig": true, ".husky/pre-push": true, ".githooks/x": true, ".pre-commit-config.yaml": true,
		".zuno/zuno.json": true, "zuno.json": true, "zuno.jsonc": true, ".agents/a.md": true, "AGENTS.md": true, "AGENTS.local.md": true, "sub/agents.md": true, "CLAUDE.md": true, "CLAUDE.local.md": true, "GEMINI.md": true, "skills/x/SKILL.md": true,
		".claude/settings.json": true, ".codex/config.toml": true, ".gemini/settings.json": true, ".cursor/rules/a.mdc": true, ".opencode/x.json": true, ".mcp.json": true, ".envrc": true,
		".vscode/settings.json": true, ".vscode/tasks.json": true, ".devcontainer/devcontainer.json": true,
		".npmrc": true, ".yarnrc": true, ".yarnrc.yml": true, ".bashrc": true, ".profile": true, ".zshrc": true, "fish/config.fish": true,
		"main.go": false, ".gitignore": false, ".github/workflows/ci.yml": false, ".vscode/launch.json": false, ".vscode/extensions.json": false, "docs/agents/x.md": false, ".editorconfig": false, "README.md": false, "package.json": false, ".config/app.json": false,
	} {
		place, err := ws.Resolve(path)
		if err != nil {
			t.Fatal(err)
		}
		a := shell.Analyze("echo x > "+path, at)
		if got := place.Guard != ""; got != protected {
			t.Errorf("%s: a tool: %v (%s)", path, got, place.Guard)
		}
		if got := len(a.Manual) > 0; got != protected {
			t.Errorf("%s: a command: %v %v", path, got, a.Manual)
		}
	}
}
