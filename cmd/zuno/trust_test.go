//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// looseProject is a folder whose own file allows writing, in more lines than
// a screen has.
func looseProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeProject(t, dir, 40)
	return dir
}

func writeProject(t *testing.T, dir string, n int) {
	t.Helper()
	var b strings.Builder
	b.WriteString("{\n  \"permission\": {\"rules\": {\"edit\": \"allow\", \"shell\": {\n")
	for i := range n {
		fmt.Fprintf(&b, "    \"tool%02d *\": \"allow\", // \x1b]0;title\x07\n", i)
	}
	b.WriteString("  }}}\n}\n")
	if err := os.WriteFile(filepath.Join(dir, "zuno.json"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// readOn scrolls the card to its end and returns every row that was in sight.
func (p *pane) readOn() string {
	p.t.Helper()
	var seen strings.Builder
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(30 * time.Millisecond) {
		screen := p.tmux("capture-pane", "-p", "-t", "s")
		seen.WriteString(screen)
		if !strings.Contains(screen, "more line") {
			return seen.String()
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("the card has no end:\n%s", screen)
		}
		p.keys("PageDown")
	}
}

// insist gives a key until what it leads to is there: a card that has only just
// appeared does not take it.
func (p *pane) insist(key, want string) {
	p.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !strings.Contains(p.text(), want); time.Sleep(100 * time.Millisecond) {
		p.keys(key)
		if time.Now().After(deadline) {
			p.t.Fatalf("%s does not lead to %q:\n%s", key, want, p.text())
		}
	}
}

const writeOnce = `{"calls":[{"name":"write","args":{"filePath":"new.txt","content":"x\n"}}]}`

// C051 on the screen: first a person sees it, then it acts, and what was changed
// is asked about again.
func TestWhatIsNotTrustedIsToldInOneLine(t *testing.T) {
	skill := func(name string) trustItem { return trustItem{Kind: "skill", Name: name} }
	for _, c := range []struct {
		items []trustItem
		want  string
	}{
		{[]trustItem{skill("a"), skill("b")}, "skill a and skill b"},
		{[]trustItem{skill("a"), skill("b"), skill("c")}, "3 skills"},
		{[]trustItem{skill("a"), {Kind: "config", Name: "zuno.json"}}, "config zuno.json and skill a"},
		{[]trustItem{{Kind: "mcp server", Name: "x"}, {Kind: "mcp server", Name: "y"}, {Kind: "mcp server", Name: "z"}, skill("a"), {Kind: "agent", Name: "b"}}, "3 MCP servers, skill a and agent b"},
	} {
		if got := tally(c.items); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, s := range trustSources() { // none is left out
		if got := tally([]trustItem{{Kind: s.kind}, {Kind: s.kind}, {Kind: s.kind}}); !strings.HasPrefix(got, "3 ") {
			t.Errorf("%s: %q", s.kind, got)
		}
	}
}

func TestWhatAFolderBringsAlongIsAskedAboutAndThenActs(t *testing.T) {
	url, dir := play(t, `{"steps":[`+writeOnce+`,{"text":"Written."}]}`), looseProject(t)
	env := zunoEnv(t, url)
	p := openPaneOf(t, 24, env, dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("Trust what this folder brings along?", "more lines", "Go on without them")
	p.insist("Enter", "choose a row first")
	p.insist("1", "not all of it was shown") // not before the end was in sight
	seen := p.readOn()
	for _, want := range []string{`"edit": "allow"`, `"tool00 *": "allow", // \x1b]0;title\x07`, `"tool20 *"`, `"tool39 *"`} {
		if !strings.Contains(seen, want) {
			t.Errorf("%s was never in sight:\n%s", want, seen)
		}
	}
	p.answer("1", "Trust these")
	p.await("low-risk")
	p.line("write it")
	p.await("Written.")
	if b, err := os.ReadFile(filepath.Join(dir, "new.txt")); err != nil || string(b) != "x\n" {
		t.Errorf("the rule of the project is not in force: %q, %v\n%s", b, err, p.text())
	}
	p.line("/trust")
	p.await("config zuno.json: trusted on 20", "zuno trust shows the texts")
	p.leave()

	// The next start does not ask, until the text is another.
	p = openPaneOf(t, 24, env, dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk", "ask zuno anything")
	p.leave()
	writeProject(t, dir, 1)
	p = openPaneOf(t, 24, env, dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("Trust what this folder brings along?")
	p.answer("3", "Trust these")
	p.await("zuno left with 0")
}

func TestWithoutTrustTheSessionGoesOnAndTheProjectDoesNotAct(t *testing.T) {
	url, dir := play(t, `{"steps":[`+writeOnce+`,{"text":"Not written."}]}`), looseProject(t)
	env := zunoEnv(t, url)
	p := openPaneOf(t, 24, env, dir, "--model", "anthropic/claude-sonnet-5-5", "write it")
	p.await("Trust what this folder brings along?")
	p.answer("2", "Trust these")
	p.await("config zuno.json is not trusted", "approve · write")
	p.answer("n", "Run once")
	p.keys("Enter")
	p.await("Not written.")
	p.leave()
	// A no is not remembered.
	p = openPaneOf(t, 24, env, dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("Trust what this folder brings along?")
	p.answer("3", "Trust these")
	p.await("zuno left with 0")
}

func TestWhatChangesWhileTheQuestionIsOpenIsAskedAboutAgain(t *testing.T) {
	dir := t.TempDir()
	writeProject(t, dir, 1)
	p := openPaneOf(t, 30, zunoEnv(t, play(t, `{"steps":[]}`)), dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("Trust what this folder brings along?", `"tool00 *"`)
	writeProject(t, dir, 40) // too long to be trusted by the keys that were for the other
	p.insist("1", `"tool01 *"`)
	p.await("Trust what this folder brings along?", "more lines")
	p.readOn()
	p.answer("1", "Trust these")
	p.keys("C-u") // a key that came between the two cards is in the composer
	p.await("ask zuno anything")
	p.leave()
}
