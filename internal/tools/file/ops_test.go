//go:build unix

package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"golang.org/x/sys/unix"
)

// body joins what a preview says.
func body(p *tools.Proposal) string {
	var b strings.Builder
	for _, s := range p.Preview {
		fmt.Fprintf(&b, "[%s] %s\n%s\n", s.Kind, s.Title, s.Body)
	}
	return b.String()
}

func TestMkdir(t *testing.T) {
	b := newBench(t)
	b.put("file", "x")
	p := b.proposed("mkdir", args{"path": "d/"})
	if p.Summary != "new d (directory)" || told(p.Touches) != "d: - > folder\n" || body(p) != "[text] A d (directory)\na new directory\n" {
		t.Errorf("%q %q %q", p.Summary, told(p.Touches), body(p))
	}
	run(p)
	p = b.proposed("mkdir", args{"path": "e/f/g", "recursive": true})
	if !strings.Contains(body(p), "the directories e, e/f are made for it") || strings.Join(p.Subjects, " ") != "e/f/g e e/f" {
		t.Errorf("%q %q", body(p), p.Subjects)
	}
	if out := run(p); out.Kind != tools.OK || len(out.Changes) != 1 {
		t.Errorf("%v %s %v", out.Kind, out.Text, out.Changes)
	}
	if out := b.ok("mkdir", args{"path": "e", "recursive": true}); len(out.Changes) > 0 || !strings.Contains(out.Text, "nothing is done") {
		t.Errorf("%q", out.Text)
	}
	b.refused("mkdir", args{"path": "e"}, tools.InvalidArguments, "e exists already")
	b.refused("mkdir", args{"path": "file", "recursive": true}, tools.InvalidArguments, "file exists and is a file")
	b.refused("mkdir", args{"path": "x/y"}, tools.InvalidArguments, "set recursive")
	b.refused("mkdir", args{"path": "file/y", "recursive": true}, tools.InvalidArguments, "file/y cannot be made: a part of its path is not a directory")
	b.manual("mkdir", args{"path": ".zuno"}, ".zuno is protected: zuno's own configuration")
	p = b.proposed("mkdir", args{"path": "late"})
	must(t, os.Mkdir(b.path("late"), 0o777))
	if out := run(p); out.Block != tools.Stale || !strings.Contains(out.Text, "it exists now") {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
}

// grove is a folder with something of everything in it.
func grove(b *bench) {
	b.put("d/a.txt", "a\nb\n")
	b.put("d/e/\xff\n.bin", "\x00")
	b.put("kept.txt", "k\n")
	must(b.t, os.Symlink("../kept.txt", b.path("d/link")))
	must(b.t, os.Symlink("e", b.path("d/folder-link")))
	must(b.t, os.Chmod(b.path("d/e"), 0o750))
	must(b.t, os.Chmod(b.path("d/a.txt"), 0o700))
}

func TestRmShowsEverythingThatGoes(t *testing.T) {
	b := newBench(t)
	grove(b)
	b.refused("rm", args{"path": "d"}, tools.InvalidArguments, "d is a directory of 5 entries: set recursive")
	p := b.proposed("rm", args{"path": "d", "recursive": true})
	want := "D\td/link\t(symbolic link)\nD\td/folder-link\t(symbolic link)\nD\td/e/\\xff\\n.bin\t(binary)\nD\td/e\t(directory)\nD\td/a.txt\t+0 −2\nD\td\t(directory)"
	if p.Preview[0].Kind != tools.Table || p.Preview[0].Body != want || p.Summary != "delete d/ and everything in it: 2 files, 2 links, 1 directory, 5 bytes" || p.Manual != "" || p.Spec.Risk != tools.High {
		t.Errorf("%q\n%s\n%q %v", p.Summary, p.Preview[0].Body, p.Manual, p.Spec.Risk)
	}
	if !slices.Contains(p.Subjects, "d/a.txt") || len(p.Touches) != 6 || p.Touches[4].Before.Mode != 0o700 || string(p.Touches[4].Before.Data) != "a\nb\n" {
		t.Errorf("%q %+v", p.Subjects, p.Touches)
	}
	if out := run(p); out.Kind != tools.OK || len(out.Changes) != 6 {
		t.Errorf("%v %s", out.Kind, out.Text)
	}
	b.missing("d")
	b.holds("kept.txt", "k\n")
}

func TestRmOfOneThing(t *testing.T) {
	b := newBench(t)
	grove(b)
	p := b.proposed("rm", args{"path": "d/a.txt"})
	if !strings.Contains(body(p), "-a\n-b\n") || p.Summary != "delete d/a.txt +0 −2" {
		t.Errorf("%q %q", p.Summary, body(p))
	}
	b.ok("rm", args{"path": "d/link"})
	b.ok("rm", args{"path": "d/folder-link"})
	b.holds("kept.txt", "k\n")
	must(t, os.Link(b.path("kept.txt"), b.path("other")))
	if p := b.proposed("rm", args{"path": "other"}); !strings.Contains(body(p), "2 names (hard links): the others stay") {
		t.Errorf("%q", body(p))
	}
	b.ok("rm", args{"path": "other"})
	b.holds("kept.txt", "k\n")
	if out := b.ok("rm", args{"path": "gone", "force": true}); !strings.Contains(out.Text, "nothing is done") || len(out.Changes) > 0 {
		t.Errorf("%q", out.Text)
	}
	b.refused("rm", args{"path": "gone"}, tools.InvalidArguments, "gone does not exist")
	b.refused("rm", args{"path": "kept.txt/"}, tools.InvalidArguments, "leave the slash at the end out")
}

func TestWhatRmAndMvNeverTouch(t *testing.T) {
	b := newBench(t)
	grove(b)
	b.put(".git/config", "x\n")
	b.put("sub/.git", "gitdir: elsewhere\n")
	must(t, os.Symlink("d", b.path("way")))
	must(t, mkfifo(b.path("d/e/pipe")))
	for _, c := range []struct {
		path, why string
		block     tools.Block
	}{
		{".", "the folder that zuno works in", tools.Denied},
		{b.root + "/", "the folder that zuno works in", tools.Denied},
		{"d/..", "the folder that zuno works in", tools.Denied},
		{".git", "git's own data", tools.Denied},
		{"sub", "sub/.git is git's own data", tools.Denied},
		{"way/e", "way/e leads through a symbolic link to d/e: name that", tools.InvalidArguments},
		{"d", "d/e/pipe is left alone: it is a named pipe, so it could not be put back", tools.InvalidArguments},
		{"/proc/self/environ", "belongs to the system", tools.Denied},
	} {
		b.refused("rm", args{"path": c.path, "recursive": true}, c.block, c.why)
		b.refused("mv", args{"source": c.path, "destination": "elsewhere"}, c.block, c.why)
	}
	b.refused("rm", args{"path": filepath.Dir(b.root), "recursive": true}, tools.Denied, "")
	b.manual("rm", args{"path": ".git/config"}, ".git/config is protected: git's own data: hooks and configuration in it run commands")
	b.put("x/AGENTS.md", "x")
	b.manual("rm", args{"path": "x", "recursive": true}, "x/AGENTS.md is protected: instructions that agents follow")
	b.manual("mv", args{"source": "x", "destination": "y"}, "x/AGENTS.md is protected: instructions that agents follow")
	outside := filepath.Join(t.TempDir(), "f")
	put(t, outside, "x")
	b.manual("rm", args{"path": outside}, "outside the workspace: "+outside)
}

func TestMoreThanCanBePutBackIsRefused(t *testing.T) {
	b := newBench(t)
	must(t, os.Mkdir(b.path("many"), 0o777))
	b.files.entries = 20
	for i := range 20 {
		must(t, os.Symlink("x", b.path(fmt.Sprintf("many/%d", i))))
	}
	b.put("big", "")
	must(t, os.Truncate(b.path("big"), maxHeld+1))
	b.put("sum/a", "")
	b.put("sum/b", "")
	must(t, os.Truncate(b.path("sum/a"), maxHeld))
	must(t, os.Truncate(b.path("sum/b"), 1))
	b.refused("rm", args{"path": "many", "recursive": true}, tools.InvalidArguments, "many holds more than 20 entries or 64 MiB")
	b.refused("rm", args{"path": "big"}, tools.InvalidArguments, "the limit is 67108864, so it could not be put back; to remove it, use a command")
	b.refused("mv", args{"source": "big", "destination": "c"}, tools.InvalidArguments, "to move it, use a command")
	b.refused("cp", args{"source": "sum", "destination": "c", "recursive": true}, tools.InvalidArguments, "sum holds more than")
}

func TestRmAndTheWorldMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		change func(b *bench) error
		says   string
	}{
		"a file changed": {func(b *bench) error { return os.WriteFile(b.path("d/a.txt"), []byte("mine"), 0o666) }, "d/a.txt is not as it was"},
		"a link turned": {func(b *bench) error {
			return errors.Join(os.Remove(b.path("d/link")), os.Symlink("other", b.path("d/link")))
		}, "it leads to other now"},
		"a folder became a link": {func(b *bench) error {
			return errors.Join(os.Rename(b.path("d/e"), b.path("e")), os.Symlink("../e", b.path("d/e")))
		}, "it leads to e/"},
		"another folder": {func(b *bench) error {
			return errors.Join(os.Rename(b.path("d"), b.path("x")), os.Mkdir(b.path("d"), 0o777))
		}, "it was deleted"},
		"permissions": {func(b *bench) error { return os.Chmod(b.path("d/e"), 0o700) }, "permissions changed from 0750 to 0700"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			grove(b)
			p := b.proposed("rm", args{"path": "d", "recursive": true})
			must(t, c.change(b))
			before := drawn(t, b.root)
			if out := run(p); out.Block != tools.Stale || !strings.Contains(out.Text, c.says) {
				t.Errorf("%v %q, want stale with %q", out.Kind, out.Text, c.says)
			}
			if drawn(t, b.root) != before {
				t.Error("something went")
			}
		})
	}
	b := newBench(t)
	grove(b)
	before := drawn(t, b.root)
	p := b.proposed("rm", args{"path": "d", "recursive": true})
	out := sabotageAt(p, "removing d", func() { b.put("d/mine", "mine") })
	if out.Kind != tools.Error || !strings.Contains(out.Text, "nothing remains changed") {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	b.holds("d/mine", "mine")
	must(t, os.Remove(b.path("d/mine")))
	if got := drawn(t, b.root); got != before {
		t.Errorf("taken back:\n%s\nwas:\n%s", got, before)
	}
	b.tidy()
}

func TestMv(t *testing.T) {
	b := newBench(t)
	grove(b)
	b.put("a", "old\n")
	b.ok("read", args{"filePath": "a"})
	must(t, os.Link(b.path("a"), b.path("twin")))
	p := b.proposed("mv", args{"source": "a", "destination": "n/b"})
	if p.Summary != "a → n/b" || told(p.Touches) != "n: - > folder\nn/b: - > file 0644 (4)\na: file 0644 \"old\\n\" > -\n" || !strings.Contains(body(p), "the directory n is made for it") {
		t.Errorf("%q %q %q", p.Summary, told(p.Touches), body(p))
	}
	if out := run(p); out.Kind != tools.OK || out.Changes[0] != (tools.Change{Path: "n/b", Kind: "R", From: "a"}) {
		t.Errorf("%v %q %+v", out.Kind, out.Text, out.Changes)
	}
	one, err1 := os.Stat(b.path("n/b"))
	two, err2 := os.Stat(b.path("twin"))
	if err1 != nil || err2 != nil || !os.SameFile(one, two) {
		t.Error("it is not the same file any more")
	}
	must(t, os.Remove(b.path("twin")))
	b.ok("write", args{"filePath": "n/b", "content": "known still\n"})

	p = b.proposed("mv", args{"source": "d", "destination": "m"})
	if p.Summary != "d → m with everything in it: 2 files, 2 links, 1 directory, 5 bytes" || !strings.Contains(body(p), "R\td/e/\\xff\\n.bin\t1 byte") || len(p.Touches) != 12 {
		t.Errorf("%q %q", p.Summary, body(p))
	}
	run(p)
	b.missing("d")
	b.holds("m/a.txt", "a\nb\n")
	b.ok("mv", args{"source": "m/link", "destination": "l"})
	if to, err := os.Readlink(b.path("l")); err != nil || to != "../kept.txt" {
		t.Errorf("%q %v", to, err)
	}
}

func TestMvAndCpOverwriteNothingUnasked(t *testing.T) {
	b := newBench(t)
	grove(b)
	b.put("f", "new\n")
	must(t, os.Symlink("kept.txt", b.path("link")))
	must(t, os.Link(b.path("f"), b.path("hard")))
	for _, tool := range []string{"mv", "cp"} {
		for _, c := range []struct{ from, to, why string }{
			{"f", "kept.txt", "kept.txt exists: set overwrite"},
			{"f", "d", "d is a directory: give the whole new path, such as d/f"},
			{"f", "link", "link is a symbolic link to kept.txt: name the file itself"},
			{"f", "f", "f is its own destination"},
			{"f", "hard", "are the same file"},
			{"f", "x/", "x/ names a folder"},
			{"f", "kept.txt/x", "a part of its path is not a directory"},
			{"d", "d/e/x", "d/e/x is inside of d"},
			{"d", "kept.txt", "only a file may take the place of a file"},
			{"gone", "x", "gone does not exist"},
		} {
			a := args{"source": c.from, "destination": c.to}
			if tool == "cp" {
				a["recursive"] = true
			}
			b.refused(tool, a, tools.InvalidArguments, c.why)
		}
	}
	must(t, os.Remove(b.path("hard")))
	must(t, os.Chmod(b.path("kept.txt"), 0o600))
	p := b.proposed("cp", args{"source": "f", "destination": "kept.txt", "overwrite": true})
	if p.Summary != "copy f → kept.txt, replacing what is there" || !strings.Contains(body(p), "-k\n+new\n") {
		t.Errorf("%q %q", p.Summary, body(p))
	}
	run(p)
	b.holds("kept.txt", "new\n")
	if st, err := os.Stat(b.path("kept.txt")); err != nil || st.Mode() != 0o600 {
		t.Errorf("permissions %v %v", st.Mode(), err)
	}
	b.put("kept.txt", "old\n")
	p = b.proposed("mv", args{"source": "f", "destination": "kept.txt", "overwrite": true})
	if p.Summary != "f → kept.txt, replacing what is there" || !strings.Contains(body(p), "-old\n+new\n") || !strings.Contains(told(p.Touches), `kept.txt: file 0600 "old\n"`) {
		t.Errorf("%q %q %q", p.Summary, body(p), told(p.Touches))
	}
	run(p)
	b.holds("kept.txt", "new\n")
	b.missing("f")
}

func TestCp(t *testing.T) {
	b := newBench(t)
	grove(b)
	p := b.proposed("cp", args{"source": "d/a.txt", "destination": "copy"})
	if p.Summary != "copy d/a.txt → copy" || !strings.Contains(body(p), "a copy of d/a.txt, 4 bytes (SHA-256") || strings.Join(p.Subjects, " ") != "copy d/a.txt" {
		t.Errorf("%q %q %q", p.Summary, body(p), p.Subjects)
	}
	run(p)
	b.refused("cp", args{"source": "d", "destination": "x"}, tools.InvalidArguments, "set recursive")
	b.ok("cp", args{"source": "d", "destination": "x/y", "recursive": true})
	original, copied := drawn(t, b.path("d")), drawn(t, b.path("x/y"))
	if original != copied {
		t.Errorf("copied:\n%s\noriginal:\n%s", copied, original)
	}
	p = b.proposed("cp", args{"source": "d", "destination": "z", "recursive": true})
	b.put("d/a.txt", "other\n")
	if out := run(p); out.Block != tools.Stale || !strings.Contains(out.Text, "d/a.txt is not as it was") {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	b.missing("z")
	outside := filepath.Join(t.TempDir(), "key")
	put(t, outside, "x")
	b.manual("cp", args{"source": outside, "destination": "key"}, "outside the workspace: "+outside)
	b.refused("cp", args{"source": "/proc/self/environ", "destination": "key"}, tools.Denied, "never read")
	b.ok("cp", args{"source": "d/link", "destination": "link"})
	if to, err := os.Readlink(b.path("link")); err != nil || to != "../kept.txt" {
		t.Errorf("%q %v", to, err)
	}
}

func TestAFullDiskLeavesNothingOfACopy(t *testing.T) {
	b := newBench(t)
	grove(b)
	b.files.disk = func(fd int, p []byte) (int, error) {
		if p[0] == 0 {
			return 0, unix.ENOSPC
		}
		return unix.Write(fd, p)
	}
	before := drawn(t, b.root)
	if out := b.call("cp", args{"source": "d", "destination": "x/y", "recursive": true}); out.Kind != tools.Error || !strings.Contains(out.Text, "no space is left") {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	if got := drawn(t, b.root); got != before {
		t.Errorf("%s\nwas\n%s", got, before)
	}
}

func TestMvFailsAsAWhole(t *testing.T) {
	b := newBench(t)
	grove(b)
	before := drawn(t, b.root)
	p := b.proposed("mv", args{"source": "d", "destination": "n/m"})
	out := sabotageAt(p, "renaming n/m", func() { b.put("n/m", "mine") })
	if out.Kind != tools.Error {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	b.holds("n/m", "mine")
	must(t, os.RemoveAll(b.path("n")))
	if got := drawn(t, b.root); got != before {
		t.Errorf("%s\nwas\n%s", got, before)
	}
}
