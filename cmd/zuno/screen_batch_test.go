//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The card of several calls in one shows all of them; each that needs a person
// has a card of its own, with the arguments that it then has.
func TestCallsInOneHaveCardsOfTheirOwn(t *testing.T) {
	url := play(t, `{"steps":[
		{"calls":[{"name":"execute","args":{"tool_calls":[
			{"tool":"glob","intent":"find it","bind":"found","pattern":"*.md"},
			{"tool":"shell","intent":"show it","command":{"$ref":"found.metadata.files[0]"}},
			{"tool":"shell","intent":"say it","command":"echo hi > said"}]}}]},
		{"expect":["denied by the user","2 ok, 1 blocked"],"text":"As you like."}]}`)
	w := newWorld(t, map[string]string{"run.md": "#!/bin/sh\necho ran\n"})
	w.point(url)
	w.configure(`{"tools": {"execute": true}}`)
	p := openPane(t, w.env, w.dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "strict")
	p.await("strict")
	p.line("do it")
	p.await("approve · execute", "[1] glob: find it → found", `"$ref": "found.metadata.files[0]"`, "[3] shell: say it", "… 3 more lines")
	p.answer("y", "approve · execute")
	p.await("approve · shell", "$ "+filepath.Join(w.dir, "run.md"))
	p.answer("n", "Run once")
	p.submit("$ echo hi > said")
	if _, err := os.Stat(filepath.Join(w.dir, "said")); !os.IsNotExist(err) {
		t.Fatalf("it ran before it was allowed (%v)", err)
	}
	p.answer("y", "Run once")
	p.await("As you like.", "3 calls: glob, shell, shell", "2 ok, 1 blocked")
	if !exists(filepath.Join(w.dir, "said")) {
		t.Error("what was allowed did not run")
	}
	p.leave()
}
