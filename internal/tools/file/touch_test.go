package file

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

// told draws touches one a line: name, before and after.
func told(touches []tools.Touch) string {
	draw := func(s tools.FileState) string {
		switch {
		case s.Kind == tools.Absent:
			return "-"
		case s.Kind == tools.Folder:
			return "folder"
		case s.Data == nil:
			return fmt.Sprintf("%s %04o (%d)", s.Kind, s.Mode, s.Size)
		}
		return fmt.Sprintf("%s %04o %q", s.Kind, s.Mode, s.Data)
	}
	var b strings.Builder
	for _, t := range touches {
		fmt.Fprintf(&b, "%s: %s > %s\n", t.Name, draw(t.Before), draw(t.After))
	}
	return b.String()
}

func TestAProposalNamesEveryPathThatItTouches(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "a\n")
	b.put("empty", "")
	b.put("d/gone.sh", "#!\n")
	b.put("d/old", "o\n")
	must(t, os.Chmod(b.path("a.txt"), 0o640))
	must(t, os.Chmod(b.path("d/gone.sh"), 0o755))
	must(t, os.Chmod(b.path("d/old"), 0o600))
	must(t, os.Chmod(b.path("empty"), 0o644))
	must(t, os.Symlink("a.txt", b.path("link")))
	b.ok("read", args{"filePath": "a.txt"})
	b.ok("read", args{"filePath": "empty"})
	for _, c := range []struct {
		name, tool string
		args       args
		want       string
	}{
		{"edit through a link", "edit", args{"filePath": "link", "oldString": "a", "newString": "bb"}, "link: file 0640 \"a\\n\" > file 0640 (3)\n"},
		{"an empty file has content", "write", args{"filePath": "empty", "content": "x"}, "empty: file 0644 \"\" > file 0644 (1)\n"},
		{"a new file and its folders", "write", args{"filePath": "n/m/new", "content": ""}, "n: - > folder\nn/m: - > folder\nn/m/new: - > file 0000 (0)\n"},
		{"nothing to do", "write", args{"filePath": "a.txt", "content": "a\n"}, ""},
		{
			"a patch", "apply_patch",
			patchOf("*** Update File: a.txt\n@@\n-a\n+b\n*** Add File: n/one\n+1\n*** Add File: n/two\n+2\n*** Delete File: d/gone.sh\n*** Update File: d/old\n*** Move to: e/new\n@@\n-o\n+oo"),
			"a.txt: file 0640 \"a\\n\" > file 0640 (2)\nn: - > folder\nn/one: - > file 0000 (2)\nn/two: - > file 0000 (2)\nd/gone.sh: file 0755 \"#!\\n\" > -\ne: - > folder\ne/new: - > file 0600 (3)\nd/old: file 0600 \"o\\n\" > -\n",
		},
	} {
		p := b.proposed(c.tool, c.args)
		if got := told(p.Touches); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		for _, touch := range p.Touches {
			if !touch.Before.Known() || !strings.HasPrefix(touch.Path, b.root) || strings.Contains(touch.Path, "link") {
				t.Errorf("%s: %q cannot be put back", c.name, touch.Path)
			}
		}
	}
}
