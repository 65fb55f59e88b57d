package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

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
