package store_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/redact"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestNoSecretIsStoredAndNothingInMemoryIsAltered(t *testing.T) {
	const canary, value = "ghp_0123456789abcdefghijABCDEFGHIJ012345", "correct horse battery"
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	s.Hide([]redact.Secret{{Name: "DB_PASSWORD", Value: value}})
	both := canary + " and " + value
	j := newSession(t, s, store.Meta{ID: "one"})
	user := llm.UserText("use " + both)
	must(t, j.Append(user))
	if !strings.Contains(user.Text(), both) {
		t.Error("the message in memory was altered")
	}
	args := json.RawMessage(`{"command":"echo ` + both + `"}`)
	c := tools.Call{ID: "c1", Tool: "shell", Args: args}
	asked := asks(c)
	asked.Parts = append([]llm.Part{{Kind: llm.Thinking, Text: "think of " + both}, {Kind: llm.Text, Text: "I run " + both}}, asked.Parts...)
	must(t, j.Append(asked))
	p := &tools.Proposal{Call: c, Summary: "echo " + both, Command: "echo " + both, Key: "= echo " + both}
	must(t, j.Propose(p))
	must(t, j.Decide(c, tools.Decision{Allowed: true, By: tools.ByPerson, Reason: "always allow echo " + both, Choice: both}))
	must(t, j.Start(c))
	must(t, j.Settle(c, tools.Outcome{Kind: tools.OK, Text: both + "\n", Show: []tools.Section{{Kind: tools.Text, Title: both, Body: both}}}, 1))
	must(t, s.Allowlist("/r").Allow("echo", "echo "+both))
	if string(c.Args) != string(args) || !strings.Contains(string(asked.Calls()[0].Args), both) {
		t.Error("the call in memory was altered")
	}
	past, err := j.Load()
	must(t, err)
	if got := past.Records["c1"].Outcome.Text; got != "[redacted: GitHub token] and [redacted: DB_PASSWORD]\n" {
		t.Error(got)
	}
	if got := past.Messages[1].Calls()[0].Args; !json.Valid(got) {
		t.Errorf("%s", got)
	}
	if v, err := s.Verify(); err != nil || v.Broken != nil {
		t.Error(v.Broken, err)
	}
	must(t, j.Close())
	for _, name := range []string{path, path + "-wal"} {
		b, err := os.ReadFile(name)
		must(t, err)
		for _, secret := range []string{canary, value, "horse"} {
			if strings.Contains(string(b), secret) {
				t.Errorf("%s holds %q", filepath.Base(name), secret)
			}
		}
	}
}

func TestWhatAProviderSignedAndWhatAFileHeldStayExact(t *testing.T) {
	const canary = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "one"})
	must(t, j.Append(llm.UserText("go")))
	signature := json.RawMessage(`{"signature":"` + canary + `","x":  1}`)
	c := call("c1")
	must(t, j.Append(&llm.Message{Role: llm.Assistant, Parts: []llm.Part{
		{Kind: llm.Thinking, Text: "signed " + canary, Opaque: signature},
		{Kind: llm.Text, Text: "said " + canary, Opaque: signature},
		{Kind: llm.CallPart, Call: &llm.Call{ID: c.ID, Name: c.Tool, Args: c.Args, Opaque: signature}},
	}}))
	before := tools.StateOf(tools.Regular, 0o644, []byte("token="+canary))
	must(t, j.Propose(&tools.Proposal{Call: c, Touches: []tools.Touch{{Path: "/x", Before: before, After: tools.StateOf(tools.Regular, 0o644, nil)}}}))
	must(t, j.Decide(c, allowed()))
	must(t, j.Start(c))
	must(t, j.Settle(c, tools.Outcome{Kind: tools.OK}, 1))
	past, err := j.Load()
	must(t, err)
	parts := past.Messages[1].Parts
	if parts[0].Text != "signed "+canary || string(parts[0].Opaque) != string(signature) || string(parts[1].Opaque) != string(signature) ||
		string(parts[2].Call.Opaque) != string(signature) || parts[1].Text != "said [redacted: GitHub token]" {
		t.Errorf("%+v", parts)
	}
	r, err := j.Since(1)
	must(t, err)
	if string(r.Points[0].Want.Data) != "token="+canary {
		t.Errorf("%q would be put back", r.Points[0].Want.Data)
	}
}
