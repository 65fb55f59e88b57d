//go:build unix

package file

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
	"golang.org/x/sys/unix"
)

func TestC014TheWorldChangesWhileTheCardIsOpen(t *testing.T) {
	calls := map[string]args{
		"write":       {"filePath": "f.txt", "content": "mine\n"},
		"edit":        {"filePath": "f.txt", "oldString": "one", "newString": "1"},
		"apply_patch": patchOf("*** Update File: f.txt\n@@\n-one\n+1\n*** Add File: new.txt\n+new"),
	}
	for name, c := range map[string]struct {
		change func(f string) error
		says   string
		keeps  func(b *bench)
	}{
		"appended":                 {func(f string) error { return os.WriteFile(f, []byte("one\nuser-line\n"), 0o666) }, "4 bytes then, 14 now", func(b *bench) { b.holds("f.txt", "one\nuser-line\n") }},
		"same size, other content": {func(f string) error { return os.WriteFile(f, []byte("two\n"), 0o666) }, "its content is another", func(b *bench) { b.holds("f.txt", "two\n") }},
		"truncated":                {func(f string) error { return os.Truncate(f, 0) }, "0 now", func(b *bench) { b.holds("f.txt", "") }},
		"deleted":                  {os.Remove, "it was deleted", func(b *bench) { b.missing("f.txt") }},
		"a directory now":          {func(f string) error { return errors.Join(os.Remove(f), os.Mkdir(f, 0o777)) }, "it is a directory", func(*bench) {}},
		"a named pipe now":         {func(f string) error { return errors.Join(os.Remove(f), syscall.Mkfifo(f, 0o666)) }, "it is a named pipe", func(*bench) {}},
		"a link now":               {func(f string) error { return errors.Join(os.Remove(f), os.Symlink("other", f)) }, "it leads to other", func(b *bench) { b.missing("other") }},
		"replaced by a copy": {func(f string) error {
			return errors.Join(os.WriteFile(f+".2", []byte("one\n"), 0o666), os.Rename(f+".2", f))
		}, "another file with the same content", func(b *bench) { b.holds("f.txt", "one\n") }},
		"other permissions": {func(f string) error { return os.Chmod(f, 0o600) }, "permissions changed", func(b *bench) { b.holds("f.txt", "one\n") }},
		"a second name":     {func(f string) error { return os.Link(f, f+".2") }, "another name", func(b *bench) { b.holds("f.txt", "one\n") }},
	} {
		t.Run(name, func(t *testing.T) {
			for tool, a := range calls {
				b := newBench(t)
				b.put("f.txt", "one\n")
				b.ok("read", args{"filePath": "f.txt"})
				p := b.proposed(tool, a)
				must(t, c.change(b.path("f.txt")))
				out := run(p)
				if out.Kind != tools.Blocked || out.Block != tools.Stale || !strings.Contains(out.Text, c.says) || !strings.Contains(out.Text, "Nothing was changed") {
					t.Errorf("%s: %v %v %q, want stale with %q", tool, out.Kind, out.Block, out.Text, c.says)
				}
				c.keeps(b)
				b.missing("new.txt")
				b.tidy()
			}
		})
	}
}

func TestAPlaceThatWasFreeIsTakenWhileTheCardIsOpen(t *testing.T) {
	b := newBench(t)
	p := b.proposed("write", args{"filePath": "new.txt", "content": "mine\n"})
	b.put("new.txt", "theirs\n")
	if out := run(p); out.Block != tools.Stale || !strings.Contains(out.Text, "it exists now") {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	b.holds("new.txt", "theirs\n")
}

func TestTouchingAFileIsNoChange(t *testing.T) {
	b := newBench(t)
	b.put("f.txt", "one\n")
	b.ok("read", args{"filePath": "f.txt"})
	p := b.proposed("write", args{"filePath": "f.txt", "content": "two\n"})
	must(t, os.Chtimes(b.path("f.txt"), time.Unix(1, 0), time.Unix(1, 0)))
	if out := run(p); out.Kind != tools.OK {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	b.holds("f.txt", "two\n")
}

func TestC015WholeFileWriteNeedsACurrentRead(t *testing.T) {
	b := newBench(t)
	for _, f := range []string{"f", "g", "h", "k"} {
		b.put(f, "one\n")
	}
	for _, f := range []string{"f", "g", "h"} {
		b.ok("read", args{"filePath": f})
	}
	b.put("f", "one\nmore\n")
	b.refused("write", args{"filePath": "f", "content": "x"}, tools.Stale, "f changed since it was read")
	b.refused("edit", args{"filePath": "f", "oldString": "one", "newString": "x"}, tools.Stale, "f changed since it was read")
	b.ok("read", args{"filePath": "f"})
	b.ok("write", args{"filePath": "f", "content": "x"})

	must(t, os.Chtimes(b.path("g"), time.Unix(1, 0), time.Unix(1, 0)))
	b.ok("edit", args{"filePath": "g", "oldString": "one", "newString": "two"})

	b.ok("edit", args{"filePath": "h", "oldString": "one", "newString": "two"})
	b.ok("edit", args{"filePath": "h", "oldString": "two", "newString": "three"})
	b.ok("apply_patch", patchOf("*** Update File: h\n*** Move to: i\n@@\n-three\n+four"))
	b.ok("write", args{"filePath": "i", "content": "five\n"})

	b.refused("write", args{"filePath": "k", "content": "x"}, tools.Stale, "k exists and has not been read")
	b.ok("apply_patch", patchOf("*** Update File: k\n@@\n-one\n+two"))
	b.refused("write", args{"filePath": "k", "content": "x"}, tools.Stale, "has not been read")

	b.ok("write", args{"filePath": "made", "content": "1\n"})
	b.ok("write", args{"filePath": "made", "content": "2\n"})
}

func TestAPageOfAFileCountsAsReadAndAListingDoesNot(t *testing.T) {
	b := newBench(t)
	b.put("d/f", "one\ntwo\n")
	b.ok("read", args{"filePath": "d"})
	b.refused("write", args{"filePath": "d/f", "content": "x"}, tools.Stale, "not been read")
	b.ok("read", args{"filePath": "d/f", "limit": 1})
	b.ok("write", args{"filePath": "d/f", "content": "x"})
}

func TestC016ModeBitsAndUmask(t *testing.T) {
	old := unix.Umask(0o002)
	defer unix.Umask(old)
	b := newBench(t)
	b.put("run.sh", "#!/bin/sh\necho 1\n")
	mode := func(name string, want os.FileMode) {
		t.Helper()
		if st, err := os.Stat(b.path(name)); err != nil || st.Mode() != want {
			t.Errorf("%s has %v, %v; want %v", name, st.Mode(), err, want)
		}
	}
	must(t, os.Chmod(b.path("run.sh"), 0o750))
	b.ok("read", args{"filePath": "run.sh"})
	b.ok("edit", args{"filePath": "run.sh", "oldString": "echo 1", "newString": "echo 2"})
	mode("run.sh", 0o750)
	b.ok("apply_patch", patchOf("*** Update File: run.sh\n@@\n-echo 2\n+echo 3"))
	mode("run.sh", 0o750)
	b.ok("write", args{"filePath": "run.sh", "content": "#!/bin/sh\necho 4\n"})
	mode("run.sh", 0o750)
	b.ok("write", args{"filePath": "sub/new.txt", "content": "new"})
	mode("sub/new.txt", 0o664)
	mode("sub", os.ModeDir|0o775)

	must(t, os.Chmod(b.path("run.sh"), os.ModeSetuid|os.ModeSetgid|0o755))
	p := b.proposed("write", args{"filePath": "run.sh", "content": "#!/bin/sh\n"})
	if notes := p.Preview[0].Body; !strings.Contains(notes, "setuid") {
		t.Errorf("notes %q", notes)
	}
	run(p)
	mode("run.sh", 0o755)
}

func TestC017ChangingThroughASymlink(t *testing.T) {
	b := newBench(t)
	b.put("cfg/real.ini", "v=1\n")
	must(t, os.Symlink("cfg/real.ini", b.path("app.ini")))
	must(t, os.Symlink("cfg", b.path("conf")))
	b.ok("read", args{"filePath": "app.ini"})
	p := b.proposed("edit", args{"filePath": "app.ini", "oldString": "v=1", "newString": "v=2"})
	if p.Preview[0].Body != "app.ini leads through a symbolic link to cfg/real.ini" || strings.Join(p.Subjects, " ") != "app.ini cfg/real.ini" {
		t.Errorf("preview %+v, subjects %q", p.Preview[0], p.Subjects)
	}
	run(p)
	b.holds("cfg/real.ini", "v=2\n")
	b.ok("apply_patch", patchOf("*** Update File: conf/real.ini\n@@\n-v=2\n+v=3"))
	b.holds("cfg/real.ini", "v=3\n")
	for link, want := range map[string]string{"app.ini": "cfg/real.ini", "conf": "cfg"} {
		if got, err := os.Readlink(b.path(link)); err != nil || got != want {
			t.Errorf("%s is no longer a link: %q, %v", link, got, err)
		}
	}
	p = b.proposed("write", args{"filePath": "app.ini", "content": "v=4\n"})
	b.put("other.ini", "v=3\n")
	must(t, os.Remove(b.path("app.ini")))
	must(t, os.Symlink("other.ini", b.path("app.ini")))
	if out := run(p); out.Block != tools.Stale || !strings.Contains(out.Text, "it leads to other.ini now and led to cfg/real.ini") {
		t.Errorf("a link that was turned: %v %q", out.Kind, out.Text)
	}
}

func TestC018AHardLinkedFileIsLeftAlone(t *testing.T) {
	b := newBench(t)
	b.put("in/x", "a\n")
	must(t, os.Link(b.path("in/x"), b.path("y")))
	b.ok("read", args{"filePath": "in/x"})
	for tool, a := range map[string]args{
		"edit":        {"filePath": "in/x", "oldString": "a", "newString": "b"},
		"write":       {"filePath": "in/x", "content": "b"},
		"apply_patch": patchOf("*** Update File: in/x\n@@\n-a\n+b"),
	} {
		b.refused(tool, a, tools.InvalidArguments, "in/x has 2 names (hard links)")
	}
	b.holds("y", "a\n")
}

func TestCancelledBeforeTheFirstRenameNothingHappened(t *testing.T) {
	b := newBench(t)
	p := b.proposed("write", args{"filePath": "sub/f", "content": "x"})
	ctx, cancel := context.WithCancel(context.Background())
	b.files.disk = func(fd int, p []byte) (int, error) { cancel(); return unix.Write(fd, p) }
	out := p.Execute(ctx, tools.Decision{Allowed: true}, nil)
	if out.Kind != tools.Cancelled || out.Started {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	b.missing("sub")
}

func TestAFullDiskLeavesTheOldFileWhole(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "old\n")
	b.put("b.txt", "old\n")
	wrote := 0
	b.files.disk = func(fd int, p []byte) (int, error) {
		if wrote++; wrote == 2 {
			return 0, unix.ENOSPC
		}
		return unix.Write(fd, p[:1])
	}
	out := b.call("apply_patch", patchOf("*** Add File: n/c.txt\n+c\n*** Update File: a.txt\n@@\n-old\n+new\n*** Update File: b.txt\n@@\n-old\n+new"))
	if out.Kind != tools.Error || !strings.Contains(out.Text, "nothing was changed") || !strings.Contains(out.Text, "no space is left") {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	b.holds("a.txt", "old\n")
	b.holds("b.txt", "old\n")
	b.missing("n")
	b.tidy()
}

// sabotage runs a proposal and calls do when it comes to write the file name.
func sabotage(p *tools.Proposal, name string, do func()) tools.Outcome {
	return sabotageAt(p, "writing "+name, do)
}

// sabotageAt runs a proposal and calls do when it reports text.
func sabotageAt(p *tools.Proposal, text string, do func()) tools.Outcome {
	return p.Execute(context.Background(), tools.Decision{Allowed: true}, func(r tools.Progress) {
		if r.Text == text {
			do()
		}
	})
}

const twoFiles = "*** Update File: one/a.txt\n@@\n-old\n+new\n*** Delete File: gone.txt\n*** Add File: made/m.txt\n+m\n*** Update File: two/b.txt\n@@\n-old\n+new"

func twoFilesBench(t *testing.T) *bench {
	b := newBench(t)
	b.put("one/a.txt", "old\n")
	b.put("two/b.txt", "old\n")
	b.put("gone.txt", "g\n")
	must(t, os.Chmod(b.path("gone.txt"), 0o640))
	return b
}

func TestC013AFailureHalfWayIsTakenBack(t *testing.T) {
	b := twoFilesBench(t)
	out := sabotage(b.proposed("apply_patch", patchOf(twoFiles)), "two/b.txt", func() { b.put("two/b.txt", "theirs\n") })
	if out.Kind != tools.Error || !strings.Contains(out.Text, "two/b.txt changed at the last moment") || !strings.Contains(out.Text, "nothing remains changed") || len(out.Changes) > 0 {
		t.Errorf("%v %q %v", out.Kind, out.Text, out.Changes)
	}
	b.holds("one/a.txt", "old\n")
	b.holds("gone.txt", "g\n")
	b.holds("two/b.txt", "theirs\n")
	b.missing("made")
	if st, err := os.Stat(b.path("gone.txt")); err != nil || st.Mode() != 0o640 {
		t.Errorf("what was put back has %v, %v", st.Mode(), err)
	}
	b.tidy()
}

func TestC013WhatCannotBeTakenBackIsUncertainAndNamed(t *testing.T) {
	b := twoFilesBench(t)
	out := sabotage(b.proposed("apply_patch", patchOf(twoFiles)), "two/b.txt", func() {
		b.put("two/b.txt", "theirs\n")
		b.put("one/a.txt", "theirs too\n")
		b.put("gone.txt", "again\n")
	})
	if out.Kind != tools.Uncertain {
		t.Fatalf("%v %q", out.Kind, out.Text)
	}
	for _, want := range []string{"changed: one/a.txt, gone.txt\n", "not changed: made/m.txt, two/b.txt\n", "one/a.txt could not be put back: somebody changed it meanwhile"} {
		if !strings.Contains(out.Text, want) {
			t.Errorf("%q does not say %q", out.Text, want)
		}
	}
	if len(out.Changes) != 2 || out.Changes[0].Path != "one/a.txt" || out.Changes[1].Kind != "D" {
		t.Errorf("changes %+v", out.Changes)
	}
	b.holds("one/a.txt", "theirs too\n")
	b.holds("two/b.txt", "theirs\n")
	b.holds("gone.txt", "again\n")
	b.missing("made")
	b.tidy()
}

func TestAFolderTurnedIntoALinkCannotRedirectAWrite(t *testing.T) {
	b := newBench(t)
	outside := t.TempDir()
	b.put("d/f", "old\n")
	p := b.proposed("apply_patch", patchOf("*** Update File: d/f\n@@\n-old\n+new\n*** Add File: d/n\n+n"))
	turn := func() {
		must(t, os.Rename(b.path("d"), b.path("moved")))
		must(t, os.Symlink(outside, b.path("d")))
	}
	turn()
	if out := run(p); out.Block != tools.Stale {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	must(t, os.Remove(b.path("d")))
	must(t, os.Rename(b.path("moved"), b.path("d")))
	sabotage(b.proposed("apply_patch", patchOf("*** Add File: d/n\n+n")), "d/n", turn)
	if found, err := filepath.Glob(filepath.Join(outside, "*")); err != nil || len(found) > 0 {
		t.Errorf("outside there is %v, %v", found, err)
	}
}

func TestWritingWhatIsThereAlreadyWritesNothing(t *testing.T) {
	b := newBench(t)
	b.put("f", "same\n")
	b.ok("read", args{"filePath": "f"})
	before := toolstest.Sum(t, b.root)
	out := b.ok("write", args{"filePath": "f", "content": "same\n"})
	if len(out.Changes) > 0 || !strings.Contains(out.Text, "nothing is written") {
		t.Errorf("%q %+v", out.Text, out.Changes)
	}
	if toolstest.Sum(t, b.root) != before {
		t.Error("the tree changed")
	}
	p := b.proposed("write", args{"filePath": "f", "content": "same\n"})
	b.put("f", "other\n")
	if out := run(p); out.Block != tools.Stale {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
}

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o666) }
