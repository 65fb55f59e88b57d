package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/shell"
)

func TestWhichProgramOpensAPage(t *testing.T) {
	bin, workspace := t.TempDir(), t.TempDir()
	for _, p := range []string{filepath.Join(bin, "xdg-open"), filepath.Join(bin, "wslview"), filepath.Join(workspace, "open")} {
		if err := os.WriteFile(p, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	find := shell.Lookup{Env: []string{"PATH=" + workspace + ":" + bin}, Workspace: workspace}
	for _, c := range []struct {
		system, env, want string
	}{
		{"linux", "DISPLAY", "xdg-open"},
		{"linux", "WAYLAND_DISPLAY", "xdg-open"},
		{"linux", "WSL_DISTRO_NAME", "wslview"},
		{"linux", "HOME", "there is no display here"},
		{"darwin", "HOME", "is in the workspace and does not count"},
	} {
		argv, err := browser(find, c.system, func(name string) string {
			if name == c.env {
				return "1"
			}
			return ""
		})
		if err == nil && (len(argv) != 1 || argv[0] != filepath.Join(bin, c.want)) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %q, %v", c.system, c.env, argv, err)
		}
	}
}
