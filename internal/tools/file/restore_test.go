//go:build unix

package file

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A history is what calls did to each path, as somebody who keeps touches would
// tell it.
type history struct {
	first map[string]tools.FileState
	held  map[string][]tools.FileState
	names map[string]string
}

func newHistory() *history {
	return &history{map[string]tools.FileState{}, map[string][]tools.FileState{}, map[string]string{}}
}

func (h *history) record(touches []tools.Touch) {
	for _, t := range touches {
		if _, ok := h.first[t.Path]; !ok {
			h.first[t.Path] = t.Before
		}
		h.held[t.Path], h.names[t.Path] = []tools.FileState{t.After}, t.Name
	}
}

func (h *history) targets() []Target {
	var list []Target
	for path, want := range h.first {
		list = append(list, Target{Path: path, Name: h.names[path], Held: h.held[path], Want: want})
	}
	slices.SortFunc(list, func(a, b Target) int { return strings.Compare(b.Path, a.Path) })
	return list
}

// do carries a call out and records what it touched.
func (h *history) do(b *bench, tool string, a args) {
	b.t.Helper()
	p := b.proposed(tool, a)
	if out := run(p); out.Kind != tools.OK {
		b.t.Fatalf("%s %v: %v %s", tool, a, out.Kind, out.Text)
	}
	h.record(p.Touches)
}

// drawn lists everything below the root, with kinds, permissions and contents.
func drawn(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		st, err := os.Lstat(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v", rel, st.Mode())
		switch {
		case st.Mode().IsRegular():
			data, err := os.ReadFile(path)
			fmt.Fprintf(&b, " %q %v", data, err)
		case st.Mode()&os.ModeSymlink != 0:
			to, err := os.Readlink(path)
			fmt.Fprintf(&b, " %s %v", to, err)
		}
		b.WriteByte('\n')
		return nil
	}))
	return b.String()
}

// restored takes everything back and checks that nothing is left out.
func (h *history) restored(b *bench) *tools.Proposal {
	b.t.Helper()
	p, left := b.all.Restore(h.targets())
	if len(left) > 0 {
		b.t.Fatalf("left %v", left)
	}
	if p == nil {
		return nil
	}
	if out := run(p); out.Kind != tools.OK {
		b.t.Fatalf("restore: %v %s", out.Kind, out.Text)
	}
	b.tidy()
	return p
}

// changed is a tree after many kinds of changes, with its history.
func changed(t *testing.T) (b *bench, h *history, before string) {
	b, h = newBench(t), newHistory()
	b.put("a.txt", "one\r\ntwo")
	b.put("d/keep", "k\n")
	b.put("d/gone.sh", "#!/bin/sh\n")
	b.put("tree/x/deep", "deep\n")
	b.put("tree/y", "\x00\xff")
	must(t, os.Mkdir(b.path("tree/empty"), 0o750))
	must(t, os.Chmod(b.path("d/gone.sh"), 0o755))
	must(t, os.Chmod(b.path("tree/y"), 0o600))
	must(t, os.Symlink("nowhere", b.path("tree/link")))
	must(t, os.Symlink("a.txt", b.path("link")))
	before = drawn(t, b.root)
	b.ok("read", args{"filePath": "a.txt"})
	h.do(b, "edit", args{"filePath": "link", "oldString": "two", "newString": "2"})
	h.do(b, "apply_patch", patchOf("*** Update File: a.txt\n@@\n-one\n+1\n*** Delete File: d/gone.sh\n*** Add File: n/m/new\n+n\n*** Update File: d/keep\n*** Move to: e/kept\n@@\n-k\n+K"))
	h.do(b, "rm", args{"path": "tree", "recursive": true})
	h.do(b, "mkdir", args{"path": "tree/x/deep", "recursive": true})
	h.do(b, "mv", args{"source": "n", "destination": "o/p"})
	h.do(b, "cp", args{"source": "e", "destination": "f", "recursive": true})
	h.do(b, "rm", args{"path": "link"})
	h.do(b, "write", args{"filePath": "link", "content": "a file now\n"})
	return b, h, before
}

func TestEverythingThatWasDoneIsPutBack(t *testing.T) {
	b, h, before := changed(t)
	after := drawn(t, b.root)
	p := h.restored(b)
	if got := drawn(t, b.root); got != before {
		t.Errorf("put back:\n%s\nwas:\n%s", got, before)
	}
	if p, left := b.all.Restore(h.targets()); p != nil || left != nil {
		t.Errorf("again: %+v %v", p, left)
	}
	back := newHistory()
	back.record(p.Touches)
	back.restored(b)
	if got := drawn(t, b.root); got != after {
		t.Errorf("put back the other way:\n%s\nwas:\n%s", got, after)
	}
}

func TestWhatZunoDidNotLeaveIsLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(b *bench) error
		who, why  string
		stays     string
	}{
		"a file that somebody changed":      {func(b *bench) error { return os.WriteFile(b.path("a.txt"), []byte("mine"), 0o666) }, "a.txt", "no longer holds what zuno left there: it is 4 bytes", "a.txt"},
		"a file that somebody removed":      {func(b *bench) error { return os.Remove(b.path("a.txt")) }, "a.txt", "it is not there", ""},
		"a file in a folder that zuno made": {func(b *bench) error { return os.WriteFile(b.path("o/mine"), []byte("mine"), 0o666) }, "o", "the directory is not empty: mine is in it", "o/mine"},
		"a folder in the place of a file":   {func(b *bench) error { return errors.Join(os.Remove(b.path("link")), os.Mkdir(b.path("link"), 0o777)) }, "link", "it is a directory", "link"},
		"a file where a folder is to come":  {func(b *bench) error { return os.WriteFile(b.path("tree/x/deep/mine"), nil, 0o666) }, "tree/x/deep", "not empty", "tree/x/deep/mine"},
		"a folder that leads elsewhere now": {func(b *bench) error {
			return errors.Join(os.Rename(b.path("f"), b.path("g")), os.Symlink("g", b.path("f")))
		}, "f/kept", "leads to another place now", "g/kept"},
		"a named pipe in the place of a file": {func(b *bench) error { return errors.Join(os.Remove(b.path("link")), mkfifo(b.path("link"))) }, "link", "it is a named pipe", "link"},
	} {
		t.Run(name, func(t *testing.T) {
			b, h, _ := changed(t)
			must(t, c.meanwhile(b))
			p, left := b.all.Restore(h.targets())
			if i := slices.IndexFunc(left, func(l Left) bool { return l.Name == c.who && strings.Contains(l.Why, c.why) }); i < 0 {
				t.Fatalf("left %v", left)
			}
			if out := run(p); out.Kind != tools.OK {
				t.Fatalf("%v %s", out.Kind, out.Text)
			}
			if c.stays != "" {
				if _, err := os.Lstat(b.path(c.stays)); err != nil {
					t.Error(err)
				}
			}
			b.tidy()
		})
	}
}

func TestARestorationIsCarriedOutAsAWholeOrNotAtAll(t *testing.T) {
	b, h, _ := changed(t)
	p, _ := b.all.Restore(h.targets())
	b.put("a.txt", "mine")
	before := drawn(t, b.root)
	if out := run(p); out.Block != tools.Stale {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	if got := drawn(t, b.root); got != before {
		t.Errorf("%s\nwas\n%s", got, before)
	}
	p, _ = b.all.Restore(h.targets())
	out := sabotage(p, "tree/y", func() { b.put("tree/y", "mine") })
	if out.Kind != tools.Error || !strings.Contains(out.Text, "put back as it was") {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	must(t, os.Remove(b.path("tree/y")))
	if got := drawn(t, b.root); strings.Replace(got, "tree -rwx", "tree drwx", 1) != before {
		t.Errorf("taken back:\n%s\nwas\n%s", got, before)
	}
	b.tidy()
}

func TestRestoreKeepsPermissionsAndSaysWhatItOverrides(t *testing.T) {
	b, h := newBench(t), newHistory()
	b.put("a.txt", "one\n")
	h.do(b, "apply_patch", patchOf("*** Update File: a.txt\n@@\n-one\n+two"))
	must(t, os.Chmod(b.path("a.txt"), 0o750))
	b.put("a.txt", "two\nmine\n")
	targets := h.targets()
	targets[0].Held = append(targets[0].Held, tools.StateOf(tools.Regular, 0, []byte("two\nmine\n")))
	targets[0].Mixed = true
	p, left := b.all.Restore(targets)
	if len(left) > 0 || !strings.Contains(p.Preview[0].Body, "something else changed it") || !strings.Contains(p.Preview[1].Body, "-mine") || p.Summary != "put back a.txt +1 −2" {
		t.Fatalf("%v %+v", left, p)
	}
	run(p)
	b.holds("a.txt", "one\n")
	if st, err := os.Stat(b.path("a.txt")); err != nil || st.Mode() != 0o750 {
		t.Errorf("%v %v", st.Mode(), err)
	}
	targets = h.targets()
	targets[0].Held, targets[0].Want = []tools.FileState{h.first[targets[0].Path]}, tools.FileState{Kind: tools.Regular, Sum: tools.StateOf(tools.Regular, 0, []byte("x")).Sum, Size: 1}
	if p, left := b.all.Restore(targets); p != nil || len(left) != 1 || !strings.Contains(left[0].Why, "not kept") {
		t.Errorf("%+v %v", p, left)
	}
}

func TestForgottenFilesHaveToBeReadAgain(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "one\n")
	b.ok("read", args{"filePath": "a.txt"})
	b.all.Forget()
	b.refused("write", args{"filePath": "a.txt", "content": "x"}, tools.Stale, "has not been read")
}

// TestAnySessionCanBePutBack plays random calls on a small tree, in which paths
// become files, links and folders in turn, and takes each session back.
func TestAnySessionCanBePutBack(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	done := map[string]int{}
	for range 40 {
		b, h := newBench(t), newHistory()
		b.put("a", "a\n")
		b.put("b/a", "ba\n")
		b.put("b/b/c", "bbc\n")
		must(t, os.Symlink("a", b.path("c")))
		before := drawn(t, b.root)
		for range 20 {
			tool, a := randomDeed(r)
			if tool == "write" {
				b.call("read", args{"filePath": a["filePath"]})
			}
			p, err := b.propose(tool, a)
			if err != nil {
				continue
			}
			was := drawn(t, b.root)
			out := run(p)
			if out.Kind != tools.OK {
				t.Fatalf("%s %v: %v %s\nin\n%s", tool, a, out.Kind, out.Text, was)
			}
			if is := drawn(t, b.root); is != was && len(p.Touches) == 0 {
				t.Fatalf("%s %v names no touch", tool, a)
			}
			done[tool]++
			h.record(p.Touches)
		}
		h.restored(b)
		if got := drawn(t, b.root); got != before {
			t.Fatalf("put back:\n%s\nwas:\n%s", got, before)
		}
	}
	for _, tool := range []string{"rm", "mv", "cp", "mkdir", "write"} {
		if done[tool] < 15 {
			t.Errorf("only %d calls of %s came to something", done[tool], tool)
		}
	}
}

func randomDeed(r *rand.Rand) (string, args) {
	path := func() string {
		parts := make([]string, 1+r.Intn(2)*r.Intn(3))
		for i := range parts {
			parts[i] = string(rune('a' + r.Intn(4)))
		}
		return strings.Join(parts, "/")
	}
	switch r.Intn(5) {
	case 0:
		return "rm", args{"path": path(), "recursive": true}
	case 1:
		return "mv", args{"source": path(), "destination": path(), "overwrite": r.Intn(2) == 0}
	case 2:
		return "cp", args{"source": path(), "destination": path(), "recursive": true, "overwrite": r.Intn(2) == 0}
	case 3:
		return "mkdir", args{"path": path(), "recursive": r.Intn(2) == 0}
	}
	return "write", args{"filePath": path(), "content": fmt.Sprint(r.Int())}
}
