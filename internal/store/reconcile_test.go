//go:build unix

package store_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func uncertain(t *testing.T, w *turns) []store.Doubt {
	t.Helper()
	list, err := w.Uncertain()
	must(t, err)
	return list
}

func TestAnUncertainCallIsOpenUntilSomebodyFoundOut(t *testing.T) {
	w := newTurns(t)
	w.prompt("p")
	c := w.call("write", `{"a":1}`, true, tools.Outcome{Kind: tools.Uncertain}, tools.Spec{}, touch("/w/a", content("0"), content("1")))
	list := uncertain(t, w)
	if len(list) != 1 || list[0].Call.ID != c.ID || len(list[0].Touches) != 1 {
		t.Fatalf("open: %+v", list)
	}
	if err := w.Reconcile(c.ID, "perhaps", tools.ByPerson, ""); err == nil {
		t.Error("a word that says nothing was taken")
	}
	if err := w.Reconcile("c99", tools.Happened, tools.ByPerson, ""); err == nil {
		t.Error("a call that there is not was settled")
	}
	if err := w.Reconcile(c.ID, tools.Happened, tools.ByModel, "I think so"); !errors.Is(err, store.ErrUnseen) {
		t.Errorf("a model that looked at nothing: %v", err)
	}
	w.call("read", `{}`, true, tools.Outcome{Kind: tools.OK}, tools.Spec{Effect: tools.ReadOnly})
	must(t, w.Reconcile(c.ID, tools.InPart, tools.ByModel, "only a.txt"))
	if list := uncertain(t, w); len(list) != 0 {
		t.Errorf("still open: %+v", list)
	}
	if err := w.Reconcile(c.ID, tools.Happened, tools.ByPerson, ""); err == nil {
		t.Error("it was settled twice")
	}
	p, err := w.Load()
	must(t, err)
	if p.Records[c.ID].Outcome.Kind != tools.Uncertain || p.Notice != "" {
		t.Errorf("what was found changed what was recorded: %v, notice %q", p.Records[c.ID].Outcome.Kind, p.Notice)
	}
	if s, err := w.store.Sessions(0); err != nil || s[0].Uncertain != 0 {
		t.Errorf("sessions: %+v, %v", s, err)
	}
}

// heldBy is the call in doubt that holds p back, "" for none.
func heldBy(t *testing.T, j *store.Session, p *tools.Proposal) string {
	t.Helper()
	held, err := j.Held(p)
	must(t, err)
	if held == nil {
		return ""
	}
	return held.Call.ID
}

func TestAnUncertainCallHoldsBackWhatWouldTouchTheSame(t *testing.T) {
	w := newTurns(t)
	w.prompt("p")
	w.call("write", `{"filePath":"src/a.go"}`, true, tools.Outcome{Kind: tools.Uncertain}, tools.Spec{}, touch("/w/src/a.go", content("0"), content("1")))
	push := &tools.Proposal{Call: tools.Call{ID: "push", Tool: "shell", Args: json.RawMessage(`{"command":"git push"}`)}, Command: "git push", Key: "git push"}
	begun(t, w.Session, push)
	must(t, w.Settle(push.Call, tools.Outcome{Kind: tools.Uncertain}, 0))
	shell := func(command, key string) *tools.Proposal {
		return &tools.Proposal{Call: tools.Call{ID: "x", Tool: "shell", Args: json.RawMessage(`{"command":"` + command + `"}`)}, Command: command, Key: key}
	}
	write := func(path string) *tools.Proposal {
		return &tools.Proposal{Call: tools.Call{ID: "x", Tool: "write", Args: json.RawMessage(`{}`)}, Touches: []tools.Touch{{Path: path}}}
	}
	read := write("/w/src/a.go")
	read.Spec.Effect = tools.ReadOnly
	looks := shell("cat src/a.go", "cat")
	looks.Spec.Risk = tools.ReadOnlyRisk
	for name, c := range map[string]struct {
		p    *tools.Proposal
		held string
	}{
		"the same file":            {write("/w/src/a.go"), "c1"},
		"its folder":               {write("/w/src"), "c1"},
		"a command that names it":  {shell("sed -i s/x/y/ src/a.go", ""), "c1"},
		"the same command":         {shell("git push", ""), "push"},
		"the same kind of command": {shell("git push origin x", "git push"), "push"},
		"another file":             {write("/w/src/a.go2"), ""},
		"another command":          {shell("go test ./...", "go test"), ""},
		"reading it":               {read, ""},
		"a command that reads it":  {looks, ""},
	} {
		if got := heldBy(t, w.Session, c.p); got != c.held {
			t.Errorf("%s: held by %q, want %q", name, got, c.held)
		}
	}
	must(t, w.Reconcile("push", tools.DidNotHappen, tools.ByPerson, "the remote has not moved"))
	if held, err := w.Held(push); err != nil || held != nil {
		t.Errorf("held after it was settled: %+v, %v", held, err)
	}
}

func TestTheSameCallIsHeldBackHoweverItIsWritten(t *testing.T) {
	w := newTurns(t)
	w.prompt("p")
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	uncertain := func(id, tool, args, command string) {
		t.Helper()
		c := tools.Call{ID: id, Tool: tool, Args: json.RawMessage(args)}
		begun(t, w.Session, &tools.Proposal{Call: c, Command: command})
		must(t, w.Settle(c, tools.Outcome{Kind: tools.Uncertain}, 0))
	}
	uncertain("issue", "mcp_issues_create", `{"title":"x","token":"`+secret+`","n":1}`, "")
	uncertain("sed", "shell", `{"command":"sed -i s/x/y/ src/a.go"}`, "sed -i s/x/y/ src/a.go")
	uncertain("curl", "shell", `{"command":"curl -XPOST -H token:`+secret+` http://h/"}`, "curl -XPOST -H token:"+secret+" http://h/")
	made := func(tool, args, command string, paths ...string) *tools.Proposal {
		p := &tools.Proposal{Call: tools.Call{ID: "x", Tool: tool, Args: json.RawMessage(args)}, Command: command}
		for _, path := range paths {
			p.Touches = append(p.Touches, tools.Touch{Path: path})
		}
		return p
	}
	for name, c := range map[string]struct {
		p    *tools.Proposal
		held string
	}{
		"the same with a secret":       {made("mcp_issues_create", `{"title":"x","token":"`+secret+`","n":1}`, ""), "issue"},
		"its keys in another order":    {made("mcp_issues_create", `{ "n": 1, "token": "`+secret+`", "title": "x" }`, ""), "issue"},
		"another issue":                {made("mcp_issues_create", `{"title":"y","token":"`+secret+`","n":1}`, ""), ""},
		"another number":               {made("mcp_issues_create", `{"title":"x","token":"`+secret+`","n":1.5}`, ""), ""},
		"the command with a secret":    {made("shell", `{"command":"x"}`, "curl -XPOST -H token:"+secret+" http://h/"), "curl"},
		"the file by a tool":           {made("write", `{}`, "", "/w/src/a.go"), "sed"},
		"the file by another command":  {made("shell", `{}`, "perl -pi -e s/x/y/ ./src/a.go"), "sed"},
		"the file in a redirection":    {made("shell", `{}`, "echo package a >src/a.go"), "sed"},
		"another file by a tool":       {made("write", `{}`, "", "/w/src/b.go"), ""},
		"another file by a command":    {made("shell", `{}`, "perl -pi -e s/x/y/ src/a.go2"), ""},
		"a command that names nothing": {made("shell", `{}`, "make test"), ""},
	} {
		if got := heldBy(t, w.Session, c.p); got != c.held {
			t.Errorf("%s: held by %q, want %q", name, got, c.held)
		}
	}
}

func TestWhatThePersonFoundOutIsNotTold(t *testing.T) {
	w := newTurns(t)
	must(t, w.Append(llm.UserText("p")))
	c := w.call("write", `{}`, true, tools.Outcome{Kind: tools.Uncertain}, tools.Spec{}, touch("/w/a", content("0"), content("1")))
	if p, err := w.Load(); err != nil || !strings.Contains(p.Notice, c.ID) {
		t.Errorf("notice %q, %v", p.Notice, err)
	}
	must(t, w.Reconcile(c.ID, tools.Happened, tools.ByPerson, "I saw it"))
	if p, err := w.Load(); err != nil || p.Notice != "" {
		t.Errorf("notice %q, %v", p.Notice, err)
	}
}

func TestWhatAProbeFoundOutIsToldOnceAndIsNoDuty(t *testing.T) {
	w := newTurns(t)
	w.prompt("p")
	c := w.call("write", `{}`, true, tools.Outcome{Kind: tools.Uncertain}, tools.Spec{}, touch("/w/a", content("0"), content("1")))
	must(t, w.Reconcile(c.ID, tools.DidNotHappen, tools.ByProbe, "every file is as it was"))
	p, err := w.Load()
	must(t, err)
	if !strings.Contains(p.Notice, c.ID+", write: write: did not happen (every file is as it was)") || strings.Contains(p.Notice, "not known") {
		t.Errorf("notice: %s", p.Notice)
	}
	must(t, w.Append(llm.UserText(p.Notice)))
	if p, err := w.Load(); err != nil || p.Notice != "" {
		t.Errorf("told twice: %q, %v", p.Notice, err)
	}
}
