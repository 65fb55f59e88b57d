package toolstest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

type args struct {
	Name string `json:"name" doc:"Name of the file to remove"`
}

// remove is a tool that keeps the promises.
func remove(root string) tools.Tool {
	return tools.New(tools.Spec{Name: "remove", Description: "Removes a file."}, func(_ context.Context, _ tools.Spec, a args) (*tools.Proposal, error) {
		path := filepath.Join(root, a.Name)
		return &tools.Proposal{Summary: a.Name, Do: func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
			if ctx.Err() != nil {
				return tools.Outcome{Kind: tools.Cancelled}
			}
			if _, err := os.Stat(path); err != nil {
				return tools.Outcome{Kind: tools.Blocked, Block: tools.Stale, Text: "it is gone"}
			}
			if err := os.Remove(path); err != nil {
				return tools.Outcome{Text: err.Error()}
			}
			return tools.Outcome{Kind: tools.OK, Text: "removed"}
		}}, nil
	})
}

func TestAToolThatKeepsThePromisesPasses(t *testing.T) {
	file := func(root string) string { return filepath.Join(root, "f") }
	toolstest.Run(t, toolstest.Case{
		New:  remove,
		Args: `{"name":"f"}`,
		Setup: func(root string) {
			if err := os.WriteFile(file(root), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		Mutate: func(root string) {
			if err := os.Remove(file(root)); err != nil {
				t.Fatal(err)
			}
		},
	})
}

func TestSumSeesEveryChange(t *testing.T) {
	root := t.TempDir()
	path := func(name string) string { return filepath.Join(root, name) }
	seen := map[string]string{}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"nothing", func() error { return nil }},
		{"a file", func() error { return os.WriteFile(path("f"), []byte("a"), 0o600) }},
		{"its content, not its time", func() error {
			st, err := os.Stat(path("f"))
			if err != nil {
				return err
			}
			if err := os.WriteFile(path("f"), []byte("b"), 0o600); err != nil {
				return err
			}
			return os.Chtimes(path("f"), st.ModTime(), st.ModTime())
		}},
		{"its time", func() error { return os.Chtimes(path("f"), time.Unix(1, 0), time.Unix(1, 0)) }},
		{"its permissions", func() error { return os.Chmod(path("f"), 0o640) }},
		{"a link", func() error { return os.Symlink("f", path("l")) }},
		{"a file that came and went", func() error {
			if err := os.WriteFile(path("g"), nil, 0o600); err != nil {
				return err
			}
			if err := os.Remove(path("g")); err != nil {
				return err
			}
			return os.Chtimes(root, time.Unix(2, 0), time.Unix(2, 0))
		}},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		s := toolstest.Sum(t, root)
		if before, ok := seen[s]; ok {
			t.Errorf("%s is not told from %s", step.name, before)
		}
		seen[s] = step.name
	}
}
