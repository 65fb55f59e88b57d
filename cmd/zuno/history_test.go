//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/config"
)

func TestTheHistoryIsKept(t *testing.T) {
	p := &plan{root: "/some/where", paths: config.Paths{State: t.TempDir()}}
	h := p.history()
	for _, s := range []string{"one", "two\nlines", "one", "my password is hunter2000", "key sk-abcdefghij1234567890", strings.Repeat("x", maxHistoryText+1), "a \u2028 b", `"quoted"`} {
		if err := h.add(s); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := fmt.Sprintf("%q", p.history().load()), fmt.Sprintf("%q", []string{"two\nlines", "one", "a \u2028 b", `"quoted"`}); got != want {
		t.Errorf("kept %s, want %s", got, want)
	}
	for path, mode := range map[string]os.FileMode{h.path: 0o600, filepath.Dir(h.path): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	if b, _ := os.ReadFile(h.path); strings.Contains(string(b), "hunter") || strings.Contains(string(b), "sk-") {
		t.Error("a secret is on the disk")
	}
	if got := (&plan{root: "/else/where", paths: p.paths}).history().load(); len(got) > 0 {
		t.Errorf("another workspace has %q", got)
	}
	if err := os.WriteFile(h.path, []byte("\"ok\"\nbroken\n{}\n\x00\n\"last\"\n\"torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(h.load()); got != "[ok last]" {
		t.Errorf("of a damaged file, %s", got)
	}
}

func TestTheHistoryOfOtherFolders(t *testing.T) {
	paths := config.Paths{State: t.TempDir()}
	in := func(root string, texts ...string) *history {
		h := (&plan{root: root, paths: paths}).history()
		for _, s := range texts {
			if err := h.add(s); err != nil {
				t.Fatal(err)
			}
		}
		return h
	}
	here := (&plan{root: "/here", paths: paths}).history()
	if list, err := here.elsewhere(); err != nil || len(list) > 0 {
		t.Errorf("of nothing, %q, %v", list, err)
	}
	in("/here", "mine")
	old, late := in("/old", "one", "two", "both"), in("/late", "both", "three")
	for n, h := range []*history{late, old} {
		at := time.Unix(int64(1000-n), 0)
		if err := os.Chtimes(h.path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(old.path), "new-1"), []byte("\"half\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(old.path, filepath.Join(filepath.Dir(old.path), "link.jsonl")); err != nil {
		t.Fatal(err)
	}
	list, err := here.elsewhere()
	if got := fmt.Sprint(list); err != nil || got != "[one two both three]" {
		t.Errorf("%s, %v", got, err)
	}
	for n := range 3 {
		var many strings.Builder
		for i := range maxHistory {
			fmt.Fprintf(&many, "\"%d %d\"\n", n, i)
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(old.path), fmt.Sprintf("%d.jsonl", n)), []byte(many.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if list, err = here.elsewhere(); err != nil || len(list) != maxElsewhere {
		t.Errorf("%d texts, %v", len(list), err)
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	h := (&plan{root: "/r", paths: config.Paths{State: t.TempDir()}}).history()
	var old strings.Builder
	for i := 0; old.Len() < maxHistoryBytes-100; i++ {
		fmt.Fprintf(&old, "\"%d %s\"\n", i, strings.Repeat("word ", 3000))
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.path, []byte(old.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			own := &history{path: h.path} // another process
			for i := range 20 {
				if err := own.add(fmt.Sprintf("%d %d", w, i)); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wait.Wait()
	if err := h.add("the last"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(h.path)
	if err != nil || info.Size() > maxHistoryBytes {
		t.Errorf("the file has %d bytes, %v", info.Size(), err)
	}
	list := h.load()
	short := 0
	for _, s := range list {
		if len(s) < 10 {
			short++
		}
	}
	if len(list) < 100 || short != 81 || list[len(list)-1] != "the last" {
		t.Errorf("%d texts are left", len(list))
	}
	if rest, err := filepath.Glob(filepath.Join(filepath.Dir(h.path), "new-*")); err != nil || len(rest) > 0 {
		t.Errorf("left behind: %q, %v", rest, err)
	}
}
