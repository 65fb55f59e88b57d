package file

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func TestEveryToolKeepsThePromises(t *testing.T) {
	const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-alpha\n+beta\n*** Add File: new/b.txt\n+b\n*** Delete File: c.txt\n*** End Patch\n"
	setup := func(root string) {
		put(t, filepath.Join(root, "a.txt"), "alpha\nomega\n")
		put(t, filepath.Join(root, "c.txt"), "c\n")
		put(t, filepath.Join(root, "a.pdf"), "%PDF-1.4\n")
		if err := os.Symlink("a.txt", filepath.Join(root, "link")); err != nil {
			t.Fatal(err)
		}
	}
	appendTo := func(root string) { put(t, filepath.Join(root, "a.txt"), "alpha\nomega\nmine\n") }
	for name, c := range map[string]struct {
		args   string
		mutate func(string)
	}{
		"read":        {`{"filePath":"a.txt","offset":1,"limit":10}`, nil},
		"write":       {`{"filePath":"a.txt","content":"other\n"}`, appendTo},
		"edit":        {`{"filePath":"link","oldString":"alpha","newString":"beta"}`, appendTo},
		"apply_patch": {`{"patchText":` + quoted(patch) + `}`, appendTo},
		"mkdir":       {`{"path":"new/dir","recursive":true}`, func(root string) { put(t, filepath.Join(root, "new"), "a file\n") }},
		"rm":          {`{"path":"a.txt","recursive":true,"force":true}`, appendTo},
		"mv":          {`{"source":"c.txt","destination":"a.txt","overwrite":true}`, appendTo},
		"cp":          {`{"source":"a.txt","destination":"new/copy","recursive":true,"overwrite":true}`, appendTo},

		"read_pdf":       {`{"path":"a.pdf","pages":[1],"maxChars":100}`, nil},
		"pdf_page_count": {`{"path":"a.pdf"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			toolstest.Run(t, toolstest.Case{
				Args: c.args, Setup: setup, Mutate: c.mutate,
				New: func(root string) tools.Tool {
					b := benchAt(t, root)
					b.ok("read", args{"filePath": "a.txt"})
					return b.tools[name]
				},
			})
		})
	}
}
