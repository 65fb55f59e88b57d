package command

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// uses are the files that the line reads and writes, as the tools read and edit
// name them, so that what rules forbid those they forbid commands too.
func (r run) uses() []tools.Use {
	forms := map[shell.UseForm]tools.UseForm{
		shell.UseExactly: tools.UsesExactly, shell.UseMatches: tools.UsesMatches, shell.UseBelow: tools.UsesBelow, shell.UseShown: tools.UsesShown,
	}
	var all []tools.Use
	for _, u := range r.seen.Uses {
		use := tools.Use{Tool: "read", Form: forms[u.Form]}
		if u.Write {
			use.Tool = "edit"
		}
		if u.Path != "" {
			use.Path = r.named(u.Path)
		}
		all = append(all, use)
	}
	return all
}

// named is an absolute path as people and rules see it.
func (r run) named(path string) string {
	for _, root := range []string{r.seen.Root, filepath.ToSlash(r.config.Workspace)} {
		if path == root {
			return "."
		}
		if rel, below := strings.CutPrefix(path, strings.TrimSuffix(root, "/")+"/"); below {
			return rel
		}
	}
	return path
}

// there reports whether something exists, by the name that people and rules see.
func (r run) there(name string) bool {
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.at.Workspace, path)
	}
	_, err := os.Lstat(path)
	return err == nil
}
