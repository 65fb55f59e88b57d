package shell

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A real shell is the judge of what a key covers: for lines put together from
// hostile pieces, whatever "git status" covers runs git once, with status as
// its first argument, and nothing else.
func TestAShellRunsExactlyWhatAKeyCovers(t *testing.T) {
	ws := t.TempDir()
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	for _, name := range []string{"git", "rm", "touch", "ls", "cat", "sh", "env", "sudo", "tee", "status", "id", "GIT", "gi"} {
		stub := "#!/bin/sh\nprintf '%s\\n' \"${0##*/} $1\" >> \"" + log + "\"\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(stub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"a.txt", "-x", "status", "git", "b c"} {
		if err := os.WriteFile(filepath.Join(ws, f), []byte("#!/bin/sh\necho evil >> \""+log+"\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var shells []string
	for _, name := range []string{"bash", "dash", "sh"} {
		if p, err := exec.LookPath(name); err == nil {
			shells = append(shells, p)
		}
	}
	if len(shells) == 0 {
		t.Skip("no shell on this machine")
	}
	at := Place{Dir: ws, Workspace: ws, Home: t.TempDir()}
	rnd := rand.New(rand.NewPCG(1, 2))
	covered := 0
	for range 60_000 {
		line := oracleLine(rnd)
		if !Covers("git status", line, at) {
			continue
		}
		if covered++; covered > 150 {
			break
		}
		for _, sh := range shells {
			if err := os.RemoveAll(log); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(sh, "-c", line)
			cmd.Dir, cmd.Env = ws, []string{"PATH=" + bin, "HOME=" + at.Home}
			out, err := cmd.CombinedOutput()
			got, _ := os.ReadFile(log)
			if string(got) != "git status\n" {
				t.Errorf("%s runs %q for the covered line %q (%v, %s)", filepath.Base(sh), got, line, err, out)
			}
		}
	}
	if covered < 50 {
		t.Errorf("only %d lines were covered: the pieces do not test anything", covered)
	}
}

// oracleLine starts from a plain command more often than not and adds pieces.
func oracleLine(rnd *rand.Rand) string {
	heads := []string{"git status", "git status", "git  status", "\"git\" status", "g''it 'status'", "git \"status\"", "\\git status", "git\tstatus", "LANG=C git status", "NO_COLOR=1 git status", "git stat\"us\"", "git", "./git status", "status"}
	pieces := []string{
		" ", " --short", " -s", " -- a.txt", " a.txt", " 'x;y'", " \"a b\"", " '$(touch OUT)'", " \\;", " \\&\\&", " x=y", " {a}", " HEAD@{1}", " '*'", " a*", " *", " -*", " [a]*", " ?.txt", " #x", " '#'", " a#b", "#b", " !", " '!'", " ~", " a~", " =ls", " %1", " ^",
		";", " ;", "&", " && ", " || ", " | ", "\n", "\\\n", "\t", "$(id)", "`id`", " $HOME", " $X", " ${X:-$(id)}", " \"$(id)\"", " $'id'", " $'a\\'; id #'", " $\"id\"", " <(id)", " > f", " 2>&1", " <<E\nx\nE", " <<<x", " {a,b}", " {1..3}", "'", "\"", "\\", "(", ")", "{", "}",
		"touch OUT", "rm", "id", "sudo id", "git", "status", "sh -c id", " é", " \u00a0", "\x01", "\r", " 1", " -", " --", "[[ a ]]", "((1))", "=", " a=b", " A=1 id", " coproc id", "time ", "! ", "if ", " then", " do", " fi",
	}
	if rnd.IntN(8) == 0 {
		heads = pieces
	}
	line := heads[rnd.IntN(len(heads))]
	for range rnd.IntN(4) {
		line += pieces[rnd.IntN(len(pieces))]
	}
	return line
}
