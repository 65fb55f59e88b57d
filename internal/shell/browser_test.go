//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWhichProgramOpensAPage(t *testing.T) {
	bin, workspace := t.TempDir(), t.TempDir()
	for _, p := range []string{filepath.Join(bin, "xdg-open"), filepath.Join(bin, "wslview"), filepath.Join(bin, "rundll32"), filepath.Join(workspace, "open"), filepath.Join(bin, "mine")} {
		if err := os.WriteFile(p, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		system, env, want string
	}{
		{"linux", "DISPLAY=:0", "xdg-open"},
		{"linux", "WAYLAND_DISPLAY=1", "xdg-open"},
		{"linux", "WSL_DISTRO_NAME=1", "wslview"},
		{"linux", "HOME=/", "there is no display here"},
		{"darwin", "HOME=/", "is in the workspace and does not count"},
		{"windows", "HOME=/", "rundll32 url.dll,FileProtocolHandler"},
		{"linux", "BROWSER=mine", "mine"},
		{"darwin", "BROWSER=" + filepath.Join(bin, "mine"), "mine"},
		{"linux", "BROWSER=open", "BROWSER names none: there is no open in PATH ("},
		{"linux", "BROWSER=/none", "BROWSER names none: /none is no program"},
	} {
		find := Lookup{Env: []string{"PATH=" + workspace + ":" + bin, c.env}, Workspace: workspace}
		argv, err := find.Browser(c.system)
		want := strings.Fields(filepath.Join(bin, c.want))
		if err == nil && !slices.Equal(argv, want) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %q, %v", c.system, c.env, argv, err)
		}
	}
}
