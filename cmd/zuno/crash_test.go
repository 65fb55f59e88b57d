//go:build unix

package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/headless"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/scripted"
	"github.com/zuno-dev/zuno/internal/llm/scripted/serve"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A mortal journal kills its own process before or after its nth commit.
type mortal struct {
	loop.Journal
	left *int
	// together is true while transitions are gathered: none of them is recorded,
	// and to die then is to die before.
	together *bool
}

func (m mortal) tick() {
	if *m.left--; *m.left == 0 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

func (m mortal) around(do func() error) error {
	if *m.together {
		return do()
	}
	m.tick()
	err := do()
	m.tick()
	return err
}

func (m mortal) Together(f func() error) error {
	return m.around(func() error {
		return m.Journal.Together(func() error {
			*m.together = true
			defer func() { *m.together = false }()
			return f()
		})
	})
}

func (m mortal) Append(msg *llm.Message) error {
	return m.around(func() error { return m.Journal.Append(msg) })
}

func (m mortal) Request(by, c tools.Call) error {
	return m.around(func() error { return m.Journal.Request(by, c) })
}

func (m mortal) Propose(p *tools.Proposal) error {
	return m.around(func() error { return m.Journal.Propose(p) })
}

func (m mortal) Revise(p *tools.Proposal) error {
	return m.around(func() error { return m.Journal.Revise(p) })
}

func (m mortal) Used(x llm.Expense) error {
	return m.around(func() error { return m.Journal.Used(x) })
}

func (m mortal) Failed(text string) error {
	return m.around(func() error { return m.Journal.Failed(text) })
}

func (m mortal) Decide(c tools.Call, d tools.Decision) error {
	return m.around(func() error { return m.Journal.Decide(c, d) })
}

func (m mortal) Start(c tools.Call) error {
	return m.around(func() error { return m.Journal.Start(c) })
}

func (m mortal) Settle(c tools.Call, o tools.Outcome, took time.Duration) error {
	return m.around(func() error { return m.Journal.Settle(c, o, took) })
}

func (m mortal) Compact(summary, facts string, keep, before, after int) error {
	return m.around(func() error { return m.Journal.Compact(summary, facts, keep, before, after) })
}

func (m mortal) Clear(keep, before, after int) error {
	return m.around(func() error { return m.Journal.Clear(keep, before, after) })
}

// dyingZuno is `zuno run`, but that it dies: dyingzuno N PROMPT.
func dyingZuno() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	f := flags{
		policy: "high-risk", model: "anthropic/claude-sonnet-5-5", onBlock: "fail", config: os.Getenv("CRASH_CONFIG"),
		record: func(j loop.Journal) loop.Journal { return mortal{j, &n, new(bool)} },
	}
	if _, err := runSession(context.Background(), f, os.Args[2:], headless.Options{Out: os.Stdout, Err: os.Stderr, Now: time.Now}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A crash is what is broken off at every transition, and what must hold
// afterwards.
type crash struct {
	name, script, config string
	// from is the first transition to die at; those before are like others.
	from int
	// holds looks at the folder and at how each call ended.
	holds func(t *testing.T, dir string, outcomes map[string]string)
}

func crashes() []crash {
	return []crash{
		{
			name: "files",
			script: `{"steps":[{"calls":[
				{"id":"w","name":"write","args":{"filePath":"sub/new.txt","content":"new\n"}},
				{"id":"p","name":"apply_patch","args":{"patchText":"*** Begin Patch\n*** Update File: old.txt\n@@\n-old\n+changed\n*** End Patch"}}]},{"text":"done"}]}`,
			holds: func(t *testing.T, dir string, outcomes map[string]string) {
				agrees(t, outcomes["w"], exists(filepath.Join(dir, "sub/new.txt")))
				b, err := os.ReadFile(filepath.Join(dir, "old.txt"))
				if err != nil || string(b) != "old\n" && string(b) != "changed\n" {
					t.Errorf("old.txt: %q, %v", b, err)
				}
				agrees(t, outcomes["p"], string(b) == "changed\n")
			},
		},
		{
			name:   "a command, and what follows a change",
			config: `{"check": {"ran": {"command": ["sh", "-x", "again.sh"]}}}`,
			script: `{"steps":[{"calls":[{"id":"s","name":"shell","args":{"command":"sh once.sh"}},
				{"id":"w","name":"write","args":{"filePath":"new.txt","content":"new\n"}}]},{"text":"done"}]}`,
			holds: func(t *testing.T, dir string, outcomes map[string]string) {
				for _, name := range []string{"once", "again"} {
					b, err := os.ReadFile(filepath.Join(dir, name))
					if n := strings.Count(string(b), "x"); n > 1 || err != nil && !errors.Is(err, fs.ErrNotExist) {
						t.Errorf("%s happened %d times (%v)", name, n, err)
					}
				}
				if is := outcomes["s"]; exists(filepath.Join(dir, "once")) && is != "ok" && is != "uncertain" {
					t.Errorf("the command ran, and its call is %q", is)
				}
			},
		},
		{
			name:   "calls in one",
			config: `{"tools": {"execute": true}}`,
			script: `{"steps":[{"calls":[{"id":"x","name":"execute","args":{"tool_calls":[
				{"tool":"write","intent":"note","filePath":"new.txt","content":"new\n"},
				{"tool":"shell","intent":"run it","command":"sh once.sh"}]}}]},{"text":"done"}]}`,
			holds: func(t *testing.T, dir string, outcomes map[string]string) {
				agrees(t, outcomes["x_sub1"], exists(filepath.Join(dir, "new.txt")))
				if is := outcomes["x_sub2"]; exists(filepath.Join(dir, "once")) && is != "ok" && is != "uncertain" {
					t.Errorf("the command ran, and its call is %q", is)
				}
				if outcomes["x"] == "uncertain" && outcomes["x_sub1"] != "" {
					t.Error("the call that made others is in doubt beside them")
				}
			},
		},
		{
			name:   "a tool of a server",
			config: `{"mcp": {"docs": {"command": ["fakemcp", "-tools", "tools.json", "-calls", "calls"]}}}`,
			script: `{"steps":[{"calls":[{"id":"m","name":"mcp_docs_search","args":{"q":"x"}}]},{"text":"done"}]}`,
			holds: func(t *testing.T, dir string, outcomes map[string]string) {
				b, err := os.ReadFile(filepath.Join(dir, "calls"))
				n := strings.Count(string(b), "search")
				if n > 1 || err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the server was called %d times (%v)", n, err)
				}
				if is := outcomes["m"]; n == 1 && is != "ok" && is != "uncertain" || n == 0 && is == "ok" {
					t.Errorf("the server was called %d times, and the call is %q", n, is)
				}
			},
		},
		{
			name:   "an agent that another one has work",
			config: `{"agents": {"worker": {"mode": "subagent"}}}`,
			script: `{"steps":[{"calls":[{"id":"t","name":"task","args":{"subagent_type":"worker","prompt":"write it"}}]},{"text":"done"}],
				"tasks":[{"opening":"write it","steps":[{"calls":[{"id":"w","name":"write","args":{"filePath":"new.txt","content":"new\n"}}]},{"text":"written"}]}]}`,
			holds: func(t *testing.T, dir string, outcomes map[string]string) {
				agrees(t, outcomes["w"], exists(filepath.Join(dir, "new.txt")))
				// It is in doubt itself only while its agent has no record yet.
				is, agents := outcomes["t"], outcomes["w"]
				if strings.HasPrefix(is, "uncertain") && agents != "" || is == "ok" && agents != "ok" {
					t.Errorf("the call that delegated is %q, the agent's %q", is, agents)
				}
			},
		},
		{
			name: "a summary between two steps", from: 24,
			config: `{"provider": {"anthropic": {"models": {"claude-sonnet-5-5": {"context": 17000, "output": 4096}}}}, "compaction": {"clear_percent": 100}, "agents": {"build": {"tools": ["read", "write"]}}}`,
			script: `{"steps":[{"calls":[{"id":"r{{n}}","name":"read","args":"{\"filePath\":\"big.txt\",\"limit\":80{{n}}}"}],"repeat":4,"usage":{"output":1}},
				{"expect":["<conversation>"],"text":"## Goal\nto write","usage":{"input":5000,"output":300}},
				{"calls":[{"id":"w","name":"write","args":{"filePath":"new.txt","content":"new\n"}}],"usage":{"output":1}},{"text":"done","usage":{"output":1}}]}`,
			holds: func(t *testing.T, dir string, outcomes map[string]string) {
				agrees(t, outcomes["w"], exists(filepath.Join(dir, "new.txt")))
				for id, is := range outcomes {
					if strings.HasPrefix(id, "r") && strings.HasPrefix(is, "uncertain") {
						t.Errorf("the read %s is %q", id, is)
					}
				}
			},
		},
	}
}

// numbers is a text of n lines.
func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, i+1)
	}
	return b.String()
}

// agrees checks that what is recorded of a change, or found out about it, is
// what is there.
func agrees(t *testing.T, outcome string, there bool) {
	t.Helper()
	word, finding, _ := strings.Cut(outcome, " ")
	switch {
	case word == "ok" && there, (word == "" || word == "cancelled" || word == "blocked") && !there:
	case word == "uncertain" && finding == "happened" && there, word == "uncertain" && finding == "did-not-happen" && !there:
	default:
		t.Errorf("recorded as %q, and it is there: %v", outcome, there)
	}
}

// TestADeathAtEveryTransitionLosesAndRepeatsNothing kills zuno before and after
// each step of its record, and has another go on.
func TestADeathAtEveryTransitionLosesAndRepeatsNothing(t *testing.T) {
	for _, c := range crashes() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for n := max(1, c.from); ; n++ {
				if died := c.run(t, n); !died {
					t.Logf("%d transitions", n-1)
					if n < c.from+10 {
						t.Fatalf("only %d transitions", n-1)
					}
					return
				}
				if t.Failed() {
					t.Fatalf("after a death at %d", n)
				}
			}
		})
	}
}

// run breaks off at n, and reports whether there was something left to break
// off.
func (c crash) run(t *testing.T, n int) (died bool) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"old.txt": "old\n", "once.sh": "echo x >> once\n", "again.sh": "echo x >> again\n", "big.txt": numbers(900), "tools.json": `[{"name": "search", "description": "Finds.", "inputSchema": {"type": "object"}}]`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sc, err := scripted.Parse([]byte(c.script))
	if err != nil {
		t.Fatal(err)
	}
	server := serve.New(sc)
	url, stop := serve.Start(server)
	env := zunoEnv(t, url)
	conf := filepath.Join(t.TempDir(), "zuno.json")
	if err := os.WriteFile(conf, []byte(cmp.Or(c.config, "{}")), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("dyingzuno", strconv.Itoa(n), "go")
	cmd.Dir, cmd.Env = dir, append(env, "CRASH_CONFIG="+conf)
	out, err := cmd.CombinedOutput()
	stop()
	for _, v := range server.Violations() {
		t.Errorf("the strict server refused a request: %s", v)
	}
	var exit *exec.ExitError
	if died = errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL; !died && err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := recordOf(t, env)
	if died && said(t, path) {
		goOn(t, env, dir)
	}
	c.holds(t, dir, outcomesIn(t, path))
	return died
}

// goOn continues the session over a strict server.
func goOn(t *testing.T, env []string, dir string) {
	t.Helper()
	url := play(t, `{"steps":[{"text":"I look."}]}`)
	cmd := exec.Command("zuno", "run", "-c", "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "high-risk", "go on")
	cmd.Dir, cmd.Env = dir, append(slices.Clone(env), "ANTHROPIC_BASE_URL="+url)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == exitUncertain) {
		t.Errorf("going on: %v\n%s", err, out)
	}
}

func said(t *testing.T, path string) bool {
	if !exists(path) {
		return false
	}
	_, none := pairsIn(t, path, `SELECT count(*), 0 FROM message`)["0"]
	return !none
}

// outcomesIn is how each call ended, with what was found out about it, by ID.
func outcomesIn(t *testing.T, path string) map[string]string {
	t.Helper()
	if !exists(path) {
		return nil
	}
	if r := pairsIn(t, path, `SELECT integrity_check, 'x' FROM pragma_integrity_check`); r["ok"] == "" {
		t.Errorf("the record is damaged: %v", r)
	}
	return pairsIn(t, path, `SELECT c.id, c.outcome || coalesce(' ' || f.finding, '') FROM call c LEFT JOIN reconciliation f ON f.call = c.n`)
}

func pairsIn(t *testing.T, path, query string) map[string]string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var k, v string
		if err := rows.Scan(&k, &v); err != nil {
			t.Fatal(err)
		}
		found[k] = v
	}
	return found
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
