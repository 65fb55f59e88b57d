package file

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestOneFolderOutsideMayBeReadLikeTheWorkspace(t *testing.T) {
	root, spool, other := t.TempDir(), t.TempDir(), t.TempDir()
	link := filepath.Join(spool, "link.txt")
	for _, dir := range []string{spool, other} {
		if err := os.WriteFile(filepath.Join(dir, "out.txt"), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(other, "out.txt"), link); err != nil {
		t.Fatal(err)
	}
	ws, err := NewWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	list := New(ws.Readable(spool)).List()
	for path, asks := range map[string]bool{
		filepath.Join(spool, "out.txt"): false,
		filepath.Join(other, "out.txt"): true,
		link:                            true, // it leaves the folder
		spool + "-x/out.txt":            true,
	} {
		args, _ := json.Marshal(map[string]string{"filePath": path})
		p, err := list[0].Propose(t.Context(), tools.Call{ID: "1", Tool: "read", Args: args})
		if err != nil || (p.Manual != "") != asks {
			t.Errorf("%s: asks %v (%v), want %v", path, p.Manual, err, asks)
		}
	}
	args, _ := json.Marshal(map[string]string{"filePath": filepath.Join(spool, "new.txt"), "content": "x"})
	if p, err := list[1].Propose(t.Context(), tools.Call{ID: "2", Tool: "write", Args: args}); err == nil && p.Manual == "" {
		t.Error("a write into that folder does not ask")
	}
}
