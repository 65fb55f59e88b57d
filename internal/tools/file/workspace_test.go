package file

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

// manual checks whether only a person may allow a call, and why.
func (b *bench) manual(tool string, a args, why string) {
	b.t.Helper()
	p, err := b.propose(tool, a)
	switch {
	case err != nil:
		b.t.Errorf("%s %v: %v", tool, a, err)
	case why == "" && p.Manual != "" || !strings.Contains(p.Manual, why):
		b.t.Errorf("%s %v is manual because of %q, want %q", tool, a, p.Manual, why)
	}
}

func TestC050ProtectedPlacesAlwaysAsk(t *testing.T) {
	b := newBench(t)
	for _, f := range []string{
		".zuno/settings.json", ".ZUNO/x", "sub/.zuno/config.json", "zuno.json", "sub/zuno.jsonc", ".git/hooks/pre-commit", ".git/config", ".Git/config",
		"sub/.git", "AGENTS.md", "docs/agents.md", "CLAUDE.md", ".envrc", ".vscode/settings.json", ".vscode/tasks.json", ".mcp.json",
	} {
		b.manual("write", args{"filePath": f, "content": "x"}, "protected: ")
		b.manual("apply_patch", patchOf("*** Add File: "+f+"\n+x"), "protected: ")
	}
	for _, f := range []string{".gitignore", "git/config", ".github/workflows/x.yml", "zuno.go", "agents.md.txt", ".vscode/launch.json", "x.envrc"} {
		b.manual("write", args{"filePath": f, "content": "x"}, "")
	}
	b.put("x", "x\n")
	b.put(".git/config", "x\n")
	b.manual("apply_patch", patchOf("*** Update File: x\n*** Move to: .git/hooks/y\n@@\n-x\n+y"), ".git/hooks/y is protected: ")
	must(t, os.Symlink(".git", b.path("innocent")))
	b.manual("apply_patch", patchOf("*** Update File: innocent/config\n@@\n-x\n+y"), "protected: ")
	b.manual("read", args{"filePath": ".git/config"}, "")
}

func TestC050ZunosOwnFoldersAlwaysAskWhereverTheyAre(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	ws, err := NewWorkspace(root, filepath.Join(home, "config/zuno"), filepath.Join(root, "data"))
	must(t, err)
	for name, want := range map[string]string{
		filepath.Join(home, "config/zuno/allow.json"): "protected: zuno's own files",
		filepath.Join(home, "config/zunoes"):          "",
		"data/x/y":                                    "protected: zuno's own files",
		"data":                                        "protected: zuno's own files",
		"database":                                    "",
	} {
		if p, err := ws.Resolve(name); err != nil || p.Guard != want {
			t.Errorf("%s: %q, %v; want %q", name, p.Guard, err, want)
		}
	}
}

func TestAWorkspaceBelowAProtectedNameIsUsable(t *testing.T) {
	root := filepath.Join(t.TempDir(), ".zuno", "scratch")
	put(t, filepath.Join(root, "f"), "x")
	b := benchAt(t, root)
	b.manual("write", args{"filePath": "g", "content": "x"}, "")
	b.manual("write", args{"filePath": ".zuno/g", "content": "x"}, "protected: ")
}

func TestC054ASiblingWithTheSamePrefixIsOutside(t *testing.T) {
	w, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	put(t, filepath.Join(w, "app-private/k.txt"), "secret\n")
	put(t, filepath.Join(w, "app/in.txt"), "in\n")
	must(t, os.Symlink("app", filepath.Join(w, "link")))
	for _, root := range []string{"app", "app/", "link", "link/"} {
		ws, err := NewWorkspace(w + "/" + root)
		must(t, err)
		b := benchAt(t, ws.Root())
		b.files.ws = ws
		for _, name := range []string{"../app-private/k.txt", w + "/app-private/k.txt", w + "/app/../app-private/k.txt", w + "/app/./../app-private/k.txt"} {
			real := w + "/app-private/k.txt"
			b.manual("read", args{"filePath": name}, "outside the workspace: "+real)
			b.manual("apply_patch", patchOf("*** Update File: "+name+"\n@@\n-secret\n+x"), "outside the workspace: "+real)
			if p := b.proposed("read", args{"filePath": name}); len(p.Subjects) != 1 || p.Subjects[0] != real {
				t.Errorf("subjects %q", p.Subjects)
			}
		}
		for _, name := range []string{"in.txt", "./in.txt", w + "/app/in.txt", w + "/link/in.txt", "../app/in.txt"} {
			b.manual("read", args{"filePath": name}, "")
			if p := b.proposed("read", args{"filePath": name}); len(p.Subjects) != 1 || p.Subjects[0] != "in.txt" {
				t.Errorf("%s: subjects %q", name, p.Subjects)
			}
		}
	}
}

func TestC055LinksThatLeaveTheWorkspace(t *testing.T) {
	b := newBench(t)
	out, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	put(t, filepath.Join(out, "victim.txt"), "v\n")
	put(t, filepath.Join(out, "secret"), "s\n")
	b.put("f", "f\n")
	b.put("sub/inside.txt", "i\n")
	for link, target := range map[string]string{"out": out, "n.md": out + "/victim.txt", "d.txt": out + "/not-yet.txt", "in": "sub", "up": "..", "twice": "out"} {
		must(t, os.Symlink(target, b.path(link)))
	}
	b.ok("read", args{"filePath": "n.md"})
	for _, c := range []struct {
		tool string
		args args
		real string
	}{
		{"write", args{"filePath": "out/x", "content": "x"}, "/x"},
		{"write", args{"filePath": "twice/deep/x", "content": "x"}, "/deep/x"},
		{"edit", args{"filePath": "n.md", "oldString": "v", "newString": "w"}, "/victim.txt"},
		{"write", args{"filePath": "d.txt", "content": "x"}, "/not-yet.txt"},
		{"apply_patch", patchOf("*** Add File: out/y\n+y"), "/y"},
		{"apply_patch", patchOf("*** Update File: f\n*** Move to: out/z\n@@\n-f\n+z"), "/z"},
		{"read", args{"filePath": "out/secret"}, "/secret"},
	} {
		b.manual(c.tool, c.args, "outside the workspace: "+out+c.real)
	}
	if p := b.proposed("write", args{"filePath": "out/x", "content": "x"}); p.Preview[0].Body != "out/x leads through a symbolic link to "+out+"/x\noutside the workspace: "+out+"/x" || p.Summary != "new "+out+"/x +1 −0" {
		t.Errorf("%q %q", p.Summary, p.Preview[0].Body)
	}
	b.manual("write", args{"filePath": "up/x", "content": "x"}, "outside the workspace: "+filepath.Dir(b.root)+"/x")
	if found, err := os.ReadDir(out); err != nil || len(found) != 2 {
		t.Errorf("outside there is %v, %v", found, err)
	}
	b.manual("read", args{"filePath": "in/inside.txt"}, "")
	b.ok("apply_patch", patchOf("*** Update File: in/inside.txt\n@@\n-i\n+j"))
	b.holds("sub/inside.txt", "j\n")
	must(t, os.Symlink("sub/later.txt", b.path("later")))
	b.ok("write", args{"filePath": "later", "content": "x"})
	b.holds("sub/later.txt", "x")
}

func TestNamesThatCannotBeResolvedAreRefused(t *testing.T) {
	b := newBench(t)
	must(t, os.Symlink("loop", b.path("loop")))
	b.put("f", "x")
	for name, why := range map[string]string{"": "the path is empty", "a\x00b": "NUL", "loop": "too many symbolic links", "f/x": "not a directory"} {
		b.refused("read", args{"filePath": name}, tools.InvalidArguments, why)
		b.refused("write", args{"filePath": name, "content": ""}, tools.InvalidArguments, why)
	}
	if _, err := NewWorkspace(b.path("f")); err == nil {
		t.Error("a file became a workspace")
	}
	if _, err := NewWorkspace(b.path("nowhere")); err == nil {
		t.Error("nothing became a workspace")
	}
}

func TestTheHomeFolderIsOutside(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	t.Setenv("HOME", home)
	b := newBench(t)
	b.manual("write", args{"filePath": "~/x", "content": ""}, "outside the workspace: "+home+"/x")
	b.manual("write", args{"filePath": "~x", "content": ""}, "")
	b.manual("write", args{"filePath": "a/~/x", "content": ""}, "")
}

func TestOnlyReadDeclaresItselfHarmless(t *testing.T) {
	b := newBench(t)
	for _, tool := range New(b.files.ws).List() {
		s := tool.Spec()
		reads := s.Name == "read"
		if (s.Effect == tools.ReadOnly) != reads || (s.Replay == tools.Safe) != reads || (s.Concurrency == tools.ParallelSafe) != reads || (s.Risk == tools.ReadOnlyRisk) != reads || !reads && s.Risk != tools.High {
			t.Errorf("%s declares %v %v %v %v", s.Name, s.Effect, s.Replay, s.Concurrency, s.Risk)
		}
	}
}

func TestAPatchThatDoesNotFitShowsNothingOfAFileOutside(t *testing.T) {
	b := newBench(t)
	out, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	file := filepath.Join(out, "key")
	put(t, file, "TOP SECRET\n")
	wrong := patchOf("*** Update File: " + file + "\n@@\n-TOP SECRET 1\n+x")
	for range 2 {
		_, err := b.propose("apply_patch", wrong)
		if err == nil || strings.Contains(err.Error(), "1: TOP") {
			t.Errorf("got %v", err)
		}
	}
	b.ok("read", args{"filePath": file})
	b.refused("apply_patch", wrong, tools.InvalidArguments, "1: TOP SECRET")
	b.refused("write", args{"filePath": "dir/", "content": ""}, tools.InvalidArguments, "names a folder")
	b.refused("write", args{"filePath": "/proc/self/environ", "content": ""}, tools.Denied, "neither read nor changed")
}
