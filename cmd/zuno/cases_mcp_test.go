//go:build unix

package main

import (
	"encoding/json"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serversOf gives the user of a world MCP servers: the fake one, by name, with
// its arguments.
func (w *world) serversOf(servers map[string][]string) {
	w.t.Helper()
	type entry struct {
		Command []string `json:"command"`
	}
	mcp := map[string]entry{}
	for name, args := range servers {
		mcp[name] = entry{append([]string{"fakemcp"}, args...)}
	}
	b, err := json.Marshal(map[string]any{"mcp": mcp})
	if err != nil {
		w.t.Fatal(err)
	}
	w.configure(string(b))
}

// serverKnown waits until a session has listed what the one server has.
func (w *world) serverKnown() {
	w.t.Helper()
	await(w.t, "the server", func() bool {
		stdout, _, _ := w.zuno("mcp", "list")
		return strings.Contains(stdout, "known since")
	})
}

// C035: a server that ignores the end of its input and every signal that can be
// ignored is gone five seconds after zuno was told to leave.
func TestAStubbornServerDiesWithZuno(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGKILL} {
		if sig == syscall.SIGKILL && runtime.GOOS != "linux" {
			continue
		}
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.serversOf(map[string][]string{"x": {"-stubborn", "-hang", "-pid", w.path("pid"), "-calls", w.path("calls")}})
			w.point(w.play([]byte(`{"steps":[{"calls":[{"name":"mcp_x_echo"}]},{"text":"never"}]}`)))
			cmd, end := w.begin("run", "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "high-risk", "go")
			await(t, "the call", func() bool { return w.read("calls") != "" })
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			end()
			await(t, "the end of the server", func() bool { return !w.alive("pid") }) // by itself it never ends
			w.point(play(t, `{"steps":[{"text":"I look first."}]}`))
			stdout, stderr, code := w.zuno("run", "--model", "anthropic/claude-haiku-4-5", "-c", "go on")
			if sig == syscall.SIGKILL && code != exitUncertain || stdout != "I look first.\n" {
				t.Errorf("the next prompt: exit %d, %q\n%s", code, stdout, stderr)
			}
		})
	}
}

// C111: six servers, of which two hang and one is late, keep nobody from typing,
// and no prompt from being answered. What comes late is there for the next step.
func TestServersThatHangKeepNobodyWaiting(t *testing.T) {
	w := newWorld(t, nil)
	w.serversOf(map[string][]string{
		"one": nil, "two": nil, "three": nil, "late": {"-start", "1500ms"}, "deaf": {"-start", "silent", "-stubborn", "-pid", w.path("pid")}, "mute": {"-start", "nolist"},
	})
	w.point(w.play([]byte(`{"steps":[{"text":"First answer."},{"text":"Second answer."},{"calls":[{"name":"mcp_late_echo"}]},{"text":"Third answer."}]}`)))
	began := time.Now()
	p := openPane(t, w.env, w.dir, "--model", "anthropic/claude-haiku-4-5")
	p.await("low-risk")
	p.keys("-l", "hello")
	p.await("hello")
	p.keys("Enter")
	p.await("First answer.")
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("the first answer took %s", took)
	}
	await(t, "the late server", func() bool {
		stdout, _, _ := w.zuno("mcp", "list")
		return strings.Contains(stdout, "late\n") && strings.Count(stdout, "known since") >= 4
	})
	for _, text := range []string{"again", "and again"} {
		p.keys("-l", text)
		p.await(text)
		p.keys("Enter")
		if text == "again" {
			p.await("Second answer.")
		}
	}
	p.await("approve · mcp_late_echo", "late · echo", "Run once", "as it is defined now", "fakemcp -start 1500ms", "claims nothing about effects")
	p.answer("a", "Run once")
	p.insist("Enter", "mcp_late_echo late · echo  ok")
	p.await("Third answer.")
	if stdout, stderr, _ := w.zuno("mcp", "tools", "late"); !strings.Contains(stdout, "always allowed by you, as it is defined now") {
		t.Errorf("what was allowed is not remembered: %s%s", stdout, stderr)
	}
	p.line("/permissions")
	p.await("MCP server late: connected", "MCP tool mcp_late_echo", "MCP tool mcp_one_echo")
	p.leave()
	if w.alive("pid") {
		t.Error("the silent server is left")
	}
}

// A server's question in the middle of a call is put to the person, and the
// answer is what the person gave.
func TestAServersQuestionIsPutToThePerson(t *testing.T) {
	w := newWorld(t, map[string]string{"schema.json": `{"type":"object","properties":{"amount":{"type":"integer","title":"Amount"},"kind":{"type":"string","enum":["red","blue"]}},"required":["amount","kind"]}`})
	w.serversOf(map[string][]string{"x": {"-ask", w.path("schema.json")}})
	model, url := serveLax(t, `{"steps":[{"text":"Ready."},{"calls":[{"name":"mcp_x_echo"}]},{"text":"Done."}]}`)
	w.point(url)
	p := openPane(t, w.env, w.dir, "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "high-risk", "hello")
	p.await("Ready.")
	w.serverKnown()
	p.keys("-l", "go")
	p.await("go")
	p.keys("Enter")
	p.await("How much?", "Amount", "Type an answer")
	p.answer("1", "Type an answer")
	p.keys("-l", "12")
	p.insist("Enter", "blue")
	p.answer("2", "blue")
	p.await("Done.")
	p.leave()
	requests := model.Requests()
	if body := string(requests[len(requests)-1].Body); !strings.Contains(body, `\"content\":{\"amount\":12,\"kind\":\"blue\"}`) || !strings.Contains(body, "accept") {
		t.Errorf("the server was not given the answer:\n%s", body)
	}
}

// The prompts of a server are offered with the other commands, say what they
// need, and what the server makes of one is read before the answer.
func TestAPromptOfAServerIsTypedAndRead(t *testing.T) {
	w := newWorld(t, map[string]string{"prompts.json": `{"list": [{"name": "review", "description": "Reviews a file.", "arguments": [{"name": "file", "description": "the file", "required": true}]}],
		"review": [{"role": "user", "content": {"type": "text", "text": "Look hard at it."}}]}`})
	w.serversOf(map[string][]string{"docs": {"-prompts", w.path("prompts.json"), "-calls", w.path("calls")}})
	w.point(w.play([]byte(`{"steps":[{"text":"Ready."},{"text":"I looked."}]}`)))
	p := openPane(t, w.env, w.dir, "--model", "anthropic/claude-haiku-4-5", "hello")
	p.await("Ready.")
	w.serverKnown()
	p.typed("/docs")
	p.await("/docs:review file", "Reviews a file. (MCP server docs)")
	p.keys("Tab")
	p.await("file=", "the file")
	p.keys("Enter")
	p.await("/docs:review: it needs file (the file): type /docs:review file")
	if w.read("calls") != "" {
		t.Error("the server was asked without what it needs")
	}
	p.keys("Tab")
	p.await("› /docs:review file=")
	p.typed("a.go")
	p.insist("Enter", "I looked.")
	p.await("/docs:review file=a.go", "Look hard at it.")
	p.leave()
}
