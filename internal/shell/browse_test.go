package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheBrowserIsTheUsersAndItsFailureIsSaid(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const address = "https://a.example/?x=1&y=$(touch evil)'; touch evil"
	t.Setenv("BROWSER", write("good", `printf %s "$1" >"$OUT"`))
	out := filepath.Join(dir, "out")
	if err := Browse(t.Context(), address, []string{"OUT=" + out, "PATH=" + os.Getenv("PATH")}); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(out); err != nil || string(b) != address {
		t.Errorf("opened %q, %v", b, err)
	}
	t.Setenv("BROWSER", write("bad", "exit 3"))
	if err := Browse(t.Context(), address, []string{"PATH=" + os.Getenv("PATH")}); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a browser that fails: %v", err)
	}
	t.Setenv("BROWSER", filepath.Join(dir, "none"))
	if _, err := Browser(); err == nil || !strings.Contains(err.Error(), "no program") {
		t.Errorf("a browser that is not there: %v", err)
	}
}
