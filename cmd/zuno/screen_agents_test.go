//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The cards of agents come one after the other and name the agent; the live row
// says what it does; its receipts are below the report; another agent can be
// made active between turns, and is held to what it may do.
func TestAgentsOnTheScreen(t *testing.T) {
	url := play(t, `{"steps":[
	 {"calls":[{"name":"task","args":{"subagent_type":"worker","description":"one","prompt":"do one"}},{"name":"task","args":{"subagent_type":"worker","description":"two","prompt":"do two"}}]},
	 {"text":"both done."},
	 {"expect":["now plan"],"calls":[{"name":"shell","args":{"command":"touch three"}}]},
	 {"expect":["this agent is read-only"],"text":"I may not."}],
	 "tasks":[
	  {"opening":"do one","steps":[{"calls":[{"name":"shell","args":{"command":"touch one"}}]},{"text":"one is done"}]},
	  {"opening":"do two","steps":[{"calls":[{"name":"shell","args":{"command":"touch two"}}]},{"text":"two is done"}]}]}`)
	w := newWorld(t, nil)
	w.point(url)
	w.configure(`{"agents": {"worker": {"mode": "subagent", "description": "works"}, "plan": {"tools": ["read", "shell"]}}}`)
	p := openPane(t, w.env, w.dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "read-only")
	p.await("read-only")
	p.keys("-l", "go")
	p.await("go")
	p.keys("Enter")
	// Both tasks are asked about, in order, then the calls of their agents.
	p.await("approve · task", "do one")
	p.answer("y", "do one")
	p.await("approve · task", "do two")
	p.answer("y", "do two")
	for range 2 {
		got := p.await("approve · worker ▸ shell", "Run once")
		file := "one"
		if strings.Contains(got[strings.LastIndex(got, "approve"):], "$ touch two") {
			file = "two"
		}
		p.await("waits for you: shell touch " + file)
		if _, err := os.Stat(filepath.Join(w.dir, file)); err == nil {
			t.Fatalf("%s is there before the card was answered", file)
		}
		p.answer("y", "$ touch "+file)
	}
	got := p.await("both done.")
	for _, want := range []string{"worker: one", "worker: two", "Receipts", "- shell touch one: ok", "- shell touch two: ok"} {
		if !strings.Contains(got, want) {
			t.Errorf("the screen does not show %q:\n%s", want, got)
		}
	}
	p.line("/agents")
	p.await("build (you start it, active)", "worker (agents start it): works", "job_", "completed: one (worker)")
	p.line("/agents worker")
	p.await("worker is an agent that other agents start")
	for range len("/agents worker") {
		p.keys("BSpace")
	}
	p.line("/agents plan")
	p.await("agent: plan, from the next prompt on")
	p.line("now plan")
	p.await("by agent", "I may not.")
	if _, err := os.Stat(filepath.Join(w.dir, "three")); err == nil {
		t.Error("a read-only agent made a file")
	}
	p.leave()
}

// A council in the background stands in the live zone and in /jobs, which stops
// it; the model is told that it was stopped, and the next start knows.
func TestACouncilInTheBackgroundOnTheScreen(t *testing.T) {
	url := playEndlessly(t, `{"steps":[
	 {"calls":[{"name":"council_run","args":{"question":"is it so","background":true}}]},
	 {"text":"the council meets."},
	 {"expect":["cancelled: is it so (council)"],"text":"so it ends."}],
	 "tasks":[{"opening":"is it so","steps":[{"repeat":12,"text":"never","delay":"60s"}]}]}`)
	w := newWorld(t, nil)
	w.point(url)
	p := openPane(t, w.env, w.dir, "--model", "anthropic/claude-sonnet-5-5")
	p.await("low-risk")
	p.keys("-l", "go")
	p.await("› go")
	p.keys("Enter")
	p.await("the council meets.", "council     is it so  running")
	p.keys("-l", "/jobs")
	p.await("› /jobs")
	p.keys("Enter")
	got := p.await("council: is it so", ": at work")
	id := regexp.MustCompile(`job_\w+`).FindString(got)
	p.keys("-l", "/jobs stop "+id)
	p.await("stop " + id)
	p.keys("Enter")
	got = p.await("stopped "+id+": council: is it so", "ask zuno anything")
	if strings.Contains(got, "│ council") {
		t.Errorf("it is stopped, and still shown to run:\n%s", got)
	}
	p.keys("-l", "and now?")
	p.await("› and now?")
	p.keys("Enter")
	p.await("so it ends.")
	p.leave()
}
