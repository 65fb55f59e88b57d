//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/store"
)

// A card is what waits for an answer when zuno is killed, and what would have
// happened if the answer had been yes.
type openCard struct {
	name, script, config string
	shows                string   // on the card
	calls                []string // the calls that come back as not run, and what as
	effects              []string // files that must not be there or be empty
	// again asks for the same with the same IDs; the card is given key.
	again, key string
}

func openCards() []openCard {
	return []openCard{
		{
			name:   "write, and one that waits behind it",
			script: `{"steps":[{"calls":[{"id":"a","name":"write","args":{"filePath":"new.txt","content":"new\n"}},{"id":"b","name":"write","args":{"filePath":"other.txt","content":"new\n"}}]}]}`,
			shows:  "approve · write", calls: []string{"a blocked", "b cancelled"}, effects: []string{"new.txt", "other.txt"},
			again: `{"id":"a","name":"write","args":{"filePath":"late.txt","content":"late\n"}}`, key: "y",
		},
		{
			name:   "patch",
			script: `{"steps":[{"calls":[{"id":"a","name":"apply_patch","args":{"patchText":"*** Begin Patch\n*** Add File: new.txt\n+new\n*** End Patch"}}]}]}`,
			shows:  "approve · apply_patch", calls: []string{"a blocked"}, effects: []string{"new.txt"},
		},
		{
			name:   "shell",
			script: `{"steps":[{"calls":[{"id":"a","name":"shell","args":{"command":"touch new.txt"}}]}]}`,
			shows:  "approve · shell", calls: []string{"a blocked"}, effects: []string{"new.txt"},
		},
		{
			name: "a tool of a server", config: `{"mcp": {"docs": {"command": ["fakemcp", "-tools", "tools.json", "-calls", "calls"]}}}`,
			script: `{"steps":[{"calls":[{"id":"a","name":"mcp_docs_search","args":{"q":"x"}}]}]}`,
			shows:  "approve · mcp_docs_search", calls: []string{"a blocked"}, effects: []string{"calls"},
		},
		{
			name: "two agents' cards in the queue", config: `{"agents": {"worker": {"mode": "subagent"}}}`,
			script: `{"steps":[{"calls":[{"id":"t","name":"task","args":{"subagent_type":"worker","prompt":"the first"}},{"id":"u","name":"task","args":{"subagent_type":"worker","prompt":"the second"}}]}],
				"tasks":[{"opening":"the first","steps":[{"calls":[{"id":"a","name":"write","args":{"filePath":"new.txt","content":"new\n"}}]}]},
				{"opening":"the second","steps":[{"calls":[{"id":"b","name":"write","args":{"filePath":"other.txt","content":"new\n"}}]}]}]}`,
			shows: "approve · worker ▸ write", calls: []string{"a blocked", "b blocked"}, effects: []string{"new.txt", "other.txt"},
		},
		{
			name:   "a question",
			script: `{"steps":[{"calls":[{"id":"a","name":"question","args":{"questions":[{"question":"Which of them?","header":"Which","options":[{"label":"This","description":"the one"},{"label":"That","description":"the other"}]}]}}]}]}`,
			shows:  "Which of them?", calls: []string{"a blocked"},
			again: `{"id":"a","name":"question","args":{"questions":[{"question":"Which one then?","header":"Which","options":[{"label":"This","description":"the one"},{"label":"That","description":"the other"}]}]}}`, key: "1",
		},
		{
			name: "a picker", config: `{"agents": {"build": {"tools": ["ask_file_picker"]}}}`,
			script: `{"steps":[{"calls":[{"id":"a","name":"ask_file_picker","args":{"message":"Which file is meant?"}}]}]}`,
			shows:  "Which file is meant?", calls: []string{"a blocked"},
			again: `{"id":"a","name":"ask_file_picker","args":{"message":"Which one then?"}}`, key: "1",
		},
	}
}

// TestAKillWhileACardWaitsLeavesNothingInDoubt is C106, and the part of C104 that
// is about cards: what was not answered comes back as not run, nothing of it
// happened, and the session goes on.
func TestAKillWhileACardWaitsLeavesNothingInDoubt(t *testing.T) {
	for _, c := range openCards() {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

func (c openCard) run(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tools.json"), []byte(`[{"name": "search", "description": "Finds.", "inputSchema": {"type": "object"}}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, url := serveLax(t, c.script)
	env := zunoEnv(t, url)
	if c.config != "" {
		configure(t, env, c.config)
	}
	if strings.Contains(c.config, "mcp") { // what is known of a server is offered from the start
		cmd := exec.Command("zuno", "mcp", "test", "docs")
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	open := []string{"--model", "anthropic/claude-sonnet-5-5"}
	p := openPane(t, env, dir, open...)
	p.await("low-risk")
	p.typed("go")
	p.keys("Enter")
	p.await(c.shows)
	path := recordOf(t, env)
	for _, call := range c.calls {
		id, becomes, _ := strings.Cut(call, " ")
		// A call that must run alone is not proposed before those before it settled.
		want := map[string]string{"blocked": "proposed", "cancelled": "requested"}[becomes]
		await(t, "the call "+id+" waits", func() bool { return pairsIn(t, path, `SELECT id, state FROM call`)[id] == want })
	}
	if out, err := exec.Command("kill", "-KILL", p.zuno()).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p.await("zuno left with 137")

	// Nothing is in doubt, so that a run ends with 0.
	said := c.goesOn(t, env, dir)
	outcomes := outcomesIn(t, path)
	for _, call := range c.calls {
		if id, want, _ := strings.Cut(call, " "); outcomes[id] != want {
			t.Errorf("%s is %q, want %s", id, outcomes[id], want)
		}
	}
	if ran := pairsIn(t, path, `SELECT id, tool FROM call WHERE started_at IS NOT NULL AND tool <> 'task'`); len(ran) > 0 {
		t.Errorf("started: %v", ran)
	}
	for id, is := range outcomes {
		if strings.HasPrefix(is, "uncertain") || is == "" {
			t.Errorf("%s is %q", id, is)
		}
	}
	if strings.Contains(said, "not known") {
		t.Errorf("it is in doubt: %s", said)
	}
	for _, name := range c.effects {
		if b, err := os.ReadFile(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) && len(b) > 0 {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	c.asksAgain(t, env, dir, open)
	checkRecord(t, env, path)
}

// goesOn continues the session in a run whose first request tells the model what
// became of the calls.
func (c openCard) goesOn(t *testing.T, env []string, dir string) string {
	t.Helper()
	url := play(t, `{"steps":[{"text":"I see."}]}`)
	cmd := exec.Command("zuno", "run", "-c", "--model", "anthropic/claude-sonnet-5-5", "continue")
	cmd.Dir, cmd.Env = dir, append(slices.Clone(env), "ANTHROPIC_BASE_URL="+url)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("going on: %v\n%s", err, out)
	}
	return string(out)
}

// asksAgain has the model ask for the same with the same IDs, on the screen: the
// old card is not there, the new one is answered, and its call is another.
func (c openCard) asksAgain(t *testing.T, env []string, dir string, open []string) {
	if c.again == "" {
		return
	}
	url := play(t, `{"steps":[{"calls":[`+c.again+`]},{"text":"That is done."}]}`)
	p := openPane(t, append(dropName(env, "ANTHROPIC_BASE_URL"), "ANTHROPIC_BASE_URL="+url), dir, append(open, "-c")...)
	p.await("low-risk", "I see.")
	if now := p.tmux("capture-pane", "-p", "-t", "s"); strings.Contains(now, "keys typed before") {
		t.Errorf("the old card is there:\n%s", now)
	}
	p.typed("again")
	p.keys("Enter")
	shows := c.shows
	if strings.Contains(c.again, "then?") {
		shows = "Which one then?"
	}
	p.await(shows)
	p.answer(c.key, "Enter answer")
	p.await("That is done.")
	p.leave()
	got := pairsIn(t, recordOf(t, env), `SELECT outcome, group_concat(id) FROM call GROUP BY outcome`)
	if ids := got["ok"]; ids == "" || ids == "a" || !strings.Contains(","+got["blocked"]+",", ",a,") {
		t.Errorf("asked again: %v", got)
	}
}

// checkRecord checks the record: the file, the chain, and that no session is held.
func checkRecord(t *testing.T, env []string, path string) {
	t.Helper()
	cmd := exec.Command("zuno", "ledger", "--verify")
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the ledger: %v\n%s", err, out)
	}
	db, err := store.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Check(); err != nil {
		t.Error(err)
	}
	list, err := db.Sessions(0)
	if err != nil || len(list) == 0 {
		t.Errorf("%d sessions, %v", len(list), err)
	}
	for _, m := range list {
		if m.Held || m.Unsettled > 0 || m.Uncertain > 0 {
			t.Errorf("%+v", m)
		}
	}
}
