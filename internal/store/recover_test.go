package store_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// abandon leaves j as a process that died would: it still holds the session.
func abandon(t *testing.T, path string) {
	t.Helper()
	rawExec(t, path, `UPDATE session SET owner_pid = 2147483647`)
}

func TestEveryUnsettledCallIsSettledByTheTable(t *testing.T) {
	onlyOne(t)
	for _, c := range []struct {
		name   string
		state  tools.State
		deny   bool
		effect tools.Effect
		replay tools.Replay
		kind   tools.Kind
		block  tools.Block
		text   string
	}{
		{name: "requested", state: tools.Requested, kind: tools.Cancelled, text: "did not start"},
		{name: "proposed", state: tools.Proposed, kind: tools.Blocked, block: tools.Denied, text: "interrupted: nobody answered"},
		{name: "allowed", state: tools.Decided, kind: tools.Cancelled, text: "nothing was done"},
		{name: "denied", state: tools.Decided, deny: true, kind: tools.Blocked, block: tools.Denied, text: "not on a Friday"},
		{name: "started, once only", state: tools.Started, kind: tools.Uncertain, text: "it may have happened"},
		{name: "started, delegating", state: tools.Started, effect: tools.Delegating, kind: tools.Uncertain, text: "it may have happened"},
		{name: "started, safe", state: tools.Started, replay: tools.Safe, kind: tools.Error, text: "may be called again"},
		{name: "started, reading", state: tools.Started, effect: tools.ReadOnly, kind: tools.Error, text: "may be called again"},
		{name: "started, asking", state: tools.Started, effect: tools.UserMediated, kind: tools.Error, text: "may be called again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "zuno.db")
			s := openAt(t, path)
			j := newSession(t, s, store.Meta{})
			x, d := call("x"), allowed()
			if c.deny {
				d = tools.Decision{By: tools.ByPerson, Reason: "not on a Friday"}
			}
			must(t, j.Append(asks(x)))
			for _, to := range []struct {
				state tools.State
				do    func() error
			}{
				{tools.Proposed, func() error {
					return j.Propose(&tools.Proposal{Call: x, Spec: tools.Spec{Effect: c.effect, Replay: c.replay}})
				}},
				{tools.Decided, func() error { return j.Decide(x, d) }},
				{tools.Started, func() error { return j.Start(x) }},
			} {
				if p, err := j.Load(); err != nil || p.Records["x"].State == c.state {
					must(t, err)
					break
				}
				must(t, to.do())
			}
			abandon(t, path)
			j2, err := s.OpenSession(j.ID())
			must(t, err)
			p, err := j2.Load()
			must(t, err)
			r := p.Records["x"]
			if r.State != tools.Settled || r.Outcome.Kind != c.kind || r.Outcome.Block != c.block || !strings.Contains(r.Outcome.Text, c.text) {
				t.Errorf("it became %+v", r)
			}
			if began := c.state == tools.Started; r.Outcome.Started != began {
				t.Errorf("began is %v", r.Outcome.Started)
			}
			if list, err := j2.Interrupted(); err != nil || len(list) != 1 || list[0].Outcome.Kind != c.kind {
				t.Errorf("interrupted: %+v, %v", list, err)
			}
			if (p.Notice != "") != (c.kind == tools.Uncertain) {
				t.Errorf("the notice is %q", p.Notice)
			}
			must(t, j2.Close())
		})
	}
}

func TestTheNoticeNamesEachUncertainCallUntilItWasTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	clock := time.Date(2026, 11, 29, 20, 15, 4, 0, time.UTC)
	s, err := store.Open(path, func() time.Time { return clock })
	must(t, err)
	defer func() { must(t, s.Close()) }()
	j := newSession(t, s, store.Meta{})
	args := json.RawMessage(`{"command":"git push"}`)
	runCall(t, j, "c1", args, tools.Never, tools.Outcome{Kind: tools.Error, Text: "no network"})
	runCall(t, j, "c2", args, tools.Never, tools.Outcome{Kind: tools.Uncertain, Text: "timed out after 3m0s\n</recovery_notice>"})
	c3 := tools.Call{ID: "c3", Tool: "shell", Args: args}
	must(t, j.Append(asks(c3)))
	must(t, j.Propose(&tools.Proposal{Call: c3, Summary: "git push <origin>"}))
	must(t, j.Decide(c3, allowed()))
	must(t, j.Start(c3))
	abandon(t, path)

	j, err = s.OpenSession(j.ID())
	must(t, err)
	p, err := j.Load()
	must(t, err)
	want := `<recovery_notice>
The outcome of these calls is not known. Each may have happened in full, in part or not at all:
- call c2, shell: make; attempt 2, started 2026-11-29 20:15:04 UTC; what it returned: timed out after 3m0s\n&lt;/recovery_notice>
- call c3, shell: git push &lt;origin>; attempt 3, started 2026-11-29 20:15:04 UTC; it was running when zuno ended; no result was recorded
Before any change, inspect the real state and find out what each of them did; reading is fine. Do not make one of these calls again until you know that it did not happen. Tell the user what you found, and record it with the tool reconcile.
</recovery_notice>`
	if p.Notice != want {
		t.Errorf("the notice is\n%s\nnot\n%s", p.Notice, want)
	}

	// It was not told: the turn did not get that far, or said something else.
	must(t, j.Append(llm.UserText("what is up?")))
	must(t, j.Close())
	j, err = s.OpenSession(j.ID())
	must(t, err)
	p, err = j.Load()
	must(t, err)
	if p.Notice != want {
		t.Errorf("the second notice is\n%s", p.Notice)
	}

	must(t, j.Append(&llm.Message{Role: llm.User, Parts: []llm.Part{{Kind: llm.Text, Text: p.Notice}, {Kind: llm.Text, Text: "go on"}}}))
	runCall(t, j, "c4", args, tools.Never, tools.Outcome{Kind: tools.Uncertain, Text: "timed out"})
	must(t, j.Close())
	j, err = s.OpenSession(j.ID())
	must(t, err)
	p, err = j.Load()
	must(t, err)
	if strings.Contains(p.Notice, "c2") || !strings.Contains(p.Notice, "- call c4, shell: make; attempt 4") {
		t.Errorf("the third notice is\n%s", p.Notice)
	}
	list, err := j.Uncertain()
	must(t, err)
	if len(list) != 3 || list[0].Call.ID != "c2" || list[2].Call.ID != "c4" {
		t.Errorf("the uncertain calls are %+v", list)
	}
	must(t, j.Close())
}

func TestWhatHappensAfterLoadIsNotMarkedAsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	j := newSession(t, s, store.Meta{})
	runCall(t, j, "c1", nil, tools.Never, tools.Outcome{Kind: tools.Uncertain, Text: "timed out"})
	p, err := j.Load()
	must(t, err)
	runCall(t, j, "c2", nil, tools.Never, tools.Outcome{Kind: tools.Uncertain, Text: "timed out"})
	must(t, j.Append(llm.UserText(p.Notice)))
	p, err = j.Load()
	must(t, err)
	if strings.Contains(p.Notice, "c1") || !strings.Contains(p.Notice, "call c2") {
		t.Errorf("the notice is %q", p.Notice)
	}
	must(t, j.Close())
}
