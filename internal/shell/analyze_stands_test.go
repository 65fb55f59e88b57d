package shell

import (
	"io/fs"
	"reflect"
	"testing"
	"testing/fstest"
)

func TestAnAnalysisStandsAsLongAsTheFilesAreTheSame(t *testing.T) {
	line := "cat keys > new; cd sub && rm f"
	gone, to := "", "../.ssh/id_rsa"
	at := linked()
	files := at.Lstat
	at.Lstat = func(p string) (fs.FileInfo, error) {
		if p == gone {
			return fstest.MapFS{}.Stat("gone")
		}
		return files(p)
	}
	at.Readlink = func(string) (string, error) { return to, nil }
	first := Analyze(line, at)
	at.Earlier = first.Lift("read.keys") // as a caller has it
	if got := Analyze(line, at); got.asked != first.asked || !reflect.DeepEqual(found(got), found(first)) {
		t.Errorf("analysed anew: %+v", got)
	}
	for name, change := range map[string]func(at *Place, line *string){
		"another line":       func(_ *Place, line *string) { *line += " " },
		"another directory":  func(at *Place, _ *string) { at.Dir = "/home/u/work/sub" },
		"another workspace":  func(at *Place, _ *string) { at.Workspace = "/home/u" },
		"another home":       func(at *Place, _ *string) { at.Home = "/home/v" },
		"another temp":       func(at *Place, _ *string) { at.Temp = "/t" },
		"another own folder": func(at *Place, _ *string) { at.Own = []string{"/o"} },
		"a file is gone":     func(*Place, *string) { gone = "/home/u/work/sub/f" },
		"a link leads away":  func(*Place, *string) { to = "/etc/shadow" },
	} {
		at, line := at, line
		gone, to = "", "../.ssh/id_rsa"
		change(&at, &line)
		fresh := at
		fresh.Earlier = Analysis{}
		if got, want := Analyze(line, at), Analyze(line, fresh); got.asked == first.asked || !reflect.DeepEqual(found(got), found(want)) {
			t.Errorf("%s: not analysed anew", name)
		}
	}
}

// A dull name is one of which the long way finds nothing.
func TestOfADullNameNothingIsToBeFound(t *testing.T) {
	programs := []string{"ls", "cat", "touch", "rm", "tar cf", "cp x", "git add", "make", "tee", "grep x", "unknown", "psql", "awk 1"}
	words := []string{
		"a", "a/b", "a/b.c", "a.md", "agents.md", "AGENTS.md", "x.JSON", "zuno.json", "config.fish", "a/.git", ".env", "a/.env", "a//b", "a/", "../a", "a/..", "~", "~/x", "/etc/passwd", "etc/passwd", "passwd", "shadow", "u", "u/work", "home", "home/u",
		"root/etc/passwd", "self/environ", "1/environ", "environ", "own", "own/x", "id_rsa", ".ssh", "a:b", "a=b", "a=/etc/passwd", "@a", "a*", "-x", "-I/etc", "é", "a b", "$X", "credentials.json", "a/b/c-d_e.go",
	}
	dirs := []string{"/home/u/work", "/home/u/work/sub", "/", "/etc", "/home", "/proc", "/proc/1", "/home/u", "/home/u/.ssh", "/home/u/.config/zuno", "/private/etc", "/home/u/work/own", "/tmp", "/ETC"}
	dulls := 0
	for _, dir := range dirs {
		for _, workspace := range []string{"/home/u/work", "/", dir} {
			for _, program := range programs {
				for _, w := range words {
					at := linked()
					at.Dir, at.Workspace, at.Own = dir, workspace, []string{"/home/u/work/own"}
					at = at.complete()
					line := program + " '" + w + "' " + w
					judge := func(long bool) *scan {
						s := newScan(at, 0, "")
						s.stats = maxStats + 1
						if long {
							s.dulls[dir] = false
						}
						list, err := s.line(line)
						if err != nil {
							t.Fatal(err)
						}
						s.finish(line, list)
						return s
					}
					quick, long := judge(false), judge(true)
					quick.out.Uses, long.out.Uses = nil, nil // which are unknown where nothing is looked at
					if !reflect.DeepEqual(found(*quick.out), found(*long.out)) {
						t.Fatalf("%q in %s of %s\nquick %+v\nlong  %+v", line, dir, workspace, *quick.out, *long.out)
					}
					if quick.dulls[dir] {
						dulls++
					}
				}
			}
		}
	}
	if dulls < 500 {
		t.Errorf("only %d lines were judged in a dull place", dulls)
	}
}
