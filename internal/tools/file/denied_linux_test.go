package file

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"golang.org/x/sys/unix"
)

// asNobody runs f so that permissions count, also when the tests run as root.
// The identity belongs to the thread, which ends with its goroutine.
func asNobody(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if os.Geteuid() == 0 {
			_ = unix.Setfsgid(65534) // these report only whether they could ask
			_ = unix.Setfsuid(65534)
		}
		f()
	}()
	<-done
}

// open makes a workspace that nobody may change, but for what is closed later.
func openTo(t *testing.T, b *bench) {
	t.Helper()
	for d := b.root; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o777); err != nil {
			break
		}
	}
	must(t, filepath.WalkDir(b.root, func(path string, _ os.DirEntry, err error) error {
		if err != nil || os.Geteuid() != 0 {
			return err
		}
		return os.Chown(path, 65534, 65534)
	}))
}

func TestC013AFolderThatMayNotBeWrittenTo(t *testing.T) {
	b := twoFilesBench(t)
	openTo(t, b)
	asNobody(func() {
		p := b.proposed("apply_patch", patchOf(twoFiles))
		must(t, os.Chmod(b.path("two"), 0o555))
		out := run(p)
		if out.Kind != tools.Error || !strings.Contains(out.Text, "nothing was changed: two/b.txt cannot be written: permission denied") {
			t.Errorf("%v %q", out.Kind, out.Text)
		}
	})
	must(t, os.Chmod(b.path("two"), 0o755))
	b.holds("one/a.txt", "old\n")
	b.holds("two/b.txt", "old\n")
	b.holds("gone.txt", "g\n")
	b.missing("made")
	b.tidy()
}

func TestC013AFolderClosedHalfWay(t *testing.T) {
	for name, c := range map[string]struct {
		close []string
		kind  tools.Kind
		says  string
		a     string
	}{
		"the rest is put back":          {[]string{"two"}, tools.Error, "nothing remains changed: two/b.txt cannot be changed: permission denied", "old\n"},
		"what cannot be put back shows": {[]string{"two", "one"}, tools.Uncertain, "changed: one/a.txt\nnot changed: gone.txt, made/m.txt, two/b.txt", "new\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b := twoFilesBench(t)
			openTo(t, b)
			asNobody(func() {
				p := b.proposed("apply_patch", patchOf(twoFiles))
				out := sabotage(p, "two/b.txt", func() {
					for _, d := range c.close {
						must(t, os.Chmod(b.path(d), 0o555))
					}
				})
				if out.Kind != c.kind || !strings.Contains(out.Text, c.says) {
					t.Errorf("%v %q, want %v with %q", out.Kind, out.Text, c.kind, c.says)
				}
			})
			for _, d := range c.close {
				must(t, os.Chmod(b.path(d), 0o755))
			}
			b.holds("one/a.txt", c.a)
			b.holds("two/b.txt", "old\n")
			b.holds("gone.txt", "g\n")
		})
	}
}

func TestAFileThatMayNotBeWrittenOrReadIsSaidToBeSo(t *testing.T) {
	b := newBench(t)
	b.put("ro.txt", "old\n")
	b.put("secret.txt", "x\n")
	openTo(t, b)
	must(t, os.Chmod(b.path("ro.txt"), 0o444))
	must(t, os.Chmod(b.path("secret.txt"), 0))
	asNobody(func() {
		if out := b.call("read", args{"filePath": "secret.txt"}); out.Kind != tools.Error || out.Text != "read secret.txt: permission denied" {
			t.Errorf("%v %q", out.Kind, out.Text)
		}
	})
	if os.Geteuid() != 0 { // root may write to any file
		b.refused("apply_patch", patchOf("*** Update File: ro.txt\n@@\n-old\n+new"), tools.InvalidArguments, "ro.txt is not writable (permissions 0444)")
	}
}

func TestAStickyFolderAndOneThatMayNotBeChanged(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("files of two people are needed")
	}
	b := newBench(t)
	b.put("tmp/theirs", "x\n")
	b.put("closed/f", "x\n")
	b.put("mine", "m\n")
	openTo(t, b)
	must(t, os.Chown(b.path("tmp"), 0, 0))
	must(t, os.Chown(b.path("tmp/theirs"), 0, 0))
	must(t, os.Chmod(b.path("tmp"), os.ModeSticky|0o777))
	must(t, os.Chmod(b.path("closed"), 0o555))
	before := drawn(t, b.root)
	asNobody(func() {
		out := b.call("rm", args{"path": "tmp/theirs"})
		if out.Kind != tools.Error || out.Text != "nothing was changed: tmp/theirs cannot be changed: permission denied" {
			t.Errorf("%v %q", out.Kind, out.Text)
		}
		out = b.call("mv", args{"source": "mine", "destination": "closed/mine"})
		if out.Kind != tools.Error || !strings.Contains(out.Text, "permission denied") {
			t.Errorf("%v %q", out.Kind, out.Text)
		}
		out = b.call("mkdir", args{"path": "closed/d/e", "recursive": true})
		if out.Kind != tools.Error || !strings.Contains(out.Text, "permission denied") {
			t.Errorf("%v %q", out.Kind, out.Text)
		}
	})
	if got := drawn(t, b.root); got != before {
		t.Errorf("%s\nwas\n%s", got, before)
	}
}
