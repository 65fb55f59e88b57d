//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/headless"
)

// A fileCall is one call of a tool for files, and what must come of it.
type fileCall struct {
	tool  string
	args  any
	want  string // its outcome, with the kind of a block behind a colon
	says  string // what the model must read of it
	files string // what changed: kind, path and lines
}

type with map[string]any

func envelope(sections ...string) with {
	return with{"patchText": "*** Begin Patch\n" + strings.Join(sections, "\n") + "\n*** End Patch\n"}
}

// script is a model that makes the calls one after the other.
func scriptOf(t *testing.T, calls []fileCall) []byte {
	t.Helper()
	var steps []any
	says := ""
	step := func(more map[string]any) {
		if says != "" {
			more["expect"] = []string{says}
		}
		steps = append(steps, more)
	}
	for i, c := range calls {
		step(map[string]any{"calls": []any{map[string]any{"id": fmt.Sprintf("c%d", i), "name": c.tool, "args": c.args}}})
		says = c.says
	}
	step(map[string]any{"text": "That was all."})
	script, err := json.Marshal(map[string]any{"steps": steps})
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// change lets the program make the calls, with every tool on and no question
// asked, and checks what came of each.
func (w *world) change(calls []fileCall) *exec.Cmd {
	w.t.Helper()
	w.point(w.play(scriptOf(w.t, calls)))
	conf := filepath.Join(w.root, "tools.json")
	if err := os.WriteFile(conf, []byte(`{"tools": {"edit": true, "mkdir": true, "rm": true, "mv": true, "cp": true}}`), 0o600); err != nil {
		w.t.Fatal(err)
	}
	cmd := exec.Command("zuno", "run", "--config", conf, "--model", "anthropic/claude-haiku-4-5", "--output-format", "json", "--on-block", "report", "--approval-policy", "high-risk", "change them")
	cmd.Dir, cmd.Env = w.dir, w.env
	var errs strings.Builder
	cmd.Stderr = &errs
	stdout, err := cmd.Output()
	var r headless.Result
	if e := json.Unmarshal(stdout, &r); e != nil || err != nil || len(r.Tools) != len(calls) {
		w.t.Fatalf("%v, %v: %d results for %d calls\n%s\n%s", err, e, len(r.Tools), len(calls), stdout, errs.String())
	}
	for i, got := range r.Tools {
		outcome := got.Outcome
		if got.BlockKind != "" {
			outcome += ":" + got.BlockKind
		}
		var files []string
		for _, c := range got.Changes {
			files = append(files, fmt.Sprintf("%s %s +%d -%d", c.Kind, c.Path, c.Added, c.Removed))
		}
		if c := calls[i]; outcome != c.want || c.files != "" && strings.Join(files, ", ") != c.files {
			w.t.Errorf("%s %v: %s %s, %q; want %s, %q", c.tool, c.args, outcome, got.Reason, files, c.want, c.files)
		}
	}
	return cmd
}

func (w *world) holds(name, want string) {
	w.t.Helper()
	got, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil || string(got) != want {
		w.t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
	}
}

// tidy checks that no staged file was left behind.
func (w *world) tidy() {
	w.t.Helper()
	err := filepath.WalkDir(w.dir, func(path string, _ os.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".zuno-") {
			w.t.Errorf("%s was left behind", path)
		}
		return err
	})
	if err != nil {
		w.t.Error(err)
	}
}

func TestCasesOfChangedFiles(t *testing.T) {
	const dollars = "sh -c \"echo $$ $1 ${HOME} $& \\1 %s %d $`\""
	numbered := ""
	for i := 1; i <= 30; i++ {
		numbered += fmt.Sprintf("line %02d\n", i)
	}
	read := func(name string) fileCall { return fileCall{tool: "read", args: with{"filePath": name}, want: "ok"} }
	edit := func(name, old, next string) with {
		return with{"filePath": name, "oldString": old, "newString": next}
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		calls []fileCall
		want  map[string]string // "" stands for a file that must not be there
	}{
		{
			"C001 LF arguments on a CRLF file",
			map[string]string{"f.txt": "a\r\nb\r\nc\r\n", "g.txt": "a\r\nb\r\nc\r\n"},
			[]fileCall{
				read("f.txt"),
				{"edit", edit("f.txt", "b", "B\nB2"), "ok", "", "M f.txt +2 -1"},
				{"apply_patch", envelope("*** Update File: g.txt", "@@", " a", "-b", "+B", "+B2", " c"), "ok", "", "M g.txt +2 -1"},
			},
			map[string]string{"f.txt": "a\r\nB\r\nB2\r\nc\r\n", "g.txt": "a\r\nB\r\nB2\r\nc\r\n"},
		},
		{
			"C001 LF arguments on a file with CR or with both",
			map[string]string{"f.txt": "a\rb\rc\r", "g.txt": "a\rb\rc\r", "h.txt": "a\rb\rc\r", "m.txt": "a\r\nb\nc\r\n", "n.txt": "a\r\nb\nc\r\n"},
			[]fileCall{
				read("f.txt"), read("h.txt"), read("m.txt"),
				{"edit", edit("f.txt", "b", "B\nB2"), "ok", "", "M f.txt +2 -1"},
				{"apply_patch", envelope("*** Update File: g.txt", "@@", " a", "-b", "+B", "+B2", " c"), "ok", "", "M g.txt +2 -1"},
				{"write", with{"filePath": "h.txt", "content": "a\nB\nB2\nc\n"}, "ok", "", "M h.txt +2 -1"},
				{"edit", edit("m.txt", "b", "B\nB2"), "ok", "", "M m.txt +2 -1"},
				{"apply_patch", envelope("*** Update File: n.txt", "@@", " a", "-b", "+B", "+B2", " c"), "ok", "", "M n.txt +2 -1"},
			},
			map[string]string{"f.txt": "a\rB\rB2\rc\r", "g.txt": "a\rB\rB2\rc\r", "h.txt": "a\rB\rB2\rc\r", "m.txt": "a\r\nB\nB2\nc\r\n", "n.txt": "a\r\nB\nB2\nc\r\n"},
		},
		{
			"C003 byte order mark",
			map[string]string{"c.ini": "\ufeffport = 1\nhost = x\n"},
			[]fileCall{
				{"apply_patch", envelope("*** Update File: c.ini", "@@", "-port = 1", "+port = 2"), "ok", "", "M c.ini +1 -1"},
				{"read", with{"filePath": "c.ini"}, "ok", "1: port = 2", ""},
				{"write", with{"filePath": "c.ini", "content": "port = 2\nhost = y\n"}, "ok", "", "M c.ini +1 -1"},
				{"grep", with{"pattern": "^port", "include": "c.ini"}, "ok", "port = 2", ""},
			},
			map[string]string{"c.ini": "\ufeffport = 2\nhost = y\n"},
		},
		{
			"C004 no newline at the end",
			map[string]string{"n.txt": "l1\nl2\nl3", "m.txt": "l1\nl2\nl3"},
			[]fileCall{
				{"apply_patch", envelope("*** Update File: n.txt", "@@", "-l1", "+L1"), "ok", "", "M n.txt +1 -1"},
				{"apply_patch", envelope("*** Update File: m.txt", "@@", " l3", "+l4"), "ok", "", ""},
			},
			map[string]string{"n.txt": "L1\nl2\nl3", "m.txt": "l1\nl2\nl3\nl4"},
		},
		{
			"C005 a blank line at the end",
			map[string]string{"b.txt": "alpha\nbeta\n\n"},
			[]fileCall{
				{"apply_patch", envelope("*** Update File: b.txt", "@@", "-alpha", "+A1"), "ok", "", "M b.txt +1 -1"},
				{"apply_patch", envelope("*** Update File: b.txt", "@@", "-A1", "+A2"), "ok", "", "M b.txt +1 -1"},
				{"apply_patch", envelope("*** Update File: b.txt", "@@", "-A2", "+A3"), "ok", "", "M b.txt +1 -1"},
			},
			map[string]string{"b.txt": "A3\nbeta\n\n"},
		},
		{
			"C006 template metacharacters",
			map[string]string{"one.sh": "run(old)\n", "three.sh": "run(old)\nrun(old)\nrun(old)\n"},
			[]fileCall{
				read("one.sh"), read("three.sh"),
				{"edit", edit("one.sh", "run(old)", dollars), "ok", "", "M one.sh +1 -1"},
				{"edit", with{"filePath": "three.sh", "oldString": "run(old)", "newString": dollars, "replaceAll": true}, "ok", "3 places", "M three.sh +3 -3"},
			},
			map[string]string{"one.sh": dollars + "\n", "three.sh": strings.Repeat(dollars+"\n", 3)},
		},
		{
			"C009 context that is nowhere",
			map[string]string{"f.txt": numbered},
			[]fileCall{
				{"apply_patch", envelope("*** Update File: f.txt", "@@", " line 07", "-line 08 (never existed)", "+LINE 8"), "blocked:invalid_arguments", "8: line 08", ""},
				read("f.txt"),
				{"edit", edit("f.txt", "lime 21", "x"), "blocked:invalid_arguments", "21: line 21", ""},
			},
			map[string]string{"f.txt": numbered},
		},
		{
			"C010 adding over a file",
			map[string]string{"notes.md": "keep me\n", "other.md": "old\n"},
			[]fileCall{
				{"apply_patch", envelope("*** Add File: notes.md", "+new"), "blocked:invalid_arguments", "notes.md exists", ""},
				{"apply_patch", envelope("*** Delete File: other.md", "*** Add File: other.md", "+new"), "ok", "replaced as a whole", "M other.md +1 -1"},
			},
			map[string]string{"notes.md": "keep me\n", "other.md": "new\n"},
		},
		{
			"C012 one bad section",
			map[string]string{"a.txt": "a\n", "d.txt": "d\n"},
			[]fileCall{{"apply_patch", envelope("*** Update File: a.txt", "@@", "-a", "+b", "*** Update File: missing.txt", "@@", "-x", "+y", "*** Add File: c.txt", "+c", "*** Delete File: d.txt"), "blocked:invalid_arguments", "missing.txt does not exist", ""}},
			map[string]string{"a.txt": "a\n", "c.txt": "", "d.txt": "d\n"},
		},
		{
			"C012 moves that cannot be, and a file twice",
			map[string]string{"a.txt": "1\n2\n", "b.txt": "b\n", "c.txt": "c\n"},
			[]fileCall{
				{"apply_patch", envelope("*** Update File: a.txt", "*** Move to: ./x/../a.txt", "@@", "-1", "+one"), "blocked:invalid_arguments", "a.txt is its own destination", ""},
				{"apply_patch", envelope("*** Update File: a.txt", "*** Move to: b.txt", "@@", "-1", "+one"), "blocked:invalid_arguments", "b.txt exists", ""},
				{"apply_patch", envelope("*** Update File: a.txt", "@@", "-1", "+one", "*** Update File: ./a.txt", "@@", "-2", "+two"), "blocked:invalid_arguments", "a.txt: it is in the patch twice", ""},
				{"apply_patch", envelope("*** Update File: c.txt", "*** Move to: C.txt", "@@", "-c", "+C"), "ok", "", "R C.txt +1 -1"},
			},
			map[string]string{"a.txt": "1\n2\n", "b.txt": "b\n", "c.txt": "", "C.txt": "C\n"},
		},
		{
			"C015 a stale read",
			map[string]string{"f": "one\n", "g": "one\n", "h": "one\n", "k": "one\n"},
			[]fileCall{
				read("f"), read("g"), read("h"),
				{"shell", with{"command": "echo more >> f; touch g"}, "ok", "", ""},
				{"write", with{"filePath": "f", "content": "x\n"}, "blocked:stale", "f changed since it was read", ""},
				{"edit", edit("g", "one", "two"), "ok", "", ""},
				{"edit", edit("h", "one", "two"), "ok", "", ""},
				{"edit", edit("h", "two", "three"), "ok", "", ""},
				{"write", with{"filePath": "k", "content": "x\n"}, "blocked:stale", "has not been read", ""},
			},
			map[string]string{"f": "one\nmore\n", "g": "two\n", "h": "three\n", "k": "one\n"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.files)
			w.change(c.calls)
			for name, want := range c.want {
				if want != "" {
					w.holds(name, want)
				} else if _, err := os.Lstat(filepath.Join(w.dir, name)); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("%s is there (%v)", name, err)
				}
			}
			w.tidy()
		})
	}
}

func TestC016ModesAndUmask(t *testing.T) {
	w := newWorld(t, map[string]string{"run.sh": "#!/bin/sh\necho 1\n"})
	run := filepath.Join(w.dir, "run.sh")
	if err := os.Chmod(run, 0o750); err != nil {
		t.Fatal(err)
	}
	old := syscall.Umask(0o002)
	defer syscall.Umask(old)
	w.change([]fileCall{
		{"read", with{"filePath": "run.sh"}, "ok", "", ""},
		{"edit", with{"filePath": "run.sh", "oldString": "echo 1", "newString": "echo 2"}, "ok", "", ""},
		{"shell", with{"command": "stat -c 'edit %a' run.sh && ./run.sh"}, "ok", "edit 750", ""},
		{"apply_patch", envelope("*** Update File: run.sh", "@@", "-echo 2", "+echo 3"), "ok", "", ""},
		{"shell", with{"command": "stat -c 'patch %a' run.sh"}, "ok", "patch 750", ""},
		{"write", with{"filePath": "run.sh", "content": "#!/bin/sh\necho 4\n"}, "ok", "", ""},
		{"write", with{"filePath": "new.txt", "content": "x\n"}, "ok", "", ""},
	})
	for name, want := range map[string]os.FileMode{"run.sh": 0o750, "new.txt": 0o664} {
		if st, err := os.Stat(filepath.Join(w.dir, name)); err != nil || st.Mode() != want {
			t.Errorf("%s has %v, %v; want %v", name, st.Mode(), err, want)
		}
	}
	if out, err := exec.Command(run).Output(); err != nil || string(out) != "4\n" {
		t.Errorf("it prints %q, %v", out, err)
	}
}

func TestC017C018LinksStayLinks(t *testing.T) {
	w := newWorld(t, map[string]string{"cfg/real.ini": "v=1\n", "in/x": "a\n"})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Symlink("cfg/real.ini", filepath.Join(w.dir, "app.ini")))
	must(os.Symlink("cfg", filepath.Join(w.dir, "conf")))
	must(os.Link(filepath.Join(w.dir, "in/x"), filepath.Join(w.root, "outside_x")))
	w.change([]fileCall{
		{"read", with{"filePath": "app.ini"}, "ok", "", ""},
		{"edit", with{"filePath": "app.ini", "oldString": "v=1", "newString": "v=2"}, "ok", "leads through a symbolic link to cfg/real.ini", "M app.ini +1 -1"},
		{"apply_patch", envelope("*** Update File: conf/real.ini", "@@", "-v=2", "+v=3"), "ok", "", ""},
		{"rm", with{"path": "conf"}, "ok", "what it leads to stays", ""},
		{"read", with{"filePath": "in/x"}, "ok", "", ""},
		{"edit", with{"filePath": "in/x", "oldString": "a", "newString": "b"}, "blocked:invalid_arguments", "2 names (hard links)", ""},
	})
	w.holds("cfg/real.ini", "v=3\n")
	if to, err := os.Readlink(filepath.Join(w.dir, "app.ini")); err != nil || to != "cfg/real.ini" {
		t.Errorf("app.ini leads to %q, %v", to, err)
	}
	one, err1 := os.Stat(filepath.Join(w.dir, "in/x"))
	two, err2 := os.Stat(filepath.Join(w.root, "outside_x"))
	if err1 != nil || err2 != nil || !os.SameFile(one, two) {
		t.Error("the two names were split")
	}
	w.holds("in/x", "a\n")
}

func TestC020WhatIsNoFileAndWhatIsHuge(t *testing.T) {
	w := newWorld(t, map[string]string{"min.js": strings.Repeat("var a=1;", 30<<17)})
	at := func(name string) string { return filepath.Join(w.dir, name) }
	big, err := os.Create(at("big"))
	if err == nil {
		_, err = big.WriteString("first\n")
		err = errors.Join(err, big.Truncate(3<<30), big.Close(), syscall.Mkfifo(at("p"), 0o600), os.Symlink("/dev/zero", at("z")))
	}
	if err != nil {
		t.Fatal(err)
	}
	rss := func(calls []fileCall) int64 {
		began := time.Now()
		usage := w.change(calls).ProcessState.SysUsage().(*syscall.Rusage)
		if took := time.Since(began); took > 2*time.Duration(len(calls)+5)*time.Second {
			t.Errorf("it took %v", took)
		}
		return usage.Maxrss
	}
	plain := rss([]fileCall{{"read", with{"filePath": "README"}, "ok", "", ""}})
	most := rss([]fileCall{
		{"read", with{"filePath": "p"}, "error", "named pipe", ""},
		{"read", with{"filePath": "z", "limit": 1}, "blocked:denied", "", ""}, // outside, and nobody to ask
		{"read", with{"filePath": "big", "limit": 1}, "error", "binary", ""},
		{"read", with{"filePath": "min.js"}, "ok", "line cut", ""},
		{"edit", with{"filePath": "p", "oldString": "a", "newString": "b"}, "blocked:invalid_arguments", "named pipe", ""},
		{"write", with{"filePath": "big", "content": "x"}, "blocked:invalid_arguments", "too big", ""},
		{"rm", with{"path": "big"}, "blocked:invalid_arguments", "use a command", ""},
		{"cp", with{"source": "p", "destination": "q"}, "blocked:invalid_arguments", "named pipe", ""},
		{"grep", with{"pattern": "^A repository", "path": "."}, "ok", "README", ""},
	})
	if grew := (most - plain) >> 10; grew > 64 {
		t.Errorf("it took %d MiB more", grew)
	}
}

// openCards starts the program on a screen with a model that makes the calls.
func (w *world) openCards(calls []fileCall) *pane {
	w.t.Helper()
	w.point(w.play(scriptOf(w.t, calls)))
	p := openPane(w.t, w.env, w.dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.line("change them")
	return p
}

func TestC013AFailureHalfWayIsTakenBack(t *testing.T) {
	w := newWorld(t, map[string]string{"one/a.txt": "old\n", "two/b.txt": "old\n"})
	if err := exec.Command("chattr", "+i", filepath.Join(w.dir, "one", "a.txt")).Run(); err != nil {
		t.Skipf("nothing here stops a rename half way: %v", err)
	}
	t.Cleanup(func() { _ = exec.Command("chattr", "-i", "-R", w.dir).Run() })
	if err := exec.Command("chattr", "-i", filepath.Join(w.dir, "one", "a.txt")).Run(); err != nil {
		t.Fatal(err)
	}
	p := w.openCards([]fileCall{{tool: "apply_patch", args: envelope("*** Update File: one/a.txt", "@@", "-old", "+new", "*** Update File: two/b.txt", "@@", "-old", "+new"), says: "nothing remains changed"}})
	p.await("approve · apply_patch", "Run once")
	if err := exec.Command("chattr", "+i", filepath.Join(w.dir, "two", "b.txt")).Run(); err != nil {
		t.Fatal(err)
	}
	p.answer("y", "Run once")
	p.await("two/b.txt cannot be changed", "That was all.")
	w.holds("one/a.txt", "old\n")
	w.holds("two/b.txt", "old\n")
	w.tidy()
	p.leave()
}

func TestC014TheFileChangesWhileTheCardIsOpen(t *testing.T) {
	for name, meanwhile := range map[string]func(f string) error{
		"somebody appends":         func(f string) error { return os.WriteFile(f, []byte("one\nuser-line\n"), 0o644) },
		"somebody truncates it":    func(f string) error { return os.Truncate(f, 0) },
		"somebody removes it":      os.Remove,
		"a folder takes its place": func(f string) error { return errors.Join(os.Remove(f), os.Mkdir(f, 0o755)) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"f.txt": "one\n"})
			p := w.openCards([]fileCall{{tool: "apply_patch", args: envelope("*** Update File: f.txt", "@@", "-one", "+1"), says: "Nothing was changed"}})
			p.await("approve · apply_patch", "Run once")
			if err := meanwhile(filepath.Join(w.dir, "f.txt")); err != nil {
				t.Fatal(err)
			}
			before := w.snapshot()
			p.answer("y", "Run once")
			p.await("blocked · stale", "That was all.")
			p.leave()
			for path, sum := range w.snapshot() {
				if before[path] != sum {
					t.Errorf("%s was changed", path)
				}
			}
		})
	}
}
