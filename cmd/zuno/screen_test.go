//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A pane is zuno in a real terminal: a tmux of its own.
type pane struct {
	t      *testing.T
	socket string
}

// openPane starts a command in a new terminal of 80 by 30 cells, with exactly
// env as its environment.
func openPane(t *testing.T, env []string, dir string, args ...string) *pane {
	t.Helper()
	return openPaneOf(t, 30, env, dir, args...)
}

// openPaneOf is openPane with a number of rows.
func openPaneOf(t *testing.T, rows int, env []string, dir string, args ...string) *pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux: the journeys through a real terminal are skipped")
	}
	p := &pane{t, fmt.Sprintf("zuno-%d-%d", os.Getpid(), time.Now().UnixNano())}
	zuno, err := exec.LookPath("zuno")
	if err != nil {
		t.Fatal(err)
	}
	words := append([]string{"env", "-i", "TERM=screen-256color", "LANG=C.UTF-8"}, env...)
	words = append(append(words, zuno), args...)
	line := ""
	for _, w := range words {
		line += "'" + strings.ReplaceAll(w, "'", `'\''`) + "' "
	}
	p.tmux("new-session", "-d", "-x", "80", "-y", fmt.Sprint(rows), "-s", "s", "-c", dir, line+"; echo zuno left with $?; exec cat")
	t.Cleanup(func() { p.tmux("kill-server") })
	return p
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-L", p.socket, "-f", os.DevNull}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// text is everything on the screen and in the scrollback.
func (p *pane) text() string { return p.tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "s") }

// await waits until every one of wants is there.
func (p *pane) await(wants ...string) string {
	p.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		got, missing := p.text(), ""
		for _, w := range wants {
			if !strings.Contains(got, w) {
				missing = w
			}
		}
		if missing == "" {
			return got
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%q did not come; the screen shows:\n%s", missing, got)
		}
	}
}

// until waits until a condition holds that the screen does not show.
func (p *pane) until(what string, holds func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatalf("%s: it did not come; the screen shows:\n%s", what, p.text())
		}
	}
}

// keys presses keys, no faster after others than a person does: faster ones are
// taken for a paste that the terminal did not mark.
func (p *pane) keys(keys ...string) {
	p.t.Helper()
	time.Sleep(20 * time.Millisecond)
	p.tmux(append([]string{"send-keys", "-t", "s"}, keys...)...)
}

// line types a line and sends it.
func (p *pane) line(text string) {
	p.t.Helper()
	p.keys("-l", text)
	p.keys("Enter")
}

// answer gives a card its key, once the guard against early keys is over. A
// key that the card did not take yet is harmless: it is given again.
func (p *pane) answer(key, gone string) {
	p.t.Helper()
	shown := func(what string) bool { return strings.Contains(p.tmux("capture-pane", "-p", "-t", "s"), what) }
	deadline := time.Now().Add(60 * time.Second)
	for time.Now().Before(deadline) {
		// A second key would be typed into whatever comes after the card.
		for shown("keys typed before this appeared") && time.Now().Before(deadline) {
			time.Sleep(20 * time.Millisecond)
		}
		p.keys(key)
		for range 250 {
			if !shown(gone) {
				return
			}
			if shown("too early") {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	p.t.Fatalf("the card stays:\n%s", p.text())
}

func TestARealModuleIsRepairedOnTheScreen(t *testing.T) {
	url, dir := play(t, repairScript), brokenModule(t)
	p := openPane(t, zunoEnv(t, url), dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.keys("-l", repairPrompt)
	p.await(repairPrompt)
	p.keys("Enter")
	p.await("approve · shell", "go test -vet=off", "Run once")
	p.answer("y", "Run once")
	p.await("approve · apply_patch", "uuid[6:8]", "uuid[4:6]")
	// The bug is still there while the card is open.
	if b, err := os.ReadFile(filepath.Join(dir, repairFile)); err != nil || !strings.Contains(string(b), repairBroken) {
		t.Fatalf("the file changed before the card was answered (%v)", err)
	}
	p.answer("y", "approve · apply_patch")
	p.await("approve · shell")
	p.answer("y", "Run once")
	got := p.await("the test passes now.")
	sound(t, dir)
	for _, want := range []string{"explored", "exit 1", "you", repairPrompt} {
		if !strings.Contains(got, want) {
			t.Errorf("the screen does not show %q:\n%s", want, got)
		}
	}
	p.leave()
}

// leave quits with Ctrl+D twice, once the turn is over, and checks that the
// terminal is given back.
func (p *pane) leave() {
	p.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); ; {
		p.keys("C-d", "C-d")
		for range 100 { // what is typed after zuno has left would end the terminal
			if strings.Contains(p.text(), "zuno left with 0") {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("zuno does not leave:\n%s", p.text())
		}
	}
}

func TestTheTourRepairsItsScratchRepository(t *testing.T) {
	home := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "ZUNO_HOME=" + filepath.Join(home, "zuno"), "ZUNO_RG=" + ripgrepForTests(t), "TMPDIR=" + t.TempDir()}
	p := openPane(t, env, home, "tour")
	p.await("the model is a script", "approve · apply_patch", "tr -cs")
	p.answer("y", "approve · apply_patch")
	p.await("approve · shell", "sh test.sh")
	p.answer("y", "Run once")
	p.await("All three tests pass.", "This was a script.")
	p.leave()
}

func TestWithoutAProviderTheTourIsOffered(t *testing.T) {
	home := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "ZUNO_HOME=" + filepath.Join(home, "zuno"), "ZUNO_RG=" + ripgrepForTests(t), "TMPDIR=" + t.TempDir()}
	p := openPane(t, env, home)
	p.await("No model is configured", "ANTHROPIC_API_KEY", "Take the tour")
	p.answer("6", "Take the tour")
	p.await("approve · apply_patch")
	p.answer("n", "Run once")
	p.keys("Enter")
	p.await("blocked", "the script ends here")
	p.leave()
}

// A pasted key leads to a prompt that works, and is on no screen, in no record
// and in no file but the one that is its owner's. What was answered before, about
// the folder, is not asked again.
func TestAPastedKeyIsStoredAndNotShown(t *testing.T) {
	url := play(t, `{"steps":[{"text":"Hello from the model."}]}`)
	home := t.TempDir()
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "ZUNO_HOME=" + filepath.Join(home, "zuno"), "ZUNO_RG=" + ripgrepForTests(t),
		"TMPDIR=" + t.TempDir(), "ANTHROPIC_BASE_URL=" + url, "SSH_CONNECTION=1 2 3 4",
	}
	p := openPane(t, env, looseProject(t))
	p.await("Trust what this folder")
	p.answer("2", "Trust what this folder")
	p.await("Paste a key for Anthropic", "Over ssh")
	p.answer("1", "Look again")
	p.tmux("set-buffer", key)
	p.tmux("paste-buffer", "-p", "-t", "s")
	p.await("•••")
	p.keys("Enter")
	p.await("for you alone; ANTHROPIC_API_KEY", "low-risk")
	p.keys("hi", "Enter")
	p.await("Hello from the model.")
	p.leave()
	if strings.Contains(p.text(), key) {
		t.Errorf("the key was shown:\n%s", p.text())
	}
	stored := filepath.Join(home, "zuno", "config", "credentials.json")
	err := filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(b), key) && path != stored {
			t.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(stored); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("credentials.json: %v, %v", info, err)
	}
}

// processes returns how many processes have word in their command line.
func processes(word string) int {
	out, _ := exec.Command("pgrep", "-fc", word).Output() // none is an error of pgrep
	n := 0
	fmt.Sscan(string(out), &n)
	return n
}

// C026, for what a person typed.
func TestEscEscStopsWhatTheOperatorStarted(t *testing.T) {
	if _, err := exec.LookPath("pgrep"); err != nil {
		t.Skip("no pgrep")
	}
	// The number tells the processes of this test from all others.
	for i, line := range []string{
		"sleep 98.70%d1", "sleep 98.70%d1 | cat", "setsid sleep 98.70%d1 & wait", `(trap "" TERM HUP INT; sleep 98.70%d1; sleep 98.70%d1)`,
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			url := play(t, `{"steps":[{"expect":["operator_command","cancelled"],"text":"You stopped it."}]}`)
			p := openPane(t, zunoEnv(t, url), t.TempDir(), "--model", "anthropic/claude-sonnet-5-5")
			p.await("low-risk")
			p.line("! " + strings.ReplaceAll(line, "%d", fmt.Sprint(i)))
			mark := fmt.Sprintf("^sleep 98.70%d1", i)
			p.until("the command", func() bool { return processes(mark) > 0 })
			p.keys("Escape")
			p.await("again")
			p.keys("Escape")
			p.await("cancelled")
			if n := processes(mark); n != 0 {
				t.Errorf("%d processes are left", n)
			}
			// The next turn is valid, and the model hears of it.
			p.line("what happened?")
			p.await("You stopped it.")
			p.leave()
		})
	}
}

// C035: /quit.
func TestLeavingDuringACommandSaysWhatBecameOfIt(t *testing.T) {
	p := openPane(t, zunoEnv(t, play(t, `{"steps":[]}`)), t.TempDir(), "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.line("! sleep 97.125")
	p.await("running")
	p.line("/quit")
	p.await("cancelled while running", "zuno left with 0")
}

func TestPermissionsAndPathsAreLookedUp(t *testing.T) {
	url, dir := play(t, `{"steps":[]}`), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "alpha.txt"), []byte("from the file\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := openPane(t, zunoEnv(t, url), dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.line("/permissions")
	p.await("policy low-risk:", "sandbox: ", "zuno rules list")
	p.keys("-l", "! cat al")
	p.keys("Tab")
	p.await("! cat alpha.txt")
	p.keys("Enter")
	p.await("from the file")
	p.leave()
}

func TestAPolicyChangeReachesTheOpenCard(t *testing.T) {
	url := play(t, `{"steps":[{"calls":[{"id":"w","name":"write","args":{"filePath":"new.txt","content":"x\n"}}]},{"expect":["nothing happened","not like this"],"calls":[{"id":"w2","name":"write","args":{"filePath":"new.txt","content":"y\n"}}]},{"text":"Written."}]}`)
	dir := t.TempDir()
	p := openPane(t, zunoEnv(t, url), dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.line("write it")
	p.await("approve · write")
	p.answer("n", "Run once")
	p.line("not like this")
	p.await("blocked", "approve · write")
	p.keys("BTab") // low-risk to high-risk
	p.await("high-risk", "Written.")
	if b, err := os.ReadFile(filepath.Join(dir, "new.txt")); err != nil || string(b) != "y\n" {
		t.Errorf("new.txt: %q, %v", b, err)
	}
	p.leave()
}

func TestEscEscWhenIdleTakesATurnBackOnTheScreen(t *testing.T) {
	url := play(t, `{"steps":[{"calls":[{"id":"w","name":"write","args":{"filePath":"new.txt","content":"x\n"}}]},{"text":"Written."},{"expect":["hello again"],"text":"Hello."}]}`)
	dir := t.TempDir()
	p := openPane(t, zunoEnv(t, url), dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "high-risk")
	p.await("high-risk")
	p.line("write it down")
	p.await("Written.")
	p.await("ask zuno anything")
	p.keys("Escape")
	p.await("Esc again: go back")
	p.keys("Escape")
	p.await("choose · rewind", "write it down", "new.txt +1 −0")
	p.answer("1", "Go back to before which prompt")
	p.await("Files and conversation", "D new.txt", "1 - x", "Leave everything as it is")
	p.answer("1", "Leave everything as it is")
	p.await("the conversation is back", "› write it down")
	if _, err := os.Stat(filepath.Join(dir, "new.txt")); !os.IsNotExist(err) {
		t.Errorf("new.txt is still there (%v)", err)
	}
	p.keys("C-u")
	p.line("/rewind")
	p.await("undo the last rewind")
	p.answer("1", "Go back to before which prompt")
	p.await("The files only")
	p.answer("1", "Leave everything as it is")
	p.await("as it was before the rewind")
	if b, err := os.ReadFile(filepath.Join(dir, "new.txt")); err != nil || string(b) != "x\n" {
		t.Errorf("new.txt: %q, %v", b, err)
	}
	p.line("hello again")
	p.await("Hello.")
	p.leave()
}
