//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
	"github.com/zuno-dev/zuno/internal/llm/scripted/serve"
)

// C023 and C021 on the screen: what is typed while a command runs is the
// person's, and what comes after a command's end is nobody's.
func TestACommandTakesNoKeysAndLeavesNoLines(t *testing.T) {
	url := play(t, `{"steps":[
		{"calls":[{"name":"shell","args":{"command":"touch began; until test -e go; do sleep 0.05; done; cat; read x; echo \"got:$x code $?\""}}]},
		{"expect":["got: code 1"],"calls":[{"name":"shell","args":{"command":"(until test -e late; do sleep 0.05; done; echo la$((1))te; echo la$((1))te >&2; touch wrote) & echo done"}}]},
		{"expect":["done","still running"],"text":"Both ended."}]}`)
	dir := t.TempDir()
	p := openPane(t, zunoEnv(t, url), dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "high-risk")
	p.await("high-risk")
	for _, line := range []string{"cat", `read x; echo "got:$x code $?"`, "head -n 1 /dev/tty"} {
		p.typed("! ")
		p.keys("-l", line)
		p.await(line)
		p.keys("Enter")
		p.await(line + "  ok · exit")
	}
	p.await("got: code 1")
	p.typed("go")
	p.keys("Enter")
	await(t, "the command", func() bool { return exists(filepath.Join(dir, "began")) })
	p.typed("abc")
	p.await("› abc")
	touch(t, filepath.Join(dir, "go"))
	p.await("Both ended.", "› abc")
	touch(t, filepath.Join(dir, "late"))
	await(t, "the late output", func() bool { return exists(filepath.Join(dir, "wrote")) })
	p.typed("def")
	if got := p.await("› abcdef"); strings.Contains(got, "la1te") {
		t.Errorf("what came late is on the screen:\n%s", got)
	}
	p.keys("C-u")
	p.leave()
}

func touch(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// C028 on the screen: a flood without an end keeps nobody from typing, nor from
// ending it.
func TestAFloodKeepsNobodyFromTyping(t *testing.T) {
	p := openPane(t, zunoEnv(t, play(t, `{"steps":[]}`)), t.TempDir(), "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.typed("! yes flooding")
	p.keys("Enter")
	p.await("running")
	p.typed("abc")
	p.await("› abc")
	p.keys("Escape")
	p.await("again")
	p.keys("Escape")
	p.await("cancelled", "› abc")
	p.keys("C-u")
	p.leave()
}

// C027: a process that ignores what it is told is gone however zuno is ended,
// also when a person presses on during the grace, and the terminal is as it was.
func TestAStubbornProcessDiesHoweverZunoIsEnded(t *testing.T) {
	if _, err := exec.LookPath("pgrep"); err != nil {
		t.Skip("no pgrep")
	}
	for name, end := range map[string]func(t *testing.T, p *pane){
		"esc esc, and again": func(_ *testing.T, p *pane) {
			p.keys("Escape")
			p.await("again")
			p.keys("Escape")
			p.await("stopping")
			p.keys("Escape", "Escape")
			p.await("interrupted")
			p.typed("go on")
			p.keys("Enter")
			p.await("I went on.")
			p.leave()
		},
		"a signal, and again": func(t *testing.T, p *pane) {
			pid := p.zuno()
			for range 2 {
				_ = exec.Command("kill", "-TERM", pid).Run() // it may be gone by now
			}
			p.await("zuno left with 143")
			tty := strings.TrimSpace(p.tmux("display-message", "-p", "-t", "s", "#{pane_tty}"))
			f, err := os.Open(tty)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			stty := exec.Command("stty", "-a")
			stty.Stdin = f
			if out, err := stty.CombinedOutput(); err != nil || !strings.Contains(string(out), " icanon") || !strings.Contains(string(out), " echo ") {
				t.Errorf("the terminal is left raw: %v\n%s", err, out)
			}
		},
		"the terminal closes": func(_ *testing.T, p *pane) { p.tmux("respawn-pane", "-k", "-t", "s", "cat") },
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			line, mark := sleeping()
			args, err := json.Marshal(map[string]string{"command": strings.ReplaceAll(`(trap "" TERM HUP INT; touch began; SLEEP; SLEEP) & trap "exit 0" TERM; wait`, "SLEEP", line)})
			if err != nil {
				t.Fatal(err)
			}
			sc, err := scripted.Parse(fmt.Appendf(nil, `{"steps":[{"calls":[{"name":"shell","args":%s}]},{"text":"I went on."}]}`, args))
			if err != nil {
				t.Fatal(err)
			}
			url, stop := serve.Start(serve.New(sc))
			t.Cleanup(stop)
			dir := t.TempDir()
			p := openPane(t, zunoEnv(t, url), dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "yolo")
			p.await("yolo")
			p.typed("go")
			p.keys("Enter")
			await(t, "the process", func() bool { return exists(filepath.Join(dir, "began")) && processes(mark) > 0 })
			end(t, p)
			await(t, "its end", func() bool { return processes(mark) == 0 }) // by itself it would live for minutes
		})
	}
}

// C046: the card says that a wrapper is remembered word for word, and what it
// shows is what is stored.
func TestTheCardShowsTheRuleThatIsStored(t *testing.T) {
	url := play(t, `{"steps":[
		{"calls":[{"name":"shell","args":{"command":"timeout 5 touch made"}}]},
		{"calls":[{"name":"shell","args":{"command":"timeout 5 touch made"}}]},
		{"calls":[{"name":"shell","args":{"command":"timeout 5 touch OUT"}}]},
		{"text":"I tried."}]}`)
	env, dir := zunoEnv(t, url), t.TempDir()
	p := openPane(t, env, dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "read-only")
	p.await("read-only")
	p.typed("go")
	p.keys("Enter")
	p.await("approve · shell", "Always allow exactly `timeout 5 touch made`")
	p.answer("a", "Run once")
	p.await("= timeout 5 touch made")
	p.submit("$ timeout 5 touch OUT")
	p.answer("n", "Run once")
	p.keys("Enter")
	p.await("I tried.")
	p.leave()
	list := exec.Command("zuno", "rules", "list")
	list.Dir, list.Env = dir, env
	if out, err := list.CombinedOutput(); err != nil || !strings.Contains(string(out), "= timeout 5 touch made") || strings.Contains(string(out), "OUT") {
		t.Errorf("%v:\n%s", err, out)
	}
	if exists(filepath.Join(dir, "OUT")) {
		t.Error("what was denied ran")
	}
}

// C053 on the screen: a folder and a file whose names are commands are mentioned,
// sent along, and handed to an editor as names.
func TestNamesThatAreCommandsAreMentionedAndEdited(t *testing.T) {
	sc, err := scripted.Parse([]byte(`{"steps":[{"expect":["attached_file","what is in it","see it now"],"text":"I see it."}]}`))
	if err != nil {
		t.Fatal(err)
	}
	url, stop := serve.Start(serve.New(sc))
	t.Cleanup(stop)
	top := t.TempDir()
	dir, temp := filepath.Join(top, "a$(touch OUT)b"), filepath.Join(top, "t;touch OUT;$(touch OUT)")
	for _, d := range []string{dir, temp} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "$(touch OUT).md"), []byte("what is in it\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(zunoEnv(t, url), "EDITOR=sed -i s/please/now/", "TMPDIR="+temp)
	p := openPane(t, env, dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.typed("@touch")
	p.await("$(touch OUT).md")
	p.keys("Tab")
	p.typed(" see it please")
	p.await("see it please")
	p.keys("C-g")
	p.await("see it now")
	p.insist("Enter", "I see it.")
	p.leave()
	home := ""
	for _, e := range env {
		if h, is := strings.CutPrefix(e, "HOME="); is {
			home = h
		}
	}
	for _, d := range []string{dir, temp, top, home} {
		if exists(filepath.Join(d, "OUT")) {
			t.Errorf("a name ran: %s/OUT", d)
		}
	}
}
