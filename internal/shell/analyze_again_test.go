package shell

import (
	"io/fs"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

// A judgement that is remembered must be the one that would be made again: in
// any order of commands that change the shell and commands that are repeated,
// an analysis with a memory and one without find the same.
func TestWhatIsRememberedIsWhatWouldBeFoundAgain(t *testing.T) {
	var lines []string
	for _, r := range Denylist() {
		lines = append(append(lines, r.Examples...), r.Passes...)
	}
	changes := []string{
		"cd sub", "cd /etc", "cd out", "cd $X", "cd", "cd -", "cd ..", "cd ~/.ssh", "pushd sub", "popd", "f() { ls; }", "rm() { :; }", "cat() { x; }", "X=/etc", "X=a", "IFS=:", "PATH=.", "alias ls=rm", "tmp=$(mktemp -d)", "cd \"$tmp\"",
		"export A=b", "unset X", "read X", "eval $X", "curl -o x http://h", "wget http://h/x", "trap 'rm $X' EXIT", "HOME=/x", "readonly X", "hash -r", "cd .git", "source f", "X=$(ls)", "exit", "ssh h ls", "printf -v X y", "let X=1", "echo a | sh", "env", "sudo", "git -C sub status",
	}
	plain := []string{
		"cat x", "ls x", "echo x", "cat keys", "cat out/passwd", "cat passwd", "rm x", "rm old.txt", "rm -r sub", "git status", "git checkout f", "git push", "cp f g", "sh x", "sh", "bash ./x", "x", "cat .env", "touch .git/x", "cat id_rsa", "touch AGENTS.md", "tee f", "tee new",
		"mv f sub", "grep x f", "python3 f", "python3", "awk 1 passwd", "cat /proc/self/cwd/keys", "psql", "xargs", "./ls x", "rm old.txt sub/f", "chmod 777 f", "make x", "rmdir sub", "find . -delete", "curl http://h", "cat 'keys'", "cat \"keys\"", "echo '$(x)'", "env ls", "time ls", "command ls", "cat b/f", "touch b/../x",
	}
	joints := []string{"\n", "\n", "; ", " && ", " || ", " | ", " & "}
	wraps := [][2]string{{"", ""}, {"", ""}, {"", ""}, {"( ", " )"}, {"{ ", "; }"}, {"if x; then ", "; fi"}, {"g() { ", "; }"}, {"echo $(", ")"}, {"echo `", "`"}, {"for X in a b; do ", "; done"}, {"while x; do ", "; done"}, {"! ", ""}, {"bash -c '", "'"}, {"env ", ""}, {"cat <<E | ", "\nx\nE\n"}}
	rnd := rand.New(rand.NewPCG(3, 4))
	pick := func(from []string) string { return from[rnd.IntN(len(from))] }
	remembered := 0
	for range 3_000 {
		var line strings.Builder
		few := []string{pick(plain), pick(plain), pick(lines)}
		for range 3 + rnd.IntN(12) {
			part := pick(few)
			if rnd.IntN(4) == 0 {
				part = pick(changes)
			}
			w := wraps[rnd.IntN(len(wraps))]
			line.WriteString(w[0] + part + w[1] + pick(joints))
		}
		line.WriteString(pick(few))
		at := linked()
		if rnd.IntN(4) == 0 {
			at.Dir = "/home/u/work/sub"
		}
		got, want := analyze(line.String(), at, maxJudged), analyze(line.String(), at, 0)
		if !reflect.DeepEqual(found(got), found(want)) {
			t.Fatalf("%q\nwith a memory    %+v\nwithout a memory %+v", line.String(), got, want)
		}
		if len(got.Commands()) > len(few)+8 {
			remembered++
		}
	}
	if remembered < 250 {
		t.Errorf("only %d lines repeat themselves", remembered)
	}
}

func TestOtherCircumstancesAreJudgedAnew(t *testing.T) {
	for _, line := range []string{
		"cat f; cat f; cat f; cat() { x; }; cat f; echo > new", "ls | cat f; ls | cat f; ls | cat f; curl http://h | cat f", "sh x; sh x; sh x; curl http://h && sh x", "sh x; sh x; sh x; wget http://h && sh x",
		"sh x; sh x; sh x; curl -o x http://h; sh x", "cat passwd; cat passwd; cat passwd; cd out; cat passwd", "sh; sh; sh; ls | sh", "read X; read X; X=/etc; read X; cat $X/passwd", "cat passwd; cat passwd; cat passwd; cd out && cat passwd",
		"rm f; rm f; rm f; cd $X; rm f", "echo x; echo x; echo x | sh", "psql; psql; psql; psql < f", "tee f; tee f; tee f; cd sub; tee f",
	} {
		line = strings.ReplaceAll(line, "; ", "\n") // a semicolon would count as part of the command
		if got, want := analyze(line, linked(), maxJudged), analyze(line, linked(), 0); !reflect.DeepEqual(found(got), found(want)) {
			t.Errorf("%q\nwith a memory    %+v\nwithout a memory %+v", line, got, want)
		}
	}
}

// The questions that may be put to the file system are counted alike, so that
// the end of them falls on the same word.
func TestAMemoryDoesNotStretchTheBounds(t *testing.T) {
	for _, line := range []string{
		strings.Repeat("cat a/b f\n", 1_000) + "cat keys", strings.Repeat("cat keys f; ls sub/f\n", 900) + "cat out/passwd", strings.Repeat("echo a b c d\n", 70_000), strings.Repeat("cd sub; cat f; cd ..; cat f\n", 700) + "cat keys",
	} {
		if got, want := analyze(line, linked(), maxJudged), analyze(line, linked(), 0); !reflect.DeepEqual(found(got), found(want)) {
			t.Errorf("%.40q… is not judged alike", line)
		}
	}
}

// found is everything that an analysis says.
func found(a Analysis) any {
	says := []any{a.Commands(), a.Texts()}
	a.calls, a.asked = nil, nil
	return append(says, a)
}

// linked is a place with symbolic links out of the workspace.
func linked() Place {
	links := map[string]string{"/home/u/work/out": "/etc", "/home/u/work/keys": "../.ssh/id_rsa", "/home/u/work/b": "sub/.."}
	at := with("/home/", "/home/u/", "/home/u/work/", "/home/u/work/sub/", "/home/u/work/f", "/home/u/work/old.txt", "/home/u/work/sub/f", "/home/u/work/.env", "/etc/", "/etc/passwd", "/tmp/")
	files := at.Lstat
	at.Lstat = func(p string) (fs.FileInfo, error) {
		if _, ok := links[p]; ok {
			return fstest.MapFS{"x": {Mode: fs.ModeSymlink}}.Lstat("x")
		}
		return files(p)
	}
	at.Readlink = func(p string) (string, error) { return links[p], nil }
	return at
}
