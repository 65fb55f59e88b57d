//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// submit gives the line of a card its Enter until what it leads to is there: a
// line takes none in its first moment, and on a card where nothing is chosen
// Enter does nothing.
func (p *pane) submit(want string) {
	p.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); ; {
		p.keys("Enter")
		for range 10 {
			if strings.Contains(p.text(), want) {
				return
			}
			time.Sleep(30 * time.Millisecond)
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%q did not come; the screen shows:\n%s", want, p.text())
		}
	}
}

// A person rewrites a command on the card and a file in their editor. Neither
// runs before it was shown as it is then, and the model is told what ran.
func TestWhatThePersonMadeOfACallIsShownAndRuns(t *testing.T) {
	url := play(t, `{"steps":[
		{"calls":[{"id":"s","name":"shell","args":{"command":"echo model > out.txt","description":"say it"}}]},
		{"expect":["the user changed the command line","echo person > out.txt"],"calls":[{"id":"w","name":"write","args":{"filePath":"new.go","content":"package model\n"}}]},
		{"expect":["the user changed the content of new.go","package person"],"text":"Both are yours."}]}`)
	dir := t.TempDir()
	env := append(zunoEnv(t, url), "EDITOR=sed -i s/model/person/")
	p := openPane(t, env, dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "strict")
	p.await("strict")
	p.line("do it")
	p.await("approve · shell", "$ echo model > out.txt", "Edit the command line")
	p.answer("e", "Run once")
	p.keys("C-u")
	p.keys("-l", "echo person > out.txt")
	p.await("› echo person > out.txt")
	p.submit("you changed it")
	p.await("$ echo person > out.txt")
	if _, err := os.Stat(filepath.Join(dir, "out.txt")); !os.IsNotExist(err) {
		t.Fatalf("it ran before it was shown (%v)", err)
	}
	p.answer("y", "you changed it")
	p.await("approve · write", "+ package model", "Edit the content of new.go")
	p.answer("e", "+ package model")
	p.await("+ package person", "you changed it")
	if _, err := os.Stat(filepath.Join(dir, "new.go")); !os.IsNotExist(err) {
		t.Fatalf("it was written before it was shown (%v)", err)
	}
	p.answer("y", "you changed it")
	if s := p.await("Both are yours."); strings.Count(s, "changed by you") != 2 {
		t.Errorf("the receipts do not say who changed the calls:\n%s", s)
	}
	for name, want := range map[string]string{"out.txt": "person\n", "new.go": "package person\n"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	p.leave()
	db, err := store.Open(recordOf(t, env), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	list, err := db.Sessions(1)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	_, past, err := db.Read(list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"ledger"}, "allowed by you: changed by you, then run once"},
		{[]string{"ledger", "--json"}, `"edited":true`},
		{[]string{"show", list[0].ID}, "[by you: changed by you, then run once]"},
		{[]string{"export", list[0].ID}, "Asked for:\n\n```\n{\"command\":\"echo model > out.txt\""},
	} {
		cmd := exec.Command("zuno", c.args...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("zuno %v: %v, no %q in\n%s", c.args, err, c.want, out)
		}
	}
	for id, want := range map[string][2]string{"s": {"echo model", "echo person"}, "w": {"package model", "package person"}} {
		r := past.Records[id]
		if !strings.Contains(string(r.Was), want[0]) || !strings.Contains(string(r.Call.Args), want[1]) || r.Outcome.Kind != tools.OK || r.Decision.By != tools.ByPerson {
			t.Errorf("%s: was %s, is %s, %v by %s", id, r.Was, r.Call.Args, r.Outcome.Kind, r.Decision.By)
		}
	}
}

// A denied command does not become one that runs by being typed on a card, and
// what cannot run comes back to be mended.
func TestAnEditGoesThroughEveryCheckAgain(t *testing.T) {
	url := play(t, `{"steps":[
		{"calls":[{"id":"s","name":"shell","args":{"command":"echo model > out.txt"}}]},
		{"expect":["nothing happened"],"text":"So be it."}]}`)
	dir := t.TempDir()
	p := openPane(t, zunoEnv(t, url), dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "strict")
	p.await("strict")
	p.line("do it")
	p.await("approve · shell", "Edit the command line")
	p.answer("e", "Run once")
	p.keys("C-u")
	p.keys("Space")
	p.submit("as it was before")
	p.await("command is empty")
	p.answer("e", "Run once")
	p.keys("C-u")
	p.keys("-l", "sudo true")
	p.submit("So be it.")
	p.await("blocked")
	if _, err := os.Stat(filepath.Join(dir, "out.txt")); !os.IsNotExist(err) {
		t.Errorf("something ran (%v)", err)
	}
	p.leave()
}

// The key that is remembered is the one that the person made of it, and it lets
// the next command through.
func TestTheKeyOfACommandIsEditedOnTheCard(t *testing.T) {
	url := play(t, `{"steps":[
		{"calls":[{"id":"a","name":"shell","args":{"command":"npm run greet"}}]},
		{"calls":[{"id":"b","name":"shell","args":{"command":"npm run other"}}]},
		{"text":"Ran both."}]}`)
	env := zunoEnv(t, url)
	p := openPane(t, env, t.TempDir(), "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "read-only")
	p.await("read-only")
	p.line("run them")
	p.await("approve · shell", "Always allow `npm run greet`")
	p.answer("a", "Run once")
	p.await("› npm run greet", "no other in the record yet")
	p.keys("C-w")
	p.keys("-l", "other")
	p.await("does not cover this command")
	p.keys("C-w")
	p.await("It covers this command")
	p.submit("Ran both.")
	p.leave()
}
