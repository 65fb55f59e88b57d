package store_test

import (
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestATurnThatFailedIsToldOfUntilTheNext(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "one"})
	look := func(when, failed string, cut bool) {
		t.Helper()
		past, err := j.Load()
		must(t, err)
		if past.Failed != failed || past.Cut != cut {
			t.Errorf("%s: %q, %v", when, past.Failed, past.Cut)
		}
	}
	look("nothing is recorded", "", false)
	must(t, j.Append(llm.UserText("first")))
	look("a prompt nobody answered", "", true)
	must(t, j.Failed("the disk broke"))
	look("a prompt that failed", "the disk broke", false)
	report := llm.UserText("what ! said")
	report.Parts[0].For = "operator_1"
	must(t, j.Append(report))
	look("what the person did meanwhile", "the disk broke", false)
	must(t, j.Append(llm.UserText("second")))
	look("the next prompt", "", true)
	must(t, j.Append(asks(call("c1"))))
	look("calls, and nothing after them", "", true)
	must(t, j.Settle(tools.Call{ID: "c1"}, tools.Outcome{Kind: tools.Cancelled}, 0))
	must(t, j.Append(answer("done")))
	look("an answer", "", false)
	must(t, j.Append(report))
	look("an answer, and what the person did", "", false)
	must(t, j.Append(llm.UserText("third")))
	must(t, j.Append(answer("half")))
	must(t, j.Failed("it broke off"))
	look("half an answer", "it broke off", false)
	must(t, j.Rewind(7))
	look("the prompt is taken back", "", false)
	must(t, j.Unrewind())
	look("and brought back", "it broke off", false)
	copied, err := s.Fork("one", 0)
	must(t, err)
	f, err := s.OpenSession(copied)
	must(t, err)
	if past, err := f.Load(); err != nil || past.Failed != "it broke off" {
		t.Errorf("the copy: %q, %v", past.Failed, err)
	}
	must(t, f.Close())
	hooked := llm.UserText("go on")
	hooked.Parts[0].For = "hook:"
	must(t, j.Append(hooked))
	look("what a hook said in the turn", "", true)
}
