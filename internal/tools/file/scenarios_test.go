package file

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestScenariosOfOthers plays the scenarios in the folder that
// ZUNO_PATCH_SCENARIOS names, as another patch tool tests itself: input,
// patch.txt and expected. Where zuno promises something else on purpose, that is
// what must come of it.
func TestScenariosOfOthers(t *testing.T) {
	dir := os.Getenv("ZUNO_PATCH_SCENARIOS")
	if dir == "" {
		t.Skip("ZUNO_PATCH_SCENARIOS names no folder")
	}
	scenarios, err := filepath.Glob(filepath.Join(dir, "*", "patch.txt"))
	if err != nil || len(scenarios) == 0 {
		t.Fatalf("%d scenarios, %v", len(scenarios), err)
	}
	unchanged := map[string]string{
		"010": "a destination that exists is not overwritten",
		"011": "a file that exists is not added",
		"015": "a patch applies as a whole or not at all",
	}
	for _, path := range scenarios {
		from := filepath.Dir(path)
		t.Run(filepath.Base(from), func(t *testing.T) {
			b := newBench(t)
			if err := os.CopyFS(b.root, os.DirFS(filepath.Join(from, "input"))); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			before := contents(t, b.root)
			text, err := os.ReadFile(path)
			must(t, err)
			out := b.call("apply_patch", args{"patchText": string(text)})
			want := contents(t, filepath.Join(from, "expected"))
			number, _, _ := strings.Cut(filepath.Base(from), "_")
			if unchanged[number] != "" {
				want = before
			}
			if got := contents(t, b.root); got != want {
				t.Errorf("%v %s\ngot\n%q\nwant\n%q", out.Kind, out.Text, got, want)
			}
		})
	}
}

// contents joins all files below a folder that may be missing.
func contents(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		b.WriteString(strings.TrimPrefix(path, root) + "\x00" + string(data) + "\x00")
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return b.String()
}
