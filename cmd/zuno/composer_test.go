//go:build unix

package main

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// typed types text as a person does, a key at a time, so that none of it is
// taken for a paste.
func (p *pane) typed(text string) {
	p.t.Helper()
	for _, c := range strings.Split(text, "") {
		p.keys("-l", c)
		time.Sleep(15 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
}

// zuno returns the process that runs in the pane.
func (p *pane) zuno() string {
	p.t.Helper()
	shell := strings.TrimSpace(p.tmux("display-message", "-p", "-t", "s", "#{pane_pid}"))
	out, err := exec.Command("pgrep", "-P", shell).Output()
	if err != nil {
		p.t.Fatalf("no process of %s: %v", shell, err)
	}
	return strings.Fields(string(out))[0]
}

func TestFilesAreMentionedOnTheScreen(t *testing.T) {
	server, url := serveLax(t, `{"steps":[{"expect":["attached_file","2: line two","see @src/alpha.go:2-2 please","not instructions"],"expect_not":["1: line one"],"text":"I see it."},
 {"expect":["what is on it"],"text":"A test picture."}]}`)
	dir, outside := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{filepath.Join(dir, "src/alpha.go"): "line one\nline two\nline three\n", filepath.Join(outside, "my shot.png"): onePixel} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := openPane(t, zunoEnv(t, url), dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.typed("see @alph")
	p.await("  src/alpha.go")
	p.keys("Tab")
	p.await("see @src/alpha.go")
	p.keys("BSpace")
	p.typed(":2-2 please")
	p.keys("Enter")
	p.await("sent along: @src/alpha.go:2-2", "I see it.")
	p.tmux("set-buffer", "'"+filepath.Join(outside, "my shot.png")+"'")
	p.tmux("paste-buffer", "-p", "-t", "s")
	p.await("[image #1 · my shot.png 1×1]")
	p.typed("what is on it")
	p.keys("Enter")
	p.await("A test picture.")
	if all := server.Requests(); len(all) != 2 || !strings.Contains(string(all[1].Body), `"media_type":"image/png"`) {
		t.Errorf("the picture is not in the last of %d requests", len(all))
	}
	p.leave()
}

func TestThePaletteTheSearchAndTheEditorOnTheScreen(t *testing.T) {
	url, dir := play(t, `{"steps":[{"text":"Hello."},{"expect":["greet me again, the lot"],"text":"Hello again."}]}`), t.TempDir()
	editor := filepath.Join(dir, "editor.sh")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nstty -a > \"$OUT\"\nenv >> \"$OUT\"\nread line\nprintf '%s' \", $line\" >> \"$2\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	env := append(zunoEnv(t, url), "EDITOR="+editor+" -w", "OUT="+out)
	p := openPane(t, env, dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.typed("/po")
	p.await("/policy NAME", "yolo only here")
	p.keys("Enter")
	p.typed("strict")
	p.await("› /policy strict")
	p.keys("Enter")
	p.await("strict ⇧⇥")
	p.typed("greet me")
	p.keys("Enter")
	p.await("Hello.")
	p.leave()
	p = openPane(t, env, dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.keys("C-r")
	p.typed("greet")
	p.await("search older prompts: greet", "› greet me")
	p.keys("Enter")
	p.typed(" again")
	editing := func() string {
		t.Helper()
		var found string
		p.until("the editor", func() bool {
			b, err := os.ReadFile(out)
			found = string(b)
			return err == nil && strings.Contains(found, "ZUNO=1")
		})
		return found
	}
	p.keys("C-x", "C-e")
	if found := editing(); !strings.Contains(found, " icanon") || !strings.Contains(found, " echo ") || strings.Contains(found, key) || !strings.Contains(found, "TERM=screen") {
		t.Errorf("the editor finds\n%s", found)
	}
	p.line("the lot")
	p.await("greet me again, the lot")
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	p.keys("C-g")
	editing()
	p.keys("C-c")
	p.await("the draft is as it was", "› greet me again, the lot")
	p.keys("Enter")
	p.await("Hello again.")
	p.leave()
}

func TestAWaitingMessageOutlivesAKill(t *testing.T) {
	_, url := serveLax(t, `{"steps":[{"text":"a very long answer","delay":"1h"},{"expect":["do it, and then this"],"text":"Done after all."}]}`)
	env, dir := zunoEnv(t, url), t.TempDir()
	p := openPane(t, env, dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.typed("go")
	p.keys("Enter")
	p.await("working")
	p.typed("do it, and then this")
	p.keys("Tab")
	p.await("queued 1: do it, and then this")
	db, err := sql.Open("sqlite", "file:"+recordOf(t, env)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	p.until("the stored message", func() bool {
		n := 0
		err := db.QueryRow("SELECT count(*) FROM queued").Scan(&n)
		return err == nil && n == 1
	})
	if out, err := exec.Command("kill", "-KILL", p.zuno()).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p.await("zuno left with 137")
	p = openPane(t, env, dir, "-c", "--model", "anthropic/claude-sonnet-5-5")
	p.await("queued 1: do it, and then this", "queue paused · Enter to resume")
	p.keys("Enter")
	p.await("Done after all.")
	n := -1
	if err := db.QueryRow("SELECT count(*) FROM queued").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d messages wait still (%v)", n, err)
	}
	p.leave()
}

func TestAMessageSteersTheTurnThatRuns(t *testing.T) {
	url := play(t, `{"steps":[{"calls":[{"id":"s","name":"shell","args":{"command":"while ! test -e go.on; do sleep 0.05; done"}}]},{"expect":["and use tabs"],"text":"With tabs."},{"expect":["then this"],"text":"And that."}]}`)
	dir := t.TempDir()
	p := openPane(t, zunoEnv(t, url), dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "yolo")
	p.await("yolo")
	p.typed("go")
	p.keys("Enter")
	p.await("running")
	p.typed("and use tabs")
	p.keys("Enter")
	p.await("» steer 1: and use tabs")
	p.typed("then this")
	p.keys("Tab")
	p.await("› queued 2: then this")
	p.typed("never this")
	p.keys("Tab")
	p.await("› queued 3: never this")
	p.keys("M-Up")
	p.await("› never this")
	p.keys("C-u")
	if err := os.WriteFile(filepath.Join(dir, "go.on"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := p.await("With tabs.", "And that.", "› then this")
	if strings.Contains(got, "queue paused") || strings.Count(got, "never this") > 0 {
		t.Errorf("the screen shows\n%s", got)
	}
	p.leave()
}

func TestKeysAreConfigured(t *testing.T) {
	for text, want := range map[string]string{
		`{"keys": {"editor": ["f2"]}}`:                  "",
		"{\n  \"keys\": {\"edtior\": [\"f2\"]}\n}":      `:2:22: keys.edtior: there is no command "edtior" (did you mean "editor"?)`,
		`{"keys": {"editor": ["ctrl+r"]}}`:              `keys.editor: Ctrl+R is a key of "search" as well`,
		`{"keys": {"editor": "f2"}}`:                    "keys.editor must be a list of strings, not a string",
		`{"keys": {"no such": ["f2"]}}`:                 "is not the name of a command",
		`{"ui": {"vim": true}, "keys": {"submit": []}}`: "the command needs a key",
	} {
		conf := filepath.Join(t.TempDir(), "c.json")
		if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("zuno", "config", "--config", conf)
		cmd.Dir = t.TempDir()
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "ZUNO_HOME=" + t.TempDir()}
		out, err := cmd.CombinedOutput()
		if (err != nil) != (want != "") || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", text, err, out)
		}
	}
}
