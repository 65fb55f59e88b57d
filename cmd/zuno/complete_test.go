package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestPathsAreCompletedAsAShellTakesThem(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"alpha.txt", "alps/peak", "two words", "a$b", ".hidden"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for word, want := range map[string][]string{
		"al":       {"alpha.txt", "alps/"},
		"alps/":    {"alps/peak"},
		"two":      {`two\ words`},
		`two\ w`:   {`two\ words`},
		"a$":       {`a\$b`},
		".h":       {".hidden"},
		"nosuch":   nil,
		"nosuch/x": nil,
	} {
		got := completePaths(dir, word)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
