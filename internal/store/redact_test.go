package store_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/redact"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/delegate"
	"github.com/zuno-dev/zuno/internal/tools/memory"
	"github.com/zuno-dev/zuno/internal/tools/work"
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

// exempt are the columns of text that hold nothing that anybody wrote: names that
// zuno or the machine gave, words of a vocabulary, and paths.
func exempt() map[string]bool {
	list := map[string]bool{}
	for _, c := range strings.Fields(`allowed_command.key allowed_command.repo allowed_command.session call.block call.decided_by call.effect call.id call.outcome
		call.replay call.requested call.risk call.state call.tool call.verdict call_image.mime call_result.changes chain.event goal.id goal.status
		goal_criterion.id goal_criterion.receipt job.agent job.call job.child job.id job.status llm_usage.model llm_usage.purpose memory.by
		memory.repo memory.session memory_revision.repo message.model message.role message.stop note.path note.repo note.session plan.goal
		plan.id plan_step.id plan_step.status reconciliation.by reconciliation.finding reminder.session session.agent session.branch session.chosen session.dir session.effort session.forked
		session.id session.model session.owner session.owner_boot session.owner_host session.owner_space session.owner_start session.parent session.repo
		todo.after todo.goal todo.id todo.owner todo.parent todo.plan_step todo.priority todo.status touch.after_kind
		touch.before_kind touch.name trusted.hash trusted.kind trusted.name trusted.root trusted.session`) {
		list[c] = true
	}
	return list
}

// TestEveryTextThatSomebodyWritesIsStoredWithoutItsSecrets fails for a column that
// is new until something here fills it, or it is exempt.
func TestEveryTextThatSomebodyWritesIsStoredWithoutItsSecrets(t *testing.T) {
	const canary = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	j := newSession(t, s, store.Meta{ID: "one", Title: canary})
	must(t, j.Append(llm.UserText("use "+canary)))
	args := json.RawMessage(`{"command":"echo ` + canary + `"}`)
	c, edited := tools.Call{ID: "c1", Tool: "shell", Args: args}, json.RawMessage(`{"command":"printf `+canary+`"}`)
	must(t, j.Append(asks(c, tools.Call{ID: "c2", Tool: "shell", Args: json.RawMessage("{\"\xff" + canary)})))
	p := &tools.Proposal{Call: c, Summary: "echo " + canary, Command: "echo " + canary, Key: "= echo " + canary}
	must(t, j.Propose(p))
	p.Call.Args, p.Summary, p.Command, p.Key = edited, "printf "+canary, "printf "+canary, "= printf "+canary
	must(t, j.Revise(p))
	must(t, j.Decide(c, tools.Decision{Allowed: true, By: tools.ByPerson, Reason: canary, Choice: canary}))
	must(t, j.Start(c))
	must(t, j.Settle(c, tools.Outcome{Kind: tools.Uncertain, Text: canary, Show: []tools.Section{{Kind: tools.Text, Title: canary, Body: canary}}}, 1))
	must(t, j.Reconcile("c1", tools.Happened, tools.ByPerson, canary))
	must(t, j.Append(answer("done")))
	must(t, j.Compact(canary, canary, 1, 2, 1))
	must(t, j.Used(llm.Expense{Purpose: "conversation", Failure: "the server said " + canary}))
	must(t, j.Failed("it ended with "+canary))
	id, err := j.Enqueue("then "+canary, false)
	must(t, err)
	if q, err := j.Queue(); err != nil || len(q) != 1 || q[0].ID != id || q[0].Text != "then "+canary {
		t.Errorf("what waits became %+v, %v", q, err)
	}
	b, err := j.NewJob(delegate.Job{Call: "c1", Agent: "a", Title: canary, Prompt: canary})
	must(t, err)
	must(t, j.EndJob(b.ID, delegate.Failed, canary))
	must(t, j.ChangeWork(func(w *work.Work) error {
		w.Plan = &work.Plan{ID: "p", Title: canary, Steps: []work.Step{{ID: "s", Title: canary, Status: "pending"}}}
		w.Todos = []work.Todo{{ID: "t", Subject: canary, Description: canary, ActiveForm: canary}}
		w.Goal = &work.Goal{ID: "g", Objective: canary, BlockedBy: canary, Criteria: []work.Criterion{{ID: "c", Text: canary, Waived: canary}}}
		return nil
	}))
	_, err = s.Memory("/r").Put(memory.Project, 0, memory.Entry{Text: canary, Reason: canary})
	must(t, err)
	must(t, s.Memory("/r").PutNote(memory.Project, "n", canary, 0))
	must(t, s.Memory("/r").PutNote(memory.Project, "n", canary+" again", 1))
	_, err = s.Reminders().AddReminder(time.Now(), canary)
	must(t, err)
	must(t, s.Allowlist("/r").Allow("echo", "echo "+canary))
	var no *tools.Refusal
	if err := s.Allowlist("/r").Allow("= echo "+canary, "echo "+canary); !errors.As(err, &no) {
		t.Errorf("a key with a secret is remembered: %v", err)
	}
	must(t, j.Close())

	db := rawOpen(t, path)
	defer db.Close()
	rows, err := db.Query(`SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.type = 'TEXT'`)
	must(t, err)
	var columns [][2]string
	for rows.Next() {
		var c [2]string
		must(t, rows.Scan(&c[0], &c[1]))
		columns = append(columns, c)
	}
	must(t, errors.Join(rows.Err(), rows.Close()))
	skip := exempt()
	for _, c := range columns {
		var open, taken int
		must(t, db.QueryRow(`SELECT coalesce(sum(instr(`+c[1]+`, 'ghp_')), 0), coalesce(sum(instr(`+c[1]+`, '[redacted')), 0) FROM `+c[0]).Scan(&open, &taken))
		if name := c[0] + "." + c[1]; open > 0 || taken == 0 && !skip[name] {
			t.Errorf("%s: %d secrets are there, %d were taken out", name, open, taken)
		}
	}
	for _, name := range []string{path, path + "-wal"} {
		if b, err := os.ReadFile(name); err == nil && strings.Contains(string(b), "ghp_") {
			t.Errorf("%s holds a secret", filepath.Base(name))
		}
	}
}
