package shell

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// MinRipgrep is the oldest major version of ripgrep that will do.
const MinRipgrep = 14

// A Lookup says where programs are looked for.
type Lookup struct {
	// Env is the environment that PATH and ZUNO_RG are taken from.
	Env []string
	// Workspace is the absolute path of the folder whose programs are never
	// taken for the system's; "" for none.
	Workspace string
	// Beside is the directory of zuno's own executable; "" for none.
	Beside string
}

// Find returns the absolute path of the program name in PATH. Entries that are
// not absolute or lie in the workspace, also by a symbolic link, are passed
// over: a repository must not bring its own git.
func (l Lookup) Find(name string) (string, error) {
	found, passed := l.all(name)
	if len(found) > 0 {
		return found[0], nil
	}
	return "", fmt.Errorf("there is no %s in PATH%s", name, passedOver(passed))
}

func passedOver(programs []string) string {
	if len(programs) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s is in the workspace and does not count)", programs[0])
}

// all lists the programs called name in the order of PATH, and those of the
// workspace.
func (l Lookup) all(name string) (found, passed []string) {
	for _, dir := range filepath.SplitList(l.get("PATH")) {
		p := programIn(dir, name)
		switch {
		case !filepath.IsAbs(dir) || p == "":
		case l.inWorkspace(p):
			passed = append(passed, p)
		default:
			found = append(found, p)
		}
	}
	return found, passed
}

func (l Lookup) get(name string) string {
	for i := len(l.Env) - 1; i >= 0; i-- {
		if n, v, ok := strings.Cut(l.Env[i], "="); ok && envName(n) == name {
			return v
		}
	}
	return ""
}

func (l Lookup) inWorkspace(path string) bool {
	if l.Workspace == "" || l.Workspace == "/" { // everything is in the latter
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return true
	}
	root, err := filepath.EvalSymlinks(l.Workspace)
	if err != nil {
		root = l.Workspace
	}
	return within(root, real) || within(l.Workspace, path)
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(filepath.ToSlash(rel), "../")
}

const installRipgrep = "install it (package ripgrep of your system, brew, winget or cargo) or set ZUNO_RG to its path"

// FindRipgrep returns the first ripgrep that is new enough, and its version:
// $ZUNO_RG, which is then the only one that counts, those in PATH (see
// [Lookup.Find]), the one beside zuno. The error is one line that names the fix.
func FindRipgrep(ctx context.Context, l Lookup) (path, version string, err error) {
	if named := l.get("ZUNO_RG"); named != "" {
		if !filepath.IsAbs(named) {
			return "", "", fmt.Errorf("ZUNO_RG=%s must be an absolute path", named)
		}
		version, err = ripgrepVersion(ctx, l, named)
		if err != nil {
			return "", "", fmt.Errorf("ZUNO_RG=%s cannot be used: %w; set it to a ripgrep of version %d or newer", named, err, MinRipgrep)
		}
		return named, version, nil
	}
	candidates, passed := l.all("rg")
	if l.Beside != "" && programIn(l.Beside, "rg") != "" {
		candidates = append(candidates, programIn(l.Beside, "rg"))
	}
	var first error
	for _, p := range candidates {
		if version, err = ripgrepVersion(ctx, l, p); err == nil {
			return p, version, nil
		}
		if first == nil {
			first = fmt.Errorf("%s: %w", p, err)
		}
	}
	if first != nil {
		return "", "", fmt.Errorf("ripgrep %d or newer is needed, but %w: %s", MinRipgrep, first, installRipgrep)
	}
	return "", "", fmt.Errorf("ripgrep %d or newer is needed, but there is no rg in PATH%s: %s", MinRipgrep, passedOver(passed), installRipgrep)
}

func ripgrepVersion(ctx context.Context, l Lookup, path string) (string, error) {
	env, _ := Environ(l.Env, nil)
	res := Run(ctx, Cmd{Argv: []string{path, "--no-config", "--version"}, Dir: TopDir(), Env: env, Limits: Limits{Time: 5 * time.Second}})
	if !res.Started || res.Exit != 0 {
		return "", errors.New("asked for its version: " + res.Status())
	}
	m := regexp.MustCompile(`^ripgrep ((\d+)[\w.+-]*)`).FindSubmatch(res.Stdout.Head)
	if m == nil {
		return "", errors.New("it does not say that it is ripgrep")
	}
	if major, err := strconv.Atoi(string(m[2])); err != nil || major < MinRipgrep {
		return "", fmt.Errorf("its version is %s", m[1])
	}
	return string(m[1]), nil
}
