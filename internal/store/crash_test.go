//go:build unix

package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A step is one transition of the script that is broken off.
type step struct {
	do string // prompt, request, propose, allow, deny, start, effect, settle, clear or compact
	id string
}

// scriptCalls says what the calls of the script are.
func scriptCalls() map[string]tools.Spec {
	return map[string]tools.Spec{
		"safe":   {Replay: tools.Safe},
		"never":  {},
		"denied": {},
		"read":   {Effect: tools.ReadOnly},
		"bad":    {},
	}
}

func script() []step {
	return []step{
		{"prompt", ""},
		{"request", "safe never denied bad"},
		{"propose", "safe"},
		{"allow", "safe"},
		{"propose", "never"},
		{"revise", "never"},
		{"allow", "never"},
		{"propose", "denied"},
		{"deny", "denied"},
		{"start", "safe"},
		{"effect", "safe"},
		{"start", "never"},
		{"effect", "never"},
		{"settle", "safe"},
		{"settle", "never"},
		{"settle", "denied"},
		{"settle", "bad"},
		{"clear", ""},
		{"request", "read"},
		{"propose", "read"},
		{"allow", "read"},
		{"start", "read"},
		{"settle", "read"},
		{"compact", ""},
		{"prompt", ""},
		{"clear", ""},
		{"compact", ""},
	}
}

// crash does the first n steps of the script and kills its own process.
func crash(path string, n int) error {
	s, err := store.Open(path, nil)
	if err != nil {
		return err
	}
	j, err := s.NewSession(store.Meta{ID: "crash"})
	if err != nil {
		return err
	}
	for _, st := range script()[:n] {
		if err := take(j, st, path); err != nil {
			return fmt.Errorf("%v: %w", st, err)
		}
	}
	return syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

func take(j *store.Session, st step, path string) error {
	c := call(st.id)
	switch st.do {
	case "prompt":
		return j.Append(llm.UserText("go"))
	case "request":
		var calls []tools.Call
		for _, id := range strings.Fields(st.id) {
			calls = append(calls, call(id))
		}
		return j.Append(asks(calls...))
	case "propose":
		return j.Propose(&tools.Proposal{Call: c, Summary: "make " + st.id, Spec: scriptCalls()[st.id]})
	case "revise":
		return j.Revise(&tools.Proposal{Call: c, Summary: "make " + st.id + " slowly", Spec: scriptCalls()[st.id]})
	case "allow":
		return j.Decide(c, allowed())
	case "deny":
		return j.Decide(c, tools.Decision{By: tools.ByPerson, Reason: "not now"})
	case "start":
		return j.Start(c)
	case "effect":
		f, err := os.OpenFile(path+".effects", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(f, st.id)
		return errors.Join(err, f.Close())
	case "clear":
		return j.Clear(1, 900, 500)
	case "compact":
		return j.Compact("what happened", "facts", 1, 500, 100)
	case "settle":
		return j.Settle(c, tools.Outcome{Kind: tools.OK, Text: "done " + st.id}, 1)
	}
	return fmt.Errorf("no step %s", st.do)
}

// became says what a call is after a crash: the outcome and, if blocked, why.
func became(id string, last string) (tools.Kind, tools.Block) {
	switch last {
	case "request", "allow":
		return tools.Cancelled, tools.NotBlocked
	case "propose", "revise", "deny":
		return tools.Blocked, tools.Denied
	case "start", "effect":
		if id == "never" {
			return tools.Uncertain, tools.NotBlocked
		}
		return tools.Error, tools.NotBlocked
	}
	return tools.OK, tools.NotBlocked
}

func TestACrashAfterAnyTransitionIsSettledByTheTable(t *testing.T) {
	for n := 1; n <= len(script()); n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "zuno.db")
			out, err := childCommand("crash", path, n).CombinedOutput()
			if err == nil || len(out) > 0 {
				t.Fatalf("the child ended with %v: %s", err, out)
			}
			s := openAt(t, path)
			j, err := s.OpenSession("crash")
			must(t, err)
			defer func() { must(t, j.Close()) }()
			checkAfterCrash(t, s, j, script()[:n])
			must(t, s.Check())
		})
	}
}

func checkAfterCrash(t *testing.T, s *store.Store, j *store.Session, done []step) {
	t.Helper()
	p, err := j.Load()
	must(t, err)
	last, messages, view := map[string]string{}, 0, store.View{}
	for _, st := range done {
		if st.do == "prompt" || st.do == "request" {
			messages++
		}
		switch st.do {
		case "clear":
			view.Cleared, view.At, view.Before, view.After = messages-1, messages, 900, 500
		case "compact":
			view.Summary, view.Facts, view.Covers, view.At, view.Before, view.After = "what happened", "facts", messages-1, messages, 500, 100
		}
		for _, id := range strings.Fields(st.id) {
			last[id] = st.do
		}
	}
	if len(p.Messages) != messages || len(p.Records) != len(last) {
		t.Fatalf("there are %d messages and %d calls, not %d and %d", len(p.Messages), len(p.Records), messages, len(last))
	}
	if p.View != view {
		t.Errorf("the view is %+v, not %+v", p.View, view)
	}
	uncertain := 0
	for id, do := range last {
		r := p.Records[id]
		kind, block := became(id, do)
		if r.State != tools.Settled || r.Outcome.Kind != kind || r.Outcome.Block != block || r.Outcome.Text == "" {
			t.Errorf("%s, left at %s, became %s %v %v %q", id, do, r.State, r.Outcome.Kind, r.Outcome.Block, r.Outcome.Text)
		}
		began := do == "start" || do == "effect"
		if r.Outcome.Started != began {
			t.Errorf("%s, left at %s: began is %v", id, do, r.Outcome.Started)
		}
		if kind == tools.Uncertain {
			uncertain++
		}
		// It never starts again.
		if err := j.Start(call(id)); err == nil {
			t.Errorf("%s can be started", id)
		}
	}
	if got := strings.Count(p.Notice, "- call "); got != uncertain {
		t.Errorf("%d calls are uncertain, and the notice is %q", uncertain, p.Notice)
	}
	list, err := j.Uncertain()
	must(t, err)
	if len(list) != uncertain {
		t.Errorf("%d calls are listed as uncertain, not %d", len(list), uncertain)
	}
	if m, err := s.Sessions(1); err != nil || m[0].Uncertain != uncertain || m[0].Calls != len(last) {
		t.Error(m, err)
	}
}

func TestAnEffectIsRecordedBeforeItHappens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	steps := script()
	for n, st := range steps {
		if st.do != "effect" {
			continue
		}
		must(t, os.RemoveAll(path))
		must(t, os.RemoveAll(path+"-wal"))
		must(t, os.RemoveAll(path+"-shm"))
		must(t, os.RemoveAll(path+".effects"))
		_ = childCommand("crash", path, n+1).Run()
		effects, err := os.ReadFile(path + ".effects")
		must(t, err)
		s := openAt(t, path)
		_, p, err := s.Read("crash")
		must(t, err)
		for id := range strings.FieldsSeq(string(effects)) {
			if got := p.Records[id].State; got != tools.Started && got != tools.Settled {
				t.Errorf("the effect of %s happened while it was %s", id, got)
			}
		}
	}
}
