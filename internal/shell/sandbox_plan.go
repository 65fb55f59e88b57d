package shell

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// plan works out c for a command in dir with the environment env.
func (c *Confinement) plan(dir string, env []string) plan {
	p := plan{watched: map[string]string{}}
	git := findGit(c.Workspace)
	if c.Mode == WorkspaceWrite {
		p.writable = outermost(append(append([]string{c.Workspace}, git.writable...), c.Writable...))
	}
	for _, path := range c.Protected {
		p.protect(path, c.ability.Protects, inside(c.Workspace, path))
	}
	for _, path := range git.protected {
		p.protect(path, c.ability.Protects, true)
	}
	slices.Sort(p.pinned) // parents come first
	p.pinned = slices.Compact(p.pinned)
	p.fixed = outermost(p.fixed)
	p.hidden = slices.DeleteFunc(outermost(c.Hidden), func(h string) bool {
		return inside(h, c.Workspace) || inside(h, dir)
	})
	p.addRuntime(env, c.Workspace, dir)
	if c.Network { // what confined commands serve is outside then, too
		p.sockets = slices.DeleteFunc(p.sockets, func(s string) bool { return inside(c.Workspace, s) })
	}
	return p
}

// outermost returns the real paths of what exists of list, without what is
// inside another. What is inside another by its name is not even resolved.
func outermost(list []string) []string {
	var named, real []string
	for _, p := range slices.Sorted(slices.Values(list)) {
		if p = filepath.Clean(p); inAny(named, p) || inAny(real, p) || !exists(p) {
			continue
		}
		if r, err := filepath.EvalSymlinks(p); err == nil {
			named, real = append(named, p), append(real, r)
		}
	}
	slices.Sort(real)
	var kept []string
	for _, r := range real {
		if !inAny(kept, r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// inAny reports that path is one of list or inside one; all are absolute and
// clean.
func inAny(list []string, path string) bool {
	return slices.ContainsFunc(list, func(dir string) bool { return inside(dir, path) })
}

func inside(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/' || dir == "/")
}

// protect adds one path. Where it is, or leads to, something writable, it is
// fixed, and what is above it is pinned. When watch is set, what is not there,
// or is a link that can be replaced, or cannot be fixed here, is watched.
func (p *plan) protect(path string, fixes, watch bool) {
	parent, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		// Its folder is missing too; the first thing missing shows both.
		p.watch(path, watch)
		return
	}
	at := filepath.Join(parent, filepath.Base(path))
	real, err := filepath.EvalSymlinks(at)
	root := p.rootOf(at)
	switch {
	case root == "" && (err != nil || p.rootOf(real) == ""):
		return // nobody can write there
	case err != nil, !fixes, real != at:
		p.watch(at, watch)
	}
	for dir := filepath.Dir(at); root != "" && dir != root && inside(root, dir); dir = filepath.Dir(dir) {
		p.pinned = append(p.pinned, dir)
	}
	if err == nil && p.rootOf(real) != "" {
		p.fixed = append(p.fixed, real)
	}
}

// rootOf returns the writable folder that path is in, "" for none.
func (p *plan) rootOf(path string) string {
	if i := slices.IndexFunc(p.writable, func(w string) bool { return inside(w, path) }); i >= 0 {
		return p.writable[i]
	}
	return ""
}

func (p *plan) watch(path string, really bool) {
	if really && len(p.writable) > 0 {
		p.watched[path] = fingerprint(path)
	}
}

// maxWatched bounds how many files of a protected folder are looked at.
const maxWatched = 1000

// fingerprint returns a text that changes when the file or the tree at path
// does; "" when there is nothing.
func fingerprint(path string) string {
	var b strings.Builder
	n := 0
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if n++; n > maxWatched {
			return filepath.SkipAll
		}
		if fi, err := d.Info(); err == nil {
			fmt.Fprintf(&b, "%s %s %d %d", name, fi.Mode(), fi.Size(), fi.ModTime().UnixNano())
			fmt.Fprintf(&b, " %d\n", inode(fi))
		}
		return nil
	})
	return b.String()
}

// A gitPlace is what the confinement has to know of a workspace's repository.
type gitPlace struct {
	writable  []string // outside the workspace
	protected []string
}

// findGit looks at the repository of a workspace.
func findGit(workspace string) gitPlace {
	at := filepath.Join(workspace, ".git")
	fi, err := os.Lstat(at)
	if err != nil {
		return gitPlace{}
	}
	var g gitPlace
	if fi.Mode().IsRegular() {
		g.protected = []string{at}
		g.linked(at, workspace)
		return g
	}
	g.repository(at, workspace)
	return g
}

// linked takes the repository that a .git file names: that of a linked
// worktree, or of a submodule. Only one that names the workspace in turn
// counts, because whoever made the workspace chose what it names.
func (g *gitPlace) linked(file, workspace string) {
	dir := readLine(file, "gitdir:")
	if dir == "" {
		return
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(workspace, dir)
	}
	if back := readLine(filepath.Join(dir, "gitdir"), ""); back != "" && filepath.Clean(back) == file {
		common := filepath.Join(dir, readLine(filepath.Join(dir, "commondir"), ""))
		if common != dir && filepath.Base(filepath.Dir(dir)) == "worktrees" && exists(filepath.Join(common, "HEAD")) {
			g.writable = append(g.writable, common)
			g.protected = append(g.protected, filepath.Join(dir, "gitdir"))
			g.repository(common, workspace)
		}
		return
	}
	back := configValue(filepath.Join(dir, "config"), "core", "worktree")
	if back != "" && !filepath.IsAbs(back) {
		back = filepath.Join(dir, back)
	}
	if back != "" && filepath.Clean(back) == workspace {
		g.writable = append(g.writable, dir)
		g.repository(dir, workspace)
	}
}

// repository protects what runs programs in the git directory dir and in those
// of its submodules and worktrees (gitrepository-layout(5)). commondir makes
// git read the configuration of another place.
func (g *gitPlace) repository(dir, workspace string) {
	for _, name := range []string{"hooks", "config", "config.worktree", "commondir"} {
		g.protected = append(g.protected, filepath.Join(dir, name))
	}
	if hooks := configValue(filepath.Join(dir, "config"), "core", "hookspath"); hooks != "" {
		if !filepath.IsAbs(hooks) {
			hooks = filepath.Join(workspace, hooks)
		}
		if filepath.Clean(hooks) != workspace {
			g.protected = append(g.protected, hooks)
		}
	}
	trees, _ := os.ReadDir(filepath.Join(dir, "worktrees"))
	for _, e := range trees {
		for _, name := range []string{"config.worktree", "commondir"} {
			g.protected = append(g.protected, filepath.Join(dir, "worktrees", e.Name(), name))
		}
	}
	g.modules(filepath.Join(dir, "modules"), 0)
}

// modules protects the git directories of submodules. Their names may have
// slashes.
func (g *gitPlace) modules(dir string, depth int) {
	entries, err := os.ReadDir(dir)
	if err != nil || depth > 8 || len(g.protected) > maxWatched {
		return
	}
	for _, e := range entries {
		sub := filepath.Join(dir, e.Name())
		switch {
		case !e.IsDir():
		case exists(filepath.Join(sub, "HEAD")):
			for _, name := range []string{"hooks", "config", "commondir"} {
				g.protected = append(g.protected, filepath.Join(sub, name))
			}
			g.modules(filepath.Join(sub, "modules"), depth+1)
		default:
			g.modules(sub, depth+1)
		}
	}
}

// readLine returns the first line of a small file after prefix, "" when there
// is none.
func readLine(file, prefix string) string {
	b, err := os.ReadFile(file)
	if err != nil || len(b) > 8<<10 {
		return ""
	}
	line, _, _ := strings.Cut(string(b), "\n")
	rest, ok := strings.CutPrefix(line, prefix)
	if !ok {
		return ""
	}
	return strings.TrimSpace(rest)
}

// configValue returns the last value of a key in a section without a name of
// its own in one of git's configuration files; what it includes is not read.
func configValue(file, section, key string) string {
	b, err := os.ReadFile(file)
	if err != nil || len(b) > 1<<20 {
		return ""
	}
	var in bool
	var value string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			in = strings.EqualFold(line, "["+section+"]")
			continue
		}
		k, v, _ := strings.Cut(line, "=")
		if in && strings.EqualFold(strings.TrimSpace(k), key) {
			value = strings.Trim(strings.TrimSpace(v), `"`)
		}
	}
	return value
}
