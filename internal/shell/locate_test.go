package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program writes an executable script that prints text, and touches OUT.
func program(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\n: >'" + filepath.Dir(path) + "/OUT'\necho '" + text + "'\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindRipgrepTakesTheFirstThatIsNewEnough(t *testing.T) {
	dir := t.TempDir()
	old := program(t, dir+"/old/rg", "ripgrep 13.0.0\n-SIMD -AVX (compiled)")
	good := program(t, dir+"/good/rg", "ripgrep 15.0.0 (rev 3a612f88b8)")
	named := program(t, dir+"/named/my-rg", "ripgrep 14.1.1")
	alien := program(t, dir+"/alien/rg", "rogue 99")
	ws := dir + "/ws"
	mine := program(t, ws+"/bin/rg", "ripgrep 99.0.0")
	if err := os.MkdirAll(dir+"/links", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(mine, dir+"/links/rg"); err != nil {
		t.Fatal(err)
	}
	path := func(dirs ...string) string { return "PATH=" + strings.Join(dirs, ":") }
	for name, c := range map[string]struct {
		env           []string
		beside        string
		path, version string
		fails         []string
	}{
		"in PATH":                 {[]string{path(dir+"/good", dir+"/old")}, "", good, "15.0.0", nil},
		"an old one before":       {[]string{path(dir+"/old", dir+"/alien", dir+"/good")}, "", good, "15.0.0", nil},
		"named":                   {[]string{path(dir + "/good"), "ZUNO_RG=" + named}, "", named, "14.1.1", nil},
		"beside zuno":             {[]string{path("/nowhere")}, dir + "/good", good, "15.0.0", nil},
		"none":                    {[]string{path("/nowhere")}, dir, "", "", []string{"no rg in PATH", "install it", "ZUNO_RG"}},
		"no PATH":                 {nil, "", "", "", []string{"no rg in PATH"}},
		"too old":                 {[]string{path(dir + "/old")}, "", "", "", []string{old, "13.0.0", "14 or newer", "install it"}},
		"something else":          {[]string{path(dir + "/alien")}, "", "", "", []string{alien, "does not say"}},
		"named and too old":       {[]string{path(dir + "/good"), "ZUNO_RG=" + old}, "", "", "", []string{"ZUNO_RG=" + old, "13.0.0"}},
		"named and missing":       {[]string{path(dir + "/good"), "ZUNO_RG=/nowhere/rg"}, "", "", "", []string{"/nowhere/rg", "did not start"}},
		"named relatively":        {[]string{"ZUNO_RG=bin/rg"}, "", "", "", []string{"absolute"}},
		"in the workspace":        {[]string{path(ws+"/bin", "bin", ".", "")}, "", "", "", []string{"no rg in PATH", mine + " is in the workspace"}},
		"linked to a workspace's": {[]string{path(dir+"/links", dir+"/good")}, "", good, "15.0.0", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(ws)
			got, version, err := FindRipgrep(t.Context(), Lookup{Env: c.env, Workspace: ws, Beside: c.beside})
			if got != c.path || version != c.version || (err != nil) != (c.fails != nil) {
				t.Fatalf("%q, %q, %v", got, version, err)
			}
			for _, part := range c.fails {
				if !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%q does not say %q in one line", err, part)
				}
			}
		})
	}
	if _, err := os.Stat(ws + "/bin/OUT"); err == nil {
		t.Error("the workspace's rg was run")
	}
}

func TestFindPassesOverTheWorkspace(t *testing.T) {
	ws := t.TempDir()
	program(t, ws+"/bin/git", "")
	program(t, ws+"/bin/bash", "")
	l := Lookup{Env: []string{"PATH=" + ws + "/bin:bin:."}, Workspace: ws}
	t.Chdir(ws)
	if p, err := l.Find("git"); err == nil {
		t.Errorf("found %s", p)
	}
	if p := l.Shell(); strings.HasPrefix(p, ws) {
		t.Errorf("found %s", p)
	}
	l.Env = []string{"PATH=" + ws + "/bin:/usr/bin:/bin"}
	if p, err := l.Find("env"); err != nil || !filepath.IsAbs(p) {
		t.Errorf("%s, %v", p, err)
	}
}
