package file

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestFilesAreChangedOnWindows(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "one\n")
	b.ok("read", args{"filePath": "A.TXT"})
	b.ok("write", args{"filePath": "a.txt", "content": "two\n"})
	b.holds("a.txt", "two\n")
	b.ok("write", args{"filePath": `new\deep\b.txt`, "content": "b\n"})
	b.holds("new/deep/b.txt", "b\n")
	b.ok("mv", args{"source": "new", "destination": "moved"})
	b.holds("moved/deep/b.txt", "b\n")
	b.ok("cp", args{"source": "moved", "destination": "copy", "recursive": true})
	b.ok("rm", args{"path": "moved", "recursive": true})
	b.missing("moved")
	b.holds("copy/deep/b.txt", "b\n")
	b.ok("mkdir", args{"path": "d"})
	out := b.ok("read", args{"filePath": "."})
	if !strings.Contains(out.Text, "copy/\n") {
		t.Errorf("%q", out.Text)
	}
}

func TestOtherNamesOfAProtectedFileAskOrAreRefused(t *testing.T) {
	b := newBench(t)
	b.put(".git/config", "x\n")
	b.put("long file name.txt", "x\n")
	for _, name := range []string{`.GIT\config`, `.git/CONFIG`, filepath.Join(b.root, ".Git", "config"), strings.ToUpper(filepath.Join(b.root, ".git", "config"))} {
		b.ok("read", args{"filePath": name})
		if p := b.proposed("write", args{"filePath": name, "content": "y\n"}); !strings.Contains(p.Manual, "protected: git's own data") {
			t.Errorf("%s: %q", name, p.Manual)
		}
	}
	for _, name := range []string{".git/config::$DATA", ".git./config", ".git/config.", `\\?\` + b.path(".git/config"), `\\localhost\C$\x`, "nul", "con.txt", `\x`, "/c/x", "C:x"} {
		b.refused("write", args{"filePath": name, "content": "y\n"}, tools.InvalidArguments, "")
	}
	b.holds(".git/config", "x\n")
}

func TestWhatIsThereNowIsNotWrittenOver(t *testing.T) {
	b := newBench(t)
	p := b.proposed("write", args{"filePath": "a", "content": "mine\n"})
	b.put("a", "theirs\n")
	if out := run(p); out.Block != tools.Stale {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	b.holds("a", "theirs\n")
	d, err := openDir(b.root)
	must(t, err)
	defer d.close()
	b.put("from", "1\n")
	if err := renameNew(d, "from", d, "A"); err == nil {
		t.Error("it was replaced")
	}
	must(t, d.rename("from", d, "a"))
	b.holds("a", "1\n")
	must(t, os.Chmod(b.path("a"), 0o444))
	b.ok("read", args{"filePath": "a"})
	b.refused("write", args{"filePath": "a", "content": "2\n"}, tools.InvalidArguments, "not writable")
}
